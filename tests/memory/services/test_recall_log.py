"""One row a recall: enough to show again what was found, cut where it would grow."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError

from memory.domain.types import (
    Dropped,
    Effort,
    Kind,
    Plan,
    Reader,
    Recalled,
    RecallRequest,
    Route,
    TimeRange,
)
from memory.models import RetrievalLog
from memory.services.recall import NOT_LOGGED
from memory.services.recall_log import TEXT_CHARS, add_to_log, write_log
from tests.memory.recalling import LATER, MONDAY, Memory
from tests.memory.talking import record_hit

pytestmark = pytest.mark.django_db


def written(
    memory: Memory, *hits, plan: Plan | None = None, dropped: tuple[Dropped, ...] = ()
) -> RetrievalLog:
    reader = Reader(memory.space.id, memory.user.id)
    request = RecallRequest("Where?", reader, LATER, "UTC", effort=Effort.FAST, session_id=memory.session_id)
    recalled = Recalled(
        "Where?", plan or Plan(), hits, dropped, "", 0, ("a note",), {"search": 1.23456}, None
    )
    log: RetrievalLog = RetrievalLog.objects.for_space(memory.space.id).get(pk=write_log(request, recalled))
    return log


def test_the_row_is_the_askers_and_names_question_session_and_effort(memory: Memory):
    log = written(memory)
    assert (log.user_id, log.private_to_id) == (memory.user.id, memory.user.id)
    assert (log.query, log.session_id, log.effort) == ("Where?", memory.session_id, "fast")
    assert log.notes == ["a note"]
    assert log.timings_ms == {"search": 1.23}


def test_a_hit_names_its_own_turns_and_why_it_came(memory: Memory):
    hit = record_hit("Alice has a dog.", said=[("Alice", "My dog is Rex.")], breakdown={"cosine": 0.123456})
    (stored,) = written(memory, hit).hits
    assert stored["id"] == str(hit.id)
    assert (stored["kind"], stored["memory_type"], stored["subject"]) == ("record", "fact", "Alice")
    assert stored["breakdown"] == {"cosine": 0.1235}
    (turn,) = stored["turns"]
    assert turn == {
        "turn_id": str(hit.evidence[0].turn_id),
        "session_id": str(hit.evidence[0].session_id),
        "session": "main",
        "index": 0,
        "speaker": "Alice",
    }


def test_texts_are_cut_and_what_was_left_out_is_named_without_its_text(memory: Memory):
    dropped = Dropped(Kind.TURN, uuid4(), "a secret aside", 0.25, "too weak")
    log = written(memory, record_hit("x" * 5_000), dropped=(dropped,))
    assert len(log.hits[0]["text"]) == 300
    assert log.dropped == [{"kind": "turn", "id": str(dropped.id), "score": 0.25, "reason": "too weak"}]
    assert "secret aside" not in json.dumps(log.dropped)


def test_the_plan_is_kept_with_its_time_ranges(memory: Memory):
    span = TimeRange(MONDAY, MONDAY + timedelta(days=1))
    plan = Plan(routes=(Route("goal", ("one", "two"), span), Route("other", ("three",))), names=("Ann",))
    stored = written(memory, plan=plan).plan
    assert stored["names"] == ["Ann"]
    assert stored["routes"][0]["time_range"] == [span.start.isoformat(), span.end.isoformat()]
    assert stored["routes"][1] == {
        "goal": "other",
        "queries": ["three"],
        "constraints": [],
        "time_range": None,
    }


def test_a_secret_in_a_question_is_not_kept(memory: Memory):
    key = "sk-proj-" + "Ab3" * 12
    reader = Reader(memory.space.id, memory.user.id)
    request = RecallRequest(f"What opens {key}?", reader, LATER, "UTC")
    plan = Plan(routes=(Route(goal=f"what {key} opens", queries=(key,)),))
    recalled = Recalled(request.question, plan, (), (), "", 0, (), {}, None)
    row = RetrievalLog.objects.for_space(memory.space.id).get(pk=write_log(request, recalled))
    assert key not in json.dumps([row.query, row.plan])
    assert "[redacted" in row.query


def test_where_no_row_can_be_written_the_answer_is_given_and_says_so(memory: Memory, monkeypatch):
    def full(*_arguments):
        raise OperationalError("database or disk is full")

    memory.say(("Alice", "The zeppelin landed."))
    monkeypatch.setattr("memory.services.recall.write_log", full)
    recalled = memory.ask("Where did the zeppelin land?")
    assert recalled.hits[0].text == "The zeppelin landed."
    assert recalled.log_id is None
    assert NOT_LOGGED in recalled.notes


def test_what_other_memories_found_follows_the_records(memory: Memory):
    log = written(memory, record_hit("Alice has a dog."))
    found = {"kind": "skill", "id": str(uuid4()), "text": "x" * 1_000, "score": 0.5}
    add_to_log(log.id, memory.space.id, [found])
    log.refresh_from_db()
    assert [hit["kind"] for hit in log.hits] == ["record", "skill"]
    assert log.hits[1] == {**found, "text": "x" * TEXT_CHARS}


def test_an_unknown_log_takes_nothing(memory: Memory):
    log = written(memory)
    add_to_log(log.id, uuid4(), [{"kind": "skill", "id": "1", "text": "", "score": 1}])
    add_to_log(uuid4(), memory.space.id, [{"kind": "skill", "id": "1", "text": "", "score": 1}])
    log.refresh_from_db()
    assert log.hits == []
