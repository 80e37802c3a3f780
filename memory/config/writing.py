"""Constants of writing memory: where a segment ends, how it is encoded, what its records fuse to."""

from dataclasses import dataclass, field
from datetime import timedelta


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
    news: timedelta = timedelta(days=62)  # how soon a change is told to stand after all that was said before
    lease_seconds: int = 60  # renewed at every step; the longest takes about 5 s at 10,000 records
    query_batch: int = 256  # records searched at once: 10 MB of cosines at 10,000
    write_batch: int = 100  # composites written in one transaction
    row_batch: int = 500  # ids in one query
    searched: int = 100_000  # items a search returns: all of a space that is held in memory


@dataclass(frozen=True, slots=True)
class TitleConfig:
    """Titles of composites by the model, where it is to write them (docs/algorithms/fusion.md)."""

    chars: int = 80  # of a title; longer ones are cut
    batch: int = 8  # composites in one call; what failed once goes alone
    records: int = 12  # of a composite that are shown, the surest first
    record_chars: int = 240
    attempts: int = 3  # at one composite whose replies cannot be used; an outage takes none
    calls: int = 40  # of one run; the sweep goes on
    lease_seconds: int = 180  # longer than a call
    pause_seconds: int = 60  # after a failure; doubles with each attempt


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
