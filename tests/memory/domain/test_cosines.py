"""How recipes take the numbers of an embedder."""

from memory.config import FusionConfig, IngestConfig, RecallConfig, SurpriseScale
from memory.domain.cosines import Calibration


def test_a_calibration_changes_cosines_and_nothing_else():
    assert Calibration().for_recall(RecallConfig.STANDARD) == RecallConfig.STANDARD
    assert Calibration().for_fusion(FusionConfig()) == FusionConfig()
    assert Calibration().for_ingest(IngestConfig()) == IngestConfig()
    other = Calibration(SurpriseScale(0.1, 0.2), 0.9, 0.8, 0.75, 0.4, 0.6, 1.0, 0.2)
    recall = other.for_recall(RecallConfig.FAST)
    assert (recall.question_floor.cosine, recall.item_floor.cosine) == (0.4, 0.2)
    assert (recall.nameless_floor.cosine, recall.nameless_floor.together) == (0.6, 1.0)
    assert recall.question_floor.matched_share == RecallConfig.FAST.question_floor.matched_share
    assert not recall.is_reranking
    fusion = other.for_fusion(FusionConfig())
    assert (fusion.duplicate_cosine, fusion.edge_cosine, fusion.coherence) == (0.9, 0.8, 0.75)
    assert other.for_ingest(IngestConfig()).surprise == SurpriseScale(0.1, 0.2)
