"""Entities, relations, evidence nodes and communities, to look at: they follow from records."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin import PrivateAdmin, ReadOnlyAdmin, ReadOnlyInline
from memory.models import (
    Community,
    CommunityMember,
    Entity,
    EntityName,
    EvidenceLink,
    EvidenceNode,
    EvidenceState,
    Relation,
)

_PRIVATE = ("private_to", admin.EmptyFieldListFilter)


class NameInline(ReadOnlyInline):
    """Under which names an entity is found."""

    model = EntityName
    fields = ("key",)


class MemberInline(ReadOnlyInline):
    """Who is told of together."""

    model = CommunityMember
    fields = ("entity",)


@admin.register(Entity)
class EntityAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Who and what records name."""

    list_display = ("canonical_name", "kind", "aliases", "space", "created_at")
    list_filter = ("kind", _PRIVATE)
    search_fields = ("canonical_name", "names__key", "space__slug", "=id")
    list_select_related = ("space",)
    ordering = ("-id",)
    inlines = (NameInline,)


@admin.register(EntityName)
class EntityNameAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Names and aliases as they are looked up."""

    list_display = ("key", "entity", "space")
    search_fields = ("key", "space__slug", "=entity__id")
    list_select_related = ("entity", "space")
    ordering = ("-id",)


@admin.register(Relation)
class RelationAdmin(PrivateAdmin, ReadOnlyAdmin):
    """How entities stand to each other, and when."""

    list_display = ("source", "type", "target", "valid_from", "valid_to", "learned_at", "expired_at", "space")
    list_filter = (_PRIVATE, "created_at")
    search_fields = ("type", "source__canonical_name", "target__canonical_name", "=record__id", "space__slug")
    list_select_related = ("source", "target", "record", "space")
    ordering = ("-id",)


@admin.register(EvidenceNode)
class EvidenceNodeAdmin(PrivateAdmin, ReadOnlyAdmin):
    """What records have in common; the more hang on a node, the less it says."""

    list_display = ("label", "kind", "degree", "entity", "space")
    list_filter = ("kind", _PRIVATE)
    search_fields = ("label", "space__slug", "=id", "=links__record__id")
    list_select_related = ("entity", "space")
    ordering = ("-degree", "id")


@admin.register(EvidenceLink)
class EvidenceLinkAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Which records hang on which nodes."""

    list_display = ("node", "record", "space")
    search_fields = ("=node__id", "=record__id", "space__slug")
    list_select_related = ("node", "record", "space")
    ordering = ("-id",)


@admin.register(EvidenceState)
class EvidenceStateAdmin(ReadOnlyAdmin):
    """How far each space's communities are behind."""

    list_display = ("space", "ingests", "communities_at")
    search_fields = ("space__slug",)
    list_select_related = ("space",)


@admin.register(Community)
class CommunityAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Entities that are told of together."""

    list_display = ("members_shown", "size", "space", "created_at")
    list_filter = (_PRIVATE, "created_at")
    search_fields = ("members__entity__canonical_name", "space__slug", "=id")
    list_select_related = ("space",)
    ordering = ("-size", "id")
    inlines = (MemberInline,)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Community]":
        """With the names of the members in one query."""
        rows: QuerySet[Community] = super().get_queryset(request)
        return rows.prefetch_related("members__entity")

    @admin.display(description="members")
    def members_shown(self, community: Community) -> str:
        """The first few."""
        return ", ".join(member.entity.canonical_name for member in list(community.members.all())[:6])


@admin.register(CommunityMember)
class CommunityMemberAdmin(PrivateAdmin, ReadOnlyAdmin):
    """Who stands in which community."""

    list_display = ("entity", "community", "space")
    search_fields = ("entity__canonical_name", "=community__id", "space__slug")
    list_select_related = ("entity", "community", "space")
    ordering = ("-id",)
