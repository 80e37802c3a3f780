"""Every constant of writing and reading memory, with unit and origin.

`spec` below means docs/algorithms; defaults for the surprise constants and
cosine thresholds are those of the embedder named beside them.
"""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class SurpriseScale:
    """What a surprise means for one embedder: absolute = (s - offset) / width."""

    offset: float = 0.20
    width: float = 0.14


@dataclass(frozen=True, slots=True)
class IngestConfig:
    """Segmentation, novelty and encoding (arXiv 2608.12990, section 3)."""

    surprise: SurpriseScale = field(default_factory=SurpriseScale)
    boundary_probability: float = 0.50  # delta; stable from 0.30 to 0.70 in the paper
    target_tokens: int = 1_500
    cap_tokens: int = 2_000
    idle_minutes: int = 10
    surprise_history: int = 64  # surprises kept for the robust z-score
    novelty_overlap: float = 0.9  # share of a turn's words found in recalled text
    reference_tokens: int = 600
    max_attempts: int = 3


@dataclass(frozen=True, slots=True)
class TurnWeights:
    """Weights of the raw-turn ranking; chosen on LoCoMo's development conversations."""

    bm25: float = 0.7
    dense: float = 1.0
    neighbour_bm25: float = 0.2
    neighbour_dense: float = 0.3
    session_bm25: float = 0.7
    session_dense: float = 0.2
    speaker: float = 0.2
    window_dense: float = 0.5


@dataclass(frozen=True, slots=True)
class RecallConfig:
    """Candidates, fusion, selection and budget of one recall (section 4 of the paper)."""

    turns: TurnWeights = field(default_factory=TurnWeights)
    rrf_k: int = 60
    candidates: int = 2_000  # most items per channel that reach the ranking
    rerank_candidates: int = 50
    rerank_weight: float = 0.5
    is_reranking: bool = True
    mmr_lambda: float = 0.75
    floor_cosine: float = 0.35  # calibrated for the local embedder
    floor_matched_share: float = 0.45
    context_tokens: int = 2_000
    top_k: int = 10
    excerpt_chars: int = 1_000
    log_retention_days: int = 90

    FAST: ClassVar["RecallConfig"]
    STANDARD: ClassVar["RecallConfig"]

    @classmethod
    def for_effort(cls, effort: str) -> "RecallConfig":
        """The recipe of an effort: `fast` reorders nothing."""
        return cls.FAST if effort == "fast" else cls.STANDARD


RecallConfig.FAST = RecallConfig(is_reranking=False)
RecallConfig.STANDARD = RecallConfig()
