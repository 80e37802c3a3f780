"""One worker a space and kind of work: a lease as a row, claimed by conditional update,
renewed by heartbeat.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from memory.config import FusionConfig, IndexConfig
from memory.models import FusionLease, IndexLease


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to do one kind of work in a space, until it runs out."""

    rows: type[IndexLease | FusionLease]
    space_id: UUID
    holder: UUID
    seconds: int

    def renew(self) -> bool:
        """Hold it for another while; False if somebody else has it by now."""
        mine = self.rows.objects.filter(space_id=self.space_id, holder=self.holder)
        return mine.update(until=timezone.now() + timedelta(seconds=self.seconds)) == 1

    def release(self) -> None:
        """Give it back, if it is still held."""
        self.rows.objects.filter(space_id=self.space_id, holder=self.holder).update(holder=None, until=None)


@contextmanager
def claim_space(space_id: UUID, config: IndexConfig) -> Iterator[Lease | None]:
    """The right to drain the outbox while the block runs; None if another worker holds it."""
    with _claim(Lease(IndexLease, space_id, uuid4(), config.lease_seconds)) as lease:
        yield lease


@contextmanager
def claim_fusion(space_id: UUID, config: FusionConfig) -> Iterator[Lease | None]:
    """The right to fuse while the block runs; None if another worker holds it."""
    with _claim(Lease(FusionLease, space_id, uuid4(), config.lease_seconds)) as lease:
        yield lease


@contextmanager
def _claim(lease: Lease) -> Iterator[Lease | None]:
    now = timezone.now()
    lease.rows.objects.get_or_create(space_id=lease.space_id)
    free = lease.rows.objects.filter(Q(holder=None) | Q(until__lt=now), space_id=lease.space_id)
    claimed = free.update(holder=lease.holder, until=now + timedelta(seconds=lease.seconds))
    if not claimed:
        yield None
        return
    try:
        yield lease
    finally:
        lease.release()
