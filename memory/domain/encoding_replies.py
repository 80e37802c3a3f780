"""A model's reply to the encoding prompt into an Encoding that can be trusted.

Every record is checked by itself against the segment it claims to come from. A faulty
record is left out and named in `errors`, for the repair call; what was left out on
purpose (an echo of the reference, a second copy) is named in `notes`.
docs/algorithms/replies.md lists each rule with an example.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from memory.domain.languages import is_translated
from memory.domain.replies import Fault, JsonValue, Unreadable, read_json
from memory.domain.reply_values import (
    Calendar,
    block_of,
    indexes_of,
    mapping_of,
    share_of,
    text_of,
    texts_of,
    truth_of,
)
from memory.domain.text import fold, normalize, search_terms
from memory.domain.types import (
    EncodedRecord,
    EncodedRelation,
    EncodedSkill,
    Encoding,
    MemoryType,
    Role,
    SegmentText,
    Temporal,
    Turn,
)

MAX_RECORDS = 60  # of one segment of at most 2,000 tokens
MAX_ERRORS = 8  # shown in the repair call
TEXT_CHARS = 2_000
NAME_CHARS = 120
ECHO_SHARE = 0.8  # of a record's words found in one reference text …
ECHO_SUPPORT = 0.5  # … while at most this share stands in its own turns
TAGS = ("tool_tags", "constraint_tags", "failure_tags", "affordance_tags")

_BARE = """
    user|the user|this user|human|the human|speaker|the speaker|i|me|myself|you
    用户|用戶|使用者|该用户|我|ユーザー|私|사용자|나|пользователь|я|المستخدم
    utilisateur|l'utilisateur|usuario|el usuario|benutzer|der benutzer|nutzer|der nutzer
    utente|l'utente|gebruiker|de gebruiker|usuário|o usuário
