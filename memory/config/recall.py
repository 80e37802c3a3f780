"""Constants of reading memory: weights, floors and budgets of one recall, and of what is made of it."""

from dataclasses import dataclass, field
from math import inf
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class TurnWeights:
    """Weights of the raw-turn ranking; docs/algorithms/recall.md defines each channel.

    Fitted on three of LoCoMo's five development conversations, rounded, and checked on the
    other two. `assistant` is not fitted: what an assistant said is weak evidence about a
    person, unless the question asks what it said.
    """

    dense: float = 1.0
    bm25: float = 0.15
    matched_share: float = 0.15
    previous_bm25: float = 0.2
    window_bm25: float = 0.3
    neighbour_dense: float = 0.35
    session_bm25: float = 0.65
    session_dense: float = 0.2
    speaker: float = 0.6
    length: float = 0.5
    question: float = -0.2
    assistant: float = -0.4
    in_time: float = 0.3


@dataclass(frozen=True, slots=True)
class RecordWeights:
    """Weights of the ranking of records; picked by comparing scores over all five conversations."""

    dense: float = 1.0
    bm25: float = 0.3
    matched_share: float = 0.15
    session_bm25: float = 0.5
    subject: float = 0.6
    length: float = 0.2
    in_time: float = 0.3
    node_name: float = 0.0
    node_vector: float = 0.0
    node_time: float = 0.0
    community: float = 0.0
    entity_graph: float = 0.0


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """Weights of the second look at the best turns and records, where texts can be compared
    word by word; docs/algorithms/recall.md defines each channel.

    Fitted on three of LoCoMo's five development conversations, rounded, and checked on the
    other two. `assistant` is not fitted.
    """

    turn: float = 1.0  # of the turn's rank score
    speaker: float = 1.5
    in_time: float = 3.5
    question: float = -0.65
    assistant: float = -1.3
    late_interaction: float = 3.5  # of the best record that rests on the turn
    window_interaction: float = 3.5
    session_interaction: float = 1.75
    # Of a record itself, beside what its turns have.
    node_name: float = 0.0
    node_vector: float = 0.0
    node_time: float = 0.0
    community: float = 0.0
    entity_graph: float = 0.0

    def record_marks(self) -> tuple[tuple[str, float], ...]:
        """The channels of a record that are weighed by name, as far as they weigh anything."""
        names = ("node_name", "node_vector", "node_time", "community", "entity_graph")
        return tuple((name, weight) for name in names if (weight := getattr(self, name)))

    def marks(self) -> tuple[tuple[str, float], ...]:
        """The channels of a turn that are weighed by name."""
        names = ("speaker", "in_time", "question", "assistant", "window_interaction", "session_interaction")
        return tuple((name, getattr(self, name)) for name in names)


@dataclass(frozen=True, slots=True)
class Floor:
    """Absolute evidence: an item has it at this cosine, at this matched share, or at this sum of both."""

    cosine: float
    matched_share: float
    together: float = inf

    def passes(self, cosine: float, matched_share: float) -> bool:
        """Whether one measure reaches the floor, or both do together."""
        return (
            cosine >= self.cosine
            or matched_share >= self.matched_share
            or cosine + matched_share >= self.together
        )


