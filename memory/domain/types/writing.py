"""What is written: a segment as an encoder reads it, and what it makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memory.domain.types.base import MemoryType, Role, Temporal, Turn


@dataclass(frozen=True, slots=True)
class EncodedRelation:
    """How one entity stands to another, as an encoder returns it; half-open in time."""

    source: str
    type: str
    target: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class EncodedSkill:
    """A reusable way of doing something, as an encoder returns it."""

    intent: str
    doc_markdown: str
    preconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodedRecord:
    """A record as an encoder returns it; `evidence_turns` are indexes in the session."""

    memory_type: MemoryType
    semantic_text: str
    subject: str
    evidence_turns: tuple[int, ...]
    slot: str = ""
    value: str = ""
    entities: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    temporal: Temporal = field(default_factory=Temporal)
    source_role: Role = Role.USER
    is_confirmed: bool = True
    confidence: float = 0.8
    relations: tuple[EncodedRelation, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentText:
    """What an encoder reads: a segment's turns in order, and who is who."""

    turns: tuple[Turn, ...]
    time_zone: str
    reference: tuple[str, ...] = ()  # resolves names; never yields records


@dataclass(frozen=True, slots=True)
class Encoding:
    """What one segment became. `aliases`: name in the text -> resolved name; `notes` say
    in sentences what of a model's reply was left out.
    """

    records: tuple[EncodedRecord, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    origin: str = "offline"  # offline | encoded | repaired
    skills: tuple[EncodedSkill, ...] = ()
    notes: tuple[str, ...] = ()
