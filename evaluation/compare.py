"""Two systems on the same questions: who finds an answer turn that the other does not.

The paired, exact McNemar test on hit@10, or on session hit@3 where no answer turn is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.cache import NoRun, findings_in
from evaluation.metrics import McNemar, hit_at, mcnemar
from evaluation.tables import ALL, HEADLINE, SESSION_HEADLINE, grouped, table
from evaluation.types import Ranked

TURNS, SESSIONS = 10, 3


@dataclass(frozen=True, slots=True)
class Comparison:
    """The test over one group of questions."""

    group: str
    test: McNemar

    @property
    def questions(self) -> int:
        """How many questions both were asked."""
        return self.test.both + self.test.only_first + self.test.only_second + self.test.neither


def read_system(name: str) -> list[Ranked]:
    """The rankings of `FOLDER` (its first system) or `FOLDER:SYSTEM`. Raises NoRun."""
    folder, system = Path(name), ""
    if not folder.exists() and ":" in name:
        path, _, system = name.rpartition(":")
        folder = Path(path)
    ranked = findings_in(folder).ranked
    systems = list(dict.fromkeys(each.system for each in ranked))
    system = system or (systems[0] if systems else "")
    own = [each for each in ranked if each.system == system]
    if not own:
        raise NoRun(f"{folder} holds no rankings of {system!r}; it has {', '.join(systems) or 'none'}.")
    return own


def compare(first: Sequence[Ranked], second: Sequence[Ranked]) -> list[Comparison]:
    """The test over all common questions and by category. Raises NoRun if none is common."""
    pairs = _pairs(first, second)
    if not pairs:
        raise NoRun("The two runs have no question in common.")
    by_category = grouped(pairs, lambda pair: pair[0].category)
    groups = [(ALL, pairs), *((f"category {name}", members) for name, members in by_category)]
    return [
        Comparison(name, mcnemar([is_hit(a) for a, _ in members], [is_hit(b) for _, b in members]))
        for name, members in groups
    ]


def is_hit(ranked: Ranked) -> bool:
    """Whether an answer turn is among the first ten, or an answer session among the first three."""
    if ranked.evidence:
        return bool(hit_at(ranked.turns, ranked.evidence, TURNS))
    return bool(hit_at(ranked.sessions, ranked.evidence_sessions, SESSIONS))


def comparison_table(first: str, second: str, compared: Sequence[Comparison]) -> str:
    """The test as a table, with both systems' share of questions."""
    head = ["questions", "n", f"A {HEADLINE}", f"B {HEADLINE}", "only A", "only B", "p (exact)"]
    rows = [
        [
            each.group,
            each.questions,
            (each.test.both + each.test.only_first) / each.questions,
            (each.test.both + each.test.only_second) / each.questions,
            each.test.only_first,
            each.test.only_second,
            f"{each.test.p_value:.2g}",
        ]
        for each in compared
    ]
    note = f"Where a question names no answer turn, {SESSION_HEADLINE} stands for {HEADLINE}."
    return f"A: {first}  \nB: {second}\n\n{table(head, rows)}\n\n{note}\n"


def against_first(ranked: Sequence[Ranked]) -> str:
    """The system under test against each other system of its run."""
    systems = {
        name: [each for each in ranked if each.system == name]
        for name in dict.fromkeys(each.system for each in ranked)
    }
    (own, tested), *others = systems.items()
    rows = []
    for name, other in others:
        test = compare(tested, other)[0].test
        rows.append([name, test.only_first, test.only_second, f"{test.p_value:.2g}"])
    return table([f"against {own}", f"only {own}", "only the other", "p (exact)"], rows)


def _pairs(first: Sequence[Ranked], second: Sequence[Ranked]) -> list[tuple[Ranked, Ranked]]:
    other = {(each.dialogue, each.probe): each for each in second}
    return [
        (each, other[each.dialogue, each.probe]) for each in first if (each.dialogue, each.probe) in other
    ]
