"""What conversations keep of turns beside the turns themselves goes when these are erased.

Titles and topics that quote them, words around images, what programs sent along with their filing.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Job
from accounts.services.idempotency import forget_replies
from memory.domain.quoting import is_quoting, probes
from memory.services.log_erasure import erase_session_from_logs
from sessions_app.models import Session, SessionTurn
from visual.services.words import forget_session_words, forget_told

_CONTEXT = "retrieved_context"


def forget_quotations(space_id: UUID, turn_ids: Sequence[UUID], told: Sequence[str]) -> None:
    """Forget what repeats these turns, of which a memory was erased, or what they told; in the caller's
    transaction. The turns themselves stay.
    """
    forget_told(space_id, turn_ids, told)
    _forget_titles(space_id, turn_ids, told)
    forget_contexts(Job.objects.for_space(space_id))


def forget_session(session: Session) -> None:
    """Forget what repeats the turns of a session that is losing them, in the caller's transaction."""
    turn_ids = set(session.turns.values_list("id", flat=True))
    forget_session_words(session.space_id, session.pk)
    erase_session_from_logs(session.space_id, session.pk, turn_ids)
    forget_contexts(Job.objects.for_space(session.space_id).filter(subject_id=session.pk))
    forget_replies(session.space_id)


def _forget_titles(space_id: UUID, turn_ids: Sequence[UUID], told: Sequence[str]) -> None:
    turns = SessionTurn.objects.for_space(space_id).filter(pk__in=turn_ids)
    found = [Q(title__icontains=probe) | Q(topic__icontains=probe) for probe in probes(told)]
    wanted = reduce(or_, found, Q(pk__in=turns.values("session_id")))
    sessions = Session.objects.for_space(space_id).filter(wanted)
    for session in sessions.select_for_update().order_by("pk"):
        session.title = "" if is_quoting(session.title, told) else session.title
        session.topic = "" if is_quoting(session.topic, told) else session.topic
        session.tags = [tag for tag in session.tags if not is_quoting(tag, told)]
        session.save(update_fields=["title", "topic", "tags"])


def forget_contexts(jobs: "QuerySet[Job]") -> None:
    """Forget what programs sent along with these jobs, in the caller's transaction. Without it a segment that
    says nothing new may be encoded; what it says is known then.
    """
    holding = jobs.filter(arguments__has_key=_CONTEXT).exclude(**{f"arguments__{_CONTEXT}": ""})
    for job in holding.select_for_update().order_by("pk"):
        job.arguments = {**job.arguments, _CONTEXT: ""}
        job.save(update_fields=["arguments"])
