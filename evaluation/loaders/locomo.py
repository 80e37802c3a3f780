"""LoCoMo (snap-research/locomo) in its official layout.

Categories: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial. A shared
image stands in its turn by its caption, as in the benchmark's own dialogues.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation.loaders.files import items_of, read_json, reading
from evaluation.types import DialogSession, DialogTurn, Dialogue, Probe

SESSION = re.compile(r"session_(\d+)")
EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
CLOCK = "%I:%M %p on %d %B, %Y"
TURN_APART = timedelta(minutes=1)  # the benchmark dates sessions, not turns
ADVERSARIAL = "5"


def load(path: Path) -> list[Dialogue]:
    """The dialogues of a file; questions without any existing evidence turn are left out.

    Raises BadData.
    """
    dialogues: list[Dialogue] = []
    for number, sample in enumerate(items_of(path, read_json(path)), start=1):
        with reading(path, f"sample {number}"):
            dialogues.append(_dialogue(sample))
    return dialogues


def _dialogue(sample: dict[str, Any]) -> Dialogue:
    conversation = sample["conversation"]
    numbers = sorted(int(found[1]) for name in conversation if (found := SESSION.fullmatch(name)))
    sessions = tuple(_session(conversation, number) for number in numbers)
    known = {turn.key for session in sessions for turn in session.turns}
    probes = (_probe(item, known, number) for number, item in enumerate(sample["qa"], start=1))
    return Dialogue(sample["sample_id"], sessions, tuple(probe for probe in probes if probe.evidence))


def _session(conversation: dict[str, Any], number: int) -> DialogSession:
    name = f"session_{number}"
    began = datetime.strptime(conversation[f"{name}_date_time"], CLOCK).replace(tzinfo=UTC)
    turns = tuple(
        DialogTurn(item["dia_id"], item["speaker"], _text(item), began + place * TURN_APART)
        for place, item in enumerate(conversation[name])
    )
    return DialogSession(name, turns)


def _text(item: dict[str, Any]) -> str:
    caption = item.get("blip_caption")
    return f"{item['text']} [image: {caption}]" if caption else str(item["text"])


def _probe(item: dict[str, Any], known: set[str], number: int) -> Probe:
    named = {f"D{session}:{turn}" for raw in item["evidence"] for session, turn in EVIDENCE.findall(raw)}
    category = str(item["category"])
    return Probe(
        text=item["question"],
        evidence=frozenset(named & known),
        category=category,
        answer=str(item.get("answer", "")),
        key=f"q{number}",
        is_answerable=category != ADVERSARIAL,
    )
