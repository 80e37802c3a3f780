"""A session's turns to the window that a prompt can hold.

The summary, system texts and the question stay, then the newest turns that fit, contiguous;
one oversized turn is excerpted head and tail. Nothing stored changes.
docs/algorithms/working-memory.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.domain.prompts import has_several_people, spoken_text
from memory.domain.types import Role, Turn
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Anchor, Window

Count = Callable[[str], int]

_MARK_TOKENS = 24  # what the mark itself may take
# Of the estimate by characters, tried in turn where it was too generous; at last the mark alone.
_SHARES = (*(0.9**tries for tries in range(60)), 0.0)


def cut_window(
    turns: Sequence[Turn],
    *,
    session_turns: int,
    session_tokens: int,
    config: WindowConfig,
    count: Count,
    anchor: Anchor | None = None,
    is_asked: bool = True,
) -> Window:
    """The window of a session whose last turn is the question, if it `is_asked` one.

    `turns`: in order; every system turn, and the newest others that the anchor does not stand for,
    at least as many as fit the budget or all there are. `session_turns` counts those turns in the
    whole session, `session_tokens` is the session's own total. Turns of the result that are no
    excerpt equal those given, but for their tokens: those that they take in a prompt, names and fences
    included.
    """
    budget = config.budget_tokens
    is_shared = has_several_people(turns)
    turns = [_as_shown(turn, count, is_shared=is_shared) for turn in turns]
    earlier, question = (turns[:-1], turns[-1]) if is_asked else (turns, None)
    system = [turn for turn in earlier if turn.role is Role.SYSTEM]
    fixed = _fit_fixed(system, question, budget, count, config)
    left = budget - sum(turn.tokens for turn in fixed)
    used = session_tokens - (anchor.covered_tokens - anchor.tokens if anchor else 0)
    shown = anchor if anchor and anchor.tokens <= left else None
    left -= shown.tokens if shown else 0
    kept = _newest([turn for turn in earlier if turn.role is not Role.SYSTEM], left, count, config)
    recent = tuple(sorted([*kept, *fixed], key=lambda turn: turn.index))
    hidden = anchor.covered_turns if anchor and not shown else 0
    left_out = max(0, session_turns - len(recent)) + hidden
    excerpts = sum(1 for turn in recent if turn not in turns)
    return Window(
        recent=recent,
        tokens=sum(turn.tokens for turn in recent) + (shown.tokens if shown else 0),
        session_tokens=session_tokens,
        used_tokens=used,
        budget_tokens=budget,
        pressure=used / budget,
        left_out=left_out,
        note=_note(left_out, excerpts, is_summarised=shown is not None),
        level=_level(used, config),
        warn_tokens=config.warn_tokens,
        block_tokens=config.block_tokens,
        summaries=(shown,) if shown else (),
        recall_tokens=config.recall_tokens,
        skill_tokens=config.skill_tokens,
        image_tokens=config.image_tokens,
    )


def _newest(turns: Sequence[Turn], left: int, count: Count, config: WindowConfig) -> list[Turn]:
    """The newest turns that fit what is left, without a hole, newest first."""
    kept: list[Turn] = []
    for turn in reversed(turns):
        if turn.tokens <= left:
            kept.append(turn)
            left -= turn.tokens
            continue
        if len(kept) < config.min_recent_turns and turn.tokens > config.budget_tokens:
            excerpted = excerpt(turn, allowed_tokens=left, count=_counting(turn, count), config=config)
            kept.extend([excerpted] if excerpted else [])
        break
    return kept


def _as_shown(turn: Turn, count: Count, *, is_shared: bool) -> Turn:
    """The turn with the tokens it takes in a prompt: more than its own where it is fenced or named."""
    if turn.role is Role.TOOL:
        return replace(turn, tokens=turn.tokens - count(turn.text) + _counting(turn, count)(turn.text))
    name = spoken_text(replace(turn, text=""), is_shared=is_shared)
    return replace(turn, tokens=turn.tokens + count(name)) if name else turn


def _counting(turn: Turn, count: Count) -> Count:
    """How many tokens a text takes in a prompt as that turn's."""
    if turn.role is not Role.TOOL:
        return count
    return lambda text: count(spoken_text(replace(turn, text=text), is_shared=False))


def excerpt(turn: Turn, *, allowed_tokens: int, count: Count, config: WindowConfig) -> Turn | None:
    """The turn cut to its head and tail around a visible mark, or None where not even that fits.

    Its tokens, the overhead that a turn has beside its text included, are at most those allowed.
    """
    overhead = max(0, turn.tokens - count(turn.text))
    room = allowed_tokens - overhead - _MARK_TOKENS
    for share in _SHARES if room > 0 else ():
        chars = int(len(turn.text) * share * room / turn.tokens)
        text = _head_and_tail(turn.text, chars, config.head_share)
        tokens = count(text) + overhead
        if tokens <= allowed_tokens:
            return replace(turn, text=text, tokens=tokens)
    return None


def _fit_fixed(
    system: list[Turn], question: Turn | None, budget: int, count: Count, config: WindowConfig
) -> list[Turn]:
    """System texts and the question, excerpted only where they alone pass the budget.

    The question is cut to half the budget at most, and to the budget where half holds no excerpt;
    what system texts exceed of the rest falls on the longest of them.
    """
    fixed = [*system, *([question] if question else [])]
    if sum(turn.tokens for turn in fixed) <= budget:
        return fixed
    if question and question.tokens > budget // 2:
        rest = sum(turn.tokens for turn in system)
        allowed = max(budget // 2, budget - rest)
        shorter = excerpt(question, allowed_tokens=allowed, count=count, config=config)
        if shorter is None and question.tokens > budget:  # system texts give way
            shorter = excerpt(question, allowed_tokens=budget, count=count, config=config)
        question = shorter or question
    left = budget - (question.tokens if question else 0)
    fitted: list[Turn] = []
    for turn in sorted(system, key=lambda turn: turn.tokens):
        fits = turn.tokens <= left
        kept = turn if fits else excerpt(turn, allowed_tokens=left, count=count, config=config)
        if kept is not None:
            fitted.append(kept)
            left -= kept.tokens
    return [*fitted, question] if question else fitted


def _head_and_tail(text: str, chars: int, head_share: float) -> str:
    head = int(chars * head_share)
    tail = chars - head
    removed = len(text) - head - tail
    return (
        f"{text[:head].rstrip()}\n[… {removed:,} characters left out …]\n{text[len(text) - tail :].lstrip()}"
    )


def _level(used_tokens: int, config: WindowConfig) -> str:
    if used_tokens >= config.block_tokens:
        return "block"
    return "warn" if used_tokens >= config.warn_tokens else ""


def _note(left_out: int, excerpts: int, *, is_summarised: bool) -> str:
    parts = []
    if left_out:
        where = "after its summary" if is_summarised else "at its beginning"
        told = f"1 turn {where} was" if left_out == 1 else f"{left_out:,} turns {where} were"
        parts.append(f"The session is longer than the window: {told} left out.")
    if excerpts:
        parts.append("A turn longer than the window was shortened to its head and tail.")
    return " ".join(parts)
