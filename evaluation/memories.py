"""A dialogue told to the real services: turns appended with their own time, then filed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from accounts.principals import Principal, principal_for
from accounts.services.jobs import run_job
from accounts.services.users import register_user
from evaluation.types import DialogSession, Dialogue
from memory.config import IngestConfig
from memory.services.reindex import drain_outbox
from memory.stores.registry import calibration
from sessions_app.models import SessionTurn
from sessions_app.services.consolidate import consolidate_session, request_consolidation
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


def tell(
    dialogue: Dialogue,
    *,
    name: str,
    ingest: IngestConfig | None = None,
    on_progress: OnProgress = lambda turns: None,
) -> Told:
    """Store and file a dialogue in a space of its own, session by session, as `ingest` says.

    `name` is the user's, unique in the database. Raises RuntimeError if a session is not filed.
    """
    user = register_user(username=name, password=PASSWORD, display_name=dialogue.asker)
    principal = principal_for(user)
    keys: dict[UUID, str] = {}
    for session in dialogue.sessions:
        keys.update(_tell_session(principal, session, ingest or calibration().for_ingest(IngestConfig())))
        on_progress(len(session.turns))
    drain_outbox(principal.space_id)
    return Told(principal, keys)


def spoken_tokens(told: Told) -> int:
    """How long the dialogue is by itself: the tokens of its turns' texts."""
    turns = SessionTurn.objects.for_space(told.principal.space_id)
    return sum(turns.values_list("tokens", flat=True))


def _tell_session(principal: Principal, session: DialogSession, ingest: IngestConfig) -> dict[UUID, str]:
    stored = open_session(principal, session.name)
    keys: dict[UUID, str] = {}
    for start in range(0, len(session.turns), BATCH_TURNS):
        batch = session.turns[start : start + BATCH_TURNS]
        new = [
            NewTurn(role=turn.role, content=turn.text, speaker=turn.speaker, said_at=turn.said_at)
            for turn in batch
        ]
        rows = append_turns(principal, stored, new)
        keys.update({row.id: turn.key for row, turn in zip(rows, batch, strict=True)})
    job_id: UUID | None = request_consolidation(principal, stored, flush=True).id
    while job_id:  # a long session takes several jobs
        job = run_job(job_id, runner=partial(consolidate_session, config=ingest))
        if job.state != "done":
            raise RuntimeError(f"{session.name} was not filed: {job.error}")
        following = job.result.get("next_job_id")
        job_id = UUID(following) if following else None
    return keys