@dataclass(frozen=True, slots=True)
class RecallConfig:
    """Candidates, fusion, selection and budget of one recall (section 4 of the paper).

    The floors are calibrated for the local embedder: see docs/algorithms/recall.md.
    """

    turns: TurnWeights = field(default_factory=TurnWeights)
    records: RecordWeights = field(default_factory=RecordWeights)
    evidence: EvidenceWeights = field(default_factory=EvidenceWeights)
    are_records_recalled: bool = True
    are_turns_recalled: bool = True
    candidates: int = 2_000  # most items per channel that reach the ranking
    shortlist: int = 200  # of them, per kind, whose rows are looked up; at least 3 * top_k
    hydrated: int = 100  # of those, per kind, that are read in full; at least 2 * top_k
    text_only: int = 20  # items per kind that only their words brought; at least 2 * top_k
    length_terms: int = 20  # search terms from which a turn counts as long
    rrf_k: int = 60
    route_quota: int = 2  # items of each route that stand before what only several routes agree on
    route_depth: int = 20  # best items of a route that count as found by it
    # Several routes share `shortlist` and `hydrated`, but each has at least so many.
    route_shortlist: int = 60
    route_hydrated: int = 25
    rerank_weight: float = 0.5  # of late interaction, where only records or only turns are found
    reranker_weight: float = 1.0  # of a configured reranker, beside the order without it
    reranked: int = 100  # best items that a reranker reads
    window_reach: int = 2  # turns before and after that are read with a turn
    is_reranking: bool = True
    # Nearest nodes of the tree that bring their records into the running, unless the plan says how many.
    led_composites: int = 5
    led_records: int = 4  # that each of them brings to a route, on average at most
    mmr_lambda: float = 0.75
    spread_places: int = 1  # by which an item stands further back where its session has a better one
    # What the best item must reach when the question names somebody this memory knows, when
    # it names nobody, and when it names nobody and no vector can be compared.
    question_floor: Floor = Floor(cosine=0.34, matched_share=0.35)
    nameless_floor: Floor = Floor(cosine=0.58, matched_share=0.75, together=0.94)
    words_floor: Floor = Floor(cosine=1.0, matched_share=0.45)
    item_floor: Floor = Floor(cosine=0.15, matched_share=0.15)  # what each item must reach
    neighbour_reach: int = 1  # turns shown around a source turn
    context_tokens: int = 2_000
    item_chars: int = 1_500  # of one quoted text in the context
    brief_chars: int = 240  # of one where not all would fit
    foremost_items: int = 3  # that are not cut to it while there is room for them at all
    top_k: int = 14  # of a chat: what fills its context
    excerpt_chars: int = 1_000
    dropped_kept: int = 20  # left-out items that a recall reports
    log_retention_days: int = 90
    is_deep: bool = False
    judged_composites: int = 20  # nearest ones that `deep` has judged
    deep_share: float = 0.4  # of top_k, so many composites, or what they are expanded to, are added
    deep_rounds: int = 2  # of supplementary recall
    supplements: int = 3  # items that a round may add
    # How items fared before (docs/algorithms/feedback.md): the most it moves a score, 0 for not at all.
    usage_weight: float = 0.05

    FAST: ClassVar["RecallConfig"]
    STANDARD: ClassVar["RecallConfig"]
    DEEP: ClassVar["RecallConfig"]

    @classmethod
    def for_effort(cls, effort: str) -> "RecallConfig":
        """The recipe of an effort: `fast` reorders nothing, `deep` has more judged."""
        return {"fast": cls.FAST, "deep": cls.DEEP}.get(effort, cls.STANDARD)


RecallConfig.FAST = RecallConfig(
    records=RecordWeights(node_name=0.0),  # whose three queries are more than it may cost
    is_reranking=False,
    shortlist=100,
    hydrated=24,
    led_records=0,
)
RecallConfig.STANDARD = RecallConfig()
RecallConfig.DEEP = RecallConfig(is_deep=True)


@dataclass(frozen=True, slots=True)
class ActionConfig:
    """How much of the talk tells what is being done (arXiv 2608.12990, section 4.1)."""

    recent_turns: int = 6
    recent_tokens: int = 600
    result_chars: int = 300  # of what a tool gave
    phrase_chars: int = 200
    most: int = 10  # constraints, slots and tools, each


@dataclass(frozen=True, slots=True)
class SynthesisConfig:
    """When a recalled fragment is of use.

    The matches are late interaction of question and text with the local embedder. Measured on
    LoCoMo's conversation 26: of answers 0.57 in the median and 0.29 at the 5th percentile, of other
    hits 0.41 in the median.
    """

    useful: float = 0.6  # score from which a fragment is kept
    whole_match: float = 0.57  # mean cosine that scores 1
    least_match: float = 0.29  # of the best fragment, from which it is the measure of the others
    most_fragments: int = 100
    fragment_chars: int = 1_500
