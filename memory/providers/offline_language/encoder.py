"""A segment's turns to records, by rules (docs/algorithms/encoding.md).

One record per statement: the speaker is named, times are resolved, a type is chosen by
cue words, names and topics are listed, and the turns it rests on are kept.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.domain.text import search_terms
from memory.domain.types import EncodedRecord, Encoding, MemoryType, Role, SegmentText, Turn
from memory.providers.offline_language import person
from memory.providers.offline_language.dates import find_mentions, temporal_of, write_dates
from memory.providers.offline_language.kinds import is_failure, is_hedged, memory_type_of
from memory.providers.offline_language.naming import find_entities, find_topics
from memory.providers.offline_language.openings import without_closing, without_opening
from memory.providers.offline_language.quotations import covers, quoted_spans
from memory.providers.offline_language.relations import find_relations, named_relatives
from memory.providers.offline_language.reported import UNKNOWN, reported_of, said_in_log, subject_of
from memory.providers.offline_language.slots import Slot, find_slot
from memory.providers.offline_language.statements import Statement, find_statements, sentences_of
from memory.providers.offline_language.steps import find_skills

_ASSISTANT = {
    "en": "the assistant", "de": "der Assistent", "ru": "ассистент", "zh": "助手", "ja": "アシスタント",
    "ko": "어시스턴트", "es": "el asistente", "fr": "l'assistant",
}  # fmt: skip
_ASKED = {
    "en": "{name}, asked “{question}”: {text}",
    "de": "{name}, gefragt „{question}“: {text}",
    "ru": "{name} на вопрос «{question}»: {text}",
    "zh": "{name}被问到“{question}”，回答：{text}",
    "ja": "{name}は「{question}」と聞かれて：{text}",
    "es": "{name}, a la pregunta «{question}»: {text}",
    "fr": "{name}, à la question « {question} » : {text}",
}
_SAID = {"zh": "{name}：{text}", "ja": "{name}：{text}"}
_ZH_I = re.compile("我(?![们們国國方校司军家])|俺|本人")
_JA_I = re.compile("私|僕|俺(?!たち)")
_DENSE_I = {"zh": _ZH_I, "ja": _JA_I}
_NOTHING = re.compile(
    r"^(?:[^:]{1,128}: )?(?P<who>\S.*?)\s(?:is|are|ist|es|est|это)\s(?P=who)[.!]*$", re.IGNORECASE
)
_MAX_TOOL_CHARS = 300


def encode_segment(segment: SegmentText) -> Encoding:
    """The records of a segment in the order of its turns, each statement once."""
    weights = Counter(term for turn in segment.turns for term in search_terms(turn.text))
    speakers = _speakers(segment.turns)
    records: dict[tuple[str, str, str], EncodedRecord] = {}
    told = [_encode(statement, segment, speakers, weights) for statement in find_statements(segment.turns)]
    found = [record for record in told if not _NOTHING.match(record.semantic_text)]
    found += [
        record for turn in segment.turns if turn.role is Role.TOOL for record in _encode_tool(turn, segment)
    ]
    for record in sorted(found, key=lambda record: record.evidence_turns[0]):
        key = (record.memory_type, record.subject, record.semantic_text)
        records[key] = _merged(records[key], record) if key in records else record
    return Encoding(
        records=tuple(records.values()), aliases=_aliases(segment.turns), skills=find_skills(segment.turns)
    )


def _speakers(turns: Sequence[Turn]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(turn.speaker for turn in turns if turn.role is Role.USER and turn.speaker))


def _encode(
    statement: Statement, segment: SegmentText, speakers: tuple[str, ...], weights: Mapping[str, int]
) -> EncodedRecord:
    said = statement.text
    statement = replace(statement, text=without_closing(without_opening(said)))
    turn, language = statement.turn, statement.language
    mentions = find_mentions(statement.text, turn, language=language, time_zone=segment.time_zone)
    dated = write_dates(statement.text, mentions, segment.time_zone)
    logged = said_in_log(said, turn.text, speaker=turn.speaker) if turn.role is Role.USER else ""
    spoken_of = reported_of(statement.text) if turn.role is Role.USER and not logged else ""
    is_stating = turn.role is Role.USER and not statement.question and not spoken_of and not logged
    slot = find_slot(statement.text) if is_stating else None
    memory_type = (
        MemoryType.FACT
        if slot and not slot.name.startswith("favourite")
        else memory_type_of(statement.text, has_date=bool(mentions))
    )
    temporal = temporal_of(statement.text, mentions, memory_type, is_slot=slot is not None)
    if temporal.valid_to is not None and temporal.valid_to <= turn.said_at:
        slot = None  # what had ended by then is no attribute of now
    subject = _subject(turn, language)
    addressee = _addressee(turn, segment.turns, speakers, language)
    text = _logged(dated, subject, logged) if logged else _rendered(statement, dated, subject, addressee)
    if slot and slot.name == "name" and _NOTHING.match(text):
        text = f"{person.possessive_of(subject)} name is {slot.value}."
    entities = find_entities(statement.text, language=language, known=speakers)
    asked_in = statement.asked_in
    return EncodedRecord(
        memory_type=memory_type,
        semantic_text=text,
        subject=subject_of(spoken_of, subject, language) if spoken_of else subject,
        evidence_turns=(turn.index,) if asked_in is None else (turn.index, asked_in.index),
        slot=slot.name if slot else "",
        value=slot.value if slot else "",
        entities=entities,
        topics=find_topics(
            statement.text, language=language, exclude=(*entities, *speakers), weights=weights
        ),
        temporal=temporal,
        source_role=turn.role,
        is_confirmed=statement.is_confirmed,
        confidence=_confidence(statement, slot),
        relations=find_relations(statement.text, slot, speaker=subject) if is_stating else (),
    )


def _subject(turn: Turn, language: str) -> str:
    if turn.role is Role.ASSISTANT:
        return turn.speaker or _ASSISTANT.get(language, _ASSISTANT["en"])
    return turn.speaker or "Speaker"


def _addressee(turn: Turn, turns: Sequence[Turn], speakers: tuple[str, ...], language: str) -> str:
    """Whom "you" means: the assistant, or the only other person."""
    if turn.role is not Role.USER:
        return ""
    if any(other.role is Role.ASSISTANT for other in turns):
        return _ASSISTANT.get(language, _ASSISTANT["en"])
    others = [name for name in speakers if name != turn.speaker]
    return others[0] if len(others) == 1 else ""


def _rendered(statement: Statement, dated: str, subject: str, addressee: str) -> str:
    """The statement so that it is understood alone, in its own words and language."""
    text, is_named = dated, False
    if statement.turn.role is Role.USER:
        text, is_named = _resolved(dated, statement.language, subject, addressee)
    if statement.question:
        form = _ASKED.get(statement.language, _ASKED["en"])
        return form.format(name=subject, question=statement.question, text=text)
    if is_named:  # a user name keeps its case, whatever it begins
        return text if text.startswith(subject) else text[:1].upper() + text[1:]
    name = subject if statement.turn.role is Role.USER else subject[:1].upper() + subject[1:]
    if text[:1].islower() and not text[1:2].isupper():  # cut from a sentence's middle; "eBay" is not
        text = text[:1].upper() + text[1:]
    return _SAID.get(statement.language, "{name}: {text}").format(name=name, text=text)


def _logged(text: str, subject: str, who: str) -> str:
    """What another said, in their words and with their name, if that is known, as `subject` handed it on."""
    if who == UNKNOWN:
        return f"{subject}: “{text}”"
    return f"{subject}: {text}" if who in text else f"{subject}: {who}: {text}"


def _resolved(text: str, language: str, subject: str, addressee: str) -> tuple[str, bool]:
    """The text with its speaker named where the language allows it without bending verbs."""
    if language in _DENSE_I:
        return _named(_DENSE_I[language], text, subject)
    if language != "en":
        return text, False
    spoken = person.with_own(person.with_subject(text))
    resolved = person.resolve_persons(spoken, speaker=subject, addressee=addressee)
    return resolved, person.has_first_person(spoken)


def _named(pronoun: re.Pattern[str], text: str, subject: str) -> tuple[str, bool]:
    """The text with the pronouns that are not another's words as the name, and whether any were."""
    quoted = quoted_spans(text)
    named = pronoun.sub(lambda m: m.group() if covers(quoted, m.start()) else subject, text)
    return named, named != text


