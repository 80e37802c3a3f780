"""What is remembered of a session goes with it to another audience: from the space to one member, or back.

A record goes with the session in which it was first learned. Evidence on the other side of the border stays
there: with a record that had become one with it, else with a copy. What lies above, beside and after the
records (composites, nodes, successors) is undone across the border, and fused again on both sides.
docs/algorithms/fusion.md, section Another audience.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from memory.domain.evidence import name_key
from memory.domain.types import EncodedRelation, Kind
from memory.models import (
    Community,
    CompositeLink,
    Entity,
    EvidenceLink,
    EvidenceState,
    ItemRating,
    MemoryRecord,
    RecordEvidence,
    Relation,
    SilencedTurn,
    UsageCount,
)
from memory.services.composite_rows import Audience, in_batches, withdraw_records
from memory.services.entity_rows import CONFIG, forget_aliases, learn_aliases
from memory.services.evidence_rows import hang_records, refresh_evidence, remove_evidence
from memory.services.fuse_attributes import End, apply_end, stated_end
from memory.services.fuse_duplicates import merge_duplicate
from memory.services.index import index_items, record_items, unindex_items
from memory.services.move_evidence import Border, border_around, part_evidence

_MOVING = "moving"  # why a row is expired while it changes sides


@dataclass(frozen=True, slots=True)
class Move:
    """A session that goes from one audience of its space to another, with its turns.

    `aliases`: what its segments told; `own_aliases`: what of them nobody else told whom it leaves.
    """

    space_id: UUID
    session_id: UUID
    before: UUID | None
    after: UUID | None
    turn_ids: Collection[UUID]
    aliases: Mapping[str, str]
    own_aliases: Mapping[str, str]

    @property
    def left(self) -> Audience:
        """Who saw it until now."""
        return Audience(self.space_id, self.before)

    @property
    def entered(self) -> Audience:
        """Who sees it from now on."""
        return Audience(self.space_id, self.after)


def move_records(move: Move) -> frozenset[UUID]:
    """Take the session's records along, in the caller's transaction; returns the ids of what those whom it
    leaves can no longer see: records, and composites that stood for one.
    """
    border = border_around(move.left, move.session_id)
    part_evidence(border)
    leaving, ids = border.leaving(), sorted(border.rows)
    gone = frozenset(leaving) | _composites_above(move.space_id, leaving)
    withdraw_records(move.space_id, ids)
    relations = _relations_of(move.space_id, border)
    _drop_communities(move.left, leaving)
    remove_evidence(move.space_id, leaving)
    unnamed = forget_aliases(move.left, move.own_aliases)
    _change_sides(move, border, leaving)
    _part_successors(move.space_id, ids)
    _hang(move, border, relations)
    refresh_evidence(move.space_id, [*(set(ids) - set(leaving)), *unnamed])
    _index(move.space_id, ids)
    for batch in in_batches(ids):
        MemoryRecord.objects.for_space(move.space_id).filter(id__in=batch).update(
            version=F("version") + 1, fusion_due=F("fusion_due") + 1
        )
    return gone


def _composites_above(space_id: UUID, record_ids: Sequence[UUID]) -> frozenset[UUID]:
    links = CompositeLink.objects.for_space(space_id)
    found: set[UUID] = set()
    for batch in in_batches(record_ids):
        found.update(links.filter(record__in=batch).values_list("parent_id", flat=True))
    rising = found
    while rising:
        above = {id_ for batch in in_batches(sorted(rising)) for id_ in _parents(space_id, batch)}
        rising = above - found
        found = found | rising
    return frozenset(found)


def _parents(space_id: UUID, composite_ids: Sequence[UUID]) -> set[UUID]:
    links = CompositeLink.objects.for_space(space_id).filter(composite__in=composite_ids)
    return set(links.values_list("parent_id", flat=True))


def _relations_of(space_id: UUID, border: Border) -> dict[UUID, list[EncodedRelation]]:
    """What each record told of how one stands to another; a copy tells what its source does."""
    told: dict[UUID, list[EncodedRelation]] = {id_: [] for id_ in border.rows}
    for batch in in_batches(sorted(border.rows)):
        rows = Relation.objects.for_space(space_id).filter(record__in=batch)
        for row in rows.select_related("source", "target").order_by("id"):
            told[row.record_id].append(
                EncodedRelation(
                    source=_name_of(row.source),
                    type=row.type,
                    target=_name_of(row.target),
                    valid_from=row.stated_from,
                    valid_to=row.stated_to,
                )
            )
    return {id_: told[border.sources.get(id_, id_)] for id_ in border.rows}


def _name_of(entity: Entity) -> str:
    """The name under which nobody else is found."""
    is_own = name_key(entity.canonical_name, CONFIG) == entity.key
    return entity.canonical_name if is_own else entity.key


def _drop_communities(audience: Audience, record_ids: Sequence[UUID]) -> None:
    """Those that were found with what leaves; others are looked for soon."""
    for batch in in_batches(record_ids):
        links = EvidenceLink.objects.for_space(audience.space_id).filter(record__in=batch)
        entities = links.values("node__entity_id").exclude(node__entity=None)
        Community.objects.for_space(audience.space_id).filter(
            private_to=audience.private_to, members__entity__in=entities
        ).delete()
    EvidenceState.objects.filter(space_id=audience.space_id).update(communities_at=0)


def _change_sides(move: Move, border: Border, leaving: Sequence[UUID]) -> None:
    """Let the records belong to whom they go, and be live there or here unless it is said there already."""
    now, torn = timezone.now(), border.torn()
    shown = {id_ for id_ in leaving if border.rows[id_].expired_at is None}
    for row in torn:
        root = border.root_of(row)
        if root.expired_at is None:
            shown.add(row.id)
        else:  # what a person has taken out of recall stays out of it
            row.expired_at, row.expired_reason = root.expired_at, root.expired_reason
            row.save(update_fields=["expired_at", "expired_reason"])
    for batch in in_batches(leaving):
        records = MemoryRecord.objects.for_space(move.space_id).filter(id__in=batch)
        records.filter(expired_at__isnull=True).update(expired_at=now, expired_reason=_MOVING)
        records.update(private_to=move.after)
        for rows in (
            RecordEvidence.objects.for_space(move.space_id).filter(record__in=batch),
            UsageCount.objects.for_space(move.space_id).filter(item_id__in=batch),
            ItemRating.objects.for_space(move.space_id).filter(record_id__in=batch),
        ):
            rows.update(private_to=move.after)
    for turns in in_batches(sorted(move.turn_ids)):
        silenced = SilencedTurn.objects.for_space(move.space_id).filter(turn_id__in=turns)
        silenced.update(private_to=move.after)
    for id_ in sorted(shown):
        _show(MemoryRecord.objects.for_space(move.space_id).get(id=id_))


def _show(row: MemoryRecord) -> None:
    """Let the row be live, or become one with the same statement of its audience."""
    audience = Audience(row.space_id, row.private_to_id)
    same = audience.records().filter(
        content_hash=row.content_hash, expired_at__isnull=True, superseded_at__isnull=True
    )
    kept = None if row.superseded_at else same.exclude(id=row.id).order_by("id").first()
    if kept is not None:
        merge_duplicate(audience, kept=kept, lost=row)
        return
    row.expired_at, row.expired_reason = None, ""
    row.save(update_fields=["expired_at", "expired_reason"])


def _part_successors(space_id: UUID, record_ids: Sequence[UUID]) -> None:
    """Let hold again what was superseded by a record that others see now."""
    records = MemoryRecord.objects.for_space(space_id)
    for batch in in_batches(record_ids):
        bound = records.filter(Q(superseded_by__in=batch) | Q(id__in=batch, superseded_by__isnull=False))
        for row in bound.select_related("superseded_by").order_by("id"):
            if row.superseded_by.private_to_id == row.private_to_id:
                continue
            end = End(None, None, stated_end(row), None)
            if row.expired_at is None:
                apply_end(Audience(space_id, row.private_to_id), row, end)
            else:
                records.filter(id=row.id).update(
                    superseded_by=None, superseded_at=None, valid_to=end.valid_to, stated_valid_to=None
                )


def _hang(move: Move, border: Border, relations: Mapping[UUID, Sequence[EncodedRelation]]) -> None:
    """Hang what has come on the nodes of whom it has come to, and copies on those of whom they stay with."""
    learn_aliases(move.entered, move.aliases)
    rows = MemoryRecord.objects.for_space(move.space_id)
    for batch in in_batches(border.leaving()):
        found = rows.filter(id__in=batch).order_by("id")
        hang_records(move.entered, [(row, relations[row.id]) for row in found])
    copies = rows.filter(id__in=set(border.sources) - set(border.leaving())).order_by("id")
    hang_records(move.left, [(row, relations[row.id]) for row in copies])


def _index(space_id: UUID, record_ids: Sequence[UUID]) -> None:
    for batch in in_batches(record_ids):
        rows = list(MemoryRecord.objects.for_space(space_id).filter(id__in=batch).order_by("id"))
        index_items(record_items([row for row in rows if row.expired_at is None]))
        unindex_items(space_id, Kind.RECORD, [row.id for row in rows if row.expired_at is not None])
