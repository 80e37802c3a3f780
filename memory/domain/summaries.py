"""The older part of a conversation in a few sentences, by section: what a window keeps of it.

Pure values: what is asked for, what comes back, how it is worded in a prompt, and how it is
kept inside its tokens. docs/algorithms/working-memory.md.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memory.domain.fencing import hanging
from memory.domain.prompts import shorten
from memory.domain.types import Turn

Count = Callable[[str], int]

SECTIONS = ("goals", "decisions", "facts", "open_points", "tool_results")


@dataclass(frozen=True, slots=True)
class Summary:
    """What was said, each entry a sentence that stands alone, in the order in which it was said."""

    goals: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open_points: tuple[str, ...] = ()
    tool_results: tuple[str, ...] = ()

    @property
    def sections(self) -> dict[str, tuple[str, ...]]:
        """The entries by section, empty sections left out."""
        return {name: entries for name in SECTIONS if (entries := getattr(self, name))}

    @classmethod
    def of(cls, sections: Mapping[str, Iterable[str]]) -> "Summary":
        """From entries by section; sections of other names are ignored."""
        return cls(**{name: tuple(sections[name]) for name in SECTIONS if name in sections})


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What is to be summarised in at most `tokens`: turns, oldest first, and the summary of what
    was said before them, which the new one extends. `is_background`: nobody waits for it.
    """

    turns: tuple[Turn, ...]
    time_zone: str
    tokens: int
    previous: Summary | None = None
    is_background: bool = False


def summary_text(summary: Summary) -> str:
    """One line a section, one an entry: `facts:` and `- Rose lives in Paris.`"""
    lines: list[str] = []
    for name, entries in summary.sections.items():
        lines.append(f"{name.replace('_', ' ')}:")
        lines += [f"- {hanging(entry)}" for entry in entries]
    return "\n".join(lines)


def summary_block(summary: Summary, *, first_turn: int, end_turn: int) -> str:
    """The summary of turns [first_turn, end_turn) as a prompt holds it, inside a fence."""
    return f"turns {first_turn} to {end_turn - 1}\n{summary_text(summary)}"


def fit_summary(summary: Summary, *, count: Count, budget: int) -> Summary:
    """The summary inside the token budget: the longest section gives way first, its oldest entry first.

    An entry that is too long by itself keeps its beginning, marked with `…`.
    """
    sections = {name: list(entries) for name, entries in summary.sections.items()}
    while sections and count(summary_text(Summary.of(sections))) > budget:
        longest = max(sections, key=lambda name: count("\n".join(sections[name])))
        entries = sections[longest]
        if len(entries) > 1:
            del entries[0]
        elif len(sections) > 1:
            del sections[longest]
        else:
            return _shortened(longest, entries[0], count=count, budget=budget)
    return Summary.of(sections)


def _shortened(name: str, entry: str, *, count: Count, budget: int) -> Summary:
    """The only entry that is left, cut to what fits beside its heading."""
    room = budget - count(summary_text(Summary.of({name: ["…"]})))
    return Summary.of({name: [shorten(entry, count=count, budget=room)]} if room > 0 else {})
