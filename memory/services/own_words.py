"""A statement in the third person back to its speaker's words, and the attribute that rules read there.

"Nora lives in Lübeck." is read as "I live in Lübeck.", as the patterns speak of their speaker.
"""

import re
from typing import Final

from memory.models import MemoryRecord
from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.person import possessive_of, third_person
from memory.providers.offline_language.slots import Slot, find_slot

_DENSE_I: Final = {"zh": "我", "ja": "私"}
_BASES: Final = {"is": "am", "has": "have", "does": "do", "goes": "go"}
_OPENING_NAME: Final = re.compile(r"[^\W\d_a-z][\w'’-]*(?:\s[^\W\d_a-z][\w'’-]*)*(?=\s)")
_ADVERB: Final = r"(?:(?:also|now|still|just|currently|recently|\w+ly)\s)*"


def own_words(text: str, subject: str) -> str:
    """What the subject would say of themself: "Ann's cat Rex is 3, Ann lives in Kiel." with "my" and "I"."""
    if not subject:
        return text
    name = re.escape(subject)
    text = re.sub(rf"^{name}[:：]\s*", "", text)
    dense = _DENSE_I.get(detect_language(text))
    if dense:
        return text.replace(subject, dense)
    whose = re.escape(possessive_of(subject)).replace("'", "['’]")
    text = re.sub(rf"(?<!\w)(?:{whose}|{name}['’]s)(?!\w)", "my", text)
    text = re.sub(
        rf"(?<!\w){name}(?:\s[^\W\d_a-z]\w+)*\s(?P<how>{_ADVERB})(?P<verb>[a-z]+)",
        lambda match: f"I {match.group('how')}{_base_of(match.group('verb'))}",
        text,
    )
    return re.sub(r"\btheir\b", "my", text)


def follow_attribute(row: MemoryRecord, old_text: str) -> tuple[str, ...]:
    """Set the attribute that the record's new text states; returns the names of the fields that changed.

    What rules could not read in the old text, as a model named it, is looked for where the old value
    stood. An attribute whose value the text still holds stays, one that no text states goes.
    """
    if row.value and row.value in row.semantic_text:
        return ()
    was, now = (_slot_of(text, row.subject) for text in (old_text, row.semantic_text))
    if was is None:
        now = _in_place_of(row, old_text) or now
    elif now and was.name == now.name and row.slot:
        now = Slot(row.slot, now.value)
    slot, value = now or Slot("", "")
    changed = tuple(name for name, new in (("slot", slot), ("value", value)) if getattr(row, name) != new)
    row.slot, row.value = slot, value
    return changed


def _slot_of(text: str, subject: str) -> Slot | None:
    """What the text states of its subject, by whatever name it begins with: people write who they are
    otherwise than they are called here.
    """
    opening = _OPENING_NAME.match(text)
    return find_slot(own_words(text, subject)) or (
        find_slot(own_words(text, opening.group())) if opening else None
    )


def _in_place_of(row: MemoryRecord, old_text: str) -> Slot | None:
    """What stands where the old value stood, in a text that is the same around it."""
    before, value, after = old_text.partition(row.value) if row.value else ("", "", "")
    text = row.semantic_text
    if not value or not (text.startswith(before) and text.endswith(after)):
        return None
    found = text[len(before) : len(text) - len(after)].strip()
    is_alike = bool(found) and found[0].islower() == value[0].islower()
    return Slot(row.slot, found) if is_alike and len(found.split()) <= len(value.split()) + 2 else None


def _base_of(verb: str) -> str:
    """The verb as "I" needs it: "lives" is "live", "studies" is "study", "moved" stays."""
    if verb in _BASES:
        return _BASES[verb]
    bases = (f"{verb[:-3]}y", verb[:-2], verb[:-1])
    return next((base for base in bases if len(base) > 1 and third_person(base) == (verb, True)), verb)
