"""Constants of the working memory and of answering."""

from dataclasses import dataclass
from datetime import timedelta

CONSOLIDATE = "consolidate"  # the job kind


@dataclass(frozen=True, slots=True)
class WindowConfig:
    """The token budget of a prompt; see docs/algorithms."""

    max_tokens: int = 128_000
    output_reserve_tokens: int = 4_000
    recall_reserve_tokens: int = 2_000
    warn_ratio: float = 0.70
    block_ratio: float = 0.90
    min_recent_turns: int = 8
    head_share: float = 0.6  # of an oversized turn's excerpt; the tail gets the rest

    @property
    def budget_tokens(self) -> int:
        """What turns may use."""
        return self.max_tokens - self.output_reserve_tokens - self.recall_reserve_tokens


@dataclass(frozen=True, slots=True)
class TurnConfig:
    """The limits of what a door may append; characters unless the name says otherwise."""

    max_chars: int = 100_000
    max_batch_turns: int = 1_000
    name_chars: int = 128
    metadata_chars: int = 16_000  # of its JSON
    metadata_depth: int = 8
    overhead_tokens: int = 4  # of each turn, for its role and borders in a prompt
    title_chars: int = 80


@dataclass(frozen=True, slots=True)
class AnswerConfig:
    """One turn at a time: the lease on a pending answer."""

    lease_seconds: int = 60
    heartbeat_seconds: int = 20
    resume_seconds: int = 30
    keepalive_seconds: int = 15


@dataclass(frozen=True, slots=True)
class FilingConfig:
    """How long one consolidation job may work; what it leaves, the next one takes up."""

    begin_seconds: float = 600.0  # after these no further segment is begun ...
    job_seconds: float = 900.0  # ... and after these the calls under way end


@dataclass(frozen=True, slots=True)
class AgainConfig:
    """When what rules had to encode is encoded again by the model."""

    attempts: int = 6  # of one segment, all told; an outage takes none
    pause_seconds: float = 30.0  # after the first attempt; doubles with each
    pause_ceiling_seconds: float = 900.0
    sessions: int = 20  # queued by one sweep while the model answers, else one

    def pause(self, attempts: int) -> timedelta:
        """How long after so many attempts the next one is due."""
        doubled: float = self.pause_seconds * 2 ** max(0, attempts - 1)
        return timedelta(seconds=min(doubled, self.pause_ceiling_seconds))
