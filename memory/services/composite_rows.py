"""Composites as rows: what the indexes know of them, and how they go when a leaf does.

A composite bears words of its records, so it goes in the transaction in which one of them
is changed, expired or erased; what else it stood for is due to be fused again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from accounts.registries import wake_on_commit
from memory.config import FusionConfig
from memory.domain.text import fold
from memory.domain.types import IndexItem, Kind
from memory.models import CompositeLink, CompositeRecord, MemoryRecord
from memory.services.index import unindex_items

T = TypeVar("T")
Attribute = tuple[str, str]  # folded subject, slot

CONFIG = FusionConfig()
TITLE = "title"  # what wakes those who title composites
UNTITLED: Mapping[str, Any] = MappingProxyType(
    {"title": "", "titled_at": None, "title_attempts": 0, "title_not_before": None}
)


@dataclass(frozen=True, slots=True)
class Audience:
    """What is fused together: the rows of a space that the same people may see."""

    space_id: UUID
    private_to: UUID | None

    def records(self) -> "QuerySet[MemoryRecord]":
        """Its records, in whatever state."""
        return MemoryRecord.objects.for_space(self.space_id).filter(private_to=self.private_to)

    def composites(self) -> "QuerySet[CompositeRecord]":
        """Its composites."""
        return CompositeRecord.objects.for_space(self.space_id).filter(private_to=self.private_to)


def composite_item(row: CompositeRecord) -> IndexItem:
    """What the indexes know of a composite; `position` is of no meaning to it."""
    return IndexItem(
        kind=Kind.COMPOSITE,
        id=row.id,
        space_id=row.space_id,
        private_to=row.private_to_id,
        session_id=row.session_id,
        position=0,
        speaker=row.subjects[0] if len(row.subjects) == 1 else "",
        text=row.semantic_text,
    )


def withdraw_records(space_id: UUID, record_ids: Sequence[UUID]) -> None:
    """Leave no trace of the records above them, in the caller's transaction that changes them.

    What else their composites stood for, the other values of an attribute of theirs, and what
    they superseded, are due again.
    """
    remove_parents(space_id, record_ids)
    rows = MemoryRecord.objects.for_space(space_id)
    for ids in in_batches(record_ids):
        make_due(space_id, list(rows.filter(superseded_by__in=ids).values_list("id", flat=True)))
        slotted = rows.filter(id__in=ids).exclude(slot="").values_list("private_to_id", "subject", "slot")
        wanted: dict[UUID | None, set[Attribute]] = {}
        for private_to, subject, slot in slotted:
            wanted.setdefault(private_to, set()).add((fold(subject), slot))
        for private_to, attributes in wanted.items():
            others = records_of(Audience(space_id, private_to), attributes)
            make_due(space_id, [record_id for group in others.values() for record_id in group])
    wake_on_commit("fuse", space_id)


def remove_parents(space_id: UUID, record_ids: Sequence[UUID]) -> None:
    """Remove every composite that stands for one of the records."""
    for ids in in_batches(record_ids):
        links = CompositeLink.objects.for_space(space_id).filter(record__in=ids)
        remove_composites(space_id, links.values_list("parent_id", flat=True))


def remove_composites(space_id: UUID, ids: Iterable[UUID], *, spared: Collection[UUID] = ()) -> None:
    """Remove these composites and those above them; their other children, but those `spared`,
    are due again.
    """
    going = set(ids)
    rising = going
    while rising:
        links = CompositeLink.objects.for_space(space_id).filter(composite__in=list(rising))
        rising = set(links.values_list("parent_id", flat=True)) - going
        going |= rising
    if not going:
        return
    with transaction.atomic(savepoint=False):
        for batch in in_batches(sorted(going)):
            links = CompositeLink.objects.for_space(space_id).filter(parent__in=batch)
            children = list(links.values_list("record_id", "composite_id"))
            records = {record for record, _ in children if record} - set(spared)
            make_due(space_id, sorted(records), sorted({c for _, c in children if c} - set(spared)))
            unindex_items(space_id, Kind.COMPOSITE, batch)
            links.delete()
        CompositeLink.objects.for_space(space_id).filter(composite__in=list(going)).delete()
        CompositeRecord.objects.for_space(space_id).filter(id__in=list(going)).delete()


def forget_titles_above(space_id: UUID, ids: Iterable[UUID]) -> None:
    """Take the titles off all composites above these, which stand for other records now; one that is
    just being written of what they were finds them changed.
    """
    links = CompositeLink.objects.for_space(space_id)
    rising = sorted(ids)
    while rising:
        parents = [links.filter(composite__in=batch) for batch in in_batches(rising)]
        rising = sorted({id_ for each in parents for id_ in each.values_list("parent_id", flat=True)})
        for batch in in_batches(rising):
            CompositeRecord.objects.for_space(space_id).filter(id__in=batch).update(
                **UNTITLED, version=F("version") + 1
            )


def leaves_below(space_id: UUID, ids: Iterable[UUID]) -> dict[UUID, set[UUID]]:
    """The records below each of the composites, whatever their level."""
    found: dict[UUID, set[UUID]] = {id_: set() for id_ in ids}
    tops = {id_: {id_} for id_ in found}
    links = CompositeLink.objects.for_space(space_id)
    while tops:
        below: dict[UUID, set[UUID]] = {}
        for batch in in_batches(sorted(tops)):
            children = links.filter(parent__in=batch).values_list("parent_id", "record_id", "composite_id")
            for parent, record, composite in children:
                for top in tops[parent]:
                    if record:
                        found[top].add(record)
                    else:
                        below.setdefault(composite, set()).add(top)
        tops = below
    return found


def make_due(space_id: UUID, record_ids: Sequence[UUID], composite_ids: Sequence[UUID] = ()) -> None:
    """Have these fused again."""
    again = F("fusion_due") + 1
    MemoryRecord.objects.for_space(space_id).filter(id__in=record_ids).update(fusion_due=again)
    CompositeRecord.objects.for_space(space_id).filter(id__in=composite_ids).update(fusion_due=again)


def records_of(audience: Audience, attributes: Collection[Attribute]) -> dict[Attribute, list[UUID]]:
    """The live records that give one of the attributes a value, by attribute."""
    rows = audience.records().filter(expired_at__isnull=True, slot__in={slot for _, slot in attributes})
    found: dict[Attribute, list[UUID]] = {}
    for record_id, subject, slot in rows.order_by("id").values_list("id", "subject", "slot"):
        if (fold(subject), slot) in attributes:
            found.setdefault((fold(subject), slot), []).append(record_id)
    return found


def in_batches(items: Sequence[T], size: int = CONFIG.row_batch) -> Iterator[Sequence[T]]:
    """The items, so many at a time: a query takes only so many parameters."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
