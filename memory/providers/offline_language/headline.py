"""A message to the line that it may be called by: from where it tells or asks something."""

from memory.providers.offline_language.chatter import is_chatter
from memory.providers.offline_language.openings import opening_of
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.statements import sentences_of


def headline_of(text: str) -> str:
    """The text on one line, without what first only greets or says who speaks.

    "Hi! I'm Maya and I own a boat." gives "I own a boat."; where nothing else is said, that stays.
    """
    line = " ".join(text.split())
    told = [sentence for sentence in sentences_of(line) if not is_chatter(sentence)]
    first = next((sentence for sentence in told if not _is_introduction(sentence)), (told or [""])[0])
    # A clause that was cut out has got a capital and a stop of its own.
    at = max(line.find(first[1:].rstrip(".。")) - 1, 0)
    opening = opening_of(line[at:])
    rest = line[at + len(opening) :]
    return f"{rest[:1].upper()}{rest[1:]}" if at or opening else line


def _is_introduction(sentence: str) -> bool:
    slot = find_slot(sentence)
    return slot is not None and slot.name == "name"
