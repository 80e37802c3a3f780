"""A dialogue is told with its own times, roles and people, each in a space of its own."""

from dataclasses import replace

import pytest

from accounts.models import Job, User
from evaluation.memories import Told, spoken_tokens, tell
from evaluation.recipes import RECIPES
from evaluation.types import DialogSession, DialogTurn
from memory.config import IngestConfig
from memory.domain.types import Role
from memory.models import MemoryRecord
from sessions_app.config import FilingConfig
from sessions_app.models import Segment, Session, SessionTurn
from sessions_app.services import consolidate
from tests.evaluation.telling import LINES, MAY, dialogue

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(db: None) -> Told:
    return tell(dialogue(), name="bench-1")


def test_turns_are_stored_with_their_own_time_and_filed(told: Told):
    space_id = told.principal.space_id
    turns = SessionTurn.objects.for_space(space_id)
    assert set(told.key_of_turn.values()) == {key for key, _, _ in LINES}
    assert turns.get(speaker="Ben").said_at == MAY
    assert MemoryRecord.objects.for_space(space_id).count() >= 3
    assert spoken_tokens(told) == sum(turn.tokens for turn in turns.all()) > 20


def test_each_dialogue_has_a_space_of_its_own(told: Told):
    other = tell(dialogue(), name="bench-2")
    assert other.principal.space_id != told.principal.space_id
    assert User.objects.count() == 2


def test_the_asker_speaks_where_a_turn_names_nobody_and_an_assistant_replies(db: None):
    turns = (
        DialogTurn("a", "", "I moved to Kiel in March.", MAY),
        DialogTurn("b", "", "Enjoy the sea!", MAY, Role.ASSISTANT),
    )
    own = replace(dialogue(), sessions=(DialogSession("s", turns),), asker="Ann Lee")
    space_id = tell(own, name="bench-1").principal.space_id
    rows = SessionTurn.objects.for_space(space_id).order_by("index")
    assert [(row.role, row.speaker) for row in rows] == [("user", "Ann Lee"), ("assistant", "")]


@pytest.mark.parametrize(("name", "segments"), [("eager", 3), ("per_exchange", 2), ("no_planner", 2)])
def test_it_is_filed_as_the_configuration_says(db: None, name: str, segments: int):
    config = RECIPES["standard"].without(name).ingest
    told = tell(dialogue(), name="bench-1", ingest=config)
    assert Segment.objects.for_space(told.principal.space_id).count() == segments


def test_joined_it_is_one_session_whose_pause_still_parts_segments(db: None):
    told = tell(dialogue().joined(), name="bench-1")
    space_id = told.principal.space_id
    assert set(told.key_of_turn.values()) == {key for key, _, _ in LINES}
    assert Session.objects.for_space(space_id).count() == 1
    assert [s.closed_because for s in Segment.objects.for_space(space_id).order_by("first_turn")] == [
        *("idle", "flush")
    ]


def test_a_session_that_takes_several_jobs_is_filed_to_its_end(db: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(consolidate, "FilingConfig", lambda: FilingConfig(begin_seconds=0.0))
    told = tell(dialogue(), name="bench-1", ingest=IngestConfig(is_eager=True))
    assert Job.objects.for_space(told.principal.space_id).filter(state="done").count() == 3
    assert not Segment.objects.for_space(told.principal.space_id).filter(state="closed").exists()


def test_a_session_that_cannot_be_filed_stops_the_run(db: None, monkeypatch: pytest.MonkeyPatch):
    def fail(*args: object, **options: object) -> None:
        raise ValueError

    monkeypatch.setattr(consolidate, "file_turns", fail)
    with pytest.raises(RuntimeError, match="session_1 was not filed"):
        tell(dialogue(), name="bench-1")
