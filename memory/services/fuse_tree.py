"""One level of the memory tree, brought up to what its nodes are now.

The nodes that changed are widened to all that likeness joins them to; that part is
clustered, compared with the composites it had, and only what differs is written. Rows
are read without a lock and checked under one before they are written: what has changed
meanwhile stays due.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from uuid_utils.compat import uuid7

from memory.config import FusionConfig
from memory.domain.fusion.clusters import centroid, cluster, is_related
from memory.domain.fusion.composites import Child, adopt_existing, compose
from memory.models import CompositeLink, CompositeRecord
from memory.ports import Vectors
from memory.services.composite_rows import (
    UNTITLED,
    Audience,
    composite_item,
    forget_titles_above,
    in_batches,
    make_due,
    remove_composites,
)
from memory.services.fuse_layers import Layer, Node, OnStep
from memory.services.index import index_items

Marks = Mapping[UUID, int]


@dataclass(frozen=True, slots=True)
class _Made:
    """A composite as it should stand; `children` ascending, `is_regrouped`: they were others."""

    row: CompositeRecord
    children: tuple[UUID, ...]
    is_regrouped: bool = False


@dataclass(slots=True)
class _Plan:
    """What is to be written of one level, and the nodes that are done then."""

    dropped: list[UUID] = field(default_factory=list)
    changed: list[_Made] = field(default_factory=list)
    new: list[_Made] = field(default_factory=list)


def grow_level(layer: Layer, seeds: Marks, audience: Audience, config: FusionConfig, on_step: OnStep) -> int:
    """Fuse the nodes of a level that are due (`seeds`: ids with the due mark read) with all they
    are alike to; how many composites were made, changed or removed.
    """
    nodes = closed_region(layer, seeds, audience)
    plan = _plan(layer, nodes, audience, config)
    waiting = _write(layer, plan, nodes, audience, config, on_step)
    done = {id_: mark for id_, mark in seeds.items() if id_ not in waiting}
    _note_fused(layer.level, done, audience)
    return len(plan.dropped) + len(plan.changed) + len(plan.new)


def closed_region(layer: Layer, seeds: Iterable[UUID], audience: Audience) -> dict[UUID, Node]:
    """The seeds and every node that likeness, or a parent they have, joins to them in steps."""
    region = layer.find(seeds)
    frontier = sorted(region)
    while frontier:
        pairs: dict[UUID, set[UUID]] = {}
        for one, other in layer.alike(frontier, besides=region):
            pairs.setdefault(other, set()).add(one)
        joined = {
            other: node
            for other, node in layer.find(pairs).items()
            if any(is_related(node.member, region[one].member) for one in pairs[other])
        }
        siblings = {
            child for children in _parents(layer.level, frontier, audience).values() for child in children
        }
        joined |= layer.find(siblings - region.keys() - joined.keys())
        region |= joined
        frontier = sorted(joined)
    return region


def _parents(level: int, ids: Sequence[UUID], audience: Audience) -> dict[UUID, frozenset[UUID]]:
    """The composites over the nodes, each with all its children."""
    name = "record_id" if level == 0 else "composite_id"
    links = CompositeLink.objects.for_space(audience.space_id)
    parents: set[UUID] = set()
    for batch in in_batches(ids):
        parents.update(links.filter(**{f"{name}__in": batch}).values_list("parent_id", flat=True))
    children: dict[UUID, set[UUID]] = {}
    for batch in in_batches(sorted(parents)):
        for parent, child in links.filter(parent__in=batch).values_list("parent_id", name):
            children.setdefault(parent, set()).add(child)
    return {parent: frozenset(found) for parent, found in children.items()}


def _plan(layer: Layer, nodes: Mapping[UUID, Node], audience: Audience, config: FusionConfig) -> _Plan:
    """Cluster the nodes and compare the groups with the composites that stand over them."""
    ids = sorted(nodes)
    vectors = layer.vectors(ids) if ids else None
    groups = [] if vectors is None else cluster([nodes[id_].member for id_ in ids], vectors, config)
    existing = _parents(layer.level, ids, audience)
    adopted = adopt_existing([frozenset(group) for group in groups], existing, config)
    rows: dict[UUID, CompositeRecord] = {}
    for batch in in_batches(sorted(adopted.values())):
        rows.update((row.id, row) for row in audience.composites().filter(id__in=batch))
    plan = _Plan(dropped=sorted(existing.keys() - set(adopted.values())))
    for place, group in enumerate(groups):
        row = rows.get(adopted[place]) if place in adopted else None
        composite = compose([nodes[id_].child for id_ in group], config, id_=row.id if row else uuid7())
        values = _values(composite, centroid(layer.vectors(group)))
        if row is None:
            plan.new.append(_Made(_set(_new_row(composite.id, layer.level, audience), values, config), group))
        elif (is_regrouped := existing[row.id] != frozenset(group)) or _differs(row, values):
            values |= UNTITLED if is_regrouped else {}
            plan.changed.append(_Made(_set(row, values, config), group, is_regrouped))
    return plan


def _values(composite: Child, middle: Vectors) -> dict[str, object]:
    """The columns of a composite's row that follow from its children."""
    leader = composite.representative
    return {
        "representative_id": leader.record_id,
        "semantic_text": leader.text,
        "memory_type": leader.memory_type,
        "session_id": leader.session_id,
        "confidence": leader.confidence,
        "subjects": list(composite.subjects),
        "entities": list(composite.entities),
        "topics": list(composite.topics),
        "tags": {name: list(values) for name, values in composite.tags.items()},
        "valid_from": composite.valid_from,
        "valid_to": composite.valid_to,
        "said_at": composite.said_at,
        "leaf_count": composite.leaf_count,
        "centroid": middle.tobytes(),
    }


