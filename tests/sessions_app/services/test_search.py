"""A question put from outside a conversation, which may name the session that asks."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.principals import Principal
from memory.domain.types import Effort, Reader, RecallRequest
from memory.models import RetrievalLog
from sessions_app.domain.types import NewTurn
from sessions_app.services import recollect
from sessions_app.services.search import RECENT_TURNS, search_memories
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.sessions_app.fakes import ScriptedRecall

pytestmark = pytest.mark.django_db

QUESTION = "Book another one."


def say(principal: Principal, *lines: tuple[str, str], session: str = "plans", **options: Any):
    opened = open_session(principal, session, **options)
    append_turns(principal, opened, [NewTurn(role=role, content=text) for role, text in lines])
    return opened


def request(principal: Principal, session: Any = None) -> RecallRequest:
    return RecallRequest(
        question=QUESTION,
        reader=Reader(principal.space_id, principal.user_id),
        now=datetime(2026, 3, 1, tzinfo=UTC),
        time_zone="UTC",
        session_id=session.id if session else None,
    )


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> ScriptedRecall:
    memory = ScriptedRecall()
    monkeypatch.setattr(recollect, "recall", memory)
    return memory


def recent(memory: ScriptedRecall) -> list[str]:
    return [turn.text for turn in memory.requests[-1].recent]


def test_the_last_turns_of_the_session_that_asks_are_read_oldest_first(alice, memory):
    session = say(alice, *[("user", f"Turn {n}.") for n in range(RECENT_TURNS + 3)])
    search_memories(alice, request(alice, session))
    assert recent(memory) == [f"Turn {n}." for n in range(3, RECENT_TURNS + 3)]
    search_memories(alice, request(alice))
    assert recent(memory) == []


def test_the_question_itself_is_not_read_twice_and_orders_to_the_model_not_at_all(alice, memory):
    session = say(alice, ("system", "Be brief."), ("user", "Only trains."), ("user", f" {QUESTION}"))
    search_memories(alice, request(alice, session))
    assert recent(memory) == ["Only trains."]


def test_a_private_session_of_somebody_else_is_not_read(alice, bob, memory):
    session = say(alice, ("user", "My secret."), private=True)
    search_memories(bob, replace(request(bob, session)))
    assert recent(memory) == []


def test_what_a_tool_gave_tells_what_is_being_done(alice):
    session = say(alice, ("user", "Only trains. Book one."), ("tool", "Error: no seats left"))
    recalled = search_memories(alice, request(alice, session))
    action = recalled.records.plan.action
    assert (action.tentative_action, action.failure_signal) == (QUESTION, "Error: no seats left")
    assert "Only trains." in action.known_constraints
    log = RetrievalLog.objects.for_space(alice.space_id).get()
    assert log.plan["action"]["failure"] == "Error: no seats left"
    fast = search_memories(alice, replace(request(alice, session), effort=Effort.FAST))
    assert fast.records.plan.action.failure_signal == ""
