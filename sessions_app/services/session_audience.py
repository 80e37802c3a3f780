"""A session is made private to its author, or shared with the space, with everything that came of it."""

from collections.abc import Collection
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import Conflict, Forbidden
from accounts.models import Job
from accounts.principals import Principal
from accounts.services.audit import record_audit
from accounts.services.idempotency import forget_replies
from memory.services.log_erasure import withhold_from_logs
from memory.services.move import Move, move_records
from sessions_app.models import Segment, Session, SessionTurn, TurnImage, UsageEntry
from sessions_app.services.erasure import forget_contexts
from sessions_app.services.segments import encode_segments_again
from sessions_app.services.sessions import pending_turns
from sessions_app.services.turns import index_turns
from skills.services.move import move_skills
from visual.services.files import lock_space
from visual.services.move import move_images

_BATCH = 500  # turns indexed at once


def change_audience(principal: Principal, locked: Session, *, is_private: bool) -> None:
    """Let the session and all that came of it be seen by its author alone, or by the whole space, at once;
    in the caller's transaction, which holds the session.

    What was answered from it in other conversations stays there. For its author; viewers cannot share.
    Raises Forbidden, or Conflict while the session is answering.
    """
    if locked.author_id != principal.user_id:
        raise Forbidden(_("Only its author may make a conversation private or share it."))
    if not is_private:
        principal.require_write()
    before, after = locked.private_to_id, locked.author_id if is_private else None
    if before == after:
        return
    if pending_turns(locked).filter(lease_until__gt=timezone.now()).exists():
        raise Conflict(_("The session is answering; stop it or wait."), code="session_busy", retry_after=5)
    lock_space(locked.space_id)
    locked.private_to_id = after
    locked.save(update_fields=["private_to"])
    gone = _move(locked, before)
    if is_private:
        withhold_from_logs(locked.space_id, locked.id, gone, owner_id=principal.user_id)
        forget_contexts(Job.objects.for_space(locked.space_id).filter(private_to__isnull=True))
    forget_replies(locked.space_id)
    record_audit(
        action="session.made_private" if is_private else "session.shared",
        object_type="session",
        object_id=locked.id,
        space_id=locked.space_id,
        user_id=principal.user_id,
    )


def _move(session: Session, before: UUID | None) -> frozenset[UUID]:
    """Take everything along; returns the ids of what those whom it leaves can no longer see."""
    space_id, after = session.space_id, session.private_to_id
    for rows in (
        session.turns,
        session.segments,
        session.summaries,
        TurnImage.objects.for_space(space_id).filter(session=session),
        UsageEntry.objects.for_space(space_id).filter(session=session),
        Job.objects.for_space(space_id).filter(subject_id=session.id),
    ):
        rows.update(private_to=after)
    turn_ids = _index_turns(session)
    aliases, own = _aliases(session, before)
    records = move_records(
        Move(
            space_id=space_id,
            session_id=session.id,
            before=before,
            after=after,
            turn_ids=turn_ids,
            aliases=aliases,
            own_aliases=own,
        )
    )
    segment_ids = set(session.segments.values_list("id", flat=True))
    skills = move_skills(space_id, session.id, segment_ids, before=before, after=after)
    encode_segments_again(space_id, skills.segment_ids)
    return turn_ids | records | skills.ids | move_images(space_id, session.id, after=after)


def _index_turns(session: Session) -> frozenset[UUID]:
    """Let the session's turns be found by whoever sees them now; returns the ids of all of them."""
    ids = list(session.turns.order_by("index").values_list("id", flat=True))
    for start in range(0, len(ids), _BATCH):
        rows = session.turns.filter(id__in=ids[start : start + _BATCH], state=SessionTurn.State.COMPLETE)
        index_turns(session, list(rows.order_by("index")))
    return frozenset(ids)


def _aliases(session: Session, before: UUID | None) -> tuple[dict[str, str], dict[str, str]]:
    """What the session's segments told of names, and what of it no other session of the audience did."""
    told = _told(session.segments.values_list("aliases", flat=True))
    others = Segment.objects.for_space(session.space_id).filter(private_to=before).exclude(session=session)
    known = set(_told(others.exclude(aliases={}).values_list("aliases", flat=True)).items())
    return told, {alias: name for alias, name in told.items() if (alias, name) not in known}


def _told(found: Collection[dict[str, str]]) -> dict[str, str]:
    return {alias: name for aliases in found for alias, name in aliases.items()}
