"""What the memory needs from the outside, as protocols.

Each adapter passes the contract suite of its port (tests/contracts). Vendors'
exceptions never cross a port: adapters raise memory.errors.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.domain.summaries import Summary, SummaryRequest
from memory.domain.types import (
    Adequacy,
    Encoding,
    Fragment,
    Hit,
    IndexItem,
    Judgement,
    Kind,
    Picture,
    Plan,
    Question,
    Reader,
    SegmentText,
    Synthesis,
    TimeRange,
    Turn,
    Usage,
)

Vectors = npt.NDArray[np.float32]
TokenVectors = npt.NDArray[np.int8]
Scores = npt.NDArray[np.float32]
OnUsage = Callable[[Usage], None]
# Told whose text (space, private to whom) was embedded for the indexes, and what it took.
UsageSink = Callable[[UUID, UUID | None, Sequence[Usage]], None]
# Told, in the transaction, of which turns of a space a person took something out of memory.
TurnsWithdrawn = Callable[[UUID, Sequence[UUID]], None]
# Told, in the transaction, of which turns of a space a memory was erased, and in what words it was told.
TurnsErased = Callable[[UUID, Sequence[UUID], Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Embedding:
    """One text's vectors: `vector` (d,) float32 of unit length, `tokens` (t, d) int8,
    unit vectors times 127, t <= 64. Both None for a text the model cannot read.
    """

    vector: Vectors | None
    tokens: TokenVectors | None = None


class Embedder(Protocol):
    """Text to vectors. Thread-safe; deterministic; keeps order; one result per text."""

    @property
    def name(self) -> str:
        """The model's name, stored beside every vector."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    @property
    def makes_tokens(self) -> bool:
        """Whether it gives token vectors when asked for them."""
        ...

    def embed(
        self, texts: Sequence[str], *, with_tokens: bool = False, on_usage: OnUsage | None = None
    ) -> list[Embedding]:
        """Embed in batches. Raises ProviderError; an empty sequence gives an empty list.

        `on_usage` is told what each call took, also before one that fails; a local model takes
        nothing and tells nothing.
        """
        ...


