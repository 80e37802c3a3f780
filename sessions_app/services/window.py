"""The window of a session, read newest first until the budget is full."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from memory.domain.types import Role, Turn
from memory.providers.registry import model_window, token_counter
from sessions_app.config import WindowConfig
from sessions_app.domain.types import Window
from sessions_app.domain.window import cut_window
from sessions_app.models import Session, SessionTurn
from sessions_app.services.images import with_images
from sessions_app.stores.summaries import anchor_of
from sessions_app.stores.turns import to_turn

_READ = 200  # turns a query


def load_window(session: Session, question_id: UUID) -> Window:
    """What the question is answered with: it reads no more turns than fit the budget."""
    rows = _complete(session)
    question = to_turn(rows.get(pk=question_id))
    return _cut(session, rows.filter(index__lt=question.index), [question])


def current_window(session: Session) -> Window:
    """The window as it stands between two questions."""
    return _cut(session, _complete(session), [])


def window_config() -> WindowConfig:
    """The budget as the settings have it, and as the model's own window allows."""
    return WindowConfig(
        max_tokens=min(settings.WM_MAX_TOKENS, model_window() or settings.WM_MAX_TOKENS),
        warn_ratio=settings.WM_WARN_THRESHOLD,
        block_ratio=settings.WM_BLOCK_THRESHOLD,
        min_recent_turns=settings.MIN_RECENT_TURNS,
    )


def _complete(session: Session) -> "QuerySet[SessionTurn]":
    return session.turns.filter(state=SessionTurn.State.COMPLETE).select_related("session")


def _cut(session: Session, before: "QuerySet[SessionTurn]", question: Sequence[Turn]) -> Window:
    """The window of these turns and the question, if there is one."""
    config, anchor = window_config(), anchor_of(session)
    system = [to_turn(row) for row in before.filter(role=Role.SYSTEM).order_by("index")]
    others = before.exclude(role=Role.SYSTEM)
    if anchor:
        others = others.filter(index__gte=anchor.end_turn)
    newest, unread = _read_newest(others, config.budget_tokens)
    turns = sorted([*system, *newest], key=lambda turn: turn.index)
    window = cut_window(
        [*turns, *question],
        session_turns=len(turns) + len(question) + unread,
        session_tokens=session.token_total,
        config=config,
        count=token_counter().count,
        anchor=anchor,
        is_asked=bool(question),
    )
    return replace(window, recent=tuple(with_images(session, window.recent)))


def _read_newest(others: "QuerySet[SessionTurn]", budget: int) -> tuple[list[Turn], int]:
    """The newest turns until they pass the budget, newest first, and how many there are beside."""
    newest: list[Turn] = []
    unread = others
    while sum(turn.tokens for turn in newest) <= budget:
        batch = [to_turn(row) for row in unread.order_by("-index")[:_READ]]
        newest += batch
        if len(batch) < _READ:
            return newest, 0
        unread = others.filter(index__lt=batch[-1].index)
    return newest, unread.count()
