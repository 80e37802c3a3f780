"""One worker a space at a time, and a dead worker's lease runs out."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from accounts.models import Space
from memory.config import IndexConfig
from memory.models import IndexLease
from memory.services.lease import claim_space
from tests.memory.indexing import make_space

CONFIG = IndexConfig(lease_seconds=60)


def test_a_space_is_claimed_by_one_worker_at_a_time(space: Space):
    with claim_space(space.id, CONFIG) as first:
        assert first is not None
        with claim_space(space.id, CONFIG) as second:
            assert second is None
        assert first.renew()
    with claim_space(space.id, CONFIG) as third:
        assert third is not None


def test_another_space_is_free(space: Space):
    with claim_space(space.id, CONFIG), claim_space(make_space("space-b").id, CONFIG) as other:
        assert other is not None


def test_a_lease_that_ran_out_is_taken_over_and_its_old_holder_learns_of_it(space: Space):
    with claim_space(space.id, CONFIG) as dead:
        assert dead is not None
        IndexLease.objects.update(until=timezone.now() - timedelta(seconds=1))
        with claim_space(space.id, CONFIG) as heir:
            assert heir is not None
            assert not dead.renew()
            dead.release()
            assert heir.renew()


def test_renewing_moves_the_end(space: Space):
    with claim_space(space.id, CONFIG) as lease:
        assert lease is not None
        soon = timezone.now() + timedelta(seconds=1)
        IndexLease.objects.update(until=soon)
        assert lease.renew()
        assert IndexLease.objects.filter(until__gt=soon).exists()


def test_a_failure_inside_gives_the_lease_back(space: Space):
    try:
        with claim_space(space.id, CONFIG):
            raise InterruptedError
    except InterruptedError:
        pass
    assert IndexLease.objects.values_list("holder", "until").get() == (None, None)


def test_a_stranger_cannot_release(space: Space):
    with claim_space(space.id, CONFIG) as lease:
        assert lease is not None
        IndexLease.objects.update(holder=(other := uuid4()))
    assert IndexLease.objects.get().holder == other
