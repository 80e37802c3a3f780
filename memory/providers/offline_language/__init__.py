"""The offline engine: plan, encode and answer by rules, at zero tokens.

What runs with no model configured, and what a failing model degrades to.
"""

from collections.abc import Iterator

from memory.domain.types import Encoding, Plan, Question, SegmentText
from memory.ports import AnswerRequest, OnUsage
from memory.providers.offline_language.answerer import answer
from memory.providers.offline_language.encoder import encode_segment
from memory.providers.offline_language.planner import plan_question


class OfflineLanguage:
    """The three language tasks by rules; stateless and thread-safe. Uses no tokens."""

    @property
    def name(self) -> str:
        """For traces and for the page's badge."""
        return "offline"

    def plan(self, question: Question, *, on_usage: OnUsage | None = None) -> Plan:
        """What the question needs."""
        return plan_question(question)

    def encode(self, segment: SegmentText, *, on_usage: OnUsage | None = None) -> Encoding:
        """The records of a segment, one per statement."""
        return encode_segment(segment)

    def answer(self, request: AnswerRequest, *, on_usage: OnUsage | None = None) -> Iterator[str]:
        """An answer that quotes its evidence, in pieces."""
        return answer(request)
