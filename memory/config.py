"""Every constant of writing and reading memory, with unit and origin.

`spec` below means docs/algorithms; defaults for the surprise constants and
cosine thresholds are those of the embedder named beside them.
"""

from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

REEMBED = "reembed"  # the job kind


@dataclass(frozen=True, slots=True)
class SurpriseScale:
    """What a surprise means for one embedder: absolute = (s - offset) / width."""

    offset: float = 0.20
    width: float = 0.14


@dataclass(frozen=True, slots=True)
class BoundaryLaw:
    """What makes a topic's border likely; docs/algorithms/segmentation.md explains each.

    Pressures are knots: (from, value there, value just before the next knot).
    """

    surprise_weight: float = 0.65
    robust_share: float = 0.45
    cohesion_weight: float = 0.45
    length_weight: float = 0.90
    turn_weight: float = 0.30
    bias: float = 1.10
    absolute_range: tuple[float, float] = (-1.0, 2.5)
    robust_range: tuple[float, float] = (-2.0, 4.0)
    robust_minimum: int = 5  # surprises before the robust z-score counts
    mad_floor: float = 0.01  # cosine; keeps a run of equal surprises from exploding the score
    cohesion_width: float = 0.06  # cosine
    cohesion_ceiling: float = 2.5
    length_knots: tuple[tuple[int, float, float], ...] = (
        (0, -1.30, -1.30),
        (700, -0.80, 0.0),
        (1_000, 0.45, 1.90),
        (1_500, 1.90, 2.80),
        (2_000, 3.0, 3.0),
    )  # tokens
    turn_steps: tuple[float, ...] = (-0.85, -0.15, 0.15)  # for 1, 2, 3 exchanges
    turn_base: float = 0.30  # at 4 exchanges
    turn_slope: float = 0.15
    turn_ceiling: float = 1.0
    lexical_overlap: float = 0.30  # share of an exchange's words that says "same topic" without vectors


@dataclass(frozen=True, slots=True)
class IngestConfig:
    """Segmentation, novelty and encoding (arXiv 2608.12990, section 3)."""

    surprise: SurpriseScale = field(default_factory=SurpriseScale)
    boundary: BoundaryLaw = field(default_factory=BoundaryLaw)
    boundary_probability: float = 0.50  # delta; stable from 0.30 to 0.70 in the paper
    target_tokens: int = 1_500
    cap_tokens: int = 2_000
    idle_minutes: int = 10
    surprise_history: int = 64  # surprises kept for the robust z-score
    novelty_overlap: float = 0.9  # share of a turn's words found in recalled text
    reference_tokens: int = 600
    max_attempts: int = 3
    # Other ways of construction, to compare with (docs/evaluation.md).
    is_eager: bool = False  # each turn is a segment
    max_exchanges: int | None = None  # at which a segment closes, whatever it speaks of
    has_summaries: bool = False  # one record a segment: all its statements together


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
    led_composites: int = 5  # nearest nodes of the tree that bring their records into the running
    led_records: int = 20  # that they bring at most, to each route
    mmr_lambda: float = 0.75
    # What the best item must reach when the question names somebody this memory knows, when
    # it names nobody, and when it names nobody and no vector can be compared.
    question_floor: Floor = Floor(cosine=0.34, matched_share=0.35)
    nameless_floor: Floor = Floor(cosine=0.58, matched_share=0.75, together=0.90)
    words_floor: Floor = Floor(cosine=1.0, matched_share=0.45)
    item_floor: Floor = Floor(cosine=0.15, matched_share=0.15)  # what each item must reach
    neighbour_reach: int = 1  # turns shown around a source turn
    context_tokens: int = 2_000
    item_chars: int = 1_500  # of one quoted text in the context
    top_k: int = 10
    excerpt_chars: int = 1_000
    dropped_kept: int = 20  # left-out items that a recall reports
    log_retention_days: int = 90
    is_deep: bool = False
    judged_composites: int = 20  # nearest ones that `deep` has judged
    deep_share: float = 0.4  # of top_k, for composites and what they are expanded to
    deep_rounds: int = 2  # of supplementary recall
    supplements: int = 3  # items that a round may add, in the place of the last ones
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


@dataclass(frozen=True, slots=True)
class FusionConfig:
    """When records are one, and which stand together (docs/algorithms/fusion.md).

    The cosines are those of the local embedder; they only propose, words and slots decide.
    """

    duplicate_cosine: float = 0.85
    duplicate_candidates: int = 50  # nearest records that one is compared with
    text_candidates: int = 20  # the same by words, for a text without a vector
    edge_cosine: float = 0.75
    nearest: int = 15  # edges that a record proposes
    largest: int = 24  # members of a composite
    coherence: float = 0.70  # mean cosine of members to their centroid
    same_composite: float = 0.7  # Jaccard overlap from which a composite is the one there was
    rounds: int = 4  # levels of the tree
    listed: int = 32  # entities or topics that a composite bears
    # Attributes that, unlike others, have several values at a time.
    plural_slots: tuple[str, ...] = ("dog_name", "cat_name", "puppy_name", "kitten_name", "pet_name")
    lease_seconds: int = 60  # renewed at every step; the longest takes about 5 s at 10,000 records
    query_batch: int = 256  # records searched at once: 10 MB of cosines at 10,000
    write_batch: int = 100  # composites written in one transaction
    row_batch: int = 500  # ids in one query
    searched: int = 100_000  # items a search returns: all of a space that is held in memory


