"""A dialogue told to the real services: turns appended with their own time, then filed."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from accounts.principals import Principal, principal_for
from accounts.services.jobs import run_job
from accounts.services.users import register_user
from evaluation.types import DialogSession, Dialogue
from memory.domain.types import Role
from memory.services.reindex import drain_outbox
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import NewTurn, append_turns

PASSWORD = "only for a scratch database 1"  # noqa: S105
BATCH_TURNS = 500

OnProgress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Told:
    """A dialogue in memory: who may ask, and the benchmark's key of each stored turn."""

    principal: Principal
    key_of_turn: dict[UUID, str]


def tell(dialogue: Dialogue, *, number: int, on_progress: OnProgress = lambda turns: None) -> Told:
    """Store and file a dialogue in a space of its own, session by session, without a model."""
    user = register_user(username=f"bench-{number}", password=PASSWORD, display_name="Benchmark")
    principal = principal_for(user)
    keys: dict[UUID, str] = {}
    for session in dialogue.sessions:
        keys.update(_tell_session(principal, session))
        on_progress(len(session.turns))
    drain_outbox(principal.space_id)
    return Told(principal, keys)


def _tell_session(principal: Principal, session: DialogSession) -> dict[UUID, str]:
    stored = open_session(principal, session.name)
    keys: dict[UUID, str] = {}
    for start in range(0, len(session.turns), BATCH_TURNS):
        batch = session.turns[start : start + BATCH_TURNS]
        new = [
            NewTurn(role=Role.USER, content=turn.text, speaker=turn.speaker, said_at=turn.said_at)
            for turn in batch
        ]
        rows = append_turns(principal, stored, new)
        keys.update({row.id: turn.key for row, turn in zip(rows, batch, strict=True)})
    job = run_job(request_consolidation(principal, stored, flush=True).id)
    if job.state != "done":
        raise RuntimeError(f"{session.name} was not filed: {job.error}")
    return keys
