"""One chat request as one async generator: a ChatRequest in, ChatEvents out.

Every door frames the same events. Nothing is held open across a model call, and an
interrupted answer is kept as such. docs/algorithms/one-chat-request.md.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from uuid import UUID

from accounts.errors import LycheeError
from memory.domain.types import Usage
from memory.providers.registry import language_model
from sessions_app.agents.reason import Reasoning, cited_ids, stream_answer, used_ids
from sessions_app.agents.search import search_memory
from sessions_app.agents.synthesize import is_synthesized, synthesize_recalled
from sessions_app.agents.visual_memory import remember_shown
from sessions_app.agents.working_memory import Opened, make_room, open_question
from sessions_app.bridge import in_calling_thread, in_thread, stream_from_thread
from sessions_app.config import AnswerConfig
from sessions_app.domain.traces import (
    images_trace,
    kept_trace,
    reason_trace,
    search_trace,
    synthesis_trace,
    usage_trace,
    window_trace,
)
from sessions_app.domain.types import (
    Answer,
    ChatEvent,
    ChatRequest,
    Delta,
    Done,
    Failed,
    Grounds,
    Recollection,
    StepDone,
)
from sessions_app.models import SessionTurn
from sessions_app.services.answers import Outcome, finish_answer, interrupt_answer, renew_lease
from sessions_app.services.images import Shown
from sessions_app.services.usage import allowance_of
from visual.domain.types import DecodedImage
from visual.services.remember import decode_images

logger = logging.getLogger(__name__)

OFFLINE = "offline"


@dataclass(slots=True)
class _Run:
    """What has come of a request so far: all that is lost if the process dies."""

    opened: Opened
    images: Sequence[DecodedImage] = ()
    image_notes: tuple[str, ...] = ()  # what of them could not be looked at
    pieces: list[str] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    recalled: Recollection | None = None
    useful: frozenset[int] | None = None  # of the recalled, by number, where they were judged
    is_settled: bool = False
    trace: dict[str, dict[str, object]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def outcome(self) -> Outcome:
        log_id: UUID | None = self.recalled.records.log_id if self.recalled else None
        kept = used_ids(self.text, self.recalled, useful=self.useful) if self.recalled else ()
        return Outcome(self.text, log_id, kept, tuple(self.usages), kept_trace(self.trace))


async def answer(request: ChatRequest) -> AsyncGenerator[ChatEvent]:
    """Answer a message from memory; ends with Done or Failed.

    Raises LycheeError only before the first event, when nothing was stored. Closing the
    generator, or cancelling who reads it, keeps the partial answer as interrupted.
    """
    started = monotonic()
    run = await _open(request)
    try:
        async with _held_lease(run.opened):
            try:
                async with aclosing(_think(run, started)) as events:
                    async for event in events:
                        yield event
            except LycheeError as error:
                logger.warning("answering failed: %s", error.error_code)
                failure = Failed(error.error_code, error.detail)
            except Exception:
                logger.exception("answering failed")
                failure = Failed("internal", "The answer failed; your message is kept. Try again.")
            else:
                return
            run.trace["failure"] = {"code": failure.code, "detail": failure.detail}
            await _interrupt(run)
            yield failure
    finally:
        await _interrupt(run)


async def _open(request: ChatRequest) -> _Run:
    """Store the question, once its images are read; if the reader leaves meanwhile, give the claim back."""
    images = await in_thread(decode_images, request.images) if request.images else []
    opening = asyncio.ensure_future(in_thread(open_question, request))
    try:
        return _Run(await asyncio.shield(opening), images)
    except asyncio.CancelledError:
        await _interrupt(_Run(await opening))
        raise


async def _think(run: _Run, started: float) -> AsyncGenerator[ChatEvent]:
    """Make room, look at images, recall, condense where asked to, reason, finish."""
    allowance = await in_thread(allowance_of, run.opened.request.space_id)
    language, on_usage = allowance.language, run.usages.append
    if run.opened.window.level:
        run.opened = await in_calling_thread(
            make_room, run.opened, language=language, on_usage=on_usage, notes=allowance.notes
        )
    yield _step(run, "wm_manager", _window_fragment(run.opened, started))

    if run.images:
        started = monotonic()
        run.opened, shown = await in_calling_thread(remember_shown, run.opened, run.images, on_usage=on_usage)
        run.image_notes = shown.notes
        yield _step(run, "visual_memory", _images_fragment(shown, started))

    started = monotonic()
    recalled = await in_calling_thread(search_memory, run.opened, language=language, on_usage=on_usage)
    records = replace(recalled.records, notes=(*allowance.notes, *recalled.records.notes))
    run.recalled = recalled = replace(recalled, records=records)
    effort = run.opened.request.effort
    yield _step(run, "search", search_trace(recalled, effort=effort, took_ms=_since(started)))

    grounds = Grounds.of(recalled)
    if is_synthesized(run.opened, recalled):
        started = monotonic()
        grounds = await in_calling_thread(
            synthesize_recalled, run.opened, recalled, language=language, on_usage=on_usage
        )
        yield _step(run, "synthesize", synthesis_trace(grounds, took_ms=_since(started)))

    run.useful = grounds.useful
    started = monotonic()
    reasoning = stream_answer(run.opened, grounds, language=language, on_usage=on_usage)
    run.recalled = reasoning.shown
    async with aclosing(stream_from_thread(lambda: reasoning)) as pieces:
        async for piece in pieces:
            run.pieces.append(piece)
            yield Delta(piece)
    run.trace["reason"] = {
        **reason_trace(
            model=reasoning.model,
            pieces=len(run.pieces),
            kept=len(cited_ids(run.text, reasoning.shown, useful=run.useful)),
            notes=reasoning.notes,
            took_ms=_since(started),
        ),
        "usage": usage_trace(run.usages),
    }
    stored = await in_thread(finish_answer, run.opened.principal, run.opened.open_answer, run.outcome)
    run.is_settled = True
    yield StepDone("reason", run.trace["reason"])
    yield Answer(stored.content)
    yield _done(run, grounds, reasoning, stored)


def _done(run: _Run, grounds: Grounds, reasoning: Reasoning, stored: SessionTurn) -> Done:
    window, session, recalled = run.opened.window, run.opened.session, grounds.recalled
    notes = (*run.image_notes, *grounds.notes, *reasoning.notes)
    is_partial = bool(recalled.records.is_degraded or window.note or notes)
    return Done(
        session_id=session.id,
        session_name=session.name,
        turn_index=stored.index,
        recalled=recalled,
        window=window,
        input_tokens=sum(usage.input_tokens for usage in run.usages),
        output_tokens=sum(usage.output_tokens for usage in run.usages),
        are_tokens_estimated=any(usage.is_estimated for usage in run.usages),
        status=_status(is_partial=is_partial),
        trace=run.trace,
    )


def _status(*, is_partial: bool) -> str:
    """`offline` where no model is set up, `partial` where something degraded, else `ok`."""
    if language_model().name == OFFLINE:
        return OFFLINE
    return "partial" if is_partial else "ok"


def _step(run: _Run, step: str, fragment: dict[str, object]) -> StepDone:
    run.trace[step] = fragment
    return StepDone(step, fragment)


def _images_fragment(shown: Shown, started: float) -> dict[str, object]:
    return images_trace(shown.visuals, added=shown.added, notes=shown.notes, took_ms=_since(started))


def _window_fragment(opened: Opened, started: float) -> dict[str, object]:
    index = opened.open_answer.question.index
    return window_trace(opened.window, turn_index=index, took_ms=_since(started))


@asynccontextmanager
async def _held_lease(opened: Opened) -> AsyncIterator[None]:
    """Renew the claim on the session while the answer is being made."""

    async def beat() -> None:
        while True:
            await asyncio.sleep(AnswerConfig().heartbeat_seconds)
            if not await in_thread(renew_lease, opened.open_answer):
                return  # finishing will find the claim gone and say so

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()


async def _interrupt(run: _Run) -> None:
    """Keep what there is as interrupted, even if the reader's task is cancelled meanwhile."""
    if run.is_settled:
        return
    run.is_settled = True
    await asyncio.shield(
        in_thread(interrupt_answer, run.opened.principal, run.opened.open_answer, run.outcome)
    )


def _since(started: float) -> float:
    return (monotonic() - started) * 1000
