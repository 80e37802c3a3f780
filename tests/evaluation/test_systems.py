"""Hits become turn keys; a tiny dialogue goes through the real services."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from evaluation.memories import Told, tell
from evaluation.runner import run, sample_probes
from evaluation.systems import flatten, systems
from evaluation.types import DialogSession, DialogTurn, Dialogue, Probe
from memory.config import RecallConfig
from memory.domain.types import Effort
from memory.models import MemoryRecord
from sessions_app.models import SessionTurn
from tests.memory.talking import record_hit, turn_hit

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
LINES = (
    ("D1:1", "Ann", "I adopted a parrot called Kiwi last week."),
    ("D1:2", "Ben", "Lovely! I still work at the bakery on Main Street."),
    ("D2:1", "Ann", "My sister Clara became a dentist in Hamburg."),
)


def dialogue() -> Dialogue:
    def session(name: str, at: datetime, *lines: tuple[str, str, str]) -> DialogSession:
        return DialogSession(name, tuple(DialogTurn(key, who, text, at) for key, who, text in lines))

    return Dialogue(
        "tiny",
        (session("session_1", MAY, *LINES[:2]), session("session_2", MAY + timedelta(days=9), LINES[2])),
        (
            Probe("Which pet did Ann adopt?", frozenset({"D1:1"}), "4"),
            Probe("Where does Ben work?", frozenset({"D1:2"}), "4"),
            Probe("What is the profession of Ann's sister Clara?", frozenset({"D2:1"}), "1"),
        ),
    )


class TestFlattening:
    def test_takes_each_hits_own_turns_in_order_once_and_no_neighbours(self):
        first = record_hit("x", said=[("Ann", "one"), ("Ben", "two"), ("Ann", "three")])
        own, near, other = first.evidence
        first = replace(first, evidence=(own, replace(near, is_neighbour=True)))
        second = replace(turn_hit("Ann", "three"), evidence=(other, own))
        assert flatten([first, second]) == [own.turn_id, other.turn_id]

    def test_of_nothing_is_nothing(self):
        assert flatten([]) == []


@pytest.fixture
def told(db: None) -> Told:
    return tell(dialogue(), number=1)


class TestTelling:
    def test_stores_turns_with_their_own_time_and_files_them(self, told: Told):
        space_id = told.principal.space_id
        turns = SessionTurn.objects.for_space(space_id)
        assert set(told.key_of_turn.values()) == {key for key, _, _ in LINES}
        assert turns.get(speaker="Ben").said_at == MAY
        assert MemoryRecord.objects.for_space(space_id).count() >= 3

    def test_keeps_each_dialogue_in_a_space_of_its_own(self, told: Told):
        other = tell(dialogue(), number=2)
        assert other.principal.space_id != told.principal.space_id
        assert User.objects.count() == 2


@pytest.mark.parametrize("effort", list(Effort))
def test_every_system_finds_what_only_one_turn_says(told: Told, effort: Effort):
    compared = systems(RecallConfig.for_effort(effort), effort=effort)
    assert list(compared) == ["whole", "records only", "raw turns only", "plain BM25"]
    for name, ask in compared.items():
        assert ask(told, dialogue().probes[2])[0] == "D2:1", name


def test_a_run_ranks_turns_and_sessions_of_every_question_by_every_system(db: None):
    rankings = run([dialogue()], systems(RecallConfig.STANDARD), is_quiet=True)
    assert {name: len(ranked) for name, ranked in rankings.items()} == dict.fromkeys(rankings, 3)
    last = rankings["whole"][2]
    assert last.turns[0] == "D2:1"
    assert last.sessions[0] == "session_2"
    assert last.evidence_sessions == {"session_2"}


def test_a_sample_is_the_same_every_time_and_never_larger_than_what_there_is():
    (once,) = sample_probes([dialogue()], 2)
    (again,) = sample_probes([dialogue()], 2)
    assert once.probes == again.probes
    assert len(once.probes) == 2
    (whole,) = sample_probes([dialogue()], 99)
    assert set(whole.probes) == set(dialogue().probes)
