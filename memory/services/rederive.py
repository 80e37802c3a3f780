"""What follows from a record's text, once a person has put the text right.

Rules read both texts. What they read in the old one and no longer in the new one goes, what
is new comes, and what no text said (a model's own topic, a date that the turns gave) stays,
as does whatever a person has set by hand. docs/algorithms/encoding.md, section Corrections.
"""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from memory.domain.planning import names_in
from memory.domain.text import fold
from memory.domain.types import MemoryType, Reader, Role, Temporal, Turn
from memory.models import MemoryRecord
from memory.providers.offline_language.dates import find_mentions, temporal_of
from memory.providers.offline_language.language import detect_language
from memory.providers.offline_language.naming import find_entities, find_topics
from memory.stores.names import known_names

_VALIDITY: Final = frozenset({"valid_from", "valid_to"})
_ANYBODY: Final = (
    "somebody", "someone", "anybody", "anyone", "everybody", "everyone", "nobody", "people", "jemand",
    "niemand", "man", "alle", "leute", "quelqu", "personne", "alguien", "nadie", "кто-то", "никто", "有人",
)  # fmt: skip
_NOBODY = UUID(int=0)  # the rules read a turn's moment, never whose it is


def rederive(
    row: MemoryRecord, old_text: str, *, by_hand: frozenset[str], reader: Reader, time_zone: str
) -> tuple[str, ...]:
    """Set what follows from the row's new text; returns the names of the fields that changed.

    `by_hand`: fields that a person has set, now or before; who set one end of the validity
    has decided about both.
    """
    subject = _subject(row, old_text, reader)
    names = (*row.entities, *([subject] if subject else []))
    entities = _following(row.entities, old_text, row.semantic_text, lambda text: _names(text, names))
    topics = _following(row.topics, old_text, row.semantic_text, lambda text: _topics(text, entities))
    wanted: dict[str, object] = {"subject": subject, "entities": entities, "topics": topics}
    was, now = (_temporal(row, text, time_zone) for text in (old_text, row.semantic_text))
    if was != now:
        wanted["time_ref"] = now.ref
        if not by_hand & _VALIDITY:
            wanted |= {"valid_from": now.valid_from, "valid_to": now.valid_to}
    changed = tuple(
        name for name, value in wanted.items() if name not in by_hand and value != getattr(row, name)
    )
    for name in changed:
        setattr(row, name, wanted[name])
    return changed


def _subject(row: MemoryRecord, old_text: str, reader: Reader) -> str:
    """Whom it is about: where only the old text named them, whoever known the new one begins with.

    Another name that it begins with, by which nobody is known, may be theirs.
    """
    subject, text = row.subject, fold(row.semantic_text)
    if not subject or fold(subject) not in fold(old_text) or fold(subject) in text:
        return subject
    named = names_in(row.semantic_text, known_names(reader))
    known = next((name for name in named if text.startswith(fold(name))), "")
    is_named = any(text.startswith(fold(name)) for name in _names(row.semantic_text, ()))
    return known or (subject if is_named and _opening(text) not in _ANYBODY else "")


def _opening(text: str) -> str:
    """Its first word: "Manuela" is not "man"."""
    return next(iter(text.split()), "").strip(".,;:!?'’")


def _following(
    stored: Sequence[str], old_text: str, new_text: str, find: Callable[[str], Sequence[str]]
) -> list[str]:
    """The stored words without those that only the old text held, with what only the new one tells."""
    old, new = fold(old_text), fold(new_text)
    kept = [word for word in stored if fold(word) in new or fold(word) not in old]
    known = {fold(word) for word in (*kept, *find(old_text))}
    return [*kept, *(word for word in find(new_text) if fold(word) not in known)]


def _names(text: str, known: Sequence[str]) -> Sequence[str]:
    return find_entities(text, language=detect_language(text), known=known)


def _topics(text: str, names: Sequence[str]) -> Sequence[str]:
    return find_topics(text, language=detect_language(text), exclude=names, weights={})


def _temporal(row: MemoryRecord, text: str, time_zone: str) -> Temporal:
    """What the text says of time, read as of when the statement was first said."""
    language = detect_language(text)
    said = Turn(
        _NOBODY, row.space_id, None, row.session_id, "", 0, Role(row.source_role), "", text, row.said_at
    )
    mentions = find_mentions(text, said, language=language, time_zone=time_zone)
    return temporal_of(text, mentions, MemoryType(row.memory_type), is_slot=bool(row.slot))
