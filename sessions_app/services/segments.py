"""Filing: a session's turns into segments, exchange by exchange.

The open segment is a row and `Session.filed_until` says which turns lie in segments, so
that a killed filing goes on where the last committed one ended and doubles nothing.
docs/algorithms/segmentation.md tells the law; this module keeps its state.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.errors import Conflict, ProviderError
from accounts.services.audit import record_audit
from memory.config import IngestConfig
from memory.domain.segmentation import (
    Decision,
    Exchange,
    SegmentState,
    decide,
    extend,
    group_exchanges,
    is_full,
    make_exchange,
)
from memory.domain.types import Role, Turn
from memory.ports import Vectors
from memory.services.reindex import turn_vectors
from memory.stores.registry import calibration
from sessions_app.models import Segment, Session, SessionTurn, TurnImage
from sessions_app.services.images import with_images
from sessions_app.services.sessions import hold_audience, pending_turns, request_filing
from sessions_app.services.turns import RECALLED_ROLES
from sessions_app.stores.turns import to_turn

logger = logging.getLogger(__name__)

ENCODED_AGAIN = (Segment.State.FALLBACK, Segment.State.FAILED)  # once the model answers
ENCODED = (Segment.State.ENCODED, Segment.State.REPAIRED, Segment.State.FALLBACK)
READMITTED = (Segment.State.SKIPPED, *ENCODED_AGAIN)
_BATCH = 400  # turns whose texts and vectors are held at once


@dataclass(slots=True)
class _Filing:
    """A session being filed: the open segment's row, perhaps unsaved, and its state."""

    session: Session
    row: Segment
    state: SegmentState


def file_turns(session: Session, *, is_flushing: bool, config: IngestConfig | None = None) -> None:
    """Put the complete turns that are not filed yet into segments; flushing closes the last one.

    Turns marked as never to be filed are passed over. Without flushing, a last exchange that
    may still get its reply waits. Nothing is filed past an answer that is being written.
    """
    config = config or calibration().for_ingest(IngestConfig())
    horizon = _horizon(session)
    filing = _resume(session, config)
    while groups := _next_exchanges(session, horizon, config, is_flushing=is_flushing):
        _file_exchanges(filing, groups, config)
    if is_flushing:
        if filing.state.exchanges:
            _close(filing, because="flush")
        _advance(session, horizon)


def segment_turns(segment: Segment) -> list[Turn]:
    """The turns of a segment that may be encoded, in order."""
    return _read(segment.session, segment.first_turn, segment.end_turn)


def readmit_turns(session: Session) -> None:
    """Undo every reason to leave turns out: marks, skipped and failed segments; fallbacks too.

    For a person who insists. Segments that held marked turns are encoded again; marked turns
    that no segment holds get segments of their own.
    """
    with transaction.atomic():
        marked = session.turns.filter(is_consolidated=False, index__lt=session.filed_until)
        indexes = list(marked.order_by("index").values_list("index", flat=True))
        session.turns.filter(is_consolidated=False).update(is_consolidated=True)
        again = session.segments.filter(state__in=READMITTED)
        again.update(state=Segment.State.CLOSED, attempts=0)
        loose: list[int] = []
        for index in indexes:
            holding = session.segments.filter(first_turn__lte=index, end_turn__gt=index)
            if holding.exists():
                holding.exclude(state=Segment.State.OPEN).update(state=Segment.State.CLOSED, attempts=0)
            else:
                loose.append(index)
        for first, end in _runs(loose):
            _closed_apart(session, first, end, because="forced")


def encode_described(space_id: UUID, visual_id: UUID) -> None:
    """Have the segments encoded again that were encoded before an image in them was described, in the
    caller's transaction. What a person has touched stays as it is.

    Those that are being encoded are held until then, so that whoever settles them sees the words.
    """
    shown = TurnImage.objects.for_space(space_id).filter(visual_id=visual_id)
    living = shown.filter(session__deleted_at__isnull=True).select_related("turn", "session")
    for link in living.order_by("id"):
        at = link.turn.index
        holding = link.session.segments.filter(first_turn__lte=at, end_turn__gt=at)
        held = holding.select_for_update().order_by("id").values_list("id", flat=True)
        encoded = holding.filter(id__in=list(held), state__in=ENCODED)
        if encoded.update(state=Segment.State.CLOSED, attempts=0):
            request_filing(link.session, is_flushing=False)


