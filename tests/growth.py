"""How the cost of work grows with its size: CPU time against CPU time, so that no machine is too slow."""

from collections.abc import Callable
from time import thread_time

TIMES = 4
RUNS = 3


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as much the work costs at four times the size: 4 if it is linear, 16 if quadratic."""
    small, large = (_least(work, each) for each in (size, size * TIMES))
    return large / small


def _least(work: Callable[[int], object], size: int) -> float:
    """CPU seconds of this thread in the cheapest of some runs."""
    costs = []
    for _ in range(RUNS):
        began = thread_time()
        work(size)
        costs.append(thread_time() - began)
    return max(min(costs), 1e-4)
