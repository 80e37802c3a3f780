"""LongMemEval (xiaowu0162/LongMemEval) in its official schema: a haystack a question.

Each instance is a dialogue with one question. Evidence is the answer sessions, and turns
where a turn is marked `has_answer`. A question id ending in `_abs` cannot be answered.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation.loaders.files import items_of, read_json, reading, text_of
from evaluation.types import DialogSession, DialogTurn, Dialogue, Probe
from memory.domain.types import Role

CLOCK = "%Y/%m/%d (%a) %H:%M"
TURN_APART = timedelta(minutes=1)  # the benchmark dates sessions, not turns
ABSTENTION = "_abs"


def load(path: Path) -> list[Dialogue]:
    """One dialogue an instance, named by its question id. Raises BadData."""
    dialogues: list[Dialogue] = []
    for number, instance in enumerate(items_of(path, read_json(path)), start=1):
        with reading(path, f"instance {number}"):
            dialogues.append(_dialogue(instance))
    return dialogues


def _dialogue(instance: dict[str, Any]) -> Dialogue:
    names, dates = instance["haystack_session_ids"], instance["haystack_dates"]
    haystack = zip(_distinct(names), dates, instance["haystack_sessions"], strict=True)
    dated = sorted(((_instant(date), name, turns) for name, date, turns in haystack), key=lambda s: s[0])
    sessions = tuple(_session(name, began, turns) for began, name, turns in dated)
    marked = {
        _key(name, place)
        for _, name, turns in dated
        for place, turn in enumerate(turns)
        if turn.get("has_answer")
    }
    question_id = text_of(instance["question_id"], "question_id")
    probe = Probe(
        text=text_of(instance["question"], "question"),
        evidence=frozenset(marked),
        category=instance["question_type"],
        answer=str(instance["answer"]),
        key=question_id,
        evidence_sessions=frozenset(instance["answer_session_ids"]) & frozenset(names),
        is_answerable=not question_id.endswith(ABSTENTION),
        asked_at=_instant(instance["question_date"]),
    )
    return Dialogue(question_id, sessions, (probe,))


def _session(name: str, began: datetime, turns: list[dict[str, Any]]) -> DialogSession:
    return DialogSession(
        name,
        tuple(
            DialogTurn(_key(name, place), "", turn["content"], began + place * TURN_APART, Role(turn["role"]))
            for place, turn in enumerate(turns)
            if turn["content"].strip()
        ),
    )


def _key(session: str, place: int) -> str:
    return f"{session}:{place}"


def _distinct(names: list[str]) -> list[str]:
    """A haystack may hold a session twice: the second gets a number."""
    seen: dict[str, int] = {}
    distinct: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return distinct


def _instant(text: str) -> datetime:
    """The benchmark's own form, or ISO 8601; UTC where no zone is given."""
    try:
        found = datetime.strptime(text, CLOCK).replace(tzinfo=UTC)
    except ValueError:
        found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
