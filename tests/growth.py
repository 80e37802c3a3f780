"""How the cost of work grows with its size: CPU time against CPU time, so that no machine is too slow."""

import gc
from collections.abc import Callable
from math import inf
from time import thread_time

TIMES = 4
FEW, MOST = 3, 12  # runs of each size; many only where a loaded machine makes growth look steep
CALM = 1.5 * TIMES
_SHORTEST = 1e-4


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as much the work costs at four times the size: 4 if it is linear, 16 if quadratic."""
    small = large = inf
    for run in range(MOST):
        small, large = min(small, _cost(work, size)), min(large, _cost(work, size * TIMES))
        if run + 1 >= FEW and large / small < CALM:
            break
    return large / small


def _cost(work: Callable[[int], object], size: int) -> float:
    """CPU seconds of this thread; collecting garbage would look through all that the process holds."""
    gc.disable()
    try:
        began = thread_time()
        work(size)
        return max(thread_time() - began, _SHORTEST)
    finally:
        gc.enable()
