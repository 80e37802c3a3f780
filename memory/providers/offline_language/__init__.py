"""The offline engine: plan, encode, judge and answer by rules, at zero tokens.

What runs with no model configured, and what a failing model degrades to.
"""

from collections.abc import Iterator, Sequence

from memory.domain.summaries import Summary, SummaryRequest
from memory.domain.types import (
    Adequacy,
    Encoding,
    Fragment,
    Judgement,
    Plan,
    Question,
    SegmentText,
    Synthesis,
)
from memory.ports import AnswerRequest, OnUsage
from memory.providers.offline_language.answerer import answer
from memory.providers.offline_language.encoder import encode_segment
from memory.providers.offline_language.judging import find_missing, judge_composites, quote_useful
from memory.providers.offline_language.planner import plan_question
from memory.providers.offline_language.summarizer import summarize_turns
from memory.providers.tokens import TiktokenCounter

_count = TiktokenCounter().count


class OfflineLanguage:
    """The language tasks by rules; stateless and thread-safe. Uses no tokens."""

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

    def judge(
        self, question: str, composites: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Judgement:
        """Which composites help, by the gap in their strength."""
        return judge_composites(composites)

    def check_adequacy(
        self, question: str, recalled: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Adequacy:
        """What is missing, by words of the question that nothing holds."""
        return find_missing(question, recalled)

    def synthesize(
        self, question: str, fragments: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Synthesis:
        """The strong fragments, quoted."""
        return quote_useful(fragments)

    def summarize(self, request: SummaryRequest, *, on_usage: OnUsage | None = None) -> Summary:
        """What the turns tell, quoted by section."""
        return summarize_turns(request, count=_count)

    def title(self, groups: Sequence[Sequence[str]], *, on_usage: OnUsage | None = None) -> tuple[str, ...]:
        """None: rules know no better words than a group's own."""
        return ("",) * len(groups)
