"""The second agent: what the question needs is planned and recalled."""

from memory.domain.types import Reader, RecallRequest
from memory.ports import LanguageModel, OnUsage
from sessions_app.agents.working_memory import Opened
from sessions_app.domain.types import Recollection
from sessions_app.selectors import sessions_to_hide
from sessions_app.services.recollect import recollect

RECENT_TURNS = 6  # that the planner reads, newest last


def search_memory(
    opened: Opened, *, language: LanguageModel | None = None, on_usage: OnUsage | None = None
) -> Recollection:
    """Plan and recall for the question; what the window shows is not recalled again.

    Raises ProviderError: an answer without memory must not look like one with it.
    """
    request = opened.request
    named = {opened.excluded.id} if opened.excluded else set()
    excluded = sessions_to_hide(opened.principal, opened.session) | named
    return recollect(
        RecallRequest(
            question=opened.open_answer.question.content,
            reader=Reader(request.space_id, request.user_id, exclude_session_ids=excluded),
            now=request.reference_time or request.now,
            time_zone=request.time_zone,
            effort=request.effort,
            top_k=request.top_k,
            session_id=opened.session.id,
            is_turn=True,
            summaries=tuple(anchor.text for anchor in opened.window.summaries),
            context_tokens=opened.window.recall_tokens,
            recent=opened.window.recent[:-1][-RECENT_TURNS:],
            exclude_turn_ids=frozenset(turn.id for turn in opened.window.recent),
        ),
        language=language,
        on_usage=on_usage,
    )
