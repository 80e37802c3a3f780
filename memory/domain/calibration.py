"""Labelled examples and their vectors to what cosines mean for the embedder that made them.

Surprise is set so that an exchange that goes on counts 0 and one that turns to another topic
counts the most there is; each threshold so that the share of pairs below it is the same
whatever the embedder. docs/algorithms/calibration.md tells why.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from memory.config import BoundaryLaw, SurpriseScale
from memory.domain.cosines import Calibration, CalibrationConfig
from memory.domain.segmentation import Exchange, SegmentState, Vector, measure_surprise

Floats = npt.NDArray[np.float32]
Vectors = Mapping[str, Vector]  # of texts that the embedder can read
Said = tuple[str, ...]  # the turns of one exchange
Topic = tuple[Said, ...]
PairKind = Literal["statements", "questions"]

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class BadExamples(ValueError):
    """The examples cannot be read, or are too few; says where and why."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement, the same in other words, another about its subject, and its question."""

    statement: str
    reworded: str
    related: str
    question: str


@dataclass(frozen=True, slots=True)
class Examples:
    """What an embedder is measured on. `dialogues`: each topic after topic."""

    facts: tuple[Fact, ...]
    dialogues: tuple[tuple[Topic, ...], ...]

    def texts(self) -> list[str]:
        """Every text to embed, each once."""
        facts = (text for fact in self.facts for text in _texts_of(fact))
        turns = (
            text for topics in self.dialogues for topic in topics for exchange in topic for text in exchange
        )
        return list(dict.fromkeys([*facts, *turns]))


@dataclass(frozen=True, slots=True)
class Measured:
    """Surprises of exchanges that go on and that turn to another topic; cosines of pairs of
    statements (the same, about one subject, of two) and of questions with their and with
    another's answer. Each (n,) float32.
    """

    continuing: Floats
    changing: Floats
    same: Floats
    related: Floats
    other: Floats
    answered: Floats
    unanswered: Floats

    def pairs(self, kind: PairKind) -> tuple[Floats, ...]:
        """The groups of which each weighs the same."""
        if kind == "questions":
            return (self.answered, self.unanswered)
        return (self.same, self.related, self.other)


@dataclass(frozen=True, slots=True)
class Threshold:
    """A field of Calibration, the pairs it parts, and of CalibrationConfig the share below it."""

    field: str
    kind: PairKind
    share: str


THRESHOLDS = (
    Threshold("duplicate_cosine", "statements", "duplicate_below"),
    Threshold("edge_cosine", "statements", "edge_below"),
    Threshold("coherence", "statements", "coherence_below"),
    Threshold("question_cosine", "questions", "question_below"),
    Threshold("nameless_cosine", "questions", "nameless_below"),
    Threshold("item_cosine", "questions", "item_below"),
)


