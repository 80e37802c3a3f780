"""The TurnSource port over the rows of sessions: what memory may know of turns."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.domain.types import Reader, Role, TimeRange, Turn
from memory.stores.sql import as_instant, as_uuid, fetch_all, marks, uuid_value
from sessions_app.models import SessionTurn

T = TypeVar("T")

BATCH = 500  # rows a query; SQLite bounds the parameters of one

# The newest segment that begins at or before the turn, if it holds the turn and was encoded.
_IS_FILED = (
    "COALESCE((SELECT g.end_turn > t.\"index\" AND g.state NOT IN ('open', 'closed', 'failed')"
    ' FROM sessions_app_segment g WHERE g.session_id = t.session_id AND g.first_turn <= t."index"'
    " ORDER BY g.first_turn DESC LIMIT 1), FALSE)"
)
# Every recall reads some thirty turns: by hand, as models cost four times the time. COALESCE
# keeps SQLite from walking the whole space by its index when ids are given.
_COLUMNS = (
    't.id, t.private_to_id, t.session_id, s.name, t."index", t.role, t.speaker,'
    f" t.content, t.said_at, t.created_at, t.tokens, t.author_id, {_IS_FILED}"
)
_CURRENT = (
    f"SELECT {_COLUMNS} FROM sessions_app_sessionturn t JOIN sessions_app_session s ON s.id = t.session_id"  # noqa: S608
    " WHERE COALESCE(t.space_id, NULL) = %s AND t.state = 'complete' AND s.deleted_at IS NULL"
    " AND t.id IN ({})"
)
_NEIGHBOURS = (
    f"SELECT c.id, {_COLUMNS} FROM sessions_app_sessionturn c"  # noqa: S608
    " JOIN sessions_app_session s ON s.id = c.session_id"
    " LEFT JOIN sessions_app_sessionturn t ON t.session_id = c.session_id AND t.state = 'complete'"
    ' AND t.id <> c.id AND t."index" BETWEEN c."index" - %s AND c."index" + %s'
    " WHERE COALESCE(c.space_id, NULL) = %s AND c.state = 'complete' AND s.deleted_at IS NULL"
    " AND c.id IN ({})"
    ' ORDER BY t."index"'
)

_RECALLED = (Role.USER, Role.ASSISTANT)


class RowTurnSource:
    """Complete turns of sessions that are not deleted, in scan only those that are recalled."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Turn]:
        """Those of the turns that exist and are complete."""
        found: dict[UUID, Turn] = {}
        for batch in _batched(ids):
            sql = _CURRENT.format(marks(len(batch)))
            rows = fetch_all(sql, [uuid_value(space_id), *map(uuid_value, batch)])
            found.update((turn.id, turn) for turn in (_turn_of(space_id, row) for row in rows))
        return found

    def neighbours(self, space_id: UUID, ids: Sequence[UUID], *, reach: int) -> dict[UUID, tuple[Turn, ...]]:
        """For each turn the turns at most `reach` away in its session, in order, without it."""
        found: dict[UUID, list[Turn]] = {}
        for batch in _batched(ids):
            sql = _NEIGHBOURS.format(marks(len(batch)))
            rows = fetch_all(sql, [reach, reach, uuid_value(space_id), *map(uuid_value, batch)])
            for row in rows:
                near = found.setdefault(as_uuid(row[0]), [])
                if row[1] is not None:
                    near.append(_turn_of(space_id, row[1:]))
        return {turn_id: tuple(near) for turn_id, near in found.items()}

    def newest_within(self, reader: Reader, span: TimeRange, *, most: int) -> list[Turn]:
        """The last complete turns said in the span that the reader may see, newest first."""
        rows = (
            _rows(reader.space_id)
            .filter(Q(private_to=None) | Q(private_to=reader.user_id), role__in=_RECALLED)
            # A turn is written after it was said: sessions that were silent since hold none.
            .filter(session__last_turn_at__gte=span.start, said_at__gte=span.start, said_at__lt=span.end)
            .exclude(session_id__in=reader.exclude_session_ids)
        )
        return [to_turn(row) for row in rows.order_by("-said_at", "-id")[:most]]

    def answers_after(self, space_id: UUID, log_ids: Sequence[UUID]) -> list[UUID]:
        """The turns that were written from what these recalls brought."""
        rows = SessionTurn.objects.for_space(space_id).filter(retrieval_log_id__in=list(log_ids))
        return list(rows.values_list("id", flat=True))

    def scan(self, space_id: UUID) -> Iterator[list[Turn]]:
        """Every complete turn of the space that is recalled, in batches: for rebuilding."""
        rows = _rows(space_id).filter(role__in=_RECALLED).order_by("id")
        last: UUID | None = None
        while batch := list((rows.filter(pk__gt=last) if last else rows)[:BATCH]):
            yield [to_turn(row) for row in batch]
            last = batch[-1].id


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
        author_id=row.author_id,
        learned_at=row.created_at,
    )


def _rows(space_id: UUID) -> QuerySet[SessionTurn]:
    return (
        SessionTurn.objects.for_space(space_id)
        .filter(state=SessionTurn.State.COMPLETE, session__deleted_at__isnull=True)
        .select_related("session")
    )


def _turn_of(space_id: UUID, row: Sequence[Any]) -> Turn:
    """The value of a row of `_COLUMNS`."""
    turn_id, private_to, session_id, name, index, role, speaker, text, *more = row
    said_at, learned_at, tokens, author, is_filed = more
    return Turn(
        id=as_uuid(turn_id),
        space_id=space_id,
        private_to=as_uuid(private_to) if private_to else None,
        session_id=as_uuid(session_id),
        session_name=name,
        index=index,
        role=Role(role),
        speaker=speaker,
        text=text,
        said_at=as_instant(said_at),
        tokens=tokens,
        is_filed=bool(is_filed),
        author_id=as_uuid(author) if author else None,
        learned_at=as_instant(learned_at),
    )


def _batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