def encode_segments_again(space_id: UUID, segment_ids: Collection[UUID]) -> None:
    """Have those of the segments encoded again that were, in the caller's transaction."""
    rows = Segment.objects.for_space(space_id).filter(id__in=segment_ids, state__in=ENCODED)
    for segment in rows.filter(session__deleted_at__isnull=True).select_related("session").order_by("id"):
        segment.state, segment.attempts = Segment.State.CLOSED, 0
        segment.save(update_fields=["state", "attempts"])
        request_filing(segment.session, is_flushing=False)


def is_told_otherwise(segment: Segment, turns: Sequence[Turn]) -> bool:
    """Whether images of these turns of a segment say something else by now than when they were read.

    Holds the segment until the caller's transaction ends: what is described after that finds it settled.
    """
    Segment.objects.for_space(segment.space_id).select_for_update().filter(pk=segment.pk).first()
    return with_images(segment.session, turns) != list(turns)


def file_late(session: Session, index: int) -> None:
    """Give a turn whose place was filed before it was complete a segment of its own.

    So is the answer to a question that was asked again after its first answer broke off.
    """
    session.refresh_from_db(fields=["filed_until"])
    if index < session.filed_until:
        _closed_apart(session, index, index + 1, because="late")


def readmit_failed(session: Session, *, max_attempts: int) -> None:
    """Give the segments that were given up, or would be, their attempts back, as a person asks."""
    given_up = Q(state=Segment.State.FAILED)
    spent = Q(state=Segment.State.CLOSED, attempts__gte=max_attempts)  # killed in the last of them
    session.segments.filter(given_up | spent).update(state=Segment.State.CLOSED, attempts=0)


def request_encoding_again(segment: Segment, *, user_id: UUID | None) -> bool:
    """Let the model try a segment once more that it failed at, for a person who asks; audited.

    False for one that is encoded, or whose conversation is deleted.
    """
    failed = Segment.objects.for_space(segment.space_id).filter(pk=segment.pk, state__in=ENCODED_AGAIN)
    with transaction.atomic():
        if not failed.filter(session__deleted_at__isnull=True).update(attempts=0):
            return False
        record_audit(
            action="segment.encoded_again",
            object_type="segment",
            object_id=segment.pk,
            space_id=segment.space_id,
            user_id=user_id,
        )
        request_filing(segment.session, is_flushing=False, is_again=True)
    return True


def _closed_apart(session: Session, first: int, end: int, *, because: str) -> None:
    """A closed segment of turns [first, end) that no other holds, to be encoded by the next job."""
    with transaction.atomic():
        Segment.objects.for_space(session.space_id).create(
            space_id=session.space_id,
            private_to_id=hold_audience(session),
            session=session,
            first_turn=first,
            end_turn=end,
            state=Segment.State.CLOSED,
            closed_because=because,
            closed_at=timezone.now(),
        )


def _horizon(session: Session) -> int:
    """The index up to which turns are settled."""
    pending = pending_turns(session).values_list("index", flat=True).first()
    session.refresh_from_db(fields=["turn_count", "filed_until"])
    return session.turn_count if pending is None else pending


def _next_exchanges(
    session: Session, horizon: int, config: IngestConfig, *, is_flushing: bool
) -> list[tuple[Turn, ...]]:
    """Whole exchanges from where filing stands; empty when nothing more can be filed."""
    turns = _read(session, session.filed_until, horizon, limit=_BATCH)
    if config.is_eager:
        return [(turn,) for turn in turns]
    groups = group_exchanges(turns)
    may_go_on = len(turns) == _BATCH and len(groups) > 1
    waits_for_reply = len(turns) < _BATCH and not is_flushing and groups and not _is_answered(groups[-1])
    return groups[:-1] if may_go_on or waits_for_reply else groups


def _is_answered(exchange: Sequence[Turn]) -> bool:
    speakers = {turn.speaker for turn in exchange if turn.role is Role.USER}
    return len(speakers) > 1 or any(turn.role is Role.ASSISTANT for turn in exchange)


