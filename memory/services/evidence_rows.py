"""What hangs on records: entities, relations, evidence nodes; kept beside them, row by row.

Called in the transaction of whoever writes, edits, expires, merges or removes a record, so
that nodes never point to what is not there (docs/algorithms/evidence.md).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.selectors import zone_of_space
from memory.domain.evidence import Facts, Node, NodeKey, name_key, names_of, nodes_of
from memory.domain.temporal import zone_of
from memory.domain.text import words
from memory.domain.types import EncodedRelation, Role
from memory.models import (
    Entity,
    EvidenceLink,
    EvidenceNode,
    EvidenceState,
    MemoryRecord,
    RecordEvidence,
    Relation,
)
from memory.services.composite_rows import Audience, in_batches
from memory.services.entity_rows import CONFIG, drop_orphans, resolve_names

MAX_TYPE_CHARS = 64
OnProgress = Callable[[int, int], None]  # done, of how many

_KINDS_BY_SLOT = {
    "residence": Entity.Kind.PLACE,
    "origin": Entity.Kind.PLACE,
    "employer": Entity.Kind.ORGANISATION,
    "school": Entity.Kind.ORGANISATION,
}


def hang_records(audience: Audience, told: Sequence[tuple[MemoryRecord, Sequence[EncodedRelation]]]) -> None:
    """Hang new records on their nodes, with the relations that an encoder told of each."""
    if not told:
        return
    named = [name for _, relations in told for each in relations for name in (each.source, each.target)]
    ids = _hang(audience, [row for row, _ in told], also=named)
    Relation.objects.for_space(audience.space_id).bulk_create(
        [
            Relation(
                space_id=audience.space_id,
                private_to_id=audience.private_to,
                record=row,
                source_id=source,
                target_id=target,
                type=relation.type[:MAX_TYPE_CHARS],
                stated_from=relation.valid_from,
                stated_to=relation.valid_to,
            )
            for row, relations in told
            for relation in relations
            if (source := ids.get(name_key(relation.source, CONFIG)))
            and (target := ids.get(name_key(relation.target, CONFIG)))
            and source != target
        ],
        ignore_conflicts=True,  # the same twice in one record
    )


def refresh_evidence(space_id: UUID, record_ids: Collection[UUID]) -> None:
    """Let what hangs on the records follow them as they are now, in the caller's transaction.

    An expired one hangs on no node; its relations stay with it, known until then. Of one that a
    person has edited those relations go of which its text no longer names both.
    """
    for batch in in_batches(sorted(set(record_ids)), CONFIG.batch):
        by_owner: dict[UUID | None, list[MemoryRecord]] = {}
        for row in MemoryRecord.objects.for_space(space_id).filter(id__in=batch).order_by("id"):
            by_owner.setdefault(row.private_to_id, []).append(row)
        for owner, rows in by_owner.items():
            audience = Audience(space_id, owner)
            _drop_unnamed(audience, [row for row in rows if row.edited_at])
            _hang(audience, rows)


def remove_evidence(space_id: UUID, record_ids: Collection[UUID]) -> None:
    """Take the records off everything, in the caller's transaction and before their rows go."""
    for batch in in_batches(sorted(set(record_ids)), CONFIG.batch):
        relations = Relation.objects.for_space(space_id).filter(record__in=batch)
        related = {id_ for pair in relations.values_list("source_id", "target_id") for id_ in pair}
        relations.delete()
        links = EvidenceLink.objects.for_space(space_id).filter(record__in=batch)
        touched = set(links.values_list("node_id", flat=True))
        links.delete()
        drop_orphans(space_id, _recount(space_id, touched) | related)


