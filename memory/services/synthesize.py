"""Recalled fragments judged one by one, and those of use as one background text with citations.

One call, or by rules: late interaction of question and fragment, survivors quoted. A reply that
cannot be used drops nothing. Spec: docs/algorithms/recall.md, "Synthesis".
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory.config import SynthesisConfig
from memory.domain.citations import cited_numbers, renumber_citations
from memory.domain.interaction import token_matches
from memory.domain.planning import question_terms
from memory.domain.text import search_terms
from memory.domain.types import Fragment
from memory.errors import ProviderError
from memory.ports import LanguageModel, OnUsage
from memory.providers.registry import embedder, language_model, offline_language

logger = logging.getLogger(__name__)

CONFIG = SynthesisConfig()
NOT_SYNTHESIZED = "The model did not condense what was recalled; it is quoted."


@dataclass(frozen=True, slots=True)
class Synthesized:
    """`background_context` cites the kept as [1], [2] … in their order; `scores` are of all
    fragments, in [0, 1]; `kept` are places among them, from 0.
    """

    background_context: str
    scores: tuple[float, ...] = ()
    kept: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def synthesize(
    question: str,
    texts: Sequence[str],
    *,
    shown: Sequence[str] = (),
    language: LanguageModel | None = None,
    on_usage: OnUsage | None = None,
    config: SynthesisConfig = CONFIG,
) -> Synthesized:
    """The fragments of at least 0.6 as one text; at most one call. Only the first 100 are read.

    `shown`: each of the texts as it is to be read and quoted, with its date; rules judge the bare texts.
    """
    bare, listed = _lines(texts, config), _lines(shown or texts, config)
    if not listed:
        return Synthesized("")
    model = language or language_model()
    strengths = _strengths(question, bare, config)
    fragments = [Fragment(*pair) for pair in zip(listed, strengths, strict=True)]
    try:
        made = model.synthesize(question, fragments, on_usage=on_usage)
    except ProviderError as error:
        logger.warning("synthesis degrades to quoting: %s: %s", error.error_code, error.detail)
        scores = tuple(each.strength for each in fragments)
        every = tuple(range(len(listed)))
        return Synthesized(_quoted(question, listed), scores, every, (NOT_SYNTHESIZED,))
    kept = tuple(place for place, score in enumerate(made.scores) if score >= config.useful)
    numbers = {place + 1: number for number, place in enumerate(kept, start=1)}
    if kept and not numbers.keys() & set(cited_numbers(made.background_context)):
        logger.warning("synthesis degrades to quoting: it cites nothing that it keeps")
        told = _quoted(question, [listed[place] for place in kept])
        return Synthesized(told, made.scores, kept, (NOT_SYNTHESIZED,))
    told = renumber_citations(made.background_context, numbers) if kept else ""  # of nothing, nothing
    return Synthesized(told, made.scores, kept)


def _quoted(question: str, texts: Sequence[str]) -> str:
    """All of the texts, each with its number."""
    every = [Fragment(text, 1.0) for text in texts]
    return offline_language().synthesize(question, every).background_context


def _lines(texts: Sequence[str], config: SynthesisConfig) -> list[str]:
    """Each text on one line, as far as it is read."""
    return [" ".join(text[: config.fragment_chars].split()) for text in texts[: config.most_fragments]]


def _strengths(question: str, texts: Sequence[str], config: SynthesisConfig) -> list[float]:
    """How well each text answers the question's words, in [0, 1]: by late interaction, where the
    embedder gives token vectors without a call, else by the share of the words it holds.

    Of what was found near at all the best is useful, and what comes near it.
    """
    matches = _interaction(question, texts)
    if matches is None:
        asked = set(question_terms(question))
        matches = [len(asked.intersection(search_terms(text))) / max(1, len(asked)) for text in texts]
    best = max(matches)
    whole = min(config.whole_match, best) if best >= config.least_match else config.whole_match
    return [min(1.0, max(0.0, match / whole)) for match in matches]


def _interaction(question: str, texts: Sequence[str]) -> list[float] | None:
    """MaxSim of the question's tokens, a mean of cosines; 0 for a text that cannot be read."""
    using = embedder()
    if not using.makes_tokens:
        return None
    try:
        asked, *told = using.embed([question, *texts], with_tokens=True)
    except ProviderError:
        logger.warning("fragments are judged by their words", exc_info=True)
        return None
    if asked.tokens is None or not any(each.tokens is not None for each in told):
        return None
    similar = token_matches(asked.tokens, [each.tokens for each in told]).mean(axis=0)
    return [float(value) for value in np.nan_to_num(similar)]
