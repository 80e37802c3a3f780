"""Judged recalls as JSON lines."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.models import RetrievalLog
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db


def log_of(space, outcome: str = "open", **values: Any) -> RetrievalLog:
    user = make_user(f"user-{RetrievalLog.everyone.count()}")
    log: RetrievalLog = RetrievalLog.objects.for_space(space.id).create(
        space_id=space.id,
        private_to=user,
        user_id=user.id,
        query="Why?",
        effort="fast",
        outcome=outcome,
        **values,
    )
    return log


def export(**options: Any) -> tuple[list[dict[str, Any]], str]:
    out, told = StringIO(), StringIO()
    call_command("export_feedback", stdout=out, stderr=told, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()], told.getvalue()


def test_a_line_tells_state_action_and_reward():
    space = make_space("a")
    plan = {"mode": "action", "routes": [], "action": {"tentative": "restart"}}
    hit = {"kind": "record", "id": "r1", "score": 0.5, "text": "secret", "breakdown": {"cosine": 0.5}}
    log = log_of(space, "success", judged_by="rules", plan=plan, hits=[hit], kept_ids=["r1"])
    (line,), told = export()
    assert line["state"] == {"query": "Why?", "effort": "fast", "action_state": {"tentative": "restart"}}
    assert line["action"]["plan"] == {"mode": "action", "routes": []}
    (exported,) = line["action"]["hits"]
    assert (exported["id"], exported["breakdown"], "text" in exported) == ("r1", {"cosine": 0.5}, False)
    assert (line["log_id"], line["space"], line["reward"], line["judged_by"]) == (
        str(log.pk),
        "a",
        1.0,
        "rules",
    )
    assert "Exported 1 judged recall(s) of 1 space(s)." in told


def test_open_recalls_are_left_out_and_the_rest_is_worth_less_than_nothing():
    space = make_space("a")
    for outcome in ("open", "fail", "correction"):
        log_of(space, outcome)
    lines, _told = export()
    assert [(line["outcome"], line["reward"]) for line in lines] == [("fail", -1.0), ("correction", -0.5)]


def test_one_space_and_only_what_was_asked_since(tmp_path):
    first, second = make_space("a"), make_space("b")
    log_of(first, "fail")
    log_of(second, "success")
    assert [line["space"] for line in export(space="b")[0]] == ["b"]
    assert export(since=timezone.now().isoformat())[0] == []
    target = tmp_path / "lines.jsonl"
    assert export(output=target)[0] == []
    assert len(target.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "options", [{"space": "none"}, {"since": "yesterday"}, {"since": "2026-13-01T00:00Z"}]
)
def test_what_cannot_be_meant_is_told(options):
    with pytest.raises(CommandError):
        export(**options)