def _confidence(statement: Statement, slot: Slot | None) -> float:
    if statement.turn.role is Role.ASSISTANT:
        return 0.7 if statement.is_confirmed else 0.5
    if is_hedged(statement.text):
        return 0.6
    if statement.question:
        return 0.7
    return 0.9 if slot else 0.8


def _encode_tool(turn: Turn, segment: SegmentText) -> list[EncodedRecord]:
    """A tool's failure, or its short result, told in the tool's name."""
    lines = [line.strip() for line in turn.text.splitlines() if line.strip()]
    failure = next((line for line in reversed(lines) if is_failure(line)), "")
    told = failure or " ".join(sentences_of(turn.text))
    if not told or (not failure and len(told) > _MAX_TOOL_CHARS):
        return []
    tool = turn.speaker or "tool"
    asked = [other.index for other in segment.turns if other.role is Role.USER and other.index < turn.index]
    return [
        EncodedRecord(
            memory_type=MemoryType.FAILURE_PATTERN if failure else MemoryType.TOOL_AFFORDANCE,
            semantic_text=f"{tool}: {told[:_MAX_TOOL_CHARS]}",
            subject=tool,
            evidence_turns=(turn.index, *asked[-1:]),
            entities=find_entities(told[:_MAX_TOOL_CHARS], language="en"),
            tags={"tool_tags": (tool,)},
            source_role=Role.TOOL,
            confidence=0.7,
        )
    ]


def _merged(one: EncodedRecord, other: EncodedRecord) -> EncodedRecord:
    """The same statement twice in a segment: the first, resting on the turns of both."""
    turns = tuple(dict.fromkeys((*one.evidence_turns, *other.evidence_turns)))
    return replace(one, evidence_turns=turns)


def _aliases(turns: Sequence[Turn]) -> dict[str, str]:
    """Whom "my wife Anna" makes known: {"Alice's wife": "Anna"}."""
    aliases: dict[str, str] = {}
    for turn in turns:
        if turn.role is Role.USER and turn.speaker:
            owner = person.possessive_of(turn.speaker)
            aliases.update((f"{owner} {role}", name) for role, name in named_relatives(turn.text))
    return aliases