"""
_BARE_USERS = frozenset(fold(name.strip()) for line in _BARE.split("\n") for name in line.split("|"))
_BARE_START = re.compile(
    r"\A(?:the user|user|用户|用戶|使用者|ユーザー|사용자)(?=[\s'’,的はがの는은이가\u3400-\u9fff]|\Z)",
    re.IGNORECASE,
)
_SLOT = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class ReadEncoding:
    """An encoding and what was wrong with the rest of the reply."""

    encoding: Encoding
    errors: tuple[str, ...] = ()

    @property
    def is_usable(self) -> bool:
        """Whether more was right than wrong: then no repair call is worth its price."""
        return len(self.encoding.records) > len(self.errors) or not self.errors


@dataclass(slots=True)
class _Reading:
    """The segment as the rules need it, and the notes of this reading."""

    segment: SegmentText
    calendar: Calendar
    turns: dict[int, Turn]
    reference: list[frozenset[str]]
    notes: list[str] = field(default_factory=list)


def read_encoding(text: str, segment: SegmentText, *, is_cut: bool = False) -> ReadEncoding | Unreadable:
    """The records of a reply. `{"records": []}` is legitimately nothing; `{}` is faulty."""
    value = read_json(text, wants="records", is_cut=is_cut)
    if isinstance(value, Unreadable):
        return value
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        records: list[JsonValue] = [*value]
        value = {"records": records}
    if not isinstance(value, dict) or "records" not in value:
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with a list "records".')
    listed = value["records"]
    if isinstance(listed, dict) and listed:
        listed = [listed]
    if not isinstance(listed, list):
        return Unreadable(Fault.NO_JSON, '"records" must be a list, empty when nothing is worth keeping.')
    return _read(_reading(segment), listed, value)


def _read(reading: _Reading, listed: list[JsonValue], whole: Mapping[str, JsonValue]) -> ReadEncoding:
    kept: dict[tuple[str, str, str], EncodedRecord] = {}
    errors: list[str] = []
    for number, item in enumerate(listed[:MAX_RECORDS]):
        record = _record(reading, mapping_of(item))
        if isinstance(record, str):
            errors.append(f"records[{number}]: {record}")
        elif record is not None:
            key = (record.memory_type.value, fold(record.semantic_text), fold(record.subject))
            kept[key] = _joined(kept.get(key), record)
    if len(listed) > MAX_RECORDS:
        reading.notes.append(
            f"{len(listed) - MAX_RECORDS} records beyond the first {MAX_RECORDS} were left out."
        )
    if errors:
        reading.notes.append(f"{len(errors)} faulty records were left out.")
    encoding = Encoding(
        records=tuple(kept.values()),
        aliases=_aliases(whole.get("disambiguation")),
        origin="encoded",
        skills=tuple(_skills(whole.get("skills"))),
        notes=tuple(reading.notes),
    )
    return ReadEncoding(encoding, tuple(errors))


def _record(  # noqa: PLR0911 - one return a rule
    reading: _Reading, item: Mapping[str, JsonValue]
) -> EncodedRecord | str | None:
    """The record, what is wrong with it, or None when it is left out on purpose."""
    memory_type = _type(item.get("memory_type"))
    text = text_of(item.get("semantic_text"), limit=TEXT_CHARS)
    evidence = _evidence(reading, item)
    turns = [reading.turns[index] for index in evidence]
    subject = _subject(reading, item, turns)
    if memory_type is None:
        return f"memory_type must be one of {', '.join(MemoryType)}."
    if sum(char.isalnum() for char in text) < 2:
        return "semantic_text must be a sentence."
    if not evidence:
        return f"evidence_turns must be numbers of given turns: {_few(reading.turns)}."
    if not subject:
        return "subject must be a name."
    text = _BARE_START.sub(lambda _match: subject, text)
    if is_translated(text, sources="\n".join(turn.text for turn in turns)):
        return "semantic_text must be in the language of its turns."
    if _is_echo(reading, text, turns):
        reading.notes.append("A record that only repeats what was known already was left out.")
        return None
    return _filled(reading, item, turns, EncodedRecord(memory_type, text, subject, evidence))


def _evidence(reading: _Reading, item: Mapping[str, JsonValue]) -> tuple[int, ...]:
    """Those of the numbers that the segment has; of a single turn nothing else can be meant."""
    found = tuple(index for index in indexes_of(item.get("evidence_turns")) if index in reading.turns)
    return found or (tuple(reading.turns) if len(reading.turns) == 1 else ())


def _filled(
    reading: _Reading, item: Mapping[str, JsonValue], turns: list[Turn], record: EncodedRecord
) -> EncodedRecord:
    """The record with its optional fields, each dropped alone when it is faulty."""
    is_assistant = item.get("source_role") == Role.ASSISTANT or all(t.role is Role.ASSISTANT for t in turns)
    slot = _SLOT.sub("_", text_of(item.get("slot"), limit=64).lower()).strip("_")
    value = text_of(item.get("value"), limit=NAME_CHARS * 2)
    tags = {name: texts_of(item.get(name), limit=NAME_CHARS, most=20) for name in TAGS}
    topics = texts_of(item.get("topics"), limit=NAME_CHARS, most=10)
    return replace(
        record,
        slot=slot if value else "",
        value=value if slot else "",
        entities=texts_of(item.get("entities"), limit=NAME_CHARS, most=20),
        topics=tuple(topic for topic in topics if _type(topic) is None),
        tags={name: found for name, found in tags.items() if found},
        temporal=_temporal(reading.calendar, item.get("temporal")),
        source_role=Role.ASSISTANT if is_assistant else Role.USER,
        is_confirmed=truth_of(item.get("confirmed"), default=not is_assistant),
        confidence=share_of(item.get("confidence"), default=0.8),
        relations=tuple(_relations(reading.calendar, item.get("relations"))),
    )


def _reading(segment: SegmentText) -> _Reading:
    latest = max(turn.said_at for turn in segment.turns)
    return _Reading(
        segment=segment,
        calendar=Calendar(segment.time_zone, latest),
        turns={turn.index: turn for turn in segment.turns},
        reference=[frozenset(search_terms(text)) for text in segment.reference],
    )


def _type(value: JsonValue) -> MemoryType | None:
    name = re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else ""
    return MemoryType(name) if name in set(MemoryType) else None


def _subject(reading: _Reading, item: Mapping[str, JsonValue], turns: list[Turn]) -> str:
    """The given subject; a bare "the user", or none, is whoever spoke; else the first entity."""
    given = text_of(item.get("subject"), limit=NAME_CHARS)
    if given and fold(given) not in _BARE_USERS:
        return given
    said = {turn.speaker for turn in turns if turn.role is Role.USER and turn.speaker}
    people = {turn.speaker for turn in reading.turns.values() if turn.role is Role.USER and turn.speaker}
    for speakers in (said, people):
        if len(speakers) == 1 and fold(speaker := next(iter(speakers))) not in _BARE_USERS:
            return speaker
    named = texts_of(item.get("entities"), limit=NAME_CHARS, most=1)
    return named[0] if named and not given and fold(named[0]) not in _BARE_USERS else ""


def _is_echo(reading: _Reading, text: str, turns: list[Turn]) -> bool:
    """Whether the record's words come from one reference text and not from its turns."""
    said = frozenset(search_terms(text))
    own = frozenset(term for turn in turns for term in search_terms(f"{turn.speaker} {turn.text}"))
    if not said or len(said & own) > ECHO_SUPPORT * len(said):
        return False
    return any(len(said & known) >= ECHO_SHARE * len(said) for known in reading.reference)


