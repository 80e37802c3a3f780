"""What hangs on a memory, as its page tells it: names, relations with their time, what it is
evidence for, and who is told of together with them.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.principals import Principal
from memory.domain.types import Reader
from memory.models import Community, EvidenceNode, MemoryRecord, Relation
from memory.selectors import Hanging, hanging_of
from memory.services.communities import top_records

NAMES_SHOWN = 8
OTHERS_SHOWN = 3  # memories of a community


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity, what it is, under which other names it is known, and where its memories are listed."""

    name: str
    kind: str
    aliases: str
    url: str


@dataclass(frozen=True, slots=True)
class RelationLine:
    """How one stands to another, in words, and from when until when."""

    words: str
    time: str
    is_past: bool


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """The nodes of one kind, each with how many memories it leads to."""

    title: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Circle:
    """A community: its names, and other memories that speak of them."""

    names: str
    records: tuple[MemoryRecord, ...]


@dataclass(frozen=True, slots=True)
class HangingView:
    """All of it; empty where nothing hangs on the memory."""

    entities: tuple[NamedEntity, ...]
    relations: tuple[RelationLine, ...]
    groups: tuple[NodeGroup, ...]
    circles: tuple[Circle, ...]


def hanging_view(principal: Principal, record_id: UUID, *, now: datetime) -> HangingView:
    """What hangs on the memory, in the reader's words and zone."""
    reader = Reader(space_id=principal.space_id, user_id=principal.user_id)
    found = hanging_of(reader, record_id)
    return HangingView(
        entities=_entities(principal, found),
        relations=tuple(_relation(each, now) for each in found.relations),
        groups=tuple(_groups(found)),
        circles=tuple(_circle(reader, each, record_id) for each in found.communities),
    )


def _entities(principal: Principal, found: Hanging) -> tuple[NamedEntity, ...]:
    listed = reverse("sessions:memory", args=[principal.space_slug])
    return tuple(
        NamedEntity(
            name=each.canonical_name,
            kind=str(each.get_kind_display()) if each.kind != each.Kind.OTHER else "",
            aliases=", ".join(each.aliases),
            url=f"{listed}?{urlencode({'q': each.canonical_name})}",
        )
        for each in sorted(found.entities, key=lambda entity: entity.canonical_name)
    )


def _relation(relation: Relation, now: datetime) -> RelationLine:
    kind = relation.type.replace("_", " ")
    start, end = _day(relation.valid_from), _day(relation.valid_to)
    if start and end:
        time = _("%(start)s to %(end)s") % {"start": start, "end": end}
    elif end:
        time = _("until %(end)s") % {"end": end}
    else:
        time = _("since %(start)s") % {"start": start or _day(relation.record.said_at)}
    ends = relation.valid_to is not None and relation.valid_to <= now
    return RelationLine(
        words=f"{relation.source.canonical_name} – {kind} – {relation.target.canonical_name}",
        time=time,
        is_past=ends or relation.expired_at is not None,
    )


def _groups(found: Hanging) -> list[NodeGroup]:
    titles = {
        EvidenceNode.Kind.TOPIC: _("Topics"),
        EvidenceNode.Kind.ENTITY_TOPIC: _("Names with a topic"),
        EvidenceNode.Kind.DAY: _("Day"),
        EvidenceNode.Kind.MONTH: _("Month"),
        EvidenceNode.Kind.EVENT_FRAME: _("Told together, messages"),
    }
    by_kind = groupby(found.nodes, key=lambda node: node.kind)
    listed = {kind: tuple(_with_degree(node) for node in nodes) for kind, nodes in by_kind}
    return [NodeGroup(title, listed[kind]) for kind, title in titles.items() if kind in listed]


def _with_degree(node: EvidenceNode) -> str:
    return f"{node.label} ({node.degree})"


def _circle(reader: Reader, community: Community, record_id: UUID) -> Circle:
    names = sorted(member.entity.canonical_name for member in community.members.all())
    records = top_records(reader, community.id, most=OTHERS_SHOWN + 1)
    others = [record for record in records if record.id != record_id]
    return Circle(", ".join(names[:NAMES_SHOWN]), tuple(others[:OTHERS_SHOWN]))


def _day(at: datetime | None) -> str:
    return date_format(localtime(at), "DATE_FORMAT") if at else ""
