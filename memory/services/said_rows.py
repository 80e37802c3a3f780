"""What records rest on, and who said it: members of one space may bear one name."""

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from memory.domain.types import Role, Turn
from memory.models import RecordEvidence
from memory.registries import turn_source
from memory.services.composite_rows import in_batches

Authors = frozenset[UUID | None]  # None: somebody unknown
UNKNOWN: Authors = frozenset({None})


def turns_of(space_id: UUID, record_ids: Collection[UUID]) -> dict[UUID, list[Turn]]:
    """By record the turns it rests on that still stand, in the order in which they were noted."""
    found: dict[UUID, list[Turn]] = {id_: [] for id_ in record_ids}
    for batch in in_batches(sorted(record_ids)):
        links = RecordEvidence.objects.for_space(space_id).filter(record__in=batch)
        pairs = list(links.order_by("id").values_list("record_id", "turn_id"))
        turns = turn_source().current(space_id, list({turn_id for _, turn_id in pairs}))
        for record_id, turn_id in pairs:
            if turn_id in turns:
                found[record_id].append(turns[turn_id])
    return found


def authors_of(turns: Iterable[Turn]) -> Authors:
    """The people who said the turns, whatever they are called."""
    return frozenset(turn.author_id for turn in turns if turn.role is Role.USER) or UNKNOWN


def part_by_author(ids: Iterable[UUID], authors: Mapping[UUID, Authors]) -> list[list[UUID]]:
    """The records in parts that no author shares; what nobody known said is by the only author there is."""
    records = list(ids)
    if len(frozenset[UUID | None]().union(*(authors[id_] for id_ in records)) - UNKNOWN) <= 1:
        return [records]
    parts: list[tuple[Authors, list[UUID]]] = []
    for id_ in records:
        joined = [part for part in parts if part[0] & authors[id_]]
        people = authors[id_].union(*(part[0] for part in joined))
        parts = [part for part in parts if part not in joined]
        parts.append((people, [*(each for part in joined for each in part[1]), id_]))
    return [part for _, part in parts]
