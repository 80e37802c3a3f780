"""BEAM (mohammadtavakoli78/BEAM): one long conversation in batches, and probing questions.

The path is a folder with `chat.json` and `probing_questions.json`, or a folder of such
folders. A batch is a session; turns bear the benchmark's chat ids. Abstention questions
have no evidence and cannot be answered.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation.loaders.files import BadData, read_json, reading, text_of
from evaluation.types import DialogSession, DialogTurn, Dialogue, Probe
from memory.domain.types import Role

CHAT, QUESTIONS = "chat.json", "probing_questions.json"
CLOCK = "%B-%d-%Y"
FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)  # of a conversation that names no day
BATCH_APART = timedelta(days=1)  # between batches that name no day
TURN_APART = timedelta(minutes=1)
ABSTENTION = "abstention"
_MARK = re.compile(r"\s*->->[\s\d,]*\Z")  # the plan item a turn was made from, left at its end
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def load(path: Path) -> list[Dialogue]:
    """The conversations of a folder, named by their folders. Raises BadData."""
    folders = [path] if (path / CHAT).exists() else sorted(each.parent for each in path.glob(f"*/{CHAT}"))
    if not folders:
        raise BadData(f"{path}: a folder with {CHAT} and {QUESTIONS}, or with such folders, is expected.")
    return [_dialogue(folder) for folder in folders]


def _dialogue(folder: Path) -> Dialogue:
    chat, questions = folder / CHAT, folder / QUESTIONS
    began, sessions = FIRST_DAY, list[DialogSession]()
    for number, batch in enumerate(read_json(chat), start=1):
        with reading(chat, f"batch {number}"):
            items = [item for exchange in batch["turns"] for item in exchange]
            began = _day(batch, items) or began + BATCH_APART
            sessions.append(_session(f"batch_{number}", began, items))
    known = {turn.key for session in sessions for turn in session.turns}
    probes: list[Probe] = []
    with reading(questions):
        for category, asked in read_json(questions).items():
            for number, item in enumerate(asked, start=1):
                with reading(questions, f"{category} {number}"):
                    probes.append(_probe(category, number, item, known))
    return Dialogue(folder.name, tuple(sessions), tuple(probes))


def _session(name: str, began: datetime, items: list[dict[str, Any]]) -> DialogSession:
    said = ((place, item, _MARK.sub("", item["content"])) for place, item in enumerate(items))
    turns = tuple(
        DialogTurn(str(item["id"]), "", text, began + place * TURN_APART, Role(item["role"]))
        for place, item, text in said
        if text.strip()
    )
    return DialogSession(name, turns)


def _day(batch: dict[str, Any], items: list[dict[str, Any]]) -> datetime | None:
    """When the batch was said: its own anchor, or the first that a turn bears."""
    anchors = [batch.get("time_anchor"), *(item.get("time_anchor") for item in items)]
    named = next((anchor for anchor in anchors if anchor), None)
    return datetime.strptime(named, CLOCK).replace(hour=9, tzinfo=UTC) if named else None


def _probe(category: str, number: int, item: dict[str, Any], known: set[str]) -> Probe:
    answers = (item[name] for name in _ANSWERS if item.get(name))
    return Probe(
        text=text_of(item["question"], "question"),
        evidence=frozenset(_ids(item.get("source_chat_ids"))) & known,
        category=category,
        answer=str(next(answers, "")),
        key=f"{category}-{number}",
        is_answerable=category != ABSTENTION,
        rubric=tuple(item.get("rubric", ())),
    )


def _ids(found: Any) -> list[str]:
    """Chat ids, whether listed or listed by the part they play."""
    if found is None:
        return []
    lists = found.values() if isinstance(found, dict) else [found]
    return [str(chat_id) for ids in lists for chat_id in ids]