def _differs(row: CompositeRecord, values: Mapping[str, object]) -> bool:
    stored = {name: getattr(row, name) for name in values}
    return {**stored, "centroid": bytes(row.centroid)} != values


def _new_row(id_: UUID, level: int, audience: Audience) -> CompositeRecord:
    return CompositeRecord(
        id=id_, space_id=audience.space_id, private_to_id=audience.private_to, level=level + 1, version=0
    )


def _set(row: CompositeRecord, values: Mapping[str, object], config: FusionConfig) -> CompositeRecord:
    """The row with these values, to be compared with others of its level, the last one's apart."""
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    row.fusion_due = 0 if row.level >= config.rounds else row.fusion_due + 1
    return row


def _write(
    layer: Layer,
    plan: _Plan,
    nodes: Mapping[UUID, Node],
    audience: Audience,
    config: FusionConfig,
    on_step: OnStep,
) -> set[UUID]:
    """Write the plan; the nodes that must wait, as they have changed since they were read."""
    waiting: set[UUID] = set()
    with transaction.atomic():
        remove_composites(audience.space_id, plan.dropped, spared=nodes)
        for freed in in_batches([made.row.id for made in plan.changed]):
            CompositeLink.objects.for_space(audience.space_id).filter(parent__in=freed).delete()
        waiting |= _store(layer.level, plan.changed, nodes, audience)
        regrouped = [made.row.id for made in plan.changed if made.is_regrouped]
        forget_titles_above(audience.space_id, regrouped)
    for number, batch in enumerate(in_batches(plan.new, config.write_batch)):
        on_step("composites", number * config.write_batch, len(plan.new))
        try:
            with transaction.atomic():
                waiting |= _store(layer.level, batch, nodes, audience, is_new=True)
        except IntegrityError:  # a child has found a parent meanwhile: the lease was lost
            waiting.update(child for made in batch for child in made.children)
    for ids in in_batches(sorted(waiting)):
        make_due(audience.space_id, *((ids, ()) if layer.level == 0 else ((), ids)))
    return waiting


def _store(
    level: int,
    made: Sequence[_Made],
    nodes: Mapping[UUID, Node],
    audience: Audience,
    *,
    is_new: bool = False,
) -> set[UUID]:
    """Write composites whose children are still as they were read; the children of the others."""
    children = sorted(child for each in made for child in each.children)
    current = _locked_versions(level, children, audience)
    sound = [each for each in made if all(current.get(c) == nodes[c].version for c in each.children)]
    unsound = [each for each in made if each not in sound]
    rows = CompositeRecord.objects.for_space(audience.space_id)
    if is_new:
        rows.bulk_create([each.row for each in sound])
    else:
        remove_composites(audience.space_id, [each.row.id for each in unsound])
        for each in sound:
            each.row.save()
    CompositeLink.objects.for_space(audience.space_id).bulk_create(
        [_link(each.row, child, level) for each in sound for child in each.children]
    )
    index_items([composite_item(each.row) for each in sound])
    return {child for each in unsound for child in each.children}


def _locked_versions(level: int, ids: Sequence[UUID], audience: Audience) -> dict[UUID, int]:
    """The versions of the nodes that still take part, locked to the transaction's end."""
    rows: QuerySet[Any] = audience.composites()
    if level == 0:
        rows = audience.records().filter(expired_at__isnull=True, superseded_at__isnull=True)
    found: dict[UUID, int] = {}
    for batch in in_batches(ids):
        locked = rows.select_for_update().filter(id__in=batch).order_by("id")
        found.update(locked.values_list("id", "version"))
    return found


def _link(parent: CompositeRecord, child: UUID, level: int) -> CompositeLink:
    link = CompositeLink(space_id=parent.space_id, private_to_id=parent.private_to_id, parent=parent)
    if level == 0:
        link.record_id = child
    else:
        link.composite_id = child
    return link


def _note_fused(level: int, marks: Marks, audience: Audience) -> None:
    """These are done, but those that have become due once more since their mark was read."""
    rows: QuerySet[Any] = audience.records() if level == 0 else audience.composites()
    by_mark: dict[int, list[UUID]] = {}
    for id_, mark in marks.items():
        by_mark.setdefault(mark, []).append(id_)
    for mark, ids in by_mark.items():
        for batch in in_batches(ids):
            rows.filter(id__in=batch, fusion_due=mark).update(fusion_due=0)
