"""Constants of the models: the embedder in the house, and the patience with those outside."""

from dataclasses import dataclass


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
    embed_seconds: float = 15.0  # a person may wait for a question's few texts ...
    embed_text_seconds: float = 0.75  # ... and more for each text, up to 63 s for a batch
    rerank_seconds: float = 5.0  # a person waits; the order without it is there already
    left_out_seconds: float = 3_600.0  # that calls go without a parameter which the model refused
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
    answer_chars: int = 1_000_000  # where a stream is cut that minds no limit
    deep_seconds: float = 30.0  # for judging composites, adequacy, and a synthesis, each
    deep_output_tokens: int = 2_500
    title_seconds: float = 60.0
    title_output_tokens: int = 1_500  # a title takes some 20; the rest is for thinking aloud
    summarize_seconds: float = 60.0  # where a chat past its block line waits for it
    summarize_background_seconds: float = 240.0
    summarize_output_tokens: int = 6_000  # a summary takes at most 2,000; the rest is for thinking aloud
