"""The pending answer: one at a time per session, claimed under a lease, ended once.

A question and its pending answer are stored together. Whoever writes the answer renews
the lease; an answer whose lease ran out is interrupted by whoever comes next. A question
that is sent again because its answer was interrupted is answered, not stored twice.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.errors import Conflict, SessionBusy
from accounts.principals import Principal
from memory.domain.text import normalize
from memory.domain.types import Role, Usage
from memory.providers.registry import token_counter
from memory.services.feedback import close_log
from sessions_app.config import AnswerConfig
from sessions_app.domain.types import CleanTurn, NewTurn
from sessions_app.models import Session, SessionTurn
from sessions_app.services.segments import file_late
from sessions_app.services.sessions import (
    lock_session,
    lock_visible,
    pending_turns,
    request_filing,
    require_writable,
)
from sessions_app.services.turns import clean_turns, index_turns, space_screen, store_turns, turn_config
from sessions_app.services.usage import UsageScope, record_usage

MAX_RETRY_AFTER = 5  # seconds; answers seldom take longer, leases end later


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """A question that waits for its answer."""

    session: Session
    question: SessionTurn
    answer: SessionTurn


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an answer came to. `kept_ids` are the recalled items it rests on, `usages` what
    the models took for it, `trace` how it came about, as domain/traces keeps it.
    """

    text: str
    log_id: UUID | None
    kept_ids: tuple[UUID, ...] = ()
    usages: tuple[Usage, ...] = ()
    trace: Mapping[str, object] = field(default_factory=dict)


def clean_question(
    principal: Principal, text: str, *, said_at: datetime | None = None, is_consolidated: bool = True
) -> CleanTurn:
    """The question as it is stored. Raises InvalidInput or TooLarge naming the `message`."""
    new = NewTurn(role=Role.USER, content=text, said_at=said_at, is_consolidated=is_consolidated)
    (clean,) = clean_turns(principal, [new], now=timezone.now(), text_field="message")
    return clean


def begin_answer(principal: Principal, session: Session, asked: CleanTurn) -> OpenAnswer:
    """Store the question and claim its answer, in one transaction.

    The session's last question, sent again after its answer was interrupted, is the stored
    one: its new answer takes the place of the old. Raises SessionBusy while another answer
    is being written, Forbidden, and NotFound for a session deleted meanwhile.
    """
    require_writable(principal, session)
    now = timezone.now()
    with transaction.atomic():
        locked = lock_visible(principal, session)
        _make_way(locked, now)
        again = _asked_again(principal, locked, asked)
        if again is not None:
            question, index = again.question, again.answer.index
            again.answer.delete()  # whoever may still write it has lost its claim for good
        else:
            (question,) = store_turns(principal, locked, [asked])
            index_turns(locked, [question])
            index = locked.turn_count
            locked.turn_count += 1
            locked.save(update_fields=["turn_count"])
        answer = _claim(principal, question, index, until=now + _lease())
    return OpenAnswer(locked, question, answer)


def renew_lease(open_answer: OpenAnswer) -> bool:
    """Hold the claim for another lease; False if it is lost."""
    return bool(_pending(open_answer).update(lease_until=timezone.now() + _lease()))


def finish_answer(principal: Principal, open_answer: OpenAnswer, outcome: Outcome) -> SessionTurn:
    """Store the answer, close the recall's log and queue the filing, in one transaction.

    Raises Conflict if the claim was lost: the answer was interrupted meanwhile.
    """
    content = space_screen(principal)(outcome.text)[: turn_config().max_chars]
    tokens = token_counter().count(content) + turn_config().overhead_tokens
    with transaction.atomic():
        locked = lock_session(open_answer.session)
        changed = _pending(open_answer).update(
            content=content,
            tokens=tokens,
            state=SessionTurn.State.COMPLETE,
            lease_until=None,
            retrieval_log_id=outcome.log_id,
            trace=dict(outcome.trace),
        )
        if changed != 1:
            raise Conflict("The answer took too long and was interrupted; ask again.", code="interrupted")
        answer: SessionTurn = locked.turns.get(pk=open_answer.answer.pk)
        index_turns(locked, [answer])
        locked.token_total += tokens
        locked.last_turn_at = timezone.now()
        locked.save(update_fields=["token_total", "last_turn_at"])
        record_usage(_usage_scope(open_answer), outcome.usages)
        if outcome.log_id is not None:
            close_log(outcome.log_id, locked.space_id, kept_ids=outcome.kept_ids, excerpt=content)
        if answer.is_consolidated:
            file_late(locked, answer.index)
            request_filing(locked, is_flushing=False)  # chat never flushes
    return answer


