"""The one place through which every call to a model goes, by way of LiteLLM.

Adds what makes a call harmless: a key that goes only where it was meant to, bounded
concurrency, deadlines, retries, streams that end at once when nobody listens, and the
tokens a call took as a value.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from memory.config import ModelConfig
from memory.domain.prompts import Message, Messages
from memory.domain.replies import ThoughtFilter
from memory.domain.types import Usage
from memory.errors import (
    CallLeft,
    OutOfTime,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    ReplyFaulty,
    ReplyTruncated,
    TimeOver,
)
from memory.ports import OnUsage
from memory.providers.answer_stream import AnswerStream
from memory.providers.attempts import Attempt, Attempts, Purpose
from memory.providers.breaker import Breaker
from memory.providers.call_scope import current_scope
from memory.providers.call_watch import CallWatch
from memory.providers.left_out import LeftOut
from memory.providers.litellm_errors import ParameterRefused, translate
from memory.providers.litellm_vendor import (
    Tokens,
    is_usage_told,
    refuse_filtered,
    rerank_client,
    rerank_tokens_of,
    response_format,
    said,
    scores_of,
    tokens_of,
    vectors_of,
    vendor,
)
from memory.providers.model_health import ModelHealth
from memory.providers.model_loop import model_loop
from memory.providers.model_settings import AMBIENT, ModelSettings, stray_base
from memory.providers.retrying import Clockwork
from memory.providers.tokens import TiktokenCounter

Result = TypeVar("Result")

_GRACE_SECONDS = 5.0  # beyond a deadline, for a call that does not let itself be cancelled
SHAPE = "response_format"
_MESSAGE_TOKENS = 4  # a chat template's own, each message
_IMAGE_TOKENS = 765  # of an image of 1,024 pixels a side, as OpenAI counts


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply; `is_cut` when the output limit ended it."""

    text: str
    is_cut: bool = False


@dataclass(slots=True)
class _Tally:
    """What a stream has brought so far, whatever becomes of it."""

    pieces: list[str] = field(default_factory=list)
    chars: int = 0
    tokens: Tokens = field(default_factory=Tokens)

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.chars += len(piece)


