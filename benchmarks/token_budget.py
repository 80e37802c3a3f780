"""`python -m benchmarks.token_budget --data locomo10.json`: what building and asking a memory reads.

One LoCoMo conversation goes through the real application in this process, with the test server
as its model: told as it is, told with a call for each exchange, told as one session; then its
questions are put to the first, in chats of a few each, so that a plan reads what was said before.
Counted is the text of the messages as they went over the wire, by cl100k_base.
No network but loopback.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import Figure, render
from benchmarks.prompt_tokens import CONSTRUCTION, Spent, chat, counted
from benchmarks.scratch import scratch_application

if TYPE_CHECKING:
    from evaluation.memories import Told
    from evaluation.recipes import Recipe
    from evaluation.types import Dialogue

PER_CHAT = 4  # questions, the last of which has six turns before it
MOST = {"standard": 3_800, "fast": 2_500}  # tokens read a question on average, by effort


@dataclass(frozen=True, slots=True)
class Built:
    """A memory, and what was read to build it; `segments` are those that were encoded."""

    told: "Told"
    spent: Spent
    segments: int

    @property
    def input_tokens(self) -> int:
        """Of every generative call, whatever it was for."""
        return sum(map(sum, self._generative))

    @property
    def calls(self) -> int:
        """Every generative call."""
        return sum(map(len, self._generative))

    @property
    def purposes(self) -> set[str]:
        """What the model was called for."""
        return {name for name, calls in self.spent.calls.items() if calls and name != "embed"}

    @property
    def _generative(self) -> list[list[int]]:
        return [calls for name, calls in self.spent.calls.items() if name != "embed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the questions took, and how many tokens of recalled items each answer read."""

    spent: Spent
    questions: int
    contexts: tuple[int, ...]

    def mean(self, *purposes: str) -> float:
        """Tokens read a question for these purposes."""
        return sum(sum(self.spent.calls[name]) for name in purposes) / max(1, self.questions)

    def later_plans(self) -> list[int]:
        """The tokens of the last plan of each chat; unknown where a question needed none."""
        plans = self.spent.calls["plan"]
        return plans[PER_CHAT - 1 :: PER_CHAT] if len(plans) == self.questions else []


def main() -> None:
    """Build, ask, print one table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.token_budget", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo file")
    parser.add_argument("--only", help="the conversation's name; the first unless told otherwise")
    parser.add_argument(
        "--questions", type=int, help="so many of that conversation; all unless told otherwise"
    )
    options = parser.parse_args()
    with scratch_application():
        from evaluation.loaders.locomo import load

        dialogues = [each for each in load(options.data) if options.only in (None, each.name)]
        if not dialogues:
            parser.error(f"{options.data} holds no conversation named {options.only}.")
        print(render(measure(dialogues[0], questions=options.questions)))


def measure(dialogue: "Dialogue", *, questions: int | None = None) -> list[Figure]:
    """All measures of one conversation; `questions` are spread over all of its own."""
    from evaluation.recipes import RECIPES
    from memory.stores.registry import calibration

    recipe = RECIPES["standard"].calibrated(calibration())
    whole = build(dialogue, recipe, name="whole")
    singly = build(dialogue, recipe.without("per_exchange"), name="singly")
    joined = build(dialogue.joined(), recipe, name="joined")
    step = max(1, len(dialogue.probes) // questions) if questions else 1
    texts = [probe.text for probe in dialogue.probes[::step][:questions]]
    figures = construction(whole, singly, joined)
    for effort in MOST:
        figures += query(effort, put(whole.told, texts, effort=effort), whole.spent.conversation)
    return figures


def build(dialogue: "Dialogue", recipe: "Recipe", *, name: str) -> Built:
    """The dialogue told by a user of that name, each turn as the recipe says."""
    from evaluation.memories import spoken_tokens, tell
    from sessions_app.models import Segment

    with counted() as spent:
        told = tell(dialogue, name=name, ingest=recipe.ingest)
        spent.conversation = spoken_tokens(told)
    segments = Segment.objects.for_space(told.principal.space_id).exclude(state=Segment.State.SKIPPED)
    return Built(told, spent, segments.count())


def put(told: "Told", questions: Sequence[str], *, effort: str) -> Asked:
    """The questions as chats of a few, by any door's way; nothing of them is filed."""
    contexts: list[int] = []
    with counted() as spent:
        for start in range(0, len(questions), PER_CHAT):
            texts = questions[start : start + PER_CHAT]
            done = chat(told.principal, f"{effort}-{start}", texts, effort=effort)
            contexts += [each.recalled.records.context_tokens for each in done]
    return Asked(spent, len(questions), tuple(contexts))


def construction(whole: Built, singly: Built, joined: Built) -> list[Figure]:
    """What was read to build memory, beside a call for each exchange and the conversation itself."""
    read, each, own = "construction: input", "one call an exchange", "the conversation's own"
    spoken = whole.spent.conversation
    others = sorted(whole.purposes.union(joined.purposes) - set(CONSTRUCTION))
    called = f"at most 1; calls for anything else: {', '.join(others) or 'none'}"
    return [
        Figure(read, whole.input_tokens, "tokens", each, singly.input_tokens, "at most 0.25"),
        Figure(read, whole.input_tokens, "tokens", own, spoken, "at most 5"),
        Figure(f"{read}, sessions joined", joined.input_tokens, "tokens", own, spoken, "at most 4"),
        Figure("construction: calls", whole.calls, "", "encoded segments", whole.segments, called),
        Figure("the same, sessions joined", joined.calls, "", "encoded segments", joined.segments, called),
    ]


def query(effort: str, asked: Asked, spoken: int) -> list[Figure]:
    """What a question reads on average, beside the whole conversation as its context."""

    def figure(what: str, value: float, target: str) -> Figure:
        return Figure(f"{effort}: {what}", value, "tokens", "the whole conversation", spoken, target)

    context = sum(asked.contexts) / max(1, len(asked.contexts))
    figures = [
        figure("input a question", asked.mean("plan", "answer"), f"at most {MOST[effort]:,}"),
        figure("of it the answer's prompt", asked.mean("answer"), "at most 2,500"),
        figure("of it recalled items", context, "at least 1,600"),
    ]
    if plans := asked.spent.calls["plan"]:
        figures.append(figure("of it the plan's prompt", asked.mean("plan"), "at most 1,300"))
        figures.append(figure("the longest plan", max(plans), "reported"))
    if later := asked.later_plans():
        figures.append(figure("a plan with six turns before it", sum(later) / len(later), "at most 1,300"))
    return figures


if __name__ == "__main__":
    main()
