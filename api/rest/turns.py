"""`/memory/append-turn(s)`: what was said elsewhere, stored and findable at once."""

from collections.abc import Sequence
from enum import StrEnum

from ninja import Router

from api.auth import SIGNED_IN, SignedIn
from api.schemas.turns import Appended, AppendedMany, ManyTurns, OneTurn, TurnIn
from memory.services.reindex import await_vectors
from sessions_app.services.turns import append_to_named

INDEX_SECONDS = 10.0

router = Router(tags=["turns"], auth=SIGNED_IN)


class Wait(StrEnum):
    """What to wait for: `index` means findable by meaning, not by words alone."""

    INDEX = "index"


@router.post("/append-turn", response=Appended, summary="Append a turn")
def append_turn(request: SignedIn, payload: OneTurn, wait: Wait | None = None) -> Appended:
    """Findable by words when this returns; by meaning about a second later, or with `?wait=index`."""
    (index,) = _append(request, payload.session_id, [payload], wait)
    return Appended(session_id=payload.session_id, turn_count=index + 1, turn_index=index)


@router.post("/append-turns", response=AppendedMany, summary="Append many turns")
def append_many(request: SignedIn, payload: ManyTurns, wait: Wait | None = None) -> AppendedMany:
    """Up to 1,000 in order; a faulty one refuses them all."""
    indexes = _append(request, payload.session_id, payload.turns, wait)
    return AppendedMany(session_id=payload.session_id, turn_count=indexes[-1] + 1, turn_indexes=indexes)


def _append(request: SignedIn, name: str, turns: Sequence[TurnIn], wait: Wait | None) -> list[int]:
    rows = append_to_named(request.auth, name, [turn.to_turn() for turn in turns])
    if wait is Wait.INDEX:
        await_vectors(request.auth.space_id, within_seconds=INDEX_SECONDS)
    return [row.index for row in rows]
