"""The fourth agent: the window and what was recalled become an answer, piece by piece."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from memory.domain.citations import cited_numbers
from memory.domain.types import Picture, Question
from memory.errors import ContextTooLong, ProviderError, ReplyRefused
from memory.ports import AnswerRequest, LanguageModel, LiveAnswer, OnUsage
from memory.providers.registry import language_model, offline_language, token_counter
from sessions_app.agents.working_memory import Opened
from sessions_app.domain.prompting import fit_beside
from sessions_app.domain.types import Grounds, Recollection
from skills.services.recall import skill_texts
from visual.domain.telling import title_of, told_with_date
from visual.domain.types import Visual

logger = logging.getLogger(__name__)

DEGRADED = "The model did not answer; the answer was put together from what is remembered."
DECLINED = "The model declined to answer; the answer was put together from what is remembered."
TOO_LONG = (
    "The conversation is longer than the model reads, which WM_MAX_TOKENS should say;"
    " the answer was put together from what is remembered."
)
TIGHT = "The window holds no more: skills or images were left out or shortened."
CUT = "The answer reached the model's output limit and may be incomplete."


class Reasoning(Iterator[str]):
    """An answer being written: by the model, or by rules where the model fails before its
    first piece. `notes` say what degraded; `model` is who writes, `shown` what it reads of what was
    recalled.
    """

    def __init__(
        self,
        request: AnswerRequest,
        language: LanguageModel,
        on_usage: OnUsage | None,
        *,
        shown: Recollection,
        notes: Sequence[str] = (),
    ) -> None:
        self.model = language.name
        self.shown = shown
        self.notes = list(notes)
        self.is_cut = False
        self._request = request
        self._language = language
        self._on_usage = on_usage
        self._pieces: Iterator[str] | None = None
        self._has_begun = False
        self._is_closed = False

    def __next__(self) -> str:
        """The next piece. Raises ProviderError where the model fails after its first."""
        try:
            piece = self._next()
        except StopIteration:
            self._end()
            raise
        except ProviderError as error:
            if self._has_begun or self._language is offline_language():
                raise
            logger.warning("answering degrades to rules: %s: %s", error.error_code, error.detail)
            self._degrade(_said_of(error))
            piece = self._next()
        self._has_begun = True
        return piece

    def close(self) -> None:
        """Stop, from any thread; a model that is silent is not waited for."""
        self._is_closed = True
        if isinstance(self._pieces, LiveAnswer):
            self._pieces.close()

    def _next(self) -> str:
        if self._pieces is None:
            self._pieces = self._language.answer(self._request, on_usage=self._on_usage)
        if self._is_closed:  # perhaps while the call began
            self.close()
            raise StopIteration
        return next(self._pieces)

    def _degrade(self, note: str) -> None:
        self.notes.append(note)
        self._language = offline_language()
        self.model, self._pieces = self._language.name, None

    def _end(self) -> None:
        if isinstance(self._pieces, LiveAnswer) and self._pieces.is_cut and not self.is_cut:
            self.is_cut = True
            self.notes.append(CUT)


def stream_answer(
    opened: Opened,
    grounds: Grounds,
    *,
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
) -> Reasoning:
    """The answer in pieces, by the language model in use unless another is given."""
    request, recalled = opened.request, grounds.recalled
    pictures = [_picture(hit.visual, request.time_zone) for hit in recalled.visuals]
    beside = fit_beside(
        opened.window,
        skills=skill_texts(recalled.skills),
        pictures=[picture.told for picture in pictures],
        count=token_counter().count,
    )
    *earlier, asked = beside.turns
    question = Question(
        text=asked.text,
        now=request.reference_time or request.now,
        time_zone=request.time_zone,
        recent=tuple(earlier),
        summaries=tuple(anchor.text for anchor in opened.window.summaries),
        images=asked.images,
    )
    to_answer = AnswerRequest(
        question=question,
        hits=recalled.records.hits,
        context=grounds.context,
        window=tuple(earlier),
        withdrawn=opened.withdrawn,
        useful=grounds.useful,
        beyond=recalled.records.beyond,
        skills=beside.skills,
        pictures=tuple(
            replace(each, told=told) for each, told in zip(pictures, beside.pictures, strict=False)
        ),
    )
    shown = replace(
        recalled,
        skills=recalled.skills[: len(beside.skills)],
        visuals=recalled.visuals[: len(beside.pictures)],
    )
    notes = [TIGHT] if beside.is_tight else []
    return Reasoning(to_answer, language or language_model(), on_usage, shown=shown, notes=notes)


def _said_of(error: ProviderError) -> str:
    """Why rules answer, as people read it."""
    if isinstance(error, ContextTooLong):
        return TOO_LONG
    return DECLINED if isinstance(error, ReplyRefused) else DEGRADED


def _picture(visual: Visual, time_zone: str) -> Picture:
    return Picture(told_with_date(visual, time_zone), title_of(visual), visual.seen_at)


def cited_ids(text: str, recalled: Recollection, *, useful: frozenset[int] | None = None) -> tuple[UUID, ...]:
    """The recalled items that the answer cites as [1], [2] …, in the order of first mention.

    `useful`: the numbers of those that were shown for it, None for all.
    """
    hits = recalled.records.hits
    shown = useful if useful is not None else range(1, len(hits) + 1)
    return tuple(hits[n - 1].id for n in cited_numbers(text) if n in shown and n <= len(hits))


def used_ids(text: str, recalled: Recollection, *, useful: frozenset[int] | None = None) -> tuple[UUID, ...]:
    """What the answer rests on: the items it cites, and the skills and images that were shown for it."""
    shown = (*(hit.id for hit in recalled.skills), *(hit.visual.id for hit in recalled.visuals))
    return (*cited_ids(text, recalled, useful=useful), *shown)
