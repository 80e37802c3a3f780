"""How an image fades: the law of forgetting (spec of the visual memory; docs/algorithms/visual.md)."""

from datetime import datetime, timedelta

from visual.config import DecayLaw

_DAY = timedelta(days=1)


def half_life_days(importance: float, recalls: int, law: DecayLaw) -> float:
    """Days in which half is lost: 18.5 for importance 0.5 never recalled, 24.05 after six recalls."""
    bonus = min(law.most_bonus, law.recall_bonus * recalls)
    return (law.base_days + law.importance_days * importance) * (1 + bonus)


def retention(days: float, *, importance: float, recalls: int, law: DecayLaw) -> float:
    """What is left in [0, 1] after so many days: 0.5 at the half-life, 1 at the beginning."""
    return float(0.5 ** (max(0.0, days) / half_life_days(importance, recalls, law)))


def retention_at(
    now: datetime, *, since: datetime, importance: float, recalls: int, is_pinned: bool, law: DecayLaw
) -> float:
    """What is left at that moment; all of a pinned image."""
    if is_pinned:
        return 1.0
    return retention((now - since) / _DAY, importance=importance, recalls=recalls, law=law)


def is_forgotten(now: datetime, *, since: datetime, importance: float, recalls: int, law: DecayLaw) -> bool:
    """Whether too little is left of an image that is not pinned, or it is too old whatever is left."""
    days = (now - since) / _DAY
    left = retention(days, importance=importance, recalls=recalls, law=law)
    return left < law.least or days >= law.most_days


def earliest_forgotten(now: datetime, law: DecayLaw) -> datetime:
    """Nothing remembered after this moment can be forgotten yet: 23.25 days ago."""
    days, left = 0.0, 1.0
    while left >= law.least:
        days += 0.25
        left = retention(days, importance=0.0, recalls=0, law=law)
    return now - timedelta(days=days - 0.25)
