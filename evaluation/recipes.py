"""Systems under test by name: the recipe of each effort, and what it is without one of its parts.

The ablations are those of arXiv 2608.12990, section 5, and three of our own. Each is a whole
configuration; nothing is switched anywhere but here (docs/evaluation.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from memory.config import Floor, IngestConfig, RecallConfig, RecordWeights, TurnWeights
from memory.domain.cosines import Calibration
from memory.domain.types import Effort

WINDOW_TOKENS, WINDOW_EXCHANGES = 600, 10  # of the paper's fixed windows
CHANNELS = ("node_name", "node_vector", "node_time", "community", "entity_graph")  # of evidence nodes
TRIED, TRIED_AMONG_RECORDS = 0.5, 0.15  # the weights at which one is tried alone
_NEVER_IDLE = 60 * 24 * 365  # minutes
_ANYTHING = Floor(cosine=-1.0, matched_share=0.0)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How memory is written and read. `is_told_anew`: its construction differs from the base's,
    so that it is compared by its records only.
    """

    name: str
    recall: RecallConfig
    effort: Effort
    ingest: IngestConfig = field(default_factory=IngestConfig)
    is_told_anew: bool = False

    def calibrated(self, calibration: Calibration) -> "Recipe":
        """The recipe with the numbers of the embedder in use."""
        return replace(
            self,
            recall=calibration.for_recall(self.recall),
            ingest=calibration.for_ingest(self.ingest),
        )

    def without(self, name: str) -> "Recipe":
        """The recipe with the ablation of that name. Raises KeyError."""
        changed = ABLATIONS[name](self)
        return replace(changed, name=name, is_told_anew=changed.ingest != self.ingest)


Ablation = Callable[[Recipe], Recipe]

RECIPES: Mapping[str, Recipe] = {
    effort.value: Recipe(effort.value, RecallConfig.for_effort(effort), effort) for effort in Effort
}


def _weights_of(kind: type[TurnWeights] | type[RecordWeights], **kept: float) -> dict[str, float]:
    """Every weight of the kind 0 but those given."""
    return {**dict.fromkeys(kind.__dataclass_fields__, 0.0), **kept}


def _fixed_window(base: Recipe) -> Recipe:
    window = replace(
        base.ingest,
        boundary_probability=2.0,  # no topic ever closes a segment
        target_tokens=WINDOW_TOKENS,
        cap_tokens=WINDOW_TOKENS,
        max_exchanges=WINDOW_EXCHANGES,
        idle_minutes=_NEVER_IDLE,
    )
    return replace(base, ingest=window)


def _record_vector_only(base: Recipe) -> Recipe:
    weights = RecordWeights(**_weights_of(RecordWeights, dense=1.0))
    recall = replace(base.recall, records=weights, are_turns_recalled=False, is_reranking=False)
    return replace(base, recall=recall)


def _no_selection(base: Recipe) -> Recipe:
    recall = replace(
        base.recall,
        is_reranking=False,
        mmr_lambda=1.0,
        spread_places=0,
        question_floor=_ANYTHING,
        nameless_floor=_ANYTHING,
        words_floor=_ANYTHING,
        item_floor=_ANYTHING,
    )
    return replace(base, recall=recall)


def _dense_only(base: Recipe) -> Recipe:
    recall = replace(
        base.recall,
        turns=TurnWeights(**_weights_of(TurnWeights, dense=1.0)),
        records=RecordWeights(**_weights_of(RecordWeights, dense=1.0)),
        is_reranking=False,
    )
    return replace(base, recall=recall)


def _with_channels(among_records: Mapping[str, float], second: Mapping[str, float]) -> Ablation:
    """The recipe with these channels of evidence nodes, which weigh nothing by default."""

    def change(base: Recipe) -> Recipe:
        records = replace(base.recall.records, **among_records)
        evidence = replace(base.recall.evidence, **second)
        return replace(base, recall=replace(base.recall, records=records, evidence=evidence))

    return change


ABLATIONS: Mapping[str, Ablation] = {
    "eager": lambda base: replace(base, ingest=replace(base.ingest, is_eager=True)),
    "per_exchange": lambda base: replace(base, ingest=replace(base.ingest, target_tokens=0)),
    "fixed_window": _fixed_window,
    "summary_records": lambda base: replace(base, ingest=replace(base.ingest, has_summaries=True)),
    "no_reference_context": lambda base: replace(base, ingest=replace(base.ingest, reference_tokens=0)),
    "record_vector_only": _record_vector_only,
    "no_planner": lambda base: replace(base, effort=Effort.FAST),  # whose plan is the question itself
    "no_selection": _no_selection,
    "no_late_interaction": lambda base: replace(base, recall=replace(base.recall, is_reranking=False)),
    "dense_only": _dense_only,
    "with_evidence_nodes": _with_channels({"node_name": 0.15}, {"node_name": 0.75, "node_vector": 0.25}),
    **{f"with_{name}": _with_channels({name: TRIED_AMONG_RECORDS}, {name: TRIED}) for name in CHANNELS},
}
