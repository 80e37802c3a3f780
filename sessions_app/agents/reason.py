"""The third agent: the window and what was recalled become an answer, piece by piece."""

import re
from collections.abc import Iterator
from uuid import UUID

from memory.domain.types import Question, Recalled
from memory.ports import AnswerRequest
from memory.providers.registry import language_model
from sessions_app.agents.working_memory import Opened

_CITATION = re.compile(r"\[(\d{1,3})\]")


def stream_answer(opened: Opened, recalled: Recalled) -> Iterator[str]:
    """The answer in pieces. Raises ProviderError."""
    request = opened.request
    earlier = opened.window.recent[:-1]
    question = Question(
        text=opened.window.recent[-1].text,
        now=request.reference_time or request.now,
        time_zone=request.time_zone,
        recent=earlier,
    )
    return language_model().answer(
        AnswerRequest(question=question, hits=recalled.hits, context=recalled.context, window=earlier)
    )


def cited_ids(text: str, recalled: Recalled) -> tuple[UUID, ...]:
    """The recalled items that the answer cites as [1], [2] …, in the order of first mention."""
    numbers = dict.fromkeys(int(number) for number in _CITATION.findall(text))
    return tuple(recalled.hits[n - 1].id for n in numbers if 0 < n <= len(recalled.hits))
