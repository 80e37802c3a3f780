"""Compression: a session's older turns into a summary that stands for them in its window.

Whoever compresses claims the session by a row under a lease, calls the model outside any
transaction, and exchanges the summary in use for the new one in one. Cut off at any point,
somebody else takes it up; where the model fails, everything stays as it was.
docs/algorithms/working-memory.md.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.errors import CallLeft, Conflict, LycheeError, NotFound
from accounts.models import Job
from accounts.services.jobs import RETRY, enqueue_job
from memory.domain.fencing import fence
from memory.domain.summaries import Summary as SummaryValue
from memory.domain.summaries import SummaryRequest
from memory.domain.types import Reader, Role, Turn, Usage
from memory.ports import LanguageModel, OnUsage
from memory.providers.call_scope import current_scope
from memory.providers.registry import token_counter
from memory.services.withdrawal import withdrawn_turns
from sessions_app.config import COMPRESS, CompressionConfig, WindowConfig
from sessions_app.domain.compression import (
    Attempt,
    Size,
    TurnRange,
    choose_range,
    is_due,
    readable,
    verbatim_from,
)
from sessions_app.models import Session, SessionTurn, Summary
from sessions_app.services.images import with_images
from sessions_app.services.sessions import hold_audience, lock_session
from sessions_app.services.usage import UsageScope, allowance_of, record_usage
from sessions_app.services.window import window_config
from sessions_app.stores.summaries import to_anchor
from sessions_app.stores.turns import to_turn

logger = logging.getLogger(__name__)

FAILED = "The older turns could not be summarised; what fits of the newest was used."
_FRAME_TOKENS = 40  # of the fence around a summary
CUT_OFF = "Summarising was cut off several times."


class Outcome(StrEnum):
    """What an attempt to compress came to."""

    MADE = "made"
    NOTHING = "nothing to do"
    BUSY = "under way elsewhere"


@dataclass(frozen=True, slots=True)
class _Claim:
    """The right to compress: the row that says so, and the summary that is to be extended."""

    row: Summary
    holder: UUID
    base: Summary | None

    @property
    def first_new(self) -> int:
        """The first turn that no summary stands for."""
        return self.base.end_turn if self.base else 0


def request_compression(session: Session) -> Job | None:
    """Queue the compression of a session that is past its warn line, unless it is too early for one,
    or would free too little.
    """
    config, rows = window_config(), _by_state(session)
    making = rows.get(Summary.State.MAKING)
    is_under_way = making is not None and _is_held(making, timezone.now())
    if is_under_way or not _is_due(session, rows, config.warn_tokens, config):
        return None
    if making is None and _choose(session, rows.get(Summary.State.READY), config) is None:
        return None
    with transaction.atomic():
        return enqueue_job(
            space_id=session.space_id,
            private_to=hold_audience(session),
            kind=COMPRESS,
            subject_id=session.id,
            arguments={},
        )


def compress_session(job_id: UUID) -> dict[str, Any]:
    """Carry out a compression job; what one call does not reach is left to another job.

    Raises Conflict where the model fails: it is tried again once more was said, or a person asks.
    """
    job = Job.objects.with_id(job_id).get()
    session: Session | None = Session.objects.for_space(job.space_id).filter(pk=job.subject_id).first()
    if session is None or session.deleted_at is not None:
        return {"status": Outcome.NOTHING}
    config, allowance, usages = window_config(), allowance_of(job.space_id), list[Usage]()
    try:
        outcome = compress(
            session,
            language=allowance.language,
            on_usage=usages.append,
            line=config.warn_tokens,
            note=" ".join(allowance.notes),
            is_asked_for=bool(job.arguments.get(RETRY)),
            job_id=job.id,
        )
    except LycheeError as error:
        raise Conflict(f"The conversation could not be summarised: {error.detail}") from error
    finally:
        record_usage(UsageScope(session.space_id, session.private_to_id, session_id=session.pk), usages)
    session.refresh_from_db()
    if outcome is Outcome.MADE and session.deleted_at is None:
        request_compression(session)
    ready = _by_state(session).get(Summary.State.READY)
    return {"status": outcome, "summarised_turns": ready.covered_turns if ready else 0}


def compress_now(session: Session, *, language: LanguageModel, on_usage: OnUsage, note: str = "") -> str:
    """Compress a session past its block line before it is answered; returns what went wrong, or "".

    A compression that is under way elsewhere is waited for a while. Raises CallLeft alone.
    """
    config, patience = window_config(), CompressionConfig()
    deadline = time.monotonic() + patience.wait_seconds
    try:
        while time.monotonic() < deadline:
            outcome = compress(
                session, language=language, on_usage=on_usage, line=config.block_tokens, note=note
            )
            if outcome is not Outcome.BUSY:
                return ""
            current_scope().check()  # whoever asked may have gone
            time.sleep(patience.poll_seconds)
    except CallLeft:
        raise
    except LycheeError as error:
        logger.warning("a session could not be compressed: %s: %s", error.error_code, error.detail)
        return FAILED
    return ""


def compress(
    session: Session,
    *,
    language: LanguageModel,
    on_usage: OnUsage,
    line: int,
    note: str = "",
    is_asked_for: bool = False,
    job_id: UUID | None = None,
) -> Outcome:
    """Summarise the older turns of a session that takes more than `line` tokens, by at most one call.

    `is_asked_for`: by a person, however little was said since the last attempt. `job_id`: of the job
    that does it, for which nobody waits. Raises ProviderError where the model fails, NotFound once the
    session is deleted; then the history is as it was.
    """
    config = window_config()
    claim = _claim(session, config, line=line, is_asked_for=is_asked_for, job_id=job_id)
    if not isinstance(claim, _Claim):
        return claim
    is_settled = False
    try:
        turns = _turns_of(claim)
        request = _request(claim, turns, config, is_background=job_id is not None)
        summary = _summarize(request, language, on_usage)
        is_settled = _exchange(claim, summary, turns, made_by=language.name, note=note)
    except CallLeft:
        raise
    except LycheeError as error:
        is_settled = _fail(claim, error.detail)
        raise
    finally:
        if not is_settled:
            _mine(claim).delete()
    return Outcome.MADE if is_settled else Outcome.NOTHING


def forget_summaries(space_id: UUID, turn_ids: Sequence[UUID]) -> None:
    """Drop every summary that stands for one of these turns, those being made too, in the caller's
    transaction: it may hold what a person took out of memory. The session is compressed anew.
    """
    turns = SessionTurn.objects.for_space(space_id).filter(pk__in=turn_ids)
    firsts: dict[UUID, int] = {}
    for session_id, index in turns.values_list("session_id", "index"):
        firsts[session_id] = min(index, firsts.get(session_id, index))
    # Locked, so that a compression that begins meanwhile reads what this transaction leaves.
    sessions = Session.objects.for_space(space_id).select_for_update().filter(pk__in=firsts)
    for session in sessions.order_by("pk"):
        if session.summaries.filter(end_turn__gt=firsts[session.pk]).delete()[0]:
            request_compression(session)


def _claim(
    session: Session, config: WindowConfig, *, line: int, is_asked_for: bool, job_id: UUID | None
) -> "_Claim | Outcome":
    """The right to compress, or why there is none to be had.

    A job holds it by its own id: carried out anew after it was cut off, it waits for no lease.
    """
    now, times, holder = timezone.now(), CompressionConfig(), job_id or uuid4()
    seconds = times.background_lease_seconds if job_id else times.lease_seconds
    with transaction.atomic():
        locked = lock_session(session)
        rows = _by_state(locked)
        making, base = rows.get(Summary.State.MAKING), rows.get(Summary.State.READY)
        if making and _is_held(making, now) and making.holder != holder:
            return Outcome.BUSY
        if making and making.attempts >= times.attempts:
            _to_failed(making, CUT_OFF)
            return Outcome.NOTHING
        if making:  # of somebody who is gone
            making.attempts += 1
        elif is_asked_for or _is_due(locked, rows, line, config):
            making = _begin(locked, base, config)
        if making is None:
            return Outcome.NOTHING
        making.holder, making.lease_until = holder, now + timedelta(seconds=seconds)
        making.save()
    return _Claim(making, holder, base)


def _choose(session: Session, base: Summary | None, config: WindowConfig) -> TurnRange | None:
    """What a compression would add to the summary in use."""
    first = base.end_turn if base else 0
    turns = _spoken(session).filter(index__gte=first)
    border = verbatim_from(_sizes(turns.order_by("-index")), end=session.turn_count, config=config)
    return choose_range(_sizes(turns.order_by("index")), first=first, verbatim=border, config=config)


def _begin(locked: Session, base: Summary | None, config: WindowConfig) -> Summary | None:
    """The row of a new compression, unless it would free too little."""
    chosen = _choose(locked, base, config)
    if chosen is None:
        return None
    locked.summaries.filter(state=Summary.State.FAILED).delete()
    return Summary(
        space_id=locked.space_id,
        private_to_id=locked.private_to_id,
        session=locked,
        end_turn=chosen.end,
        session_tokens=locked.token_total,
        is_capped=chosen.is_capped,
    )


def _turns_of(claim: _Claim) -> list[Turn]:
    """What the new summary adds to the old one."""
    rows = _spoken(claim.row.session).filter(index__gte=claim.first_new, index__lt=claim.row.end_turn)
    turns = [to_turn(row) for row in rows.select_related("session").order_by("index")]
    return with_images(claim.row.session, turns)


def _request(
    claim: _Claim, turns: Sequence[Turn], config: WindowConfig, *, is_background: bool
) -> SummaryRequest:
    """The old summary and the turns, without what a person took out of memory."""
    session = claim.row.session
    gone = withdrawn_turns(Reader(session.space_id, session.author_id), turns)
    kept = [turn for turn in turns if turn.id not in gone]
    return SummaryRequest(
        turns=readable(kept, count=token_counter().count, config=config),
        time_zone=session.author.time_zone,
        tokens=max(1, config.summary_tokens - _FRAME_TOKENS),
        previous=to_anchor(claim.base).summary if claim.base else None,
        is_background=is_background,
    )


def _summarize(request: SummaryRequest, language: LanguageModel, on_usage: OnUsage) -> SummaryValue:
    """Both as one; nothing is asked where there is nothing to add."""
    if not request.turns:
        return request.previous or SummaryValue()
    return language.summarize(request, on_usage=on_usage)


def _exchange(
    claim: _Claim, summary: SummaryValue, turns: Sequence[Turn], *, made_by: str, note: str
) -> bool:
    """Put the new summary in the old one's place; False if the claim was lost meanwhile."""
    base, row = claim.base, claim.row
    row.sections = {name: list(entries) for name, entries in summary.sections.items()}
    row.covered_tokens = sum(turn.tokens for turn in turns) + (base.covered_tokens if base else 0)
    row.covered_turns = len(turns) + (base.covered_turns if base else 0)
    row.made_by, row.note, row.made_at = made_by[:200], note[:300], timezone.now()
    row.state, row.holder, row.lease_until = Summary.State.READY, None, None
    row.tokens = token_counter().count(fence("summary", to_anchor(row).text)) + 4
    try:
        with transaction.atomic():
            locked = lock_session(row.session)
            if not _mine(claim).exists():
                return False
            locked.summaries.filter(state=Summary.State.READY).delete()
            row.private_to_id = locked.private_to_id
            row.save()
    except NotFound:  # deleted while it was read
        return False
    return True