@dataclass(frozen=True, slots=True)
class EvidenceConfig:
    """Evidence nodes, entities and communities (docs/algorithms/evidence.md)."""

    hub_degree: int = 64  # records of a node from which it says nothing any more
    frame_turns: int = 4  # turns of a session that one event frame spans
    most_entities: int = 12  # of a record that become nodes
    most_topics: int = 12
    most_pairs: int = 12  # of entity and topic
    name_chars: int = 160
    name_words: int = 4  # longest name looked for in a question
    batch: int = 256  # records refreshed at once
    community_every: int = 50  # ingests of a space
    community_smallest: int = 3  # entities
    # What a recall follows of them; each bounds a query.
    most_phrases: int = 400  # runs of a question's words that are looked up as names
    most_named: int = 64  # entities of a question, or of one hop
    most_topics_asked: int = 40
    most_links: int = 1_000
    most_found: int = 500  # records of a channel
    looked_at: int = 100  # best records whose nodes are compared
    nodes_followed: int = 20
    community_looked_at: int = 20
    communities_followed: int = 3
    latest_records: int = 20  # of the session, from which the entity graph is walked
    hops: int = 2


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """An embedding model as the stores know it: what they write beside every vector."""

    name: str
    dimension: int


LOCAL_EMBEDDER = EmbedderSpec(name="all-MiniLM-L6-v2-int8", dimension=384)


@dataclass(frozen=True, slots=True)
class LocalEmbedderConfig:
    """Limits of the ONNX MiniLM; figures of docs/algorithms/indexes.md."""

    max_tokens: int = 256  # what the model was trained to read
    token_vectors: int = 64  # kept a text for late interaction
    batch: int = 32  # 212 MB resident; a batch of 256 takes 680 MB
    batch_tokens: int = 2_048  # of a batch, padded: three threads on long texts take 1.0 GB, 2.9 without
    max_padding: float = 1.6  # a batch's size, padded to its longest text, over its texts' tokens
    max_threads: int = 4
    max_unknown_share: float = 0.10  # of a text's tokens
    min_latin_share: float = 0.50  # of a text's letters


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Patience and bounds of calls to a model (docs/algorithms/models.md).

    A deadline bounds a whole call: permits, attempts and back-off together.
    """

    connect_seconds: float = 5.0
    first_byte_seconds: float = 60.0  # a local model reads a long prompt before it says a word
    gap_seconds: float = 30.0  # between two pieces of a stream
    plan_seconds: float = 20.0  # deadlines by purpose
    encode_seconds: float = 180.0
    answer_seconds: float = 300.0
    embed_seconds: float = 60.0
    rerank_seconds: float = 5.0  # a person waits; the order without it is there already
    attempts: int = 4
    least_attempt_seconds: float = 0.2  # an attempt that would have less is not begun
    backoff_seconds: float = 0.5  # full jitter: uniform in [0, backoff * 2^(attempt - 1)]
    backoff_ceiling_seconds: float = 20.0
    breaker_failures: int = 3  # calls in a row, each with its attempts, before the model rests
    breaker_rest_seconds: float = 15.0  # until one call, with one attempt, may find out
    breaker_rest_ceiling_seconds: float = 300.0  # of what a provider's Retry-After may ask for
    permits: int = 8  # calls under way to one base URL
    background_permits: int = 4  # of them, for encoding, so that chat keeps flowing
    plan_output_tokens: int = 2_000  # about 300 are used; the rest is for models that think aloud
    encode_output_tokens: int = 6_000
    encode_calls: int = 8  # a segment, its halves and their repairs together
    embed_batch: int = 64
    embed_max_tokens: int = 8_000  # longer texts are embedded by their beginning
    rerank_batch: int = 16  # pairs that a local model reads at once, between looks at the clock
    rerank_max_tokens: int = 512  # of a pair; what most cross-encoders were trained to read
    plan_recent_tokens: int = 600
    plan_question_chars: int = 2_000
    answer_output_tokens: int = 2_000
    deep_seconds: float = 30.0  # for judging composites, adequacy, and a synthesis, each
    deep_output_tokens: int = 2_500


@dataclass(frozen=True, slots=True)
class IndexConfig:
    """How rows become indexes (docs/algorithms/indexes.md)."""

    bm25_k1: float = 1.2
    bm25_b: float = 0.75
    eager_items: int = 20_000  # in a larger space a search asks first which lists are long
    eager_postings: int = 30_000  # entries read there before the remaining lists are left
    drain_batch: int = 32
    lease_seconds: int = 30  # a batch of 32 takes 0.2 s, the model's first load 3 s
    rebuild_batch: int = 256
    requeue_batch: int = 2_000  # items queued in one transaction, so that others may write between
    hot_space_items: int = 100_000  # larger spaces are searched by the vector store itself
    hot_cache_bytes: int = 512 * 1024 * 1024
    compact_dead_share: float = 0.5  # of a token file, before it is rewritten
    version_retention_minutes: int = 10  # longer than the longest request
    optimize_commits: int = 64  # commits of a vector table between two optimisations
