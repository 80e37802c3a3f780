"""A write sent again does nothing anew: it is answered with what was answered before.

A key is claimed before the work by a row that only one can insert, and gets the reply after
it. What was refused or failed gives its key back, for it changed nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import BinaryField, Case, Value, When
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.errors import Conflict
from accounts.models import IdempotencyKey

KEPT = timedelta(days=1)
LONGEST = timedelta(minutes=15)  # that a write may be under way; no request lives longer
_RETRY_SECONDS = 2

OTHER_REQUEST = "This Idempotency-Key was used for another request. Send this one with a new key."
UNDER_WAY = "This request is being carried out. Ask again in a moment with the same key."
UNKNOWN = "It is not known how far this request came. Look whether it was done, else send it with a new key."
GONE = "This request was carried out and its reply is no longer kept. Read what it changed instead."


@dataclass(frozen=True, slots=True)
class Reply:
    """What a write was answered with. `body` None for a stream."""

    status: int
    headers: Mapping[str, str]
    body: bytes | None


def digest_of(*parts: bytes) -> str:
    """The keyed hash of a request's parts, 64 hexadecimal digits; where one part ends counts."""
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return salted_hmac("lychee.idempotency", framed, algorithm="sha256").hexdigest()


def claim_key(
    user_id: UUID, key: str, request_digest: str, *, now: datetime, space_id: UUID | None = None
) -> UUID | Reply:
    """The claim on a write that may begin, or the reply it was given before.

    `space_id`: of which the reply may repeat what was said; None for a write that only deletes.
    Raises Conflict where the key belongs to another request, where the write is under way or was
    cut off, and where its reply is not kept.
    """
    try:
        with transaction.atomic():
            claimed = IdempotencyKey.objects.create(
                user_id=user_id, key=key, request_digest=request_digest, space_id=space_id
            )
            return UUID(str(claimed.id))
    except IntegrityError:
        row = IdempotencyKey.objects.filter(user_id=user_id, key=key).first()
    if row is None:  # given back in between
        raise Conflict(UNDER_WAY, code="request_in_progress", retry_after=_RETRY_SECONDS)
    if not constant_time_compare(row.request_digest, request_digest):
        raise Conflict(OTHER_REQUEST, code="idempotency_key_reused")
    if row.status is None:
        if row.created_at < now - LONGEST:
            raise Conflict(UNKNOWN, code="outcome_unknown")
        raise Conflict(UNDER_WAY, code="request_in_progress", retry_after=_RETRY_SECONDS)
    if row.body is None:
        raise Conflict(GONE, code="reply_not_kept")
    return Reply(row.status, row.headers, bytes(row.body))


def keep_reply(claim: UUID, reply: Reply, *, space_id: UUID | None) -> None:
    """Give the claim its reply; without its body where something was erased meanwhile."""
    body = Case(When(is_erased=True, then=None), default=Value(reply.body), output_field=BinaryField())
    IdempotencyKey.objects.filter(pk=claim).update(
        status=reply.status, headers=dict(reply.headers), body=body, space_id=space_id
    )


def give_back(claim: UUID) -> None:
    """End a claim on a write that changed nothing: the same key may be sent again."""
    IdempotencyKey.objects.filter(pk=claim).delete()


def forget_replies(space_id: UUID) -> None:
    """Erase the bodies of a space's replies, for they may repeat what is being erased: those stored,
    and those under way, in the caller's transaction and once more after it.
    """
    _forget(space_id)
    transaction.on_commit(lambda: _forget(space_id), robust=True)


def _forget(space_id: UUID) -> None:
    IdempotencyKey.objects.filter(space_id=space_id, is_erased=False).update(is_erased=True, body=None)


def forget_old_keys(now: datetime) -> int:
    """Remove the keys whose day is over."""
    return IdempotencyKey.objects.filter(created_at__lt=now - KEPT).delete()[0]