def _fail(claim: _Claim, detail: str) -> bool:
    with transaction.atomic():
        row = _mine(claim).select_for_update().first()
        if row is not None:
            _to_failed(row, detail)
    return True


def _to_failed(row: Summary, note: str) -> None:
    Summary.objects.for_space(row.space_id).filter(
        session_id=row.session_id, state=Summary.State.FAILED
    ).delete()
    row.state, row.note, row.holder, row.lease_until = Summary.State.FAILED, note[:300], None, None
    row.save(update_fields=["state", "note", "holder", "lease_until"])


def _is_due(session: Session, rows: dict[str, Summary], line: int, config: WindowConfig) -> bool:
    ready = rows.get(Summary.State.READY)
    used = session.token_total - (ready.covered_tokens - ready.tokens if ready else 0)
    ended = [row for state, row in rows.items() if state != Summary.State.MAKING]
    newest = max(ended, key=lambda row: row.created_at, default=None)
    last = (
        Attempt(newest.session_tokens, newest.is_capped and newest.state == Summary.State.READY)
        if newest
        else None
    )
    return is_due(used, session.token_total, last, line=line, config=config)


def _is_held(making: Summary, now: datetime) -> bool:
    return making.lease_until is not None and making.lease_until > now


def _mine(claim: _Claim) -> "QuerySet[Summary]":
    rows = Summary.objects.for_space(claim.row.space_id)
    return rows.filter(pk=claim.row.pk, holder=claim.holder, state=Summary.State.MAKING)


def _by_state(session: Session) -> dict[str, Summary]:
    return {row.state: row for row in session.summaries.all()}


def _spoken(session: Session) -> "QuerySet[SessionTurn]":
    """The turns that a summary may stand for."""
    return session.turns.filter(state=SessionTurn.State.COMPLETE).exclude(role=Role.SYSTEM)


def _sizes(turns: "QuerySet[SessionTurn]") -> Iterator[Size]:
    """Read no further than they are looked at."""
    for index, role, tokens in turns.values_list("index", "role", "tokens").iterator(chunk_size=200):
        yield Size(index, Role(role), tokens)