def rebuild_evidence(space_id: UUID, on_progress: OnProgress = lambda done, total: None) -> None:
    """Make the space's evidence from its records, page by page; recall goes on meanwhile."""
    live = MemoryRecord.objects.for_space(space_id).filter(expired_at__isnull=True)
    ids = list(live.order_by("id").values_list("id", flat=True))
    for done, batch in enumerate(in_batches(ids, CONFIG.batch)):
        on_progress(done * CONFIG.batch, len(ids))
        with transaction.atomic():
            refresh_evidence(space_id, batch)
    on_progress(len(ids), len(ids))
    stray = EvidenceLink.objects.for_space(space_id).filter(record__expired_at__isnull=False)
    with transaction.atomic():
        stray.delete()
        nodes = EvidenceNode.objects.for_space(space_id)
        drop_orphans(space_id, _recount(space_id, set(nodes.values_list("id", flat=True))))


def count_ingest(space_id: UUID) -> None:
    """One more segment was written: communities are looked for every so many."""
    rows = EvidenceState.objects.filter(space_id=space_id)
    if not rows.update(ingests=F("ingests") + 1):
        EvidenceState.objects.get_or_create(space_id=space_id)
        rows.update(ingests=F("ingests") + 1)


def facts_of(row: MemoryRecord, position: int | None, zone: ZoneInfo) -> Facts:
    """What of a record makes nodes; its day is that of the zone."""
    happened_at = row.time_ref or row.valid_from or row.said_at
    return Facts(
        subject=row.subject,
        entities=tuple(row.entities),
        topics=tuple(row.topics),
        happened_at=happened_at.astimezone(zone),
        session_id=row.session_id,
        position=position,
    )


def _hang(audience: Audience, rows: Sequence[MemoryRecord], *, also: Iterable[str] = ()) -> dict[str, UUID]:
    """Set the links of the rows; returns the entities of their names and of those in `also`."""
    live = [row for row in rows if row.expired_at is None]
    positions = _positions(audience.space_id, live)
    zone = zone_of(zone_of_space(audience.space_id, audience.private_to))
    facts = {row.id: facts_of(row, positions.get(row.id), zone) for row in live}
    names = [name for each in facts.values() for name in names_of(each, CONFIG)]
    ids = resolve_names(audience, [*names, *also])
    _note_kinds(audience, live, ids)
    wanted = {
        row.id: facts_to_nodes for row in live if (facts_to_nodes := nodes_of(facts[row.id], ids, CONFIG))
    }
    _set_links(audience, [row.id for row in rows], wanted)
    return ids


def _positions(space_id: UUID, rows: Sequence[MemoryRecord]) -> dict[UUID, int]:
    """The index of each record's first evidence turn in its own session."""
    sessions = {row.id: row.session_id for row in rows}
    links = RecordEvidence.objects.for_space(space_id).filter(record__in=list(sessions))
    positions: dict[UUID, int] = {}
    for record_id, session_id, index in links.values_list("record_id", "session_id", "turn_index"):
        if sessions[record_id] == session_id:
            positions[record_id] = min(index, positions.get(record_id, index))
    return positions


def _set_links(audience: Audience, record_ids: Sequence[UUID], wanted: Mapping[UUID, Sequence[Node]]) -> None:
    """Leave the records exactly on the wanted nodes, and the nodes with their degrees."""
    node_ids = _node_ids(audience, {node.known_by: node for nodes in wanted.values() for node in nodes})
    pairs = {(node_ids[node.known_by], id_) for id_, nodes in wanted.items() for node in nodes}
    links = EvidenceLink.objects.for_space(audience.space_id)
    held = {
        (node_id, record_id): id_
        for id_, node_id, record_id in links.filter(record__in=list(record_ids)).values_list(
            "id", "node_id", "record_id"
        )
    }
    surplus = held.keys() - pairs
    for batch in in_batches(sorted(held[pair] for pair in surplus)):
        links.filter(id__in=batch).delete()
    missing = sorted(pairs - held.keys())
    links.bulk_create(
        [
            EvidenceLink(
                space_id=audience.space_id, private_to_id=audience.private_to, node_id=node, record_id=record
            )
            for node, record in missing
        ],
        ignore_conflicts=True,
    )
    touched = {node_id for node_id, _ in (*surplus, *missing)}
    drop_orphans(audience.space_id, _recount(audience.space_id, touched))


