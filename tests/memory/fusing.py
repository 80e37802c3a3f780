"""The memory tree as tests compare it: by what its leaves say, never by ids."""

from uuid import UUID

from memory.models import CompositeLink, CompositeRecord, MemoryRecord

Tree = frozenset[object]  # texts, and trees of them


def tree_of(space_id: UUID) -> set[Tree]:
    """The roots of the space's tree, each as the nested set of its leaves' texts."""
    children: dict[UUID | None, list[CompositeLink]] = {}
    for link in CompositeLink.objects.for_space(space_id).select_related("record"):
        children.setdefault(link.parent_id, []).append(link)

    def build(composite_id: UUID | None) -> Tree:
        return frozenset(
            link.record.semantic_text if link.record else build(link.composite_id)
            for link in children.get(composite_id, [])
        )

    under = {link.composite_id for links in children.values() for link in links}
    ids = CompositeRecord.objects.for_space(space_id).values_list("id", flat=True)
    return {build(id_) for id_ in ids if id_ not in under}


def current_texts(space_id: UUID) -> list[str]:
    """What default recall may show, oldest first."""
    rows = MemoryRecord.objects.for_space(space_id).filter(
        expired_at__isnull=True, superseded_at__isnull=True
    )
    return list(rows.order_by("said_at", "id").values_list("semantic_text", flat=True))
