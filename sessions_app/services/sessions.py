"""Sessions: open by name or id, find, delete while the memories stay."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import Conflict, Forbidden, NotFound
from accounts.models import Space
from accounts.principals import Principal
from accounts.services.audit import record_audit
from accounts.services.idempotency import forget_replies
from accounts.services.jobs import enqueue_job
from memory.domain.types import Kind
from memory.services.index import unindex_items
from sessions_app.config import CONSOLIDATE, TurnConfig
from sessions_app.domain.turns import clean_name
from sessions_app.models import Session, SessionTurn
from sessions_app.services.erasure import forget_session


def open_session(principal: Principal, name_or_id: str, *, private: bool | None = None) -> Session:
    """The session to write into: a visible one by its UUID, an own one by name, else a new one.

    A new one is private if asked for or if the space says so; a viewer's always is. Opening
    a new one has the author's previous one filed. Raises InvalidInput, Forbidden.
    """
    name = clean_name(name_or_id, field="session_id", limit=TurnConfig().name_chars)
    found = _look_up(principal, name)
    if found is not None:
        require_writable(principal, found)
        return found
    is_private = _is_private(principal, private)
    try:
        with transaction.atomic():
            return _create(principal, name, private_to=principal.user_id if is_private else None)
    except IntegrityError:  # opened meanwhile by another request of the same person
        return find_session(principal, name)


def find_session(principal: Principal, name_or_id: str) -> Session:
    """A visible session by its UUID, or an own one by name; never makes one. Raises NotFound."""
    name = clean_name(name_or_id, field="session_id", limit=TurnConfig().name_chars)
    found = _look_up(principal, name)
    if found is None:
        raise NotFound(_("There is no such session in this space."))
    return found


def require_writable(principal: Principal, session: Session) -> None:
    """Raises Forbidden unless this person may add turns: writers, and authors of private ones."""
    if session.private_to_id != principal.user_id:
        principal.require_write()


def delete_session(principal: Principal, session: Session) -> None:
    """Take the conversation out of view and recall; its memories stay.

    Turns leave the index at once. A job files what is not filed yet, so that nothing said is
    forgotten by accident, and then deletes the turns' rows; records and their evidence rows
    stay. For the author, and for owners of a shared session. Raises Forbidden, Conflict.
    """
    if session.author_id != principal.user_id and principal.role != "owner":
        raise Forbidden(_("Only its author or an owner of the space may delete a session."))
    with transaction.atomic():
        locked = lock_visible(principal, session)
        if pending_turns(locked).filter(lease_until__gt=timezone.now()).exists():
            raise Conflict(
                _("The session is answering; stop it or wait."), code="session_busy", retry_after=5
            )
        turn_ids: list[UUID] = list(locked.turns.values_list("id", flat=True))
        unindex_items(locked.space_id, Kind.TURN, turn_ids)
        locked.summaries.all().delete()
        locked.deleted_at = timezone.now()
        locked.title, locked.topic, locked.tags = "", "", []
        locked.save(update_fields=["deleted_at", "title", "topic", "tags"])
        forget_replies(locked.space_id)
        record_audit(
            action="session.deleted",
            object_type="session",
            object_id=locked.id,
            space_id=locked.space_id,
            user_id=principal.user_id,
        )
        request_filing(locked, is_erasing=True)


def erase_turns(session: Session) -> int:
    """Delete the rows of a deleted session's turns, texts included, and what repeats them in logs and
    around images; returns how many.
    """
    if session.deleted_at is None:
        raise Conflict("A session loses its turns only once it is deleted.")
    with transaction.atomic():
        forget_session(session)
        erased, _by_model = session.turns.all().delete()
    return erased


def lock_session(session: Session) -> Session:
    """The session's row, locked to the end of the transaction. Raises NotFound once deleted."""
    rows = Session.objects.for_space(session.space_id).select_for_update()
    locked: Session | None = rows.filter(pk=session.pk, deleted_at__isnull=True).first()
    if locked is None:
        raise NotFound(_("There is no such session in this space."))
    return locked


def lock_visible(principal: Principal, session: Session) -> Session:
    """The session's row, locked, for who may see it now. Raises NotFound once it is deleted, or private to
    another.
    """
    locked = lock_session(session)
    if locked.private_to_id not in (None, principal.user_id):
        raise NotFound(_("There is no such session in this space."))
    return locked


def hold_audience(session: Session) -> UUID | None:
    """To whom the session is private, null if shared; it stays so until the caller's transaction ends.

    Raises NotFound once it is erased.
    """
    rows = Session.objects.for_space(session.space_id).select_for_update().filter(pk=session.pk)
    for (private_to,) in rows.values_list("private_to_id"):
        held: UUID | None = private_to
        return held
    raise NotFound(_("There is no such session in this space."))


def pending_turns(session: Session) -> QuerySet[SessionTurn]:
    """The session's pending answer, if any; the constraint's index finds it in a long session too."""
    return session.turns.filter(state=SessionTurn.State.PENDING)


def request_filing(
    session: Session, *, is_flushing: bool = True, is_erasing: bool = False, is_again: bool = False
) -> None:
    """Queue the filing of what was said so far; flushing includes the open segment.

    `is_again` asks the model once more for the segments that it failed at.
    """
    arguments = {"flush": is_flushing, "erase_turns": is_erasing}
    with transaction.atomic():
        enqueue_job(
            space_id=session.space_id,
            private_to=hold_audience(session),
            kind=CONSOLIDATE,
            subject_id=session.id,
            arguments={**arguments, "again": True} if is_again else arguments,
        )


def _look_up(principal: Principal, name: str) -> Session | None:
    """By id among what the person may see, then by name among their own.

    A client may name its session with a UUID of its own making: it is a name like any other.
    """
    visible = Session.objects.visible_to(principal.space_id, principal.user_id).filter(
        deleted_at__isnull=True
    )
    try:
        by_id: Session | None = visible.filter(pk=UUID(name)).first()
    except ValueError:
        by_id = None
    own: Session | None = by_id or visible.filter(author_id=principal.user_id, name=name).first()
    return own


def _is_private(principal: Principal, private: bool | None) -> bool:  # noqa: FBT001
    if not principal.can_write:
        if private is False:
            raise Forbidden(_("Viewers chat in private sessions; leave `private` out."))
        return True
    if private is not None:
        return private
    return Space.objects.filter(pk=principal.space_id, are_sessions_private=True).exists()


def _create(principal: Principal, name: str, *, private_to: UUID | None) -> Session:
    session: Session = Session.objects.for_space(principal.space_id).create(
        space_id=principal.space_id,
        private_to_id=private_to,
        author_id=principal.user_id,
        name=name,
        last_turn_at=timezone.now(),
    )
    record_audit(
        action="session.opened",
        object_type="session",
        object_id=session.id,
        space_id=session.space_id,
        user_id=principal.user_id,
    )
    previous = (
        Session.objects.for_space(principal.space_id)
        .filter(author_id=principal.user_id, deleted_at__isnull=True, turn_count__gt=0)
        .exclude(pk=session.pk)
        .order_by("-last_turn_at", "-id")
        .first()
    )
    if previous is not None and principal.can_write:
        request_filing(previous)
    return session
