"""Shortlisted entries become live items; what only the text and its times tell is added."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind, MemoryType, Plan, Reader, RecallRequest, Role, Route, TimeRange
from memory.services.recall_items import EPISODE, candidates_of, live_items, live_records, live_turns
from memory.services.recall_plan import Asked, embed, prepare
from memory.services.recall_search import search_kind
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def asked(
    memory: Memory,
    question: str = "Which dog?",
    *,
    plan: Plan | None = None,
    **options,
) -> Asked:
    request = RecallRequest(question, Reader(memory.space.id, memory.user.id), LATER, "UTC")
    request = replace(request, **options)
    made = prepare(request, RecallConfig.STANDARD, plan or Plan(), [])
    return embed(made)[0]


def ranked(memory: Memory, made: Asked, kind: Kind = Kind.TURN):
    (shortlist,) = search_kind([made], kind)
    items = live_items(made, shortlist)
    return [(items[each.id], each) for each in candidates_of(made, shortlist, items)]


class TestATurn:
    def test_becomes_an_episode_that_rests_on_itself(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dog barks."))
        (item,) = live_turns(asked(memory), [said.id])
        assert (item.memory_type, item.subject, item.evidence) == (EPISODE, "Alice", (said.id,))
        assert item.turn == said
        assert item.since == said.said_at
        assert item.attribute is None

    @pytest.mark.parametrize(
        "change",
        [
            {"role": Role.SYSTEM},
            {"role": Role.TOOL},
            {"said_at": LATER + DAY},
            {"private_to": uuid4()},
            {"space_id": uuid4()},
        ],
        ids=["system", "tool", "later", "private", "elsewhere"],
    )
    def test_is_not_admitted_once_it_changed(self, memory: Memory, change):
        (said,) = memory.say(("Alice", "My dog barks."))
        made = asked(memory, as_of=LATER)
        assert len(live_turns(made, [said.id])) == 1
        memory.shelf.turns[said.id] = replace(said, **change)
        assert live_turns(made, [said.id]) == []

    def test_is_no_record_of_any_type(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dog barks."))
        assert live_turns(asked(memory, types=frozenset({MemoryType.FACT})), [said.id]) == []


class TestARecord:
    def test_carries_its_times_its_attribute_and_its_turns(self, memory: Memory):
        first, second = memory.say(("Alice", "My dog barks."), ("Alice", "Rex, I mean."))
        row = memory.learn(
            "Alice's dog is Rex.",
            first,
            second,
            slot="dog",
            entities=["Rex"],
            valid_from=MONDAY,
            valid_to=LATER,
        )
        (item,) = live_records(asked(memory), [row.id])
        assert item.evidence == (first.id, second.id)
        assert item.attribute == ("alice", "dog")
        assert item.entities == ("Rex",)
        assert (item.since, item.temporal.valid_to) == (MONDAY, LATER)

    @pytest.mark.parametrize(
        ("fields", "options", "is_admitted"),
        [
            ({}, {}, True),
            ({"expired_at": MONDAY}, {}, False),
            ({"expired_at": LATER}, {"known_at": MONDAY + DAY}, True),
            ({"learned_at": LATER}, {"known_at": MONDAY + DAY}, False),
            ({"valid_from": LATER}, {"as_of": MONDAY + DAY}, False),
            ({"valid_to": MONDAY + DAY}, {"as_of": MONDAY + DAY}, False),
            ({"valid_to": MONDAY + DAY}, {"as_of": MONDAY}, True),
            ({"valid_to": MONDAY + DAY}, {}, True),
            ({"said_at": LATER}, {"as_of": MONDAY + DAY}, False),
            ({"memory_type": MemoryType.EVENT, "valid_to": MONDAY + DAY}, {"as_of": LATER}, True),
            ({"source_role": Role.ASSISTANT, "is_confirmed": False}, {}, False),
            ({"source_role": Role.ASSISTANT, "is_confirmed": True}, {}, True),
            ({"source_role": Role.USER, "is_confirmed": False}, {}, True),
            ({}, {"types": frozenset({MemoryType.PREFERENCE})}, False),
        ],
    )
    def test_is_admitted_by_what_was_known_and_true(self, memory: Memory, fields, options, is_admitted):
        row = memory.learn("Alice has a dog.", **fields)
        assert bool(live_records(asked(memory, **options), [row.id])) is is_admitted

    def test_the_last_word_is_the_newer_though_it_tells_of_a_day_before(self, memory: Memory):
        row = memory.learn("Alice moved to Porto.", valid_from=MONDAY - 9 * DAY, slot="residence")
        (item,) = live_records(asked(memory), [row.id])
        assert item.since == MONDAY

    def test_private_to_another_is_not_admitted(self, memory: Memory):
        row = memory.learn("Bob has a dog.", owner=make_user("bob"))
        assert live_records(asked(memory), [row.id]) == []


class TestMarks:
    def test_a_question_ranks_behind_a_statement(self, memory: Memory):
        memory.say(("Alice", "Rex the dog?"), session_id=uuid4())
        memory.say(("Alice", "Rex the dog."), session_id=uuid4())
        (best, _), (_, other) = ranked(memory, asked(memory, "Is Rex a dog?"))
        assert best.text == "Rex the dog."
        assert other.breakdown["question"] == 1

    def test_the_assistant_ranks_behind_unless_asked_for(self, memory: Memory):
        memory.say(("", "The dog is Rex."), ("Alice", "The dog is Rex."))
        by_default = {item.role: each for item, each in ranked(memory, asked(memory))}
        assert by_default[Role.ASSISTANT].breakdown["assistant"] == 1
        plan = Plan(question_type="prior_assistant_response")
        asked_for = {item.role: each for item, each in ranked(memory, asked(memory, plan=plan))}
        assert asked_for[Role.ASSISTANT].breakdown["assistant"] == 0

    def test_time_counts_by_validity_or_by_the_moment_of_saying(self, memory: Memory):
        (said,) = memory.say(("Alice", "My dog barks."), at=LATER)
        memory.learn("The dog barked.", said, valid_from=MONDAY, valid_to=MONDAY + DAY)
        for instant, days, marks in (
            (MONDAY, 1, (0, 2)),
            (LATER, 1, (2, 2)),
            (LATER - 6 * DAY, 7, (1, 1)),
            (LATER - 300 * DAY, 365, (0.5, 0.5)),
            (MONDAY + 9 * DAY, 1, (0, 0)),
        ):
            span = TimeRange(instant - DAY / 2, instant + (days - 0.5) * DAY)
            made = asked(memory, plan=Plan(routes=(Route("", (), time_range=span),)))
            found = [
                ranked(memory, made, kind)[0][1].breakdown["in_time"] for kind in (Kind.TURN, Kind.RECORD)
            ]
            assert tuple(found) == marks, instant
