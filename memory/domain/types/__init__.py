"""The values of the memory tier: what a turn, a record, a hit and a recall are.

Frozen, without clock or database; arrays are NumPy, instants aware UTC.
"""

from memory.domain.types.base import (
    TEXT_KINDS,
    Effort,
    IndexItem,
    Kind,
    MemoryType,
    Reader,
    Role,
    Temporal,
    TimeRange,
    Turn,
    Usage,
)
from memory.domain.types.planning import (
    ActionState,
    Adequacy,
    Answered,
    Fragment,
    Judgement,
    Picture,
    Plan,
    Question,
    Route,
    Synthesis,
)
from memory.domain.types.recall import Dropped, Evidence, Hit, LostTurn, Recalled, RecallRequest
from memory.domain.types.writing import EncodedRecord, EncodedRelation, EncodedSkill, Encoding, SegmentText

__all__ = [
    "TEXT_KINDS",
    "ActionState",
    "Adequacy",
    "Answered",
    "Dropped",
    "Effort",
    "EncodedRecord",
    "EncodedRelation",
    "EncodedSkill",
    "Encoding",
    "Evidence",
    "Fragment",
    "Hit",
    "IndexItem",
    "Judgement",
    "Kind",
    "LostTurn",
    "MemoryType",
    "Picture",
    "Plan",
    "Question",
    "Reader",
    "RecallRequest",
    "Recalled",
    "Role",
    "Route",
    "SegmentText",
    "Synthesis",
    "Temporal",
    "TimeRange",
    "Turn",
    "Usage",
]
