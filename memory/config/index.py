"""Constants of the indexes, which are made from rows."""

from dataclasses import dataclass

REEMBED = "reembed"  # the job kind


@dataclass(frozen=True, slots=True)
class IndexConfig:
    """How rows become indexes (docs/algorithms/indexes.md)."""

    bm25_k1: float = 1.2
    bm25_b: float = 0.75
    eager_items: int = 20_000  # in a larger space a search asks first which lists are long
    eager_postings: int = 30_000  # entries read there before the remaining lists are left
    drain_batch: int = 32
    lease_seconds: int = 30  # a batch of 32 takes 0.2 s, the model's first load 3 s
    # Of one job that makes vectors anew: after these no further batch is begun, after those calls end.
    reembed_begin_seconds: float = 600.0
    reembed_job_seconds: float = 900.0
    rebuild_batch: int = 256
    requeue_batch: int = 2_000  # items queued in one transaction, so that others may write between
    hot_space_items: int = 100_000  # larger spaces are searched by the vector store itself
    hot_cache_bytes: int = 512 * 1024 * 1024
    compact_dead_share: float = 0.5  # of a token file, before it is rewritten
    version_retention_minutes: int = 10  # longer than the longest request
    optimize_commits: int = 64  # commits of a vector table between two optimisations
