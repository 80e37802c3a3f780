"""Consolidation: turns into lasting memory, segment by segment, as a job.

The job files the turns, then encodes each closed segment: the attempt is counted before
the work, the model is called outside any transaction, and the segment's outcome and the
job's progress are committed together. Killed at any point, it goes on from there.
What rules encoded because the model failed is encoded again once it answers.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.expressions import Combinable
from django.db.models.functions import Least
from django.utils import timezone

from accounts.errors import LycheeError, OutOfTime, ProviderError, ProviderUnavailable
from accounts.models import Job
from accounts.principals import Principal
from accounts.services.jobs import RETRY, enqueue_job
from memory.config import IngestConfig
from memory.domain.secrets import screen
from memory.domain.text import clean_text
from memory.domain.types import SegmentText, Turn, Usage
from memory.models import MemoryRecord, RetrievalLog
from memory.ports import OnUsage
from memory.providers.call_scope import CallScope
from memory.providers.registry import token_counter
from memory.services.fuse import fuse_space
from memory.services.ingest import EncodeBy, Ingested, ingest_segment
from memory.services.reindex import drain_outbox
from memory.stores.registry import calibration
from sessions_app.config import CONSOLIDATE, AgainConfig, FilingConfig
from sessions_app.models import Segment, Session
from sessions_app.services.segment_skills import learn_from_segment
from sessions_app.services.segments import (
    ENCODED,
    ENCODED_AGAIN,
    file_turns,
    is_told_otherwise,
    readmit_failed,
    readmit_turns,
    segment_turns,
)
from sessions_app.services.sessions import (
    erase_turns,
    hold_audience,
    request_filing,
    require_writable,
)
from sessions_app.services.usage import UsageScope, allowance_of, record_usage
from skills.services.learn import Learned

logger = logging.getLogger(__name__)

MAX_CONTEXT_CHARS = 20_000  # of a retrieved_context kept with the job
_UNSAID = timedelta(seconds=5)  # a turn said within this of its writing came without a time
_REFERENCE_RECORDS = 20
_HANDED_ON = ("again", "erase_turns", "retrieved_context", "skip_skills")  # to the job that follows


@dataclass(frozen=True, slots=True)
class _Filed:
    """What became of a segment: its records, the skills learned from it, and the turns as they were read."""

    ingested: Ingested
    learned: Learned = field(default_factory=Learned)
    turns: Sequence[Turn] = ()


def request_consolidation(
    principal: Principal,
    session: Session,
    *,
    flush: bool,
    retrieved_context: str = "",
    force: bool = False,
    session_date: datetime | None = None,
    retry: bool = False,
    skip_skills: bool = False,
) -> Job:
    """Queue the consolidation of a session, or join the one that waits.

    `flush` closes the open segment too; `force` overrides novelty and the mark of turns that
    are not to be filed; `session_date` (aware) becomes the time of turns that came without
    one; `retry` tries again what could not be encoded, for a person, not for programs that ask
    after every turn; `skip_skills` learns no skills. Raises Forbidden.
    """
    principal.require_write()
    require_writable(principal, session)
    with transaction.atomic():
        if session_date is not None:
            _date_turns(session, session_date)
        if retry:
            readmit_failed(session, max_attempts=IngestConfig().max_attempts)
        return enqueue_job(
            space_id=session.space_id,
            private_to=hold_audience(session),
            kind=CONSOLIDATE,
            subject_id=session.id,
            arguments={
                "flush": flush,
                "force": force,
                "skip_skills": skip_skills,
                "retrieved_context": screen(clean_text(retrieved_context[:MAX_CONTEXT_CHARS])),
            },
        )


def consolidate_session(job_id: UUID, *, config: IngestConfig | None = None) -> dict[str, Any]:
    """Carry out a consolidation job; returns its result, in numbers and steps.

    When its time is up, the result is `partial` and a job for what is left is queued. Raises
    ProviderUnavailable when a segment could not be encoded and another try may help.
    """
    scope = CallScope(seconds=FilingConfig().job_seconds)
    return scope.run(_consolidate, job_id, scope, config or calibration().for_ingest(IngestConfig()))


def _consolidate(job_id: UUID, scope: CallScope, config: IngestConfig) -> dict[str, Any]:
    job = Job.objects.with_id(job_id).get()
    session: Session | None = Session.objects.for_space(job.space_id).filter(pk=job.subject_id).first()
    if session is None:  # erased meanwhile
        return _result([])
    if job.arguments.get("force"):
        readmit_turns(session)
    if job.arguments.get(RETRY) and job.attempts <= 1:  # not once more when this one is cut off
        readmit_failed(session, max_attempts=config.max_attempts)
    file_turns(session, is_flushing=bool(job.arguments.get("flush")), config=config)
    closed = session.segments.filter(state=Segment.State.CLOSED).order_by("first_turn")
    left, has_failed = closed.count(), False
    for number, segment in enumerate(closed):
        if number and _is_too_late(scope):  # each job brings at least one further
            break
        has_failed |= not _encode(job, segment, config, is_forced=_is_insisting(job))
        left -= 1
    if job.arguments.get("again") and not left:
        _encode_again(job, session, scope, config)
    _make_searchable(job.space_id)
    if left:
        return _left_over(job, session, left)
    if has_failed:
        raise ProviderUnavailable("A segment could not be encoded; it is tried again.")
    if job.arguments.get("erase_turns"):
        erase_turns(session)
    return _result(job.result.get("steps", []))


def _is_too_late(scope: CallScope) -> bool:
    """Whether the job has worked for so long that nothing more is to be begun."""
    config = FilingConfig()
    return scope.seconds_left < config.job_seconds - config.begin_seconds


def _is_insisting(job: Job) -> bool:
    """Whether a person asked to encode whatever novelty says; `insist` in the jobs that follow."""
    return bool(job.arguments.get("force") or job.arguments.get("insist"))


def _left_over(job: Job, session: Session, left: int) -> dict[str, Any]:
    """Queue a job for the segments that this one did not come to; says so in the result.

    Turns that were let in again by force are in already; what was said since is filed in its turn.
    """
    kept = {name: job.arguments.get(name) for name in _HANDED_ON}
    with transaction.atomic():
        following = enqueue_job(
            space_id=job.space_id,
            private_to=hold_audience(session),
            kind=CONSOLIDATE,
            subject_id=session.id,
            arguments={**kept, "flush": False, "insist": _is_insisting(job)},
        )
    return {
        **_result(job.result.get("steps", [])),
        "status": "partial",
        "left": left,
        "next_job_id": str(following.id),
        "note": f"The time for one job was up; {left} segment(s) follow in the next.",
    }


def _make_searchable(space_id: UUID) -> None:
    """Done means findable by meaning too, and fused with what is known; where that fails,
    words and the sweep remain.
    """
    try:
        drain_outbox(space_id)
    except ProviderError as error:
        told = (space_id, error.error_code, error.detail)
        logger.warning("the vectors of space %s wait for the sweep: %s: %s", *told)
    fuse_space(space_id)


def _encode(job: Job, segment: Segment, config: IngestConfig, *, is_forced: bool) -> bool:
    """Encode one closed segment; False if it should be tried again."""
    waiting = Segment.objects.for_space(segment.space_id).filter(pk=segment.pk, state=Segment.State.CLOSED)
    if not waiting.filter(attempts__lt=config.max_attempts).update(attempts=F("attempts") + 1):
        spent = Ingested(state=Segment.State.FAILED, note="Encoding failed repeatedly.")
        _settle(job, segment, _Filed(spent), 0.0)
        return True
    started, usages = monotonic(), list[Usage]()
    try:
        filed = _file(job, segment, config, is_forced=is_forced, on_usage=usages.append)
    except LycheeError as error:
        may_try_again = isinstance(error, ProviderError) and error.is_retryable
        if may_try_again and segment.attempts + 1 < config.max_attempts:
            record_usage(_usage_scope(segment), usages)
            return False
        filed = _Filed(Ingested(state=Segment.State.FAILED, note=error.detail))
    _settle(job, segment, filed, (monotonic() - started) * 1000, usages)
    return True


def _encode_again(job: Job, session: Session, scope: CallScope, ingest: IngestConfig) -> None:
    """Let the model encode what it failed at before, until it fails to answer.

    An attempt that meets no model costs the segment none, one whose time ran out any but its last, so
    that a slow model is asked less and less; rules do not replace what is there.
    """
    config = AgainConfig()
    segments = session.segments.filter(state__in=ENCODED_AGAIN, attempts__lt=config.attempts)
    for segment in segments.order_by("first_turn"):
        if _is_too_late(scope):
            return  # the sweep asks for them again
        same = Segment.objects.for_space(segment.space_id).filter(pk=segment.pk, state=segment.state)
        if not same.update(attempts=F("attempts") + 1):
            continue
        started, usages = monotonic(), list[Usage]()
        try:
            filed = _file(job, segment, ingest, is_forced=True, may_degrade=False, on_usage=usages.append)
        except LycheeError as error:
            record_usage(_usage_scope(segment), usages)
            is_outage = isinstance(error, ProviderUnavailable)
            if isinstance(error, OutOfTime):
                attempts: Combinable = Least(F("attempts"), config.attempts - 1)
            else:
                attempts = F("attempts") - int(is_outage)
            same.update(attempts=attempts, note=error.detail[:300], encoded_at=timezone.now())
            if is_outage:
                return
        else:
            _settle(job, segment, filed, (monotonic() - started) * 1000, usages)


def _file(
    job: Job,
    segment: Segment,
    config: IngestConfig,
    *,
    is_forced: bool,
    on_usage: OnUsage,
    may_degrade: bool = True,
) -> _Filed:
    """Records first, then the skills that were described along with them; each in one transaction."""
    session = segment.session
    turns = segment_turns(segment)
    if not turns:
        return _Filed(Ingested(state=Segment.State.SKIPPED, note="Its turns were interrupted or left out."))
    allowance = allowance_of(session.space_id)
    ingested = ingest_segment(
        space_id=session.space_id,
        private_to=session.private_to_id,
        session_id=session.id,
        segment_id=segment.id,
        segment=SegmentText(
            turns=tuple(turns),
            time_zone=session.author.time_zone,
            reference=_reference(segment, config),
        ),
        now=timezone.now(),
        force=is_forced or segment.record_count > 0,  # what told something before is no echo now
        recalled_texts=_recalled_texts(job, segment),
        by=EncodeBy(allowance.language, may_degrade=may_degrade, on_usage=on_usage),
        config=config,
        hold=lambda: hold_audience(session),
    )
    is_encoded = ingested.state != Segment.State.SKIPPED
    notes = (*allowance.notes, ingested.note) if is_encoded else (ingested.note,)
    ingested = replace(ingested, note=" ".join(filter(None, notes)))
    if not is_encoded or job.arguments.get("skip_skills"):
        return _Filed(ingested, turns=turns)
    learned = learn_from_segment(segment, turns, ingested.skills, on_usage=on_usage)
    return _Filed(ingested, learned, turns)


def _settle(job: Job, segment: Segment, filed: _Filed, took_ms: float, usages: Sequence[Usage] = ()) -> None:
    """Commit a segment's outcome together with the job's progress.

    One of which an image was described while it was being encoded waits to be encoded with these words.
    """
    ingested = filed.ingested
    steps = [*job.result.get("steps", []), _step(segment, filed, took_ms)]
    with transaction.atomic():
        segment.state = ingested.state
        segment.note = ingested.note[:300]
        segment.record_count = len(ingested.record_ids)
        segment.aliases = dict(ingested.aliases)
        segment.encoded_at = timezone.now()
        changed = ["state", "note", "record_count", "aliases", "encoded_at"]
        if ingested.state in ENCODED and is_told_otherwise(segment, filed.turns):
            segment.state, segment.attempts = Segment.State.CLOSED, 0
            changed.append("attempts")
            request_filing(segment.session, is_flushing=False)
        segment.save(update_fields=changed)
        record_usage(_usage_scope(segment), usages)
        job.result = _result(steps)
        Job.objects.with_id(job.id).update(result=job.result)


def _usage_scope(segment: Segment) -> UsageScope:
    return UsageScope(
        segment.space_id, segment.private_to_id, session_id=segment.session_id, segment_id=segment.pk
    )


def _step(segment: Segment, filed: _Filed, took_ms: float) -> dict[str, Any]:
    ingested, learned = filed.ingested, filed.learned
    return {
        "segment": str(segment.id),
        "turns": [segment.first_turn, segment.end_turn],
        "closed_because": segment.closed_because,
        "state": str(ingested.state),
        "records_added": ingested.added,
        "seen_again": ingested.seen_again,
        "skills_added": learned.added,
        "skill_versions": learned.versions,
        "skills_seen_again": learned.seen_again,
        "note": ingested.note,
        "ms": round(took_ms, 1),
    }


def _result(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    skipped = sum(1 for step in steps if step["state"] == Segment.State.SKIPPED)
    return {
        "status": "done" if len(steps) > skipped else "skipped",
        "segments": len(steps),
        "records_added": sum(step["records_added"] for step in steps),
        "seen_again": sum(step["seen_again"] for step in steps),
        "skills_added": sum(step.get("skills_added", 0) for step in steps),
        "skill_versions": sum(step.get("skill_versions", 0) for step in steps),
        "skipped": skipped,
        "steps": list(steps),
    }


def _recalled_texts(job: Job, segment: Segment) -> tuple[str, ...]:
    """What had been recalled when these turns were said: to tell echo from news."""
    turns = segment.session.turns.filter(
        index__gte=segment.first_turn, index__lt=segment.end_turn, retrieval_log_id__isnull=False
    )
    logs = RetrievalLog.objects.for_space(segment.space_id).filter(
        pk__in=turns.values_list("retrieval_log_id", flat=True)
    )
    texts = [str(hit.get("text", "")) for hits in logs.values_list("hits", flat=True) for hit in hits]
    given = str(job.arguments.get("retrieved_context", ""))
    return tuple(text for text in (*texts, given) if text)


def _reference(segment: Segment, config: IngestConfig) -> tuple[str, ...]:
    """What resolves names: the last segment's aliases, then the session's newest records,
    as many as fit; the newest record stands last.
    """
    session = segment.session
    before = session.segments.filter(first_turn__lt=segment.first_turn).order_by("-first_turn").first()
    aliases = [f"{alias} = {name}" for alias, name in (before.aliases if before else {}).items()]
    records = MemoryRecord.objects.for_space(session.space_id).filter(
        session_id=session.id, private_to_id=session.private_to_id, expired_at__isnull=True
    )
    newest = list(records.order_by("-id").values_list("semantic_text", flat=True)[:_REFERENCE_RECORDS])
    left = config.reference_tokens
    kept: list[str] = []
    for text in (*aliases, *newest):
        left -= token_counter().count(text)
        if left < 0:
            break
        kept.append(text)
    return (*kept[: len(aliases)], *reversed(kept[len(aliases) :]))


def _date_turns(session: Session, session_date: datetime) -> None:
    """Give the day of the conversation to turns that came without a time of their own.

    Only to turns not encoded yet: what was made of the others rests on the time they had.
    """
    done = session.segments.exclude(state__in=(Segment.State.OPEN, Segment.State.CLOSED))
    first = done.order_by("-end_turn").values_list("end_turn", flat=True).first() or 0
    session.turns.filter(
        index__gte=first,
        said_at__gte=F("created_at") - _UNSAID,
        said_at__lte=F("created_at") + _UNSAID,
    ).update(said_at=session_date)
