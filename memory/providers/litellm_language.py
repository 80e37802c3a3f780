"""The LanguageModel port over any model that LiteLLM reaches.

Builds prompts, calls, and reads replies; every failure is a typed error, and what to do
instead (the offline engine) is the caller's decision. docs/algorithms/models.md tells
which error leads to which state.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from memory.config import IngestConfig, ModelConfig, TitleConfig
from memory.domain.deep_replies import read_adequacy, read_judgement, read_synthesis
from memory.domain.encoding_replies import ReadEncoding, read_encoding
from memory.domain.plan_replies import read_plan
from memory.domain.prompts import (
    ADEQUACY_SYSTEM,
    JUDGE_SYSTEM,
    SYNTHESIZE_SYSTEM,
    Messages,
    answer_prompt,
    encode_prompt,
    fragments_prompt,
    plan_prompt,
    repair_prompt,
    summarize_prompt,
    titles_prompt,
)
from memory.domain.replies import Fault, Unreadable
from memory.domain.reply_schemas import (
    ADEQUACY_SHAPE,
    ENCODING_SHAPE,
    JUDGE_SHAPE,
    PLAN_SHAPE,
    SUMMARY_SHAPE,
    SYNTHESIS_SHAPE,
    TITLES_SHAPE,
    ReplyShape,
)
from memory.domain.summaries import Summary, SummaryRequest, fit_summary, summary_text
from memory.domain.summary_replies import read_summary
from memory.domain.titles import read_titles
from memory.domain.types import (
    Adequacy,
    Encoding,
    Fragment,
    Judgement,
    Plan,
    Question,
    Role,
    SegmentText,
    Synthesis,
    Turn,
)
from memory.errors import ContextTooLong, ProviderError, ReplyFaulty, ReplyRefused, ReplyTruncated
from memory.ports import AnswerRequest, OnUsage
from memory.providers.answer_stream import AnswerStream
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient, Reply

Value = TypeVar("Value")

_WORDS_A_TOKEN = 0.6  # asked for; English has 0.75, most other languages fewer
_SHOWN_ERRORS = 8  # in a repair call
_SHOWN_REPLY = 12_000  # characters of the faulty reply


class LiteLLMLanguage:
    """Plans, encodes and answers with one configured model. Thread-safe."""

    def __init__(self, client: ModelClient, *, ingest: IngestConfig | None = None) -> None:
        self._client = client
        self._ingest = ingest or IngestConfig()

    @property
    def name(self) -> str:
        """The model's name, for traces."""
        return self._client.settings.model

    def plan(self, question: Question, *, on_usage: OnUsage | None = None) -> Plan:
        """What the question needs, by exactly one call. Raises ProviderError."""
        config = self._client.config
        prompt = plan_prompt(
            question,
            count=self._client.count,
            recent_tokens=config.plan_recent_tokens,
            question_chars=config.plan_question_chars,
        )
        purpose = Purpose("plan", config.plan_seconds, config.plan_output_tokens, shape=PLAN_SHAPE)
        reply = self._client.complete(prompt, purpose, on_usage=on_usage)
        return _usable(read_plan(reply.text, question, is_cut=reply.is_cut))

    def encode(self, segment: SegmentText, *, on_usage: OnUsage | None = None) -> Encoding:
        """The records of the segment: one call, one more to repair it, halves when it is cut off.

        Raises ReplyFaulty, ReplyRefused or ReplyTruncated when that does not help, else ProviderError.
        """
        return _Encoder(self._client, self._ingest, on_usage).encode(segment)

    def answer(self, request: AnswerRequest, *, on_usage: OnUsage | None = None) -> AnswerStream:
        """The answer in pieces; closing the stream cancels the call. Raises ProviderError."""
        config = self._client.config
        prompt = answer_prompt(
            request.question,
            context=request.context,
            window=request.window,
            skills=request.skills,
            pictures=[picture.told for picture in request.pictures],
        )
        purpose = Purpose("answer", config.answer_seconds, config.answer_output_tokens)
        return self._client.stream(prompt, purpose, on_usage=on_usage)

    def judge(
        self, question: str, composites: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Judgement:
        """Which composites help, by exactly one call. Raises ProviderError."""
        reply = self._ask(JUDGE_SYSTEM, question, composites, JUDGE_SHAPE, "judge", on_usage)
        return _usable(read_judgement(reply.text, count=len(composites), is_cut=reply.is_cut))

    def check_adequacy(
        self, question: str, recalled: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Adequacy:
        """What is missing of an answer, by exactly one call. Raises ProviderError."""
        reply = self._ask(ADEQUACY_SYSTEM, question, recalled, ADEQUACY_SHAPE, "adequacy", on_usage)
        return _usable(read_adequacy(reply.text, is_cut=reply.is_cut))

    def synthesize(
        self, question: str, fragments: Sequence[Fragment], *, on_usage: OnUsage | None = None
    ) -> Synthesis:
        """Scores and one text, by exactly one call. Raises ProviderError."""
        reply = self._ask(SYNTHESIZE_SYSTEM, question, fragments, SYNTHESIS_SHAPE, "synthesize", on_usage)
        return _usable(read_synthesis(reply.text, count=len(fragments), is_cut=reply.is_cut))

    def summarize(self, request: SummaryRequest, *, on_usage: OnUsage | None = None) -> Summary:
        """One summary of all there is, by exactly one call, cut to its tokens. Raises ProviderError."""
        config = self._client.config
        prompt = summarize_prompt(
            request.turns,
            previous=summary_text(request.previous) if request.previous else "",
            time_zone=request.time_zone,
            words=int(request.tokens * _WORDS_A_TOKEN),
        )
        is_late = request.is_background
        purpose = Purpose(
            "summarize",
            config.summarize_background_seconds if is_late else config.summarize_seconds,
            config.summarize_output_tokens,
            is_background=is_late,
            shape=SUMMARY_SHAPE,
        )
        reply = self._client.complete(prompt, purpose, on_usage=on_usage)
        summary = _usable(read_summary(reply.text, is_cut=reply.is_cut))
        return fit_summary(summary, count=self._client.count, budget=request.tokens)

    def title(self, groups: Sequence[Sequence[str]], *, on_usage: OnUsage | None = None) -> tuple[str, ...]:
        """Titles, by exactly one call. Raises ProviderError."""
        config, bounds = self._client.config, TitleConfig()
        purpose = Purpose(
            "title", config.title_seconds, config.title_output_tokens, is_background=True, shape=TITLES_SHAPE
        )
        prompt = titles_prompt(groups, text_chars=bounds.record_chars)
        reply = self._client.complete(prompt, purpose, on_usage=on_usage)
        return _usable(read_titles(reply.text, groups, chars=bounds.chars, is_cut=reply.is_cut))

    def _ask(
        self,
        system: str,
        question: str,
        fragments: Sequence[Fragment],
        shape: ReplyShape,
        purpose: str,
        on_usage: OnUsage | None,
    ) -> Reply:
        config = self._client.config
        texts = [each.text for each in fragments]
        prompt = fragments_prompt(system, question, texts, question_chars=config.plan_question_chars)
        bounds = Purpose(purpose, config.deep_seconds, config.deep_output_tokens, shape=shape)
        return self._client.complete(prompt, bounds, on_usage=on_usage)

    def warm_up(self) -> None:
        """Load what the first call needs."""
        self._client.warm_up()


@dataclass(slots=True)
class _Encoder:
    """One segment's encoding, with the calls it has left."""

    client: ModelClient
    ingest: IngestConfig
    on_usage: OnUsage | None
    calls: int = field(default=0)

    def encode(self, segment: SegmentText) -> Encoding:
        """The whole segment, or its halves where that is too much for the model."""
        try:
            return self._encode_whole(segment)
        except (ReplyTruncated, ContextTooLong):
            halves = _halved(segment)
            if not halves or self.calls + len(halves) > self.client.config.encode_calls:
                raise
        return _joined([self.encode(half) for half in halves])

    def _encode_whole(self, segment: SegmentText) -> Encoding:
        prompt = encode_prompt(
            segment, count=self.client.count, reference_tokens=self.ingest.reference_tokens
        )
        text, read = self._call(prompt, segment, "encode")
        if isinstance(read, ReadEncoding) and read.is_usable:
            return read.encoding
        if isinstance(read, Unreadable) and read.fault in (Fault.REFUSED, Fault.CUT):
            raise _error_of(read)
        errors = (read.error,) if isinstance(read, Unreadable) else read.errors
        return self._repaired(prompt, segment, text, errors, before=read)

    def _repaired(
        self,
        prompt: Messages,
        segment: SegmentText,
        text: str,
        errors: Sequence[str],
        *,
        before: ReadEncoding | Unreadable,
    ) -> Encoding:
        """The better of the two readings; a repair that fails does not spoil what was right before."""
        if self.calls >= self.client.config.encode_calls:
            raise ReplyFaulty
        repair = repair_prompt(prompt, text[:_SHOWN_REPLY], errors[:_SHOWN_ERRORS])
        try:
            _, after = self._call(repair, segment, "repair")
        except ProviderError:
            if isinstance(before, Unreadable) or not before.encoding.records:
                raise
            return before.encoding
        read = [one for one in (after, before) if isinstance(one, ReadEncoding)]
        best = max(read, key=lambda one: len(one.encoding.records), default=None)
        if best is None or (best.errors and not best.encoding.records):
            raise _error_of(after) if isinstance(after, Unreadable) else ReplyFaulty
        return replace(best.encoding, origin="repaired") if best is after else best.encoding

    def _call(
        self, prompt: Messages, segment: SegmentText, purpose: str
    ) -> tuple[str, ReadEncoding | Unreadable]:
        self.calls += 1
        bounds = _encode_purpose(purpose, self.client.config)
        reply = self.client.complete(prompt, bounds, on_usage=self.on_usage)
        return reply.text, read_encoding(reply.text, segment, is_cut=reply.is_cut)


def _usable(read: Value | Unreadable) -> Value:
    """What was read. Raises ProviderError for what could not be."""
    if isinstance(read, Unreadable):
        raise _error_of(read)
    return read


def _encode_purpose(name: str, config: ModelConfig) -> Purpose:
    return Purpose(
        name, config.encode_seconds, config.encode_output_tokens, is_background=True, shape=ENCODING_SHAPE
    )


def _error_of(unreadable: Unreadable) -> ProviderError:
    """A refusal is final, a cut-off reply asks for a smaller task, anything else is faulty."""
    return {Fault.REFUSED: ReplyRefused, Fault.CUT: ReplyTruncated}.get(unreadable.fault, ReplyFaulty)()


def _halved(segment: SegmentText) -> tuple[SegmentText, ...]:
    """Two halves of about equal length, parted before a user's turn where there is one."""
    turns = segment.turns
    borders = [at for at, turn in enumerate(turns) if at and turn.role is Role.USER] or list(
        range(1, len(turns))
    )
    if not borders:
        return ()
    total = sum(_length(turn) for turn in turns)
    best = min(borders, key=lambda at: abs(2 * sum(_length(turn) for turn in turns[:at]) - total))
    return replace(segment, turns=turns[:best]), replace(segment, turns=turns[best:])


def _length(turn: Turn) -> int:
    return len(turn.text)


def _joined(parts: Sequence[Encoding]) -> Encoding:
    """The parts' records in order; `repaired` when any of them was."""
    return Encoding(
        records=tuple(record for part in parts for record in part.records),
        aliases={name: who for part in parts for name, who in part.aliases.items()},
        origin="repaired" if any(part.origin == "repaired" for part in parts) else "encoded",
        skills=tuple(skill for part in parts for skill in part.skills),
        notes=("The segment was encoded in halves.", *(note for part in parts for note in part.notes)),
    )
