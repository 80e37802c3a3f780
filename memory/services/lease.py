"""One worker a space: a lease as a row, claimed by conditional update, renewed by heartbeat."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from memory.config import IndexConfig
from memory.models import IndexLease


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to drain a space's outbox, until it runs out."""

    space_id: UUID
    holder: UUID
    seconds: int

    def renew(self) -> bool:
        """Hold it for another while; False if somebody else has it by now."""
        mine = IndexLease.objects.filter(space_id=self.space_id, holder=self.holder)
        return mine.update(until=timezone.now() + timedelta(seconds=self.seconds)) == 1

    def release(self) -> None:
        """Give it back, if it is still held."""
        IndexLease.objects.filter(space_id=self.space_id, holder=self.holder).update(holder=None, until=None)


@contextmanager
def claim_space(space_id: UUID, config: IndexConfig) -> Iterator[Lease | None]:
    """The lease while the block runs; None if another worker holds it."""
    now = timezone.now()
    IndexLease.objects.get_or_create(space_id=space_id)
    lease = Lease(space_id, uuid4(), config.lease_seconds)
    free = IndexLease.objects.filter(Q(holder=None) | Q(until__lt=now), space_id=space_id)
    claimed = free.update(holder=lease.holder, until=now + timedelta(seconds=lease.seconds))
    if not claimed:
        yield None
        return
    try:
        yield lease
    finally:
        lease.release()
