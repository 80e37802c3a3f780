"""What cosines mean to an embedder: its numbers as a value, and how recipes take them.

docs/algorithms/calibration.md tells how they are measured.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memory.config import (
    LOCAL_EMBEDDER,
    EmbedderSpec,
    FusionConfig,
    IngestConfig,
    RecallConfig,
    SurpriseScale,
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What cosines mean to one embedder (docs/algorithms/calibration.md).

    The defaults are those of text-embedding-3-small, and stand in for every embedder that
    was never calibrated.
    """

    surprise: SurpriseScale = field(default_factory=SurpriseScale)
    duplicate_cosine: float = 0.85
    edge_cosine: float = 0.75
    coherence: float = 0.70
    question_cosine: float = 0.34
    nameless_cosine: float = 0.58
    nameless_together: float = 0.94  # of cosine and matched share
    item_cosine: float = 0.15

    def for_ingest(self, config: IngestConfig) -> IngestConfig:
        """The recipe with this embedder's surprise."""
        return replace(config, surprise=self.surprise)

    def for_recall(self, config: RecallConfig) -> RecallConfig:
        """The recipe with this embedder's floors; matched shares know no embedder."""
        return replace(
            config,
            question_floor=replace(config.question_floor, cosine=self.question_cosine),
            nameless_floor=replace(
                config.nameless_floor, cosine=self.nameless_cosine, together=self.nameless_together
            ),
            item_floor=replace(config.item_floor, cosine=self.item_cosine),
        )

    def for_fusion(self, config: FusionConfig) -> FusionConfig:
        """The recipe with this embedder's thresholds."""
        return replace(
            config,
            duplicate_cosine=self.duplicate_cosine,
            edge_cosine=self.edge_cosine,
            coherence=self.coherence,
        )


# Of embedders that come with the application: what `calibrate_embedder` measures of them.
CALIBRATIONS: Mapping[EmbedderSpec, Calibration] = {
    LOCAL_EMBEDDER: Calibration(surprise=SurpriseScale(offset=0.58, width=0.14))
}


@dataclass(frozen=True, slots=True)
class CalibrationConfig:
    """What each threshold means, whatever the embedder: the share of pairs that lie below it.

    Statements: a third each says the same, is about the same subject, has nothing in common.
    Questions: one half each with their answer and with another's. Measured with the local
    embedder, for which the thresholds were chosen, on the pairs that come with the application.
    """

    duplicate_below: float = 0.7103
    edge_below: float = 0.6651
    coherence_below: float = 0.6305
    question_below: float = 0.5572
    nameless_below: float = 0.9062
    item_below: float = 0.3698
    together_below: float = 0.7309  # of the cosine of an item that just reaches the sum
    together_share: float = 0.45  # and its matched share
    fewest: int = 8  # examples of each kind
