"""What came of a recall: closed with its answer, judged by the turn after it."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError

from memory.config import RecallConfig
from memory.domain.types import Answered, Plan, Reader, RecallRequest, Route
from memory.models import RetrievalLog
from memory.services import recall_plan
from memory.services.feedback import close_log, judge_previous
from tests.memory.indexing import make_space, make_user
from tests.memory.recalling import LATER, Memory
from tests.memory.talking import talk

pytestmark = pytest.mark.django_db
TASK = "Please write down how I restart the gateway"


def first_log(memory: Memory) -> RetrievalLog:
    log: RetrievalLog | None = RetrievalLog.objects.for_space(memory.space.id).order_by("id").first()
    assert log is not None
    return log


def told(memory: Memory) -> tuple[str, str]:
    log = first_log(memory)
    return log.outcome, log.judged_by


class TestClosing:
    def test_it_notes_what_was_kept_and_how_the_answer_began(self, memory: Memory):
        memory.say(("Alice", "I live in Berlin."))
        recalled = memory.ask("Who lives in Berlin?")
        assert recalled.log_id is not None
        close_log(recalled.log_id, memory.space.id, kept_ids=[recalled.hits[0].id], excerpt="x" * 5_000)
        log = first_log(memory)
        assert log.kept_ids == [str(recalled.hits[0].id)]
        assert log.response_excerpt == "x" * RecallConfig.STANDARD.excerpt_chars
        assert (log.outcome, log.is_folded) == (RetrievalLog.Outcome.OPEN, False)

    def test_a_log_of_another_space_or_none_is_left_alone(self, memory: Memory):
        recalled = memory.ask("Who lives in Berlin?")
        assert recalled.log_id is not None
        for log_id, space_id in ((recalled.log_id, make_space("other").id), (uuid4(), memory.space.id)):
            close_log(log_id, space_id, kept_ids=[], excerpt="never")
        assert first_log(memory).response_excerpt == ""


class TestTheNextTurn:
    """Alice asks for something to be done, then says something."""

    @pytest.fixture(autouse=True)
    def task(self, memory: Memory) -> None:
        memory.say(("Alice", "To restart the gateway, power-cycle the box."))
        memory.ask(TASK, session_id=memory.session_id, is_turn=True)
        assert first_log(memory).plan["mode"] == "action"

    def say(self, memory: Memory, text: str, **options: Any) -> None:
        asked: dict[str, Any] = {"session_id": memory.session_id, "is_turn": True, **options}
        memory.ask(text, **asked)

    @pytest.mark.parametrize(
        ("text", "outcome"),
        [
            ("That worked, thanks!", "success"),
            ("That didn't work.", "fail"),
            ("No, I meant the router.", "correction"),
            (TASK, "fail"),
        ],
    )
    def test_it_judges_the_recall_before_it(self, memory: Memory, text: str, outcome: str):
        self.say(memory, text)
        assert told(memory) == (outcome, "rules")
        assert first_log(memory).judged_at is not None

    def test_what_tells_nothing_leaves_it_open(self, memory: Memory):
        self.say(memory, "And where does Bob live?")
        assert told(memory) == ("open", "")

    def test_a_tools_error_since_is_a_failure(self, memory: Memory):
        recent = talk(("Alice", "Go on."), ("", "I did."), ("!bash", "Error: no such host"))
        self.say(memory, "Then list the hosts.", recent=recent)
        assert told(memory) == ("fail", "rules")

    def test_an_older_tools_error_is_not(self, memory: Memory):
        recent = talk(("!bash", "Error: no such host"), ("Alice", "Go on."), ("", "I did."))
        self.say(memory, "Then list the hosts.", recent=recent)
        assert told(memory) == ("open", "")

    def test_it_must_be_said_in_that_session_by_who_asked(self, memory: Memory):
        self.say(memory, "That worked!", session_id=uuid4())
        self.say(memory, "That worked!", is_turn=False)
        self.say(memory, "That worked!", user=make_user("bob"))
        assert told(memory) == ("open", "")

    def test_a_judgement_stands(self, memory: Memory):
        self.say(memory, "That worked!")
        RetrievalLog.objects.for_space(memory.space.id).exclude(pk=first_log(memory).pk).delete()
        self.say(memory, "That didn't work.")
        assert told(memory) == ("success", "rules")

    def test_an_answer_to_a_plain_question_is_not_judged(self, memory: Memory):
        RetrievalLog.objects.for_space(memory.space.id).update(plan={"mode": "answer"})
        self.say(memory, "That worked!")
        assert told(memory) == ("open", "")

    def test_a_judgement_that_cannot_be_written_fails_no_recall(self, memory: Memory, monkeypatch):
        def full(*args, **kwargs):
            raise OperationalError("database or disk is full")

        monkeypatch.setattr("django.db.models.query.QuerySet.update", full)
        request = RecallRequest(
            question="That worked!",
            reader=Reader(memory.space.id, memory.user.id),
            now=LATER,
            time_zone="UTC",
            session_id=memory.session_id,
            is_turn=True,
        )
        assert judge_previous(request) is None


class Planner:
    """A model that plans one route and tells what came of the answer before."""

    name = "planner"

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome
        self.asked: list[Answered | None] = []

    def plan(self, question, *, on_usage=None) -> Plan:
        self.asked.append(question.previous)
        plan = Plan(routes=(Route("", (question.text,)),), mode="action", origin="model")
        return replace(plan, previous_outcome=self.outcome if question.previous else "")


class TestInsideThePlan:
    def test_the_plan_is_asked_along_about_what_the_rules_leave_undecided(self, memory: Memory, monkeypatch):
        memory.say(("Alice", "To restart the gateway, power-cycle the box."))
        planner = Planner("success")
        monkeypatch.setattr(recall_plan, "language_model", lambda: planner)
        monkeypatch.setattr(recall_plan, "is_model_configured", lambda: True)
        first = memory.ask(TASK, session_id=memory.session_id, is_turn=True)
        assert first.log_id is not None
        close_log(first.log_id, memory.space.id, kept_ids=[], excerpt="Power-cycle the box.")
        memory.ask("Now the box hums again.", session_id=memory.session_id, is_turn=True)
        assert planner.asked == [None, Answered(TASK, "Power-cycle the box.")]
        assert told(memory) == ("success", "model")

    def test_what_the_rules_decided_is_not_asked(self, memory: Memory, monkeypatch):
        memory.say(("Alice", "To restart the gateway, power-cycle the box."))
        planner = Planner("success")
        monkeypatch.setattr(recall_plan, "language_model", lambda: planner)
        memory.ask(TASK, session_id=memory.session_id, is_turn=True)
        memory.ask("That didn't work; what else did I say?", session_id=memory.session_id, is_turn=True)
        assert planner.asked == [None, None]
        assert told(memory) == ("fail", "rules")

    def test_a_plan_that_tells_nothing_leaves_it_open(self, memory: Memory, monkeypatch):
        memory.say(("Alice", "To restart the gateway, power-cycle the box."))
        monkeypatch.setattr(recall_plan, "language_model", lambda: Planner(""))
        for text in (TASK, "Now the box hums again."):
            memory.ask(text, session_id=memory.session_id, is_turn=True)
        assert told(memory) == ("open", "")
