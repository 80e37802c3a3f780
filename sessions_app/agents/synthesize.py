"""The third agent: what was recalled is judged, and what is of use condensed, at effort `deep`.

Numbers stay those of the recalled items, so that prompt, page and log mean the same by [2].
"""

from memory.domain.citations import renumber_citations
from memory.domain.formatting import dated_text
from memory.domain.types import Effort
from memory.ports import LanguageModel, OnUsage
from memory.providers.registry import offline_language
from memory.services.synthesize import Synthesized, synthesize
from sessions_app.agents.working_memory import Opened
from sessions_app.domain.types import Grounds, Recollection


def is_synthesized(opened: Opened, recalled: Recollection) -> bool:
    """Whether there is something to condense, and it was asked for."""
    return opened.request.effort is Effort.DEEP and bool(recalled.records.hits)


def synthesize_recalled(
    opened: Opened, recalled: Recollection, *, language: LanguageModel, on_usage: OnUsage | None = None
) -> Grounds:
    """What of the recalled is of use for the question; by at most one call.

    A model that fails, and rules that find nothing of use, leave everything as it was recalled.
    """
    hits, zone = recalled.records.hits, opened.request.time_zone
    made = synthesize(
        recalled.records.question,
        [hit.text for hit in hits],
        shown=[dated_text(hit, time_zone=zone) for hit in hits],
        language=language,
        on_usage=on_usage,
    )
    if made.notes or language is offline_language():
        useful = None if made.notes or not made.kept else _numbers(made)
        return Grounds(
            recalled, recalled.records.context, useful, made.scores, made.notes, model=offline_language().name
        )
    numbers = dict(enumerate(sorted(_numbers(made)), start=1))
    context = renumber_citations(made.background_context, numbers)
    return Grounds(recalled, context, _numbers(made), made.scores, model=language.name)


def _numbers(made: Synthesized) -> frozenset[int]:
    """The numbers, from 1, of the items that were judged to be of use."""
    return frozenset(place + 1 for place in made.kept)
