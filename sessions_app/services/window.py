"""The window of a session, read newest first until the budget is full."""

from uuid import UUID

from django.conf import settings

from memory.domain.types import Role, Turn
from memory.providers.registry import token_counter
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Window
from sessions_app.domain.window import cut_window
from sessions_app.models import Session, SessionTurn
from sessions_app.stores.turns import to_turn

_READ = 200  # turns a query


def load_window(session: Session, question_id: UUID) -> Window:
    """What the question is answered with: it reads no more turns than fit the budget."""
    config = window_config()
    rows = session.turns.filter(state=SessionTurn.State.COMPLETE).select_related("session")
    question = to_turn(rows.get(pk=question_id))
    before = rows.filter(index__lt=question.index)
    system = [to_turn(row) for row in before.filter(role=Role.SYSTEM).order_by("index")]
    others = before.exclude(role=Role.SYSTEM)
    newest: list[Turn] = []
    unread = others
    while sum(turn.tokens for turn in newest) <= config.budget_tokens:
        batch = [to_turn(row) for row in unread.order_by("-index")[:_READ]]
        newest += batch
        if len(batch) < _READ:
            unread = unread.none()
            break
        unread = others.filter(index__lt=batch[-1].index)
    turns = sorted([*system, *newest], key=lambda turn: turn.index)
    return cut_window(
        [*turns, question],
        session_turns=len(turns) + 1 + unread.count(),
        session_tokens=session.token_total,
        config=config,
        count=token_counter().count,
    )


def window_config() -> WindowConfig:
    """The budget as the settings have it."""
    return WindowConfig(
        max_tokens=settings.WM_MAX_TOKENS,
        warn_ratio=settings.WM_WARN_THRESHOLD,
        block_ratio=settings.WM_BLOCK_THRESHOLD,
        min_recent_turns=settings.MIN_RECENT_TURNS,
    )
