"""Who and what records speak of: entities, relations, evidence nodes, communities.

Nodes, links and communities follow from records and are made anew from them; entities and
relations keep what an encoder told besides (docs/algorithms/evidence.md).

Each way in has an index that begins with the space: without statistics SQLite else walks all
rows of the space, and hanging 250 records beside 3,000 took 50 s instead of 1 s.
"""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.tenancy import SpaceOwned
from memory.domain.evidence import is_bond
from memory.models.records import MemoryRecord


def _unique_per_audience(*fields: str, name: str) -> list[models.BaseConstraint]:
    """Unique among what the space shares, and among what each member has private."""
    return [
        models.UniqueConstraint(
            fields=["space", *fields], condition=models.Q(private_to__isnull=True), name=f"one_shared_{name}"
        ),
        models.UniqueConstraint(
            fields=["space", "private_to", *fields],
            condition=models.Q(private_to__isnull=False),
            name=f"one_private_{name}",
        ),
    ]


class Entity(SpaceOwned):
    """Somebody or something that records name.

    `key` tells it from others: its folded name, or for a namesake whose alias says that
    somebody else is meant the alias ("bob's sister").
    """

    class Kind(models.TextChoices):
        """What it is, as far as is known."""

        PERSON = "person", _("person")
        PLACE = "place", _("place")
        ORGANISATION = "organisation", _("organisation")
        OTHER = "other", _("other")

    key = models.CharField(max_length=160)
    canonical_name = models.CharField(max_length=160)
    aliases: "models.JSONField[list[str]]" = models.JSONField(default=list, blank=True)
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.OTHER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = "entities"
        constraints: ClassVar = _unique_per_audience("key", name="entity")

    def __str__(self) -> str:
        return self.canonical_name


class EntityName(SpaceOwned):
    """A folded name or alias under which an entity is found; two entities may bear one name."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="names")
    key = models.CharField(max_length=160)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [models.UniqueConstraint(fields=["entity", "key"], name="one_name_an_entity")]
        indexes: ClassVar = [
            models.Index(fields=["space", "key"], name="entity_by_name"),
            models.Index(fields=["space", "entity"], name="names_by_entity"),
        ]

    def __str__(self) -> str:
        return self.key


class Relation(SpaceOwned):
    """How one entity stands to another, as a record tells it.

    `stated_from`, `stated_to` are the relation's own bounds where they are told; its four
    instants follow from the record, so that nobody must keep them equal.
    """

    record = models.ForeignKey(MemoryRecord, on_delete=models.CASCADE, related_name="relations")
    source = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relations_from")
    type = models.CharField(max_length=64)
    target = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relations_to")
    stated_from = models.DateTimeField(null=True, blank=True)
    stated_to = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["record", "source", "type", "target"], name="one_relation_a_record"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["space", "record"], name="relation_by_record"),
            models.Index(fields=["space", "source"], name="relation_by_source"),
            models.Index(fields=["space", "target"], name="relation_by_target"),
        ]

    @property
    def valid_from(self) -> datetime | None:
        """From when it holds; the day of what was told of somebody's sister begins no sisterhood."""
        return self.stated_from or (None if is_bond(self.type) else self.record.valid_from)

    @property
    def valid_to(self) -> datetime | None:
        """Until when it holds: where the record ends, at the latest; what binds people for years ends
        where that is told, or where a newer value of its attribute is.
        """
        is_ended = not is_bond(self.type) or self.record.superseded_at
        ends = [end for end in (self.stated_to, self.record.valid_to if is_ended else None) if end]
        return min(ends, default=None)

    @property
    def learned_at(self) -> datetime:
        """Since when it is known."""
        return self.record.learned_at

    @property
    def expired_at(self) -> datetime | None:
        """Until when it was known."""
        return self.record.expired_at

    def __str__(self) -> str:
        return f"{self.source_id} {self.type} {self.target_id}"


class EvidenceNode(SpaceOwned):
    """An index entry that points to the records of one entity, topic, entity and topic, day,
    month or event frame. `degree`: how many; the more, the less the node says.
    """

    class Kind(models.TextChoices):
        """What its records have in common."""

        ENTITY = "entity", _("entity")
        TOPIC = "topic", _("topic")
        ENTITY_TOPIC = "entity_topic", _("entity and topic")
        DAY = "day", _("day")
        MONTH = "month", _("month")
        EVENT_FRAME = "event_frame", _("told together")

    kind = models.CharField(max_length=12, choices=Kind.choices)
    key = models.CharField(max_length=255)
    label = models.CharField(max_length=255)
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, null=True, blank=True, related_name="nodes")
    degree = models.PositiveIntegerField(default=0)
    records: "models.ManyToManyField[MemoryRecord, EvidenceLink]" = models.ManyToManyField(
        MemoryRecord, through="EvidenceLink", related_name="evidence_nodes"
    )

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = _unique_per_audience("kind", "key", name="evidence_node")
        indexes: ClassVar = [
            models.Index(fields=["space", "key"], name="node_by_key"),
            models.Index(fields=["space", "entity"], name="node_by_entity"),
            models.Index(fields=["space", "id"], name="node_by_id"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.label}"


class EvidenceLink(SpaceOwned):
    """A node and a record that it points to."""

    node = models.ForeignKey(EvidenceNode, on_delete=models.CASCADE, related_name="links")
    record = models.ForeignKey(MemoryRecord, on_delete=models.CASCADE, related_name="evidence_links")

    class Meta(SpaceOwned.Meta):
        constraints: ClassVar = [models.UniqueConstraint(fields=["node", "record"], name="one_evidence_link")]
        indexes: ClassVar = [
            models.Index(fields=["space", "node"], name="link_by_node"),
            models.Index(fields=["space", "record"], name="link_by_record"),
        ]

    def __str__(self) -> str:
        return f"{self.node_id} over {self.record_id}"


class EvidenceState(models.Model):
    """How many segments were ingested into a space, and at which of them its communities
    were looked for last.
    """

    space = models.OneToOneField(
        "accounts.Space", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    ingests = models.PositiveBigIntegerField(default=0)
    communities_at = models.PositiveBigIntegerField(default=0, help_text=_("Ingests when they were made."))

    def __str__(self) -> str:
        return f"{self.space_id} at {self.ingests}"


class Community(SpaceOwned):
    """Entities that are told of together."""

    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(SpaceOwned.Meta):
        verbose_name_plural = "communities"

    def __str__(self) -> str:
        return f"{self.size} entities"


class CommunityMember(SpaceOwned):
    """An entity of a community; each stands in one at most."""

    community = models.ForeignKey(Community, on_delete=models.CASCADE, related_name="members")
    entity = models.OneToOneField(Entity, on_delete=models.CASCADE, related_name="membership")

    def __str__(self) -> str:
        return f"{self.entity_id} of {self.community_id}"
