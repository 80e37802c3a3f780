"""When a session's older turns are summarised, and which: pure decisions over counts of tokens.

Past the warn line it may be done in the background, past the block line the answer waits for it.
Between two compressions a tenth of the budget must have been said. docs/algorithms/working-memory.md.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from memory.domain.types import Role, Turn
from sessions_app.config import WindowConfig
from sessions_app.domain.window import excerpt

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Size:
    """A turn without its text."""

    index: int
    role: Role
    tokens: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last compression: how long the session was, and whether it left turns for another."""

    session_tokens: int
    is_capped: bool


@dataclass(frozen=True, slots=True)
class TurnRange:
    """The turns [first, end) to be summarised; capped where one call does not reach further."""

    first: int
    end: int
    is_capped: bool


def is_due(
    used_tokens: int, session_tokens: int, last: Attempt | None, *, line: int, config: WindowConfig
) -> bool:
    """Whether to compress a session that takes `used_tokens` where the `line` lies.

    Not before a tenth of the budget was said since the last attempt, whatever came of it; what that
    one left for another is taken up at once.
    """
    if used_tokens < line:
        return False
    if last is None or last.is_capped:
        return True
    return session_tokens - last.session_tokens >= config.step_tokens


def verbatim_from(newest: Iterable[Size], *, end: int, config: WindowConfig) -> int:
    """The index from which turns stay verbatim: the newest ones up to `keep_ratio` of the budget, at
    least `min_recent_turns` and one that may be the question; back to the user's turn with which
    their exchange began, if it is near.

    `newest`: newest first, without system turns; `end`: what is returned where there are none.
    """
    keep, extra = int(config.keep_ratio * config.budget_tokens), config.step_tokens
    kept: list[Size] = []
    tokens, full = 0, 0
    for size in newest:
        if not full and len(kept) > config.min_recent_turns and tokens + size.tokens > keep:
            full = len(kept)
        if full:
            extra -= size.tokens
            if kept[-1].role is Role.USER or extra < 0:
                break
        kept.append(size)
        tokens += size.tokens
    if not kept:
        return end
    is_begun = not full or kept[-1].role is Role.USER
    return kept[-1 if is_begun else full - 1].index


def choose_range(
    oldest: Iterable[Size], *, first: int, verbatim: int, config: WindowConfig
) -> TurnRange | None:
    """The turns from `first` to those that stay verbatim, or as many of them as one call summarises.

    `oldest`: those from `first` on, oldest first, without system turns. None where they would free
    less than a tenth of the budget.
    """
    room, freed = int(config.chunk_ratio * config.budget_tokens), 0
    for size in oldest:
        if size.index >= verbatim:
            break
        cost = _shown_tokens(size, config) + config.header_tokens
        if freed and cost > room:
            return TurnRange(first, size.index, is_capped=True)
        room -= cost
        freed += size.tokens
    return TurnRange(first, verbatim, is_capped=False) if freed >= max(1, config.step_tokens) else None


def readable(turns: Sequence[Turn], *, count: Count, config: WindowConfig) -> tuple[Turn, ...]:
    """The turns as a call reads them: long results of tools, and turns longer than a call, are
    shortened to head and tail around a visible mark.
    """
    return tuple(_shortened(turn, count, config) for turn in turns)


def _shortened(turn: Turn, count: Count, config: WindowConfig) -> Turn:
    allowed = _shown_tokens(Size(turn.index, turn.role, turn.tokens), config)
    if turn.tokens <= allowed:
        return turn
    return excerpt(turn, allowed_tokens=allowed, count=count, config=config) or replace(turn, text="[…]")


def _shown_tokens(size: Size, config: WindowConfig) -> int:
    most = int(config.chunk_ratio * config.budget_tokens)
    return min(size.tokens, most, config.tool_tokens if size.role is Role.TOOL else most)
