"""The floor, measured: questions of another dialogue, without its people's names, find nothing here.

Two dialogues of one benchmark share topics, which makes this a hard test: a question about
somebody else's holiday meets holidays everywhere.
"""

from collections.abc import Mapping, Sequence

from evaluation.memories import Told
from evaluation.recipes import Recipe
from evaluation.systems import Asking, request_for
from evaluation.types import Dialogue, Foreign
from memory.domain.planning import cut_names
from memory.services.recall import recall


def strange_questions(dialogues: Sequence[Dialogue]) -> Mapping[str, tuple[str, ...]]:
    """For each dialogue the questions of the one before it, their people's names cut.

    The first gets those of the last; one dialogue alone gets none.
    """
    if len(dialogues) < 2:
        return {}
    before = [dialogues[-1], *dialogues[:-1]]
    return {
        own.name: tuple(cut_names(probe.text, other.people()) for probe in other.probes)
        for own, other in zip(dialogues, before, strict=True)
    }


def put_strange_question(told: Told, dialogue: str, question: str, recipe: Recipe, asking: Asking) -> Foreign:
    """How many items the question finds, asked as in a chat."""
    request = request_for(told, question, recipe, now=asking.instant())
    return Foreign(dialogue, question, len(recall(request, config=recipe.recall).hits))
