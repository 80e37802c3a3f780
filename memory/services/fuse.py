"""Records become one picture: updates, duplicates, and the memory tree, space by space.

What is due to be fused is a mark on rows, set by whoever writes, edits or removes them;
one lease holder a space works off the marks, and a consolidation that meets it leaves its
records to it. Follows docs/algorithms/fusion.md; no model is asked.
"""

import logging
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from accounts.registries import wake_on_commit
from memory.config import FusionConfig
from memory.domain.types import Kind
from memory.errors import ProviderError, ProviderUnavailable
from memory.models import CompositeRecord, IndexedItem, MemoryRecord
from memory.providers.registry import is_titling
from memory.services.communities import refresh_communities, refresh_due_communities
from memory.services.composite_rows import CONFIG, TITLE, Audience
from memory.services.drain import drain_outbox
from memory.services.evidence_rows import rebuild_evidence
from memory.services.fuse_attributes import settle_attributes
from memory.services.fuse_duplicates import drop_duplicates
from memory.services.fuse_endings import settle_endings
from memory.services.fuse_layers import CompositeLayer, OnStep, RecordLayer
from memory.services.fuse_tree import grow_level
from memory.services.lease import Lease, claim_fusion
from memory.stores.registry import calibration

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fused:
    """What a fusion did: records superseded or current again, expired as duplicates, and
    composites made, changed or removed.
    """

    superseded: int = 0
    duplicates: int = 0
    composites: int = 0

    def __add__(self, other: "Fused") -> "Fused":
        return Fused(
            self.superseded + other.superseded,
            self.duplicates + other.duplicates,
            self.composites + other.composites,
        )


class _LeaseLostError(Exception):
    """Another worker has taken over: leave the rest to it."""


def fuse_space(space_id: UUID, *, config: FusionConfig | None = None) -> Fused:
    """Fuse what is due in the space.

    Returns at once if another worker is at it, which will do this too. Records whose vector
    cannot be had stay due; what their slots tell is settled all the same.
    """
    config = config or calibration().for_fusion(CONFIG)
    done = Fused()
    _await_vectors(space_id)
    is_waiting = _unfused(space_id).exists()
    while is_waiting or _is_anything_due(space_id):
        with claim_fusion(space_id, config) as lease:
            if lease is None:
                return done
            try:
                done += _fuse_held(space_id, lease, config, _silent)
                refresh_due_communities(space_id)
            except ProviderError as error:
                logger.info("Records of space %s wait to be fused: %s", space_id, error.detail)
                return done
        is_waiting = False
        if done.composites and is_titling():
            wake_on_commit(TITLE, space_id)
        # What became due after the last look found the lease taken: look again.
    return done


def fuse_fully(space_id: UUID, on_step: OnStep, *, config: FusionConfig | None = None) -> Fused:
    """Compare every record of the space with every other anew, whatever was done before.

    Raises ProviderUnavailable while another worker fuses the space, and IndexMismatch.
    """
    config = config or calibration().for_fusion(CONFIG)
    _await_vectors(space_id)
    with claim_fusion(space_id, config) as lease:
        if lease is None:
            raise ProviderUnavailable("The space is being fused by another worker; try again.")
        again = F("fusion_due") + 1
        MemoryRecord.objects.for_space(space_id).filter(expired_at__isnull=True).update(fusion_due=again)
        CompositeRecord.objects.for_space(space_id).update(fusion_due=again)
        done = _fuse_held(space_id, lease, config, on_step)
        step = _renewing(lease, on_step)
        rebuild_evidence(space_id, lambda records, total: step("evidence", records, total))
        refresh_communities(space_id)
        return done


def _await_vectors(space_id: UUID) -> None:
    try:
        drain_outbox(space_id)
    except ProviderError as error:
        logger.info("Space %s is fused without its newest vectors: %s", space_id, error.detail)


def _fuse_held(space_id: UUID, lease: Lease, config: FusionConfig, on_step: OnStep) -> Fused:
    done = Fused()
    step = _renewing(lease, on_step)
    records = _unfused(space_id)  # at first those too that wait for their vectors
    try:
        while audiences := _audiences(space_id, records):
            for audience in audiences:
                done += _fuse_audience(audience, config, step)
            records = _due_records(space_id)
    except _LeaseLostError:
        logger.warning("the fusion of space %s was taken over by another worker", space_id)
    _await_vectors(space_id)
    return done


def _fuse_audience(audience: Audience, config: FusionConfig, on_step: OnStep) -> Fused:
    own = {"private_to": audience.private_to}
    waiting = list(_unfused(audience.space_id).filter(**own).values_list("id", flat=True))
    on_step("attributes", 0, len(waiting))
    superseded = settle_attributes(audience, waiting, config) + settle_endings(audience, waiting, config)
    layer = RecordLayer(audience, config, on_step)
    due = _due_records(audience.space_id).filter(**own)
    duplicates = drop_duplicates(layer, audience, list(due.values_list("id", flat=True)), config)
    seeds = dict(due.values_list("id", "fusion_due"))
    composites = grow_level(layer, seeds, audience, config, on_step)
    for level in range(1, config.rounds):
        seeds = dict(_due_composites(audience, level).values_list("id", "fusion_due"))
        if seeds:
            on_step("levels", level, config.rounds)
            above = CompositeLayer(audience, level, config)
            composites += grow_level(above, seeds, audience, config, on_step)
    return Fused(superseded, duplicates, composites)


def _unfused(space_id: UUID) -> "QuerySet[MemoryRecord]":
    """Live records to be compared."""
    rows: QuerySet[MemoryRecord] = MemoryRecord.objects.for_space(space_id)
    return rows.filter(fusion_due__gt=0, expired_at__isnull=True)


def _due_records(space_id: UUID) -> "QuerySet[MemoryRecord]":
    """Those of them whose vector is there, or known not to be."""
    awaited = IndexedItem.objects.filter(kind=Kind.RECORD, uid=OuterRef("id"), seq__isnull=True)
    return _unfused(space_id).exclude(Exists(awaited))


def _due_composites(audience: Audience, level: int) -> "QuerySet[CompositeRecord]":
    return audience.composites().filter(level=level, fusion_due__gt=0)


def _is_anything_due(space_id: UUID) -> bool:
    return bool(_audiences(space_id, _due_records(space_id)))


def _audiences(space_id: UUID, records: "QuerySet[MemoryRecord]") -> list[Audience]:
    """Whose records, or whose composites, are due."""
    composites = CompositeRecord.objects.for_space(space_id).filter(fusion_due__gt=0)
    owners = set(records.values_list("private_to_id", flat=True).distinct())
    owners |= set(composites.values_list("private_to_id", flat=True).distinct())
    return [Audience(space_id, owner) for owner in sorted(owners, key=str)]


def _renewing(lease: Lease, on_step: OnStep) -> OnStep:
    """Each step holds the lease for another while."""

    def step(stage: str, done: int, total: int) -> None:
        if not lease.renew():
            raise _LeaseLostError
        on_step(stage, done, total)

    return step


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