def _node_ids(audience: Audience, nodes: Mapping[NodeKey, Node]) -> dict[NodeKey, UUID]:
    """The ids of the nodes; those that are not there are made."""
    known = _known_nodes(audience, nodes)
    missing = sorted(nodes.keys() - known.keys())
    if not missing:
        return known
    EvidenceNode.objects.for_space(audience.space_id).bulk_create(
        [
            EvidenceNode(
                space_id=audience.space_id,
                private_to_id=audience.private_to,
                kind=key.kind,
                key=key.key,
                label=nodes[key].label[:255],
                entity_id=nodes[key].entity_id,
            )
            for key in missing
        ],
        ignore_conflicts=True,  # another writer was first: read theirs
    )
    return known | _known_nodes(audience, missing)


def _known_nodes(audience: Audience, keys: Iterable[NodeKey]) -> dict[NodeKey, UUID]:
    wanted = set(keys)
    rows = EvidenceNode.objects.for_space(audience.space_id).filter(private_to=audience.private_to)
    found: dict[NodeKey, UUID] = {}
    for batch in in_batches(sorted({key.key for key in wanted})):
        for id_, kind, key in rows.filter(key__in=batch).values_list("id", "kind", "key"):
            if (named := NodeKey(kind, key)) in wanted:
                found[named] = id_
    return found


def _recount(space_id: UUID, node_ids: Collection[UUID]) -> set[UUID]:
    """Count the nodes' records anew and remove empty ones; returns whose entities lost one."""
    links = EvidenceLink.objects.for_space(space_id).filter(node=OuterRef("pk")).order_by()
    counted = links.values("node").annotate(n=Count("pk")).values("n")
    nodes = EvidenceNode.objects.for_space(space_id)
    bereft: set[UUID] = set()
    for batch in in_batches(sorted(node_ids)):
        nodes.filter(id__in=batch).update(degree=Coalesce(Subquery(counted), 0))
        empty = nodes.filter(id__in=batch, degree=0)
        bereft.update(id_ for id_ in empty.values_list("entity_id", flat=True) if id_)
        empty.delete()
    return bereft


def _note_kinds(audience: Audience, rows: Sequence[MemoryRecord], ids: Mapping[str, UUID]) -> None:
    """What an entity is, where a record shows it: who speaks is a person, where one lives a place."""
    found: dict[UUID, Entity.Kind] = {}
    for row in rows:
        kind = _KINDS_BY_SLOT.get(row.slot)
        if kind and (entity_id := ids.get(name_key(row.value, CONFIG))):
            found[entity_id] = kind
        if row.source_role == Role.USER and (entity_id := ids.get(name_key(row.subject, CONFIG))):
            found[entity_id] = Entity.Kind.PERSON
    unknown = Entity.objects.for_space(audience.space_id).filter(kind=Entity.Kind.OTHER)
    for new in sorted(set(found.values())):
        unknown.filter(id__in=[id_ for id_, each in found.items() if each == new]).update(kind=new)


def _drop_unnamed(audience: Audience, rows: Sequence[MemoryRecord]) -> None:
    """Remove relations of edited records whose text no longer names both entities."""
    if not rows:
        return
    said = {
        row.id: f" {' '.join(words(' '.join((row.semantic_text, row.subject, *row.entities))))} "
        for row in rows
    }
    relations = Relation.objects.for_space(audience.space_id).filter(record__in=list(said))
    gone: list[Relation] = []
    for each in relations.select_related("source", "target").prefetch_related(
        "source__names", "target__names"
    ):
        ends = [{name.key for name in end.names.all()} for end in (each.source, each.target)]
        if not all(any(f" {key} " in said[each.record_id] for key in names) for names in ends):
            gone.append(each)
    relations.filter(id__in=[each.id for each in gone]).delete()
    drop_orphans(audience.space_id, {id_ for each in gone for id_ in (each.source_id, each.target_id)})