def interrupt_answer(principal: Principal, open_answer: OpenAnswer, outcome: Outcome) -> bool:
    """Keep what there is of the answer as interrupted: shown, never filed nor recalled."""
    partial = space_screen(principal)(outcome.text)[: turn_config().max_chars]
    with transaction.atomic():
        record_usage(_usage_scope(open_answer), outcome.usages)  # spent, whoever holds the claim
        return bool(
            _pending(open_answer).update(
                content=partial,
                state=SessionTurn.State.INTERRUPTED,
                lease_until=None,
                retrieval_log_id=outcome.log_id,
                trace=dict(outcome.trace),
            )
        )


def interrupt_expired(space_id: UUID, now: datetime) -> int:
    """Interrupt the answers whose writers died; returns how many."""
    pending = SessionTurn.objects.for_space(space_id).filter(state=SessionTurn.State.PENDING)
    changed: int = pending.filter(lease_until__lt=now).update(
        state=SessionTurn.State.INTERRUPTED, lease_until=None
    )
    return changed


def _make_way(locked: Session, now: datetime) -> None:
    """Interrupt an abandoned answer; raise SessionBusy for one that is being written."""
    pending: SessionTurn | None = pending_turns(locked).first()
    if pending is None:
        return
    left = (pending.lease_until - now).total_seconds() if pending.lease_until else 0.0
    if left > 0:
        raise SessionBusy(
            "The session is answering already; wait for that answer, or stop it.",
            retry_after=min(MAX_RETRY_AFTER, math.ceil(left)),
        )
    pending.state, pending.lease_until = SessionTurn.State.INTERRUPTED, None
    pending.save(update_fields=["state", "lease_until"])


def _asked_again(principal: Principal, locked: Session, sent: CleanTurn) -> OpenAnswer | None:
    """The session's last question with its interrupted answer, if this person sends it again."""
    last = list(locked.turns.order_by("-index")[:2])
    if len(last) < 2:
        return None
    answer, question = last
    is_open = answer.role == Role.ASSISTANT and answer.state == SessionTurn.State.INTERRUPTED
    is_same = (
        question.role == Role.USER
        and question.author_id == principal.user_id
        and question.is_consolidated == (sent.is_consolidated and principal.can_write)
        and normalize(question.content) == normalize(sent.content)
    )
    return OpenAnswer(locked, question, answer) if is_open and is_same else None


def _claim(principal: Principal, question: SessionTurn, index: int, *, until: datetime) -> SessionTurn:
    """The pending answer to a question, which holds the session."""
    answer: SessionTurn = SessionTurn.objects.for_space(question.space_id).create(
        space_id=question.space_id,
        private_to_id=question.private_to_id,
        session_id=question.session_id,
        index=index,
        role=Role.ASSISTANT,
        author_id=principal.user_id,
        said_at=question.said_at,
        state=SessionTurn.State.PENDING,
        lease_until=until,
        is_consolidated=question.is_consolidated,
    )
    return answer


def _pending(open_answer: OpenAnswer) -> QuerySet[SessionTurn]:
    rows = SessionTurn.objects.for_space(open_answer.session.space_id)
    return rows.filter(pk=open_answer.answer.pk, state=SessionTurn.State.PENDING)


def _usage_scope(open_answer: OpenAnswer) -> UsageScope:
    session = open_answer.session
    return UsageScope(
        session.space_id, session.private_to_id, session_id=session.pk, turn_id=open_answer.answer.pk
    )


def _lease() -> timedelta:
    return timedelta(seconds=AnswerConfig().lease_seconds)