def _temporal(calendar: Calendar, value: JsonValue) -> Temporal:
    given = mapping_of(value)
    start, end = calendar.span(given.get("t_valid_from"), given.get("t_valid_to"))
    return Temporal(ref=calendar.instant(given.get("t_ref")), valid_from=start, valid_to=end)


def _relations(calendar: Calendar, value: JsonValue) -> Iterator[EncodedRelation]:
    for item in value[:20] if isinstance(value, list) else ():
        given = mapping_of(item)
        source, kind, target = (text_of(given.get(key), limit=NAME_CHARS) for key in ("from", "type", "to"))
        if source and kind and target and fold(source) != fold(target):
            start, end = calendar.span(given.get("valid_from"), given.get("valid_to"))
            yield EncodedRelation(source, kind, target, start, end)


def _skills(value: JsonValue) -> Iterator[EncodedSkill]:
    for item in value[:10] if isinstance(value, list) else ():
        given = mapping_of(item)
        intent, doc = (
            text_of(given.get("intent"), limit=300),
            block_of(given.get("doc_markdown"), limit=20_000),
        )
        if intent and doc:
            yield EncodedSkill(intent, doc, texts_of(given.get("preconditions"), limit=300, most=20))


def _aliases(value: JsonValue) -> dict[str, str]:
    """`{"she": "Ann"}`, also when written as "she = Ann; her brother: Tom"."""
    if isinstance(value, str):
        pairs = (re.split(r"\s*(?:=|->|→|:)\s*", piece, maxsplit=1) for piece in re.split(r"[;\n]", value))
        given: Mapping[str, JsonValue] = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
    else:
        given = mapping_of(value)
    named = ((normalize(key)[:NAME_CHARS], text_of(who, limit=NAME_CHARS)) for key, who in given.items())
    kept = [(key, who) for key, who in named if key and who and fold(who) not in _BARE_USERS]
    return {key: who for key, who in kept if fold(key) != fold(who)}


def _joined(known: EncodedRecord | None, record: EncodedRecord) -> EncodedRecord:
    """Of two equal statements the first, resting on the turns of both."""
    if known is None:
        return record
    return replace(known, evidence_turns=tuple(sorted({*known.evidence_turns, *record.evidence_turns})))


def _few(turns: Mapping[int, Turn]) -> str:
    indexes = sorted(turns)
    return ", ".join(map(str, indexes)) if len(indexes) <= 12 else f"{indexes[0]} to {indexes[-1]}"
