"""Constants of the working memory and of answering."""

from dataclasses import dataclass
from datetime import timedelta

CONSOLIDATE = "consolidate"  # the job kinds
COMPRESS = "compress"


@dataclass(frozen=True, slots=True)
class MetaConfig:
    """What a conversation may be called and tagged with; titles and topics fit their columns."""

    title_chars: int = 200
    topic_chars: int = 200
    tag_chars: int = 64
    max_tags: int = 20


@dataclass(frozen=True, slots=True)
class WindowConfig:
    """The token budget of a prompt, and when and how older turns are summarised.

    `*_ratio` are shares of the budget. See docs/algorithms/working-memory.md.
    """

    max_tokens: int = 128_000  # of a whole prompt and its answer
    least_tokens: int = 1_024  # of those; with fewer, what every prompt says leaves no room for an answer
    output_reserve_tokens: int = 4_000
    recall_reserve_tokens: int = 2_000
    skill_reserve_tokens: int = 4_500  # three skills of at most 1,500
    tool_reserve_tokens: int = 1_000
    image_reserve_tokens: int = 500
    prompt_reserve_tokens: int = 500  # what is told to the model in every prompt
    prompt_least_tokens: int = 220  # of that, however small the window ...
    answer_least_tokens: int = 128  # ... and of the answer
    beside_least_tokens: int = 40  # of a skill or an image that is shortened; with fewer it is left out
    warn_ratio: float = 0.70
    block_ratio: float = 0.90
    step_ratio: float = 0.10  # that must have been said between two compressions, and that one must free
    keep_ratio: float = 0.30  # that stays verbatim when the rest is summarised
    chunk_ratio: float = 0.80  # that one call summarises at most
    summary_ratio: float = 0.15
    summary_most_tokens: int = 2_000
    min_recent_turns: int = 8
    header_tokens: int = 30  # of each turn in a call that summarises: number, role, speaker, time
    tool_tokens: int = 600  # of a tool's result in such a call; the rest is left out, visibly
    head_share: float = 0.6  # of an oversized turn's excerpt; the tail gets the rest

    @property
    def reserve_tokens(self) -> int:
        """What turns may not use: never more than half."""
        return min(self._wanted_tokens, self.max_tokens // 2)

    @property
    def budget_tokens(self) -> int:
        """What turns and summaries may use."""
        return max(1, self.max_tokens - self.reserve_tokens)

    @property
    def recall_tokens(self) -> int:
        """What recalled items may use; in a small window the reserves shrink alike."""
        return self.recall_reserve_tokens * self.reserve_tokens // max(1, self._wanted_tokens)

    @property
    def skill_tokens(self) -> int:
        """What skills may use, as far as the talk leaves them no more."""
        return self._beside_tokens(self.skill_reserve_tokens)

    @property
    def image_tokens(self) -> int:
        """What may be told of images, likewise."""
        return self._beside_tokens(self.image_reserve_tokens)

    @property
    def summary_tokens(self) -> int:
        """What a summary may use."""
        return min(self.summary_most_tokens, int(self.summary_ratio * self.budget_tokens))

    @property
    def warn_tokens(self) -> int:
        """From here on older turns are summarised in the background ..."""
        return int(self.warn_ratio * self.budget_tokens)

    @property
    def block_tokens(self) -> int:
        """... and from here on before the answer goes on."""
        return int(self.block_ratio * self.budget_tokens)

    @property
    def step_tokens(self) -> int:
        """What must be said between two compressions."""
        return int(self.step_ratio * self.budget_tokens)

    def _beside_tokens(self, wanted: int) -> int:
        """The share of a reserve for skills or images; in the smallest windows, of what the others leave."""
        least = self.prompt_least_tokens + self.answer_least_tokens + self.recall_tokens
        both = self.skill_reserve_tokens + self.image_reserve_tokens
        alike = wanted * self.reserve_tokens // max(1, self._wanted_tokens)
        return max(0, min(alike, wanted * (self.reserve_tokens - least) // max(1, both)))

    @property
    def _wanted_tokens(self) -> int:
        return (
            self.output_reserve_tokens
            + self.recall_reserve_tokens
            + self.skill_reserve_tokens
            + self.tool_reserve_tokens
            + self.image_reserve_tokens
            + self.prompt_reserve_tokens
        )


@dataclass(frozen=True, slots=True)
class CompressionConfig:
    """Who may summarise a session, and for how long others wait for it; seconds.

    A lease is longer than a call, whose deadlines are in memory's ModelConfig.
    """

    lease_seconds: int = 90
    background_lease_seconds: int = 270
    wait_seconds: float = 20.0  # that an answer waits for a compression under way elsewhere
    poll_seconds: float = 0.2
    attempts: int = 3  # of one that was cut off


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

    attempts: int = 6  # of one segment, all told; an outage takes none, a time-out any but the last
    pause_seconds: float = 30.0  # after the first attempt; doubles with each
    pause_ceiling_seconds: float = 900.0
    sessions: int = 20  # queued by one sweep while the model answers, else one

    def pause(self, attempts: int) -> timedelta:
        """How long after so many attempts the next one is due."""
        doubled: float = self.pause_seconds * 2 ** max(0, attempts - 1)
        return timedelta(seconds=min(doubled, self.pause_ceiling_seconds))
