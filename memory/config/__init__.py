"""Every constant of the memory, with unit and origin.

Defaults for the surprise constants and cosine thresholds are those of the embedder named
beside them.
"""

from memory.config.index import REEMBED, IndexConfig
from memory.config.models import LOCAL_EMBEDDER, EmbedderSpec, LocalEmbedderConfig, ModelConfig
from memory.config.recall import (
    ActionConfig,
    EvidenceWeights,
    Floor,
    RecallConfig,
    RecordWeights,
    SynthesisConfig,
    TurnWeights,
)
from memory.config.writing import (
    BoundaryLaw,
    EvidenceConfig,
    FusionConfig,
    IngestConfig,
    SurpriseScale,
    TitleConfig,
)

__all__ = [
    "LOCAL_EMBEDDER",
    "REEMBED",
    "ActionConfig",
    "BoundaryLaw",
    "EmbedderSpec",
    "EvidenceConfig",
    "EvidenceWeights",
    "Floor",
    "FusionConfig",
    "IndexConfig",
    "IngestConfig",
    "LocalEmbedderConfig",
    "ModelConfig",
    "RecallConfig",
    "RecordWeights",
    "SurpriseScale",
    "SynthesisConfig",
    "TitleConfig",
    "TurnWeights",
]