class Reranker(Protocol):
    """A question and texts to how well each answers it. Thread-safe; deterministic.

    A text's score does not depend on its place or neighbours. Scales differ: they only order.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def rerank(self, question: str, texts: Sequence[str], *, on_usage: OnUsage | None = None) -> Scores:
        """One finite score a text, in their order, larger is better: (n,) float32.

        Ends within the deadline of its config, then with the scores of the first texts that it
        came to read. Raises ProviderError where it read none; `on_usage` as for embedding.
        """
        ...


class TokenCounter(Protocol):
    """How long a text is for a model."""

    def count(self, text: str) -> int:
        """Tokens of the text; special-token markers count as text and never raise."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """What an answerer reads: the question, the window and the recalled hits.

    `withdrawn` are turns of the window that a person has taken out of memory since: they
    stay in the conversation that a model follows, and are nothing that rules may quote.
    `skills` are ways of doing that may be followed, each as the text to be shown, best first.
    `pictures` are the images that were recalled, best first.
    `beyond`: how many more there are of a list than its hits.
    `useful`: the numbers of the hits, from 1, that were judged to be of use; None: all of them.
    """

    question: Question
    hits: tuple[Hit, ...]
    context: str
    window: tuple[Turn, ...]  # oldest first, without the question
    withdrawn: frozenset[UUID] = frozenset()
    skills: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    useful: frozenset[int] | None = None
    beyond: int = 0

    @property
    def quotable(self) -> list[tuple[int, Hit]]:
        """The hits of use, each with the number that cites it."""
        numbered = enumerate(self.hits, start=1)
        return [(n, hit) for n, hit in numbered if self.useful is None or n in self.useful]


@runtime_checkable
class LiveAnswer(Iterator[str], Protocol):
    """An answer that is still being received: it may be left, and may end before its end."""

    is_cut: bool  # whether the model's output limit ended it

    def close(self) -> None:
        """Stop receiving; from any thread, at any time."""
        ...


class LanguageModel(Protocol):
    """The tasks a language model has here; the offline engine does them by rules.

    `on_usage` is told what each call took, also one that fails. It may be called in another
    thread, before the result is there, and should only collect.
    """

    @property
    def name(self) -> str:
        """For traces: the model's name, or `offline`."""
        ...

    def plan(self, question: Question, *, on_usage: OnUsage | None = None) -> Plan:
        """What the question needs. At most one call. Raises ProviderError."""
        ...

    def encode(self, segment: SegmentText, *, on_usage: OnUsage | None = None) -> Encoding:
        """The records of a segment. One call where nothing fails. Raises ProviderError."""
        ...

    def answer(self, request: AnswerRequest, *, on_usage: OnUsage | None = None) -> Iterator[str]:
        """The answer in pieces, in the language of the question; a LiveAnswer where a model
        sends it. Raises ProviderError.
        """
        ...

    def judge(
        self, question: str, composites: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Judgement:
        """Which composites help, and which of them are too abstract. One call. Raises ProviderError."""
        ...

    def check_adequacy(
        self, question: str, recalled: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Adequacy:
        """What is missing of an answer. One call. Raises ProviderError."""
        ...

    def synthesize(
        self, question: str, fragments: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Synthesis:
        """A score for each fragment, and the useful ones as one text. One call. Raises ProviderError."""
        ...

    def summarize(self, request: SummaryRequest, *, on_usage: OnUsage | None = None) -> Summary:
        """The turns, and the summary before them, as one summary in their language. At most its
        tokens; never empty where the turns tell something. One call. Raises ProviderError.
        """
        ...

    def title(self, groups: Sequence[Sequence[str]], *, on_usage: OnUsage | None = None) -> tuple[str, ...]:
        """A short title, on one line in their language, for each group of texts; "" for one that gets none.
        At most one call. Raises ProviderError.
        """
        ...


@dataclass(frozen=True, slots=True)
class VectorMatches:
    """Items with their cosines, columnar, in no particular order.

    `items`: (n,) int64, IndexedItem ids; `sessions`: (n,) int64, each the
    `session_code` of its session; `positions`: (n,) int32; `cosines`: (q, n) float32,
    one row a query.
    """

    items: npt.NDArray[np.int64]
    sessions: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int32]
    cosines: npt.NDArray[np.float32]


def session_code(session_id: UUID) -> int:
    """A session as one number: the 64 random bits of its UUID, signed. For grouping in
    NumPy; never for tenancy.
    """
    return int.from_bytes(session_id.bytes[8:], signed=True)


@dataclass(frozen=True, slots=True)
class VectorEntry:
    """One vector (d,) to store; `item` is the IndexedItem's id."""

    item: int
    private_to: UUID | None
    session_id: UUID
    position: int
    vector: Vectors


class VectorReader(Protocol):
    """A vector index opened for one reader and one kind."""

    def search(self, queries: Vectors, *, limit: int) -> VectorMatches:
        """All of the reader's items if they are at most `limit`, else the best `limit`
        by their best cosine over the queries (q, d). Raises IndexMismatch for vectors
        of another dimension.
        """
        ...


class VectorIndex(Protocol):
    """Vectors by space and kind. Upsert and delete are idempotent, and every process
    sees them once they have returned. All raise IndexMismatch while the space holds
    vectors of another embedder; `drop_space` ends that.
    """

    def open(self, reader: Reader, kind: Kind) -> VectorReader:
        """A handle that sees what the reader may see."""
        ...

    def upsert(self, space_id: UUID, kind: Kind, entries: Sequence[VectorEntry]) -> int:
        """Write or replace by `item`; returns the number of this write (its `seq`), which
        is larger than that of any write before.
        """
        ...

    def delete(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove; unknown ones are ignored."""
        ...

    def vectors(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> dict[int, Vectors]:
        """Stored vectors by item; missing ones are absent."""
        ...

    def seqs(self, space_id: UUID, kind: Kind) -> dict[int, int]:
        """Every stored item with its seq: for checks."""
        ...

    def drop_space(self, space_id: UUID) -> None:
        """Remove every vector of the space, whatever embedder made it."""
        ...

    def optimize(self) -> None:
        """Maintenance, if it is time: put small files together, forget old versions."""
        ...


class TokenStore(Protocol):
    """The token vectors of each item, for late interaction; derived and rebuildable."""

    def write(self, space_id: UUID, kind: Kind, tokens: Mapping[int, TokenVectors]) -> None:
        """Write or replace by item."""
        ...

    def delete(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> None:
        """Remove; unknown ones are ignored."""
        ...

    def read(self, space_id: UUID, kind: Kind, items: Sequence[int]) -> list[TokenVectors | None]:
        """(t, d) int8 for each item, read-only; None for what is missing or damaged."""
        ...

    def items(self, space_id: UUID, kind: Kind) -> set[int]:
        """What is stored: for checks."""
        ...

    def drop_space(self, space_id: UUID) -> None:
        """Remove every byte of the space."""
        ...


@dataclass(frozen=True, slots=True)
class TextMatches:
    """`items`: (n,) int64; `bm25`: (n,) float32 by the reader's own statistics;
    `matched_share`: (n,) float32, the share of the query's IDF that the item matches.
    """

    items: npt.NDArray[np.int64]
    bm25: npt.NDArray[np.float32]
    matched_share: npt.NDArray[np.float32]


class TextReader(Protocol):
    """A text index opened for one reader and one kind."""

    def search(self, terms: Sequence[str], *, limit: int) -> TextMatches:
        """Items that hold any of the terms; the best `limit` by BM25."""
        ...


class TextIndex(Protocol):
    """Words by space and kind, written in the caller's transaction; idempotent."""

    def open(self, reader: Reader, kind: Kind) -> TextReader:
        """A handle that sees, and counts, what the reader may see."""
        ...

    def upsert(self, items: Sequence[IndexItem]) -> dict[tuple[Kind, UUID], int]:
        """Write or replace the entries; of two with one id the last counts. Returns the
        IndexedItem id of each; an item keeps its id when it is replaced.
        """
        ...

    def delete(self, space_id: UUID, kind: Kind, ids: Sequence[UUID]) -> dict[UUID, int]:
        """Remove; unknown ones are ignored. Returns the IndexedItem ids that are gone."""
        ...

    def drop_space(self, space_id: UUID) -> None:
        """Remove every entry of the space."""
        ...


class IndexSource(Protocol):
    """Rows of an app above memory that the indexes hold: skills, images."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, str]:
        """What is embedded of those of the rows that are recalled."""
        ...

    def scan(self, space_id: UUID, *, batch: int) -> Iterator[list[IndexItem]]:
        """Every row of the space that is recalled, in batches: for rebuilding."""
        ...


class TurnSource(Protocol):
    """Turns, wherever they are kept (implemented in sessions_app)."""

    def current(self, space_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Turn]:
        """Those of the turns that exist and are complete."""
        ...

    def neighbours(self, space_id: UUID, ids: Sequence[UUID], *, reach: int) -> dict[UUID, tuple[Turn, ...]]:
        """For each turn the turns at most `reach` away in its session, in order, without it."""
        ...

    def newest_within(self, reader: Reader, span: TimeRange, *, most: int) -> list[Turn]:
        """The last complete turns said in the span that the reader may see, newest first."""
        ...

    def answers_after(self, space_id: UUID, log_ids: Sequence[UUID]) -> list[UUID]:
        """The turns that were written from what these recalls brought."""
        ...

    def scan(self, space_id: UUID) -> Iterator[list[Turn]]:
        """Every complete turn of the space in batches: for rebuilding."""
        ...
