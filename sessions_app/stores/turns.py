"""The TurnSource port over the rows of sessions: what memory may know of turns."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.domain.types import Role, Turn
from sessions_app.models import SessionTurn

T = TypeVar("T")

BATCH = 500  # rows a query; SQLite bounds the parameters of one

_RECALLED = (Role.USER, Role.ASSISTANT)


class RowTurnSource:
    """Complete turns of sessions that are not deleted, in scan only those that are recalled."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Turn]:
        """Those of the turns that exist and are complete."""
        found: dict[UUID, Turn] = {}
        for batch in _batched(ids):
            found.update((row.id, to_turn(row)) for row in _rows(space_id).filter(pk__in=batch))
        return found

    def neighbours(self, space_id: UUID, ids: Sequence[UUID], *, reach: int) -> dict[UUID, tuple[Turn, ...]]:
        """For each turn the turns at most `reach` away in its session, in order, without it."""
        centres = self.current(space_id, ids)
        wanted: dict[UUID, set[int]] = {}
        for turn in centres.values():
            around = range(max(0, turn.index - reach), turn.index + reach + 1)
            wanted.setdefault(turn.session_id, set()).update(around)
        by_place = {(turn.session_id, turn.index): turn for turn in self._at(space_id, wanted)}
        return {
            turn.id: tuple(
                near
                for index in range(turn.index - reach, turn.index + reach + 1)
                if index != turn.index and (near := by_place.get((turn.session_id, index)))
            )
            for turn in centres.values()
        }

    def scan(self, space_id: UUID) -> Iterator[list[Turn]]:
        """Every complete turn of the space that is recalled, in batches: for rebuilding."""
        rows = _rows(space_id).filter(role__in=_RECALLED).order_by("id")
        last: UUID | None = None
        while batch := list((rows.filter(pk__gt=last) if last else rows)[:BATCH]):
            yield [to_turn(row) for row in batch]
            last = batch[-1].id

    def _at(self, space_id: UUID, wanted: dict[UUID, set[int]]) -> Iterator[Turn]:
        places = [(session_id, index) for session_id, indexes in wanted.items() for index in indexes]
        for batch in _batched(places):
            yield from (to_turn(row) for row in _rows(space_id).filter(_any_of(batch)))


def to_turn(row: SessionTurn) -> Turn:
    """The value of a row; its session must be loaded."""
    return Turn(
        id=row.id,
        space_id=row.space_id,
        private_to=row.private_to_id,
        session_id=row.session_id,
        session_name=row.session.name,
        index=row.index,
        role=Role(row.role),
        speaker=row.speaker,
        text=row.content,
        said_at=row.said_at,
        tokens=row.tokens,
    )


def _rows(space_id: UUID) -> QuerySet[SessionTurn]:
    return (
        SessionTurn.objects.for_space(space_id)
        .filter(state=SessionTurn.State.COMPLETE, session__deleted_at__isnull=True)
        .select_related("session")
    )


def _any_of(places: Iterable[tuple[UUID, int]]) -> Q:
    """One condition a session: its indexes."""
    by_session: dict[UUID, list[int]] = {}
    for session_id, index in places:
        by_session.setdefault(session_id, []).append(index)
    condition = Q(pk__in=[])
    for session_id, indexes in by_session.items():
        condition |= Q(session_id=session_id, index__in=indexes)
    return condition


def _batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
