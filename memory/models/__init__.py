"""Rows of the memory tier: the truth from which every index is derived.

Session and turn ids are plain UUIDs: nothing here points upward.
"""

from memory.models.evidence import (
    Community,
    CommunityMember,
    Entity,
    EntityName,
    EvidenceLink,
    EvidenceNode,
    EvidenceState,
    Relation,
)
from memory.models.index import (
    FusionLease,
    IndexedItem,
    IndexLease,
    IndexOutbox,
    IndexScope,
    IndexState,
    Posting,
    SpaceLease,
)
from memory.models.records import (
    CompositeLink,
    CompositeRecord,
    MemoryRecord,
    ModelStatus,
    RecordEvidence,
    RetrievalLog,
    SilencedTurn,
)
from memory.models.retention import RetentionPolicy
from memory.models.usage import ItemRating, UsageCount

__all__ = [
    "Community",
    "CommunityMember",
    "CompositeLink",
    "CompositeRecord",
    "Entity",
    "EntityName",
    "EvidenceLink",
    "EvidenceNode",
    "EvidenceState",
    "FusionLease",
    "IndexLease",
    "IndexOutbox",
    "IndexScope",
    "IndexState",
    "IndexedItem",
    "ItemRating",
    "MemoryRecord",
    "ModelStatus",
    "Posting",
    "RecordEvidence",
    "Relation",
    "RetentionPolicy",
    "RetrievalLog",
    "SilencedTurn",
    "SpaceLease",
    "UsageCount",
]