def read_examples(lines: Iterable[str]) -> Examples:
    """JSON Lines, each a `fact` or a `dialogue` by its `kind`. Raises BadExamples."""
    facts: list[Fact] = []
    dialogues: list[tuple[Topic, ...]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            if told["kind"] == "fact":
                facts.append(Fact(*(_text(told[name]) for name in Fact.__slots__)))
            elif told["kind"] == "dialogue":
                dialogues.append(_topics(told["topics"]))
            else:
                raise ValueError("it is neither a fact nor a dialogue")
        except (ValueError, KeyError, TypeError) as error:
            raise BadExamples(f"Line {number} cannot be read: {error}.") from error
    return Examples(tuple(facts), tuple(dialogues))


def measure_examples(examples: Examples, vectors: Vectors, config: CalibrationConfig) -> Measured:
    """The surprises and cosines of the examples; those with a text that has no vector are left out.

    Raises BadExamples where fewer than `config.fewest` of a kind are left.
    """
    known = [fact for fact in examples.facts if all(text in vectors for text in _texts_of(fact))]
    continuing, changing = _surprises(examples, vectors)
    counts = {"facts": len(known), "exchanges that go on": len(continuing), "changes of topic": len(changing)}
    for name, count in counts.items():
        if count < config.fewest:
            raise BadExamples(f"The embedder can read {count} {name} of the set; {config.fewest} are needed.")
    statement, reworded, related, question = (
        np.stack([vectors[getattr(fact, name)] for fact in known]) for name in Fact.__slots__
    )
    apart = ~np.eye(len(known), dtype=bool)
    return Measured(
        continuing=continuing,
        changing=changing,
        same=_beside(statement, reworded),
        related=_beside(statement, related),
        other=(statement @ statement.T)[np.triu(apart)],
        answered=_beside(question, statement),
        unanswered=(question @ statement.T)[apart],
    )


def fit_calibration(
    measured: Measured, config: CalibrationConfig, law: BoundaryLaw | None = None
) -> Calibration:
    """The numbers of this embedder, rounded to 0.01.

    The median exchange that goes on counts 0; the median change of topic counts what the law
    clamps to. A width is at least 0.01.
    """
    ceiling = (law or BoundaryLaw()).absolute_range[1]
    offset = float(np.median(measured.continuing))
    width = (float(np.median(measured.changing)) - offset) / ceiling
    found = {
        each.field: _value_at(getattr(config, each.share), measured.pairs(each.kind)) for each in THRESHOLDS
    }
    together = _value_at(config.together_below, measured.pairs("questions"))
    return Calibration(
        surprise=SurpriseScale(round(offset, 2), max(0.01, round(width, 2))),
        nameless_together=round(together + config.together_share, 2),
        **{name: round(value, 2) for name, value in found.items()},
    )


def share_below(value: float, groups: Sequence[Floats]) -> float:
    """The share of the pairs below the value, each group weighing the same; linear in between."""
    values, shares = _cumulated(groups)
    return float(np.interp(value, values, shares))


def _value_at(share: float, groups: Sequence[Floats]) -> float:
    values, shares = _cumulated(groups)
    return float(np.interp(share, shares, values))


def _cumulated(groups: Sequence[Floats]) -> tuple[Floats, Floats]:
    """All values, rising, and the share of the weight up to the middle of each."""
    values = np.concatenate(groups)
    weights = np.concatenate([np.full(len(group), 1 / (len(group) * len(groups))) for group in groups])
    order = np.argsort(values, kind="stable")
    weights = weights[order]
    return values[order], (np.cumsum(weights) - weights / 2).astype(np.float32)


def _surprises(examples: Examples, vectors: Vectors) -> tuple[Floats, Floats]:
    continuing: list[float] = []
    changing: list[float] = []
    for topics in examples.dialogues:
        told = [
            [_exchange(said, vectors) for said in topic if all(text in vectors for text in said)]
            for topic in topics
        ]
        for topic in told:
            continuing += (
                _surprise(topic[:number], arriving) for number, arriving in enumerate(topic) if number
            )
        changing += (_surprise(before, after[0]) for before, after in pairwise(told) if before and after)
    return np.array(continuing, np.float32), np.array(changing, np.float32)


def _surprise(topic: Sequence[Vector], arriving: Vector) -> float:
    state = SegmentState(vectors=tuple(topic))
    exchange = Exchange(tokens=0, started_at=_LONG_AGO, ended_at=_LONG_AGO, vector=arriving)
    return measure_surprise(state, exchange) or 0.0


def _exchange(said: Said, vectors: Vectors) -> Vector:
    """The unit mean of its turns' vectors, as segments have it."""
    mean = np.mean(np.stack([vectors[text] for text in said]), axis=0)
    unit: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
    return unit


def _beside(left: Floats, right: Floats) -> Floats:
    cosines: Floats = np.einsum("nd,nd->n", left, right)
    return cosines


def _texts_of(fact: Fact) -> Iterator[str]:
    yield from (fact.statement, fact.reworded, fact.related, fact.question)


def _topics(told: object) -> tuple[Topic, ...]:
    return tuple(
        tuple(tuple(_text(turn) for turn in _listed(exchange)) for exchange in _listed(topic))
        for topic in _listed(told)
    )


def _listed(told: object) -> list[object]:
    if not isinstance(told, list) or not told:
        raise TypeError("a list that holds something is missing")
    return told


def _text(told: object) -> str:
    if not isinstance(told, str) or not told.strip():
        raise TypeError("a text is missing")
    return told