def _content(message: Message) -> str | list[dict[str, Any]]:
    """The text, or the text and the images after it."""
    if not message.images:
        return message.content
    shown = [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
    return [{"type": "text", "text": message.content}, *shown]


def _tell(took: Sequence[Usage], on_usage: OnUsage | None) -> None:
    if on_usage is not None:
        for usage in took:
            on_usage(usage)


class ModelClient:
    """Calls one configured model. Thread-safe; nothing is loaded before the first call."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        config: ModelConfig | None = None,
        clockwork: Clockwork | None = None,
        count: Callable[[str], int] | None = None,
    ) -> None:
        self.settings = settings
        self.health = ModelHealth(settings.model, settings.origin)
        self.config = config or ModelConfig()
        if calls := settings.parallel_calls:
            self.config = replace(self.config, permits=calls, background_permits=max(1, calls // 2))
        self.count = count or TiktokenCounter().count
        self._clockwork = clockwork or Clockwork()
        self.breaker = Breaker(self.config, self._clockwork.monotonic)
        self._left_out = LeftOut(self.config.left_out_seconds, self._clockwork.monotonic)

    def complete(self, messages: Messages, purpose: Purpose, *, on_usage: OnUsage | None = None) -> Reply:
        """The whole reply. Raises ProviderError, after `on_usage` has been told what it took."""
        took: list[Usage] = []

        async def attempt() -> Reply:
            made = self._given(await vendor().acompletion(**self._arguments(messages, purpose)))
            text, finish = said(made)
            took.append(self._usage(purpose, messages, text, tokens_of(made)))
            refuse_filtered(made)
            return Reply(text, finish == "length")

        try:
            return self._run(attempt, purpose)
        finally:
            _tell(took, on_usage)

    def stream(
        self, messages: Messages, purpose: Purpose, *, on_usage: OnUsage | None = None
    ) -> AnswerStream:
        """The reply in pieces as they come; tried again only before the first of them.

        `on_usage` is called in the model's thread, so it should only collect: before the
        reader learns of the end, also when the stream breaks or is closed.
        """
        current_scope().check()
        watch = CallWatch(self.health, self.breaker)
        with watch.beginning():
            attempts = self._attempts(is_probe=watch.is_probe)
        stream = AnswerStream()
        pump = self._pump(attempts, stream, messages, purpose, on_usage=on_usage, watch=watch)
        stream.follow(attempts.loop.submit(pump))
        return stream

    def embed(
        self,
        texts: Sequence[str],
        purpose: Purpose,
        *,
        read: Callable[[list[Any]], Result],
        on_usage: OnUsage | None = None,
    ) -> Result:
        """What `read` makes of the vectors, which come as the provider returned them, in the order of its
        indexes. Raises ProviderError; one that `read` raises is held against the model like any other.
        """
        took: list[Usage] = []

        async def attempt() -> Result:
            target = self._target(purpose.seconds)
            made = self._given(
                await vendor().aembedding(**target, input=list(texts), encoding_format="float")
            )
            told = tokens_of(made).read
            estimate = 0 if told else sum(map(self.count, texts))
            took.append(Usage(purpose.name, self.settings.model, told or estimate, 0, is_estimated=not told))
            return read(vectors_of(made))

        try:
            return self._run(attempt, purpose)
        finally:
            _tell(took, on_usage)

    def rerank(
        self, question: str, texts: Sequence[str], purpose: Purpose, *, on_usage: OnUsage | None = None
    ) -> list[tuple[Any, Any]]:
        """What the provider returned as (place, score) pairs, unread. Raises ProviderError."""

        async def attempt() -> Any:
            target = {**self._target(purpose.seconds), "client": rerank_client()}
            return self._given(
                await vendor().arerank(**target, query=question, documents=list(texts), top_n=len(texts))
            )

        made = self._run(attempt, purpose)
        if on_usage is not None:
            read = rerank_tokens_of(made)
            estimate = 0 if read else sum(map(self.count, texts)) + len(texts) * self.count(question)
            on_usage(Usage(purpose.name, self.settings.model, read or estimate, 0, is_estimated=not read))
        return scores_of(made)

    def warm_up(self) -> None:
        """Import LiteLLM and start the loop now, so that the first call does not wait for it."""
        self._attempts()

    def _attempts(self, *, is_probe: bool = False, is_shaped: bool = False) -> Attempts:
        """How this model is called, once it is certain that the key goes where it should."""
        settings = self.settings
        if variable := stray_base(settings, os.environ):
            raise ProviderRefused(
                f"{variable} would send the key elsewhere: set {settings.prefix}_API_BASE or unset it."
            )
        vendor()
        return Attempts(
            loop=model_loop(),
            origin=settings.origin,
            config=replace(self.config, attempts=1) if is_probe else self.config,
            clockwork=self._clockwork,
            translate=partial(self._translate, is_shaped=is_shaped),
        )

    def _translate(self, error: Exception, *, is_shaped: bool) -> ProviderError:
        """The failure as ours; of a 400 that names nothing, the shape we asked for may be the cause."""
        failure = translate(error, settings=self.settings, now=self._clockwork.now())
        if isinstance(failure, ParameterRefused):
            self._left_out.refuse(failure.parameter)
        elif is_shaped and isinstance(failure, ProviderRefused) and getattr(error, "status_code", 0) == 400:
            if SHAPE not in self._left_out:
                self._left_out.suspect(SHAPE)
                return ParameterRefused(SHAPE)
            self._left_out.clear(SHAPE)
        return failure

    def _run(self, attempt: Attempt[Result], purpose: Purpose) -> Result:
        scope = current_scope()
        scope.check()
        watch = CallWatch(self.health, self.breaker)
        with watch.whole():
            attempts = self._attempts(is_probe=watch.is_probe, is_shaped=purpose.shape is not None)
            bounded = replace(purpose, seconds=min(purpose.seconds, scope.seconds_left))
            call = attempts.loop.submit(attempts.run(attempt, bounded))
            with scope.holding(call):
                try:
                    return call.result(bounded.seconds + _GRACE_SECONDS)
                except CancelledError:
                    raise CallLeft from None
                except TimeoutError:
                    call.cancel()
                except OutOfTime as error:
                    if bounded.seconds < purpose.seconds:
                        raise TimeOver from error
                    raise
            raise OutOfTime(f"{self.settings.origin} did not answer in time.")

    async def _pump(
        self,
        attempts: Attempts,
        stream: AnswerStream,
        messages: Messages,
        purpose: Purpose,
        *,
        on_usage: OnUsage | None,
        watch: CallWatch,
    ) -> None:
        """Make the pieces; whatever happens, the tokens are counted and the reader is told."""
        tally = _Tally()
        error: ProviderError | None = ProviderUnavailable(f"{self.settings.origin} broke off its answer.")
        try:
            with watch.whole():
                await attempts.run(
                    lambda: self._stream_once(stream, messages, purpose, tally),
                    purpose,
                    may_retry=lambda: not stream.has_begun,
                )
            error = None
        except ProviderError as failure:
            error = failure
        finally:
            if on_usage is not None and (tally.chars or error is None):
                on_usage(self._usage(purpose, messages, "".join(tally.pieces), tally.tokens))
            stream.end(error)

    async def _stream_once(
        self, stream: AnswerStream, messages: Messages, purpose: Purpose, tally: _Tally
    ) -> None:
        shown, finish, has_role = ThoughtFilter(), "", False
        clock = asyncio.get_running_loop().time
        arguments = self._arguments(messages, purpose, stream_options={"include_usage": True})
        try:
            async with asyncio.timeout(self.config.first_byte_seconds) as patience:
                source = await vendor().acompletion(**arguments, stream=True)
                async with aclosing(self._given(source)):
                    async for chunk in source:
                        if has_role:  # some servers send it at once and read the prompt afterwards
                            patience.reschedule(clock() + self.config.gap_seconds)
                        has_role = True
                        refuse_filtered(chunk)
                        piece, ending = said(chunk)
                        finish = ending or finish
                        tally.add(piece)
                        if getattr(chunk, "usage", None) and is_usage_told(source):
                            tally.tokens = tokens_of(chunk)
                        if visible := shown.feed(piece):
                            stream.put(visible)
                        if tally.chars > self.config.answer_chars:
                            finish = "length"
                            break
        except Exception:
            if not finish:
                raise  # else it was whole before it broke
        if held := shown.flush():
            stream.put(held)
        stream.is_cut = finish == "length"
        if not stream.has_begun:
            raise ReplyTruncated if stream.is_cut else ReplyFaulty(f"{self.settings.model} answered nothing.")

    def _given(self, made: Any) -> Any:
        """What LiteLLM returned; nothing at all is how it says that parameters were refused twice."""
        if made is None:
            raise ProviderRefused(
                f"{self.settings.origin} rejects calls to {self.settings.model} (status 422)."
            )
        return made

    def _target(self, seconds: float) -> dict[str, Any]:
        """Where a call goes and how long it may wait: always said, so that nothing else decides."""
        import httpx

        settings, config = self.settings, self.config
        keyless = None if settings.provider in AMBIENT else "none"
        return {
            "model": settings.model,
            "api_key": settings.api_key or keyless,
            "api_base": settings.api_base or None,
            "timeout": httpx.Timeout(seconds, connect=config.connect_seconds),
            "max_retries": 0,
            "num_retries": 0,
        }

    def _arguments(self, messages: Messages, purpose: Purpose, **more: Any) -> dict[str, Any]:
        settings = self.settings
        is_answer = purpose.name == "answer"
        chosen = {
            "temperature": settings.temperature
            if is_answer
            else 0.0,  # a plan or a record is no place for chance
            "top_p": settings.top_p if is_answer else None,
            "max_tokens": settings.max_tokens or purpose.output_tokens,
            SHAPE: response_format(settings.model, purpose.shape) if purpose.shape else None,
            **more,
        }
        return {
            **self._target(purpose.seconds),
            "messages": [{"role": message.role, "content": _content(message)} for message in messages],
            **{
                name: value
                for name, value in chosen.items()
                if value is not None and name not in self._left_out
            },
        }

    def _usage(self, purpose: Purpose, messages: Messages, text: str, tokens: Tokens) -> Usage:
        """What the call took, counted here where the provider does not say."""
        if tokens.read:
            return Usage(purpose.name, self.settings.model, tokens.read, tokens.written, tokens.cached)
        read = sum(
            self.count(message.content) + _MESSAGE_TOKENS + _IMAGE_TOKENS * len(message.images)
            for message in messages
        )
        return Usage(purpose.name, self.settings.model, read, self.count(text), is_estimated=True)