def _file_exchanges(filing: _Filing, groups: Sequence[Sequence[Turn]], config: IngestConfig) -> None:
    for turns, exchange in zip(groups, _exchanges(filing.session, groups), strict=True):
        decision = decide(filing.state, exchange, config)
        if decision.is_boundary:
            _close(filing, because=decision.reason)
        filing.state = extend(filing.state, exchange, replace(decision, is_boundary=False), config)
        if filing.state.exchanges == 1:
            filing.row.first_turn = turns[0].index
        filing.row.end_turn = turns[-1].index + 1
        if is_full(filing.state, config):
            _close(filing, because="target")
    if filing.state.exchanges:
        _store(filing, state=Segment.State.OPEN)
    _advance(filing.session, groups[-1][-1].index + 1)


def _exchanges(session: Session, groups: Sequence[Sequence[Turn]]) -> list[Exchange]:
    spoken = [turn.id for turns in groups for turn in turns if turn.role in RECALLED_ROLES]
    vectors = _vectors(session.space_id, spoken)
    return [make_exchange(turns, [vectors.get(turn.id) for turn in turns]) for turns in groups]


def _vectors(space_id: UUID, turn_ids: Sequence[UUID]) -> Mapping[UUID, Vectors | None]:
    """The turns' vectors; none where no embedder answers: then words tell where a topic ends."""
    try:
        return turn_vectors(space_id, turn_ids)
    except ProviderError as error:
        told = (space_id, error.error_code, error.detail)
        logger.warning("turns of space %s are filed without vectors: %s: %s", *told)
        return {}


def _close(filing: _Filing, *, because: str) -> None:
    """Close the open segment; the next begins empty but remembers the surprises."""
    filing.row.closed_because = because
    filing.row.closed_at = timezone.now()
    _store(filing, state=Segment.State.CLOSED)
    filing.row = _new_row(filing.session)
    filing.state = SegmentState(surprises=filing.state.surprises)


def _store(filing: _Filing, *, state: Segment.State) -> None:
    row = filing.row
    row.state = state
    row.tokens, row.exchanges = filing.state.tokens, filing.state.exchanges
    row.surprises = list(filing.state.surprises)
    with transaction.atomic():
        row.private_to_id = hold_audience(filing.session)
        row.save()
        _advance(filing.session, max(row.end_turn, filing.session.filed_until))


def _advance(session: Session, until: int) -> None:
    """Move the mark of what is filed; only the one filing that knows where it stood may."""
    rows = Session.objects.for_space(session.space_id)
    if not rows.filter(pk=session.pk, filed_until=session.filed_until).update(filed_until=until):
        raise Conflict("Another worker is filing this session.", code="already_running")
    session.filed_until = until


def _resume(session: Session, config: IngestConfig) -> _Filing:
    """The open segment as the last filing left it, or an empty one."""
    row: Segment | None = session.segments.filter(state=Segment.State.OPEN).first()
    if row is None:
        last: Segment | None = session.segments.order_by("-first_turn").first()
        surprises = tuple(last.surprises) if last else ()
        return _Filing(session, _new_row(session), SegmentState(surprises=surprises))
    groups = group_exchanges(segment_turns(row))
    state = SegmentState()
    for exchange in _exchanges(session, groups):
        state = extend(state, exchange, Decision(is_boundary=False), config)
    return _Filing(session, row, replace(state, surprises=tuple(row.surprises)))


def _new_row(session: Session) -> Segment:
    return Segment(space_id=session.space_id, private_to_id=session.private_to_id, session=session)


def _read(session: Session, first: int, end: int, *, limit: int | None = None) -> list[Turn]:
    """Complete turns [first, end) that may be filed; system turns belong to the window only."""
    rows = session.turns.filter(
        index__gte=first, index__lt=end, state=SessionTurn.State.COMPLETE, is_consolidated=True
    ).exclude(role=Role.SYSTEM)
    turns = [to_turn(row) for row in rows.select_related("session").order_by("index")[:limit]]
    return with_images(session, turns)


def _runs(indexes: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of consecutive indexes, half-open."""
    runs: list[tuple[int, int]] = []
    for index in indexes:
        if runs and runs[-1][1] == index:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs
