"""Statements of one attribute to its history: who is superseded by whom, and from when.

The claims of one subject and one single-valued slot are put in order of the time they
hold from, else of when they were said, never of when they were learned. Paris, Berlin,
Paris is three periods and three records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from memory.domain.text import words


@dataclass(frozen=True, slots=True)
class Claim:
    """A record that gives the attribute a value.

    `moments`: the instant from which it says it holds, or each instant at which it was
    said; ascending, at least one. `told_at`: of one that says from when, when that was said.
    `is_lasting`: whether it says so of now ("since March"), however long ago it began.
    """

    id: UUID
    value: str
    moments: tuple[datetime, ...]
    told_at: datetime | None = None
    is_lasting: bool = False


class Split(NamedTuple):
    """A record said again after another value held: from `moment` on it is another record."""

    id: UUID
    moment: datetime


class Successor(NamedTuple):
    """The record of the next value, and when that begins."""

    id: UUID
    start: datetime


class _Point(NamedTuple):
    """One statement in time; ordered by its place, then the record's id."""

    place: tuple[datetime, bool]
    id: UUID
    value: str
    moment: datetime


def find_splits(claims: Sequence[Claim], *, news: timedelta) -> list[Split]:
    """Where a record spans another value's period, once for each later period, in time's order.

    `news`: how soon a change is told to be news.
    """
    splits: list[Split] = []
    seen: set[UUID] = set()
    for period in _periods(claims, news):
        first: dict[UUID, datetime] = {}
        for point in period:
            first.setdefault(point.id, point.moment)
        splits += [Split(id_, moment) for id_, moment in first.items() if id_ in seen]
        seen.update(first)
    return splits


def find_successors(claims: Sequence[Claim], *, news: timedelta) -> dict[UUID, Successor | None]:
    """For each record what supersedes it: the first statement of the next period; None for
    those of the last. Expects claims without splits.
    """
    periods = _periods(claims, news)
    found: dict[UUID, Successor | None] = {point.id: None for point in periods[-1]} if periods else {}
    for period, following in pairwise(periods):
        next_one = Successor(following[0].id, following[0].moment)
        found.update({point.id: next_one for point in period})
    return found


def is_same_value(one: str, other: str) -> bool:
    """Whether two values are one, perhaps told more fully: "Berlin" and "Berlin, Germany"."""
    left, right = words(one), words(other)
    short = min(len(left), len(right))
    return short > 0 and left[:short] == right[:short]


def _periods(claims: Sequence[Claim], news: timedelta) -> list[list[_Point]]:
    """The statements in order, cut where the value changes."""
    dated = [(claim.moments[0], claim.told_at, claim.is_lasting) for claim in claims if claim.told_at]
    changes = [
        (start, told)
        for start, told, is_lasting in dated
        if timedelta(0) <= told - start and (is_lasting or told - start <= news)
    ]
    points = sorted(
        _Point(_place(claim, moment, changes), claim.id, claim.value, moment)
        for claim in claims
        for moment in claim.moments
    )
    periods: list[list[_Point]] = []
    for point in points:
        if periods and is_same_value(periods[-1][-1].value, point.value):
            periods[-1].append(point)
        else:
            periods.append([point])
    return periods


def _place(
    claim: Claim, moment: datetime, changes: Sequence[tuple[datetime, datetime]]
) -> tuple[datetime, bool]:
    """Where a statement stands in time. `changes`: from when, and when that was told as news.

    What was said between the two without a date was said without regard to the change, and
    stands right before it: "I live in Lisbon", then "I moved to Porto last week".
    """
    if claim.told_at is not None:
        return moment, True
    return min([(moment, True), *((start, False) for start, told in changes if start <= moment < told)])
