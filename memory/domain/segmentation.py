"""Exchanges in, borders between segments out (arXiv 2608.12990, section 3.1).

An exchange arrives at the open segment and a law over surprise, cohesion, length and
turns says whether the segment closes before it. Pure: vectors, words and instants come
in as arguments; docs/algorithms/segmentation.md tells the law in prose.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from memory.config import IngestConfig
from memory.domain.sentences import split_sentences
from memory.domain.text import search_terms
from memory.domain.types import Role, Turn

Vector = npt.NDArray[np.float32]
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user turn and what follows until the next: `vector` is the unit mean of its
    turns' vectors, None when no turn has one; `terms` are its search terms.
    """

    tokens: int
    started_at: datetime
    ended_at: datetime
    vector: Vector | None = None
    terms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SegmentState:
    """The open segment so far. `surprises` are the session's last ones, oldest first,
    and outlive the segment; the rest starts anew with each segment.
    """

    tokens: int = 0
    exchanges: int = 0
    vectors: tuple[Vector, ...] = ()
    terms: frozenset[str] = frozenset()
    last_at: datetime | None = None
    surprises: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the open segment closes before the exchange, why, and how sure.

    `reason`: topic | target | cap | idle, empty when it stays open. `surprise` is None
    without vectors. `parts` are the score's terms, for people who ask why.
    """

    is_boundary: bool
    reason: str = ""
    probability: float = 0.0
    surprise: float | None = None
    parts: dict[str, float] = field(default_factory=dict)


def group_exchanges(turns: Sequence[Turn]) -> list[tuple[Turn, ...]]:
    """Cut turns, in order, into exchanges.

    A user turn opens one, except a second speaker's reply in a conversation without
    an assistant: there two turns make an exchange.
    """
    has_assistant = any(turn.role is Role.ASSISTANT for turn in turns)
    exchanges: list[list[Turn]] = []
    for turn in turns:
        if not exchanges or (turn.role is Role.USER and not _is_reply(exchanges[-1], turn, has_assistant)):
            exchanges.append([turn])
        else:
            exchanges[-1].append(turn)
    return [tuple(exchange) for exchange in exchanges]


def _is_reply(exchange: list[Turn], turn: Turn, has_assistant: bool) -> bool:  # noqa: FBT001
    spoken = [t for t in exchange if t.role is Role.USER]
    if not spoken:  # tool or system turns alone wait for the person they belong to
        return True
    return not has_assistant and len(spoken) == 1 and spoken[0].speaker != turn.speaker


def make_exchange(turns: Sequence[Turn], vectors: Sequence[Vector | None]) -> Exchange:
    """The exchange of these turns; `vectors` beside them, None where a turn has none."""
    known = [vector for vector in vectors if vector is not None]
    return Exchange(
        tokens=sum(turn.tokens for turn in turns),
        started_at=turns[0].said_at,
        ended_at=turns[-1].said_at,
        vector=_unit(np.mean(known, axis=0)) if known else None,
        terms=frozenset(term for turn in turns for term in search_terms(turn.text)),
    )


def decide(state: SegmentState, exchange: Exchange, config: IngestConfig) -> Decision:
    """Whether the segment closes before this exchange.

    The limits come first (target, cap, idle), then the law. An empty segment never closes.
    """
    if not state.exchanges:
        return Decision(is_boundary=False)
    surprise = measure_surprise(state, exchange)
    reason = _limit(state, exchange, config)
    if reason:
        return Decision(is_boundary=True, reason=reason, probability=1.0, surprise=surprise)
    parts = _score_parts(state, exchange, surprise, config)
    probability = 1 / (1 + math.exp(config.boundary.bias - sum(parts.values())))
    is_topic = probability >= config.boundary_probability
    return Decision(
        is_boundary=is_topic,
        reason="topic" if is_topic else "",
        probability=probability,
        surprise=surprise,
        parts=parts,
    )


def extend(state: SegmentState, exchange: Exchange, decision: Decision, config: IngestConfig) -> SegmentState:
    """The open segment after the exchange: a new one if the decision closed the old."""
    surprises = state.surprises
    if decision.surprise is not None:
        surprises = (*surprises, decision.surprise)[-config.surprise_history :]
    base = SegmentState() if decision.is_boundary else state
    vectors = base.vectors if exchange.vector is None else (*base.vectors, exchange.vector)
    return replace(
        base,
        tokens=base.tokens + exchange.tokens,
        exchanges=base.exchanges + 1,
        vectors=vectors,
        terms=base.terms | exchange.terms,
        last_at=exchange.ended_at,
        surprises=surprises,
    )


def is_full(state: SegmentState, config: IngestConfig) -> bool:
    """Whether the segment has reached its target and closes without waiting for more."""
    if config.is_eager or state.tokens >= config.target_tokens:
        return True
    return config.max_exchanges is not None and state.exchanges >= config.max_exchanges


def is_idle(state: SegmentState, now: datetime, config: IngestConfig) -> bool:
    """Whether nothing has been said for the idle time. `now`: aware UTC."""
    return state.last_at is not None and now - state.last_at >= timedelta(minutes=config.idle_minutes)


def measure_surprise(state: SegmentState, exchange: Exchange) -> float | None:
    """max(0, 1 - the larger cosine to the segment's centroid and to its last two); None
    without vectors.
    """
    if exchange.vector is None or not state.vectors:
        return None
    to_centroid = float(exchange.vector @ _unit(np.mean(state.vectors, axis=0)))
    to_tail = float(exchange.vector @ _unit(np.mean(state.vectors[-2:], axis=0)))
    return max(0.0, 1.0 - max(to_centroid, to_tail))


def robust_z(value: float, history: Sequence[float], config: IngestConfig) -> float:
    """How far the value lies from the history's median in robust deviations, clamped;
    0 while the history is short.
    """
    law = config.boundary
    recent = history[-config.surprise_history :]
    if len(recent) < law.robust_minimum:
        return 0.0
    median = statistics.median(recent)
    mad = statistics.median(abs(past - median) for past in recent)
    # 1.4826 makes the MAD of a normal distribution its standard deviation.
    return _clamp((value - median) / (1.4826 * max(mad, law.mad_floor)), *law.robust_range)


def length_pressure(tokens: int, config: IngestConfig) -> float:
    """How much a segment of so many tokens wants to close; piecewise linear."""
    knots = config.boundary.length_knots
    at = max(i for i, knot in enumerate(knots) if tokens >= knot[0])
    start, low, high = knots[at]
    if at + 1 == len(knots):
        return low
    return low + (high - low) * (tokens - start) / (knots[at + 1][0] - start)


def turn_pressure(exchanges: int, config: IngestConfig) -> float:
    """How much a segment of so many exchanges (at least one) wants to close."""
    law = config.boundary
    if exchanges <= len(law.turn_steps):
        return law.turn_steps[max(exchanges, 1) - 1]
    grown = law.turn_base + law.turn_slope * (exchanges - len(law.turn_steps) - 1)
    return min(law.turn_ceiling, grown)


def split_text(text: str, count: Count, *, limit_tokens: int) -> list[str]:
    """Cut a text at sentence borders into pieces of at most `limit_tokens`.

    A sentence that is longer itself is cut at words, a word that is longer at letters.
    Pieces keep every character but the space at a cut.
    """
    if count(text) <= limit_tokens:
        return [text]
    pieces: list[str] = []
    current = ""
    for sentence in split_sentences(text):
        joined = f"{current} {sentence}" if current else sentence
        if count(joined) <= limit_tokens:
            current = joined
            continue
        if current:
            pieces.append(current)
        *full, current = _halve(sentence, count, limit_tokens)
        pieces.extend(full)
    return [*pieces, current] if current else pieces


def split_turns(turns: Sequence[Turn], count: Count, *, limit_tokens: int) -> list[tuple[Turn, ...]]:
    """Cut turns into runs of at most `limit_tokens`; the pieces of an oversized turn
    keep its index and id.
    """
    runs: list[list[Turn]] = [[]]
    used = 0
    for turn in turns:
        for piece in _pieces(turn, count, limit_tokens):
            if runs[-1] and used + piece.tokens > limit_tokens:
                runs.append([])
                used = 0
            runs[-1].append(piece)
            used += piece.tokens
    return [tuple(run) for run in runs if run]


def _pieces(turn: Turn, count: Count, limit_tokens: int) -> list[Turn]:
    if turn.tokens <= limit_tokens:
        return [turn]
    texts = split_text(turn.text, count, limit_tokens=limit_tokens)
    return [replace(turn, text=text, tokens=min(count(text), limit_tokens)) for text in texts]


def _halve(text: str, count: Count, limit_tokens: int) -> list[str]:
    """Cut at the space nearest to the middle until every piece fits."""
    if len(text) < 2 or count(text) <= limit_tokens:
        return [text]
    middle = len(text) // 2
    before, after = text.rfind(" ", 1, middle), text.find(" ", middle, len(text) - 1)
    spaces = [at for at in (before, after) if at > 0]
    cut = min(spaces, key=lambda at: abs(at - middle)) if spaces else middle
    left, right = text[:cut].strip(), text[cut:].strip()
    return [*_halve(left, count, limit_tokens), *_halve(right, count, limit_tokens)]


def _limit(state: SegmentState, exchange: Exchange, config: IngestConfig) -> str:
    if is_full(state, config):
        return "target"
    if state.tokens + exchange.tokens > config.cap_tokens:
        return "cap"
    return "idle" if is_idle(state, exchange.started_at, config) else ""


def _score_parts(
    state: SegmentState, exchange: Exchange, surprise: float | None, config: IngestConfig
) -> dict[str, float]:
    law = config.boundary
    if surprise is None:
        topic, cohesion = _lexical_surprise(state, exchange, config), 0.0
    else:
        absolute = _clamp(
            (surprise - config.surprise.offset) / config.surprise.width,
            *law.absolute_range,
        )
        topic = max(absolute, law.robust_share * robust_z(surprise, state.surprises, config))
        cohesion = min(law.cohesion_ceiling, _cohesion_drop(state, exchange) / law.cohesion_width)
    return {
        "surprise": law.surprise_weight * topic,
        "cohesion": law.cohesion_weight * cohesion,
        "length": law.length_weight * length_pressure(state.tokens, config),
        "turns": law.turn_weight * turn_pressure(state.exchanges, config),
    }


def _lexical_surprise(state: SegmentState, exchange: Exchange, config: IngestConfig) -> float:
    """From 1 (no word in common) to -1 (as many as one topic shares)."""
    if not exchange.terms or not state.terms:
        return 0.0
    shared = len(exchange.terms & state.terms) / len(exchange.terms)
    return 1.0 - 2.0 * min(1.0, shared / config.boundary.lexical_overlap)


def _cohesion_drop(state: SegmentState, exchange: Exchange) -> float:
    """By how much the mean cosine to the centroid falls when the exchange joins."""
    if exchange.vector is None or not state.vectors:
        return 0.0
    return max(0.0, _mean_cosine(state.vectors) - _mean_cosine((*state.vectors, exchange.vector)))


def _mean_cosine(vectors: Sequence[Vector]) -> float:
    stacked = np.stack(vectors)
    return float(np.mean(stacked @ _unit(stacked.mean(axis=0))))


def _unit(vector: Vector) -> Vector:
    norm = float(np.linalg.norm(vector))
    return (vector / norm if norm else vector).astype(np.float32)


def _clamp(value: float, low: float, high: float) -> float:
    return max(low, min(high, value))
