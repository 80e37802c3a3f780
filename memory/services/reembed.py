"""Vectors made anew by another embedder, as a job: words go on being found meanwhile.

The rows of the indexes are queued first and the old vectors dropped afterwards, so that a
kill at any point leaves either the old state or everything queued; the job, and the sweep
under it, go on from there. Progress stands in the job's result.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import Job
from accounts.services.audit import record_audit
from accounts.services.jobs import enqueue_job
from memory.config import REEMBED, IndexConfig
from memory.domain.types import TEXT_KINDS
from memory.errors import ProviderError, ProviderUnavailable
from memory.models import IndexedItem, IndexOutbox, IndexState
from memory.providers.call_scope import CallScope
from memory.providers.registry import embedder
from memory.services.drain import CONFIG, drain_held, is_of_other_embedder
from memory.services.lease import claim_space
from memory.stores.registry import token_store, vector_index


def spaces_to_reembed() -> list[UUID]:
    """The spaces whose vectors were made by another embedder than the one in use."""
    using = embedder()
    states = IndexState.objects.filter(kind__in=TEXT_KINDS)
    others = states.exclude(embedder=using.name, dimension=using.dimension)
    return list(others.order_by("space_id").values_list("space_id", flat=True).distinct())


def request_reembedding(space_id: UUID, *, user_id: UUID | None) -> Job:
    """Queue the job for a space, or join the one that waits; audited. `user_id`: who asked, if a person."""
    using = embedder()
    with transaction.atomic():
        record_audit(
            action="space.reembedding_requested",
            object_type="space",
            object_id=space_id,
            space_id=space_id,
            user_id=user_id,
        )
        return enqueue_job(
            space_id=space_id,
            private_to=None,
            kind=REEMBED,
            subject_id=space_id,
            arguments={"embedder": using.name, "dimension": using.dimension},
        )


def reembed_space(job_id: UUID) -> dict[str, Any]:
    """Carry out the job: the space's vectors are those of the embedder in use afterwards.

    When its time is up, the result is `partial` and a job for what is left is queued: others wait
    for the same worker. Raises ProviderUnavailable while another worker writes the space's vectors
    or the embedder does not answer, ProviderError for an embedder that cannot be used as it is configured.
    """
    scope = CallScope(seconds=CONFIG.reembed_job_seconds)
    return scope.run(_reembed, job_id, scope)


def _reembed(job_id: UUID, scope: CallScope) -> dict[str, Any]:
    job = Job.objects.with_id(job_id).get()
    _require_asked_embedder(job)
    with claim_space(job.space_id, CONFIG) as lease:
        if lease is None:
            raise ProviderUnavailable("The space's vectors are being written; it is tried again.")
        if is_of_other_embedder(job.space_id):
            embedder().embed(["dimension"])  # whatever is wrong with it shows before anything is dropped
            _queue_everything(job.space_id, CONFIG)
            lease.renew()
            vector_index().drop_space(job.space_id)
            token_store().drop_space(job.space_id)
        total = max(int(job.result.get("total", 0)), _pending(job.space_id))
        _note(job, total)
        while drain_held(job.space_id, lease, most=CONFIG.drain_batch):
            _note(job, total)
            if _is_too_late(scope) and _pending(job.space_id):
                return _left_over(job)
    return {"stage": "done", "done": total, "total": total}


def _is_too_late(scope: CallScope) -> bool:
    """Whether the job has worked for so long that nothing more is to be begun."""
    return scope.seconds_left < CONFIG.reembed_job_seconds - CONFIG.reembed_begin_seconds


def _left_over(job: Job) -> dict[str, Any]:
    """Queue a job for what this one did not come to, which goes on counting; says so in the result."""
    following = enqueue_job(
        space_id=job.space_id,
        private_to=None,
        kind=REEMBED,
        subject_id=job.subject_id,
        arguments=job.arguments,
    )
    Job.objects.with_id(following.id).update(result=job.result)
    return {**job.result, "status": "partial", "next_job_id": str(following.id)}


def _require_asked_embedder(job: Job) -> None:
    """A worker that was started with other settings must not undo what was asked for."""
    using, asked = embedder(), job.arguments
    if (asked.get("embedder"), asked.get("dimension")) != (using.name, using.dimension):
        raise ProviderError(
            f"This worker embeds with {using.name}, the job asks for {asked.get('embedder')}: "
            "start every process with the same settings, then ask again."
        )


def _queue_everything(space_id: UUID, config: IndexConfig) -> None:
    """Put each item that is not queued into the outbox, in batches of one transaction each."""
    queued = IndexOutbox.objects.filter(space_id=space_id, item=OuterRef("id"))
    items = IndexedItem.objects.filter(space_id=space_id).exclude(Exists(queued)).order_by("id")
    while batch := list(items.values_list("id", "kind", "uid")[: config.requeue_batch]):
        with transaction.atomic():
            IndexOutbox.objects.bulk_create(
                IndexOutbox(space_id=space_id, kind=kind, uid=uid, item=item) for item, kind, uid in batch
            )
            IndexedItem.objects.filter(id__in=[item for item, _, _ in batch]).update(seq=None)


def _note(job: Job, total: int) -> None:
    """Keep how far it is. Attempts count since the last progress: many kills must not end it."""
    done = max(0, total - _pending(job.space_id))
    if done > int(job.result.get("done", 0)):
        Job.objects.with_id(job.id).update(attempts=1)
    job.result = {"stage": "vectors", "done": done, "total": total}
    Job.objects.with_id(job.id).update(result=job.result)


def _pending(space_id: UUID) -> int:
    return IndexOutbox.objects.filter(space_id=space_id).count()
