"""What has been expired since is found again by `known_at`, and by nothing else."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.config import RecallConfig
from memory.domain.types import Plan, Reader, RecallRequest
from memory.services import recall_past
from memory.services.recall_past import past_records
from memory.services.recall_plan import Asked, prepare
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, texts

pytestmark = pytest.mark.django_db
BETWEEN = MONDAY + timedelta(days=3)


def asked(memory: Memory, question: str, config: RecallConfig = RecallConfig.STANDARD, **options) -> Asked:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    return prepare(replace(request, **options), config, Plan(), [])


@pytest.fixture
def expired(memory: Memory):
    row = memory.learn("Alice lives in Paris.", learned_at=MONDAY)
    memory.expire(row, LATER)
    return row


def test_it_is_scored_by_the_share_of_the_questions_words(memory: Memory, expired):
    items, (candidate,) = past_records(asked(memory, "Who lives in Rome?", known_at=BETWEEN))
    assert list(items) == [candidate.id] == [expired.id]
    assert candidate.matched_share == 0.5
    assert candidate.cosine == 0


@pytest.mark.parametrize(
    "options",
    [{}, {"known_at": LATER}, {"known_at": MONDAY - timedelta(days=1)}],
    ids=["now", "after", "before"],
)
def test_it_is_unknown_at_other_instants(memory: Memory, expired, options):
    assert past_records(asked(memory, "Who lives in Paris?", **options)) == ({}, [])


def test_what_shares_no_word_is_no_candidate(memory: Memory, expired):
    assert past_records(asked(memory, "Which volcano?", known_at=BETWEEN))[1] == []


def test_others_private_records_stay_out(memory: Memory):
    row = memory.learn("Bob lives in Paris.", owner=make_user("bob"))
    memory.expire(row, LATER)
    assert past_records(asked(memory, "Who lives in Paris?", known_at=BETWEEN)) == ({}, [])


def test_only_so_many_are_looked_at(memory: Memory, expired, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recall_past, "MOST", 1)
    newer = memory.learn("Ben lives in Paris.", learned_at=MONDAY)
    memory.expire(newer, LATER)
    assert list(past_records(asked(memory, "Who lives in Paris?", known_at=BETWEEN))[0]) == [newer.id]


def test_turns_alone_leave_records_of_the_past_out_too(memory: Memory, expired):
    turns_alone = replace(RecallConfig.STANDARD, are_records_recalled=False)
    made = asked(memory, "Who lives in Paris?", turns_alone, known_at=BETWEEN)
    assert past_records(made) == ({}, [])


def test_it_joins_what_is_still_live(memory: Memory, expired):
    memory.learn("Ben lives in Paris too.", learned_at=MONDAY)
    found = texts(memory.ask("Who lives in Paris?", known_at=BETWEEN))
    assert set(found) == {"Alice lives in Paris.", "Ben lives in Paris too."}
