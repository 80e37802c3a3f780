"""Findings to a report: three layers and the floor as tables, JSON and plots.

Every figure comes with its number of questions; docs/evaluation.md says what each means.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.answers import CONSTRUCTION, QUERY
from evaluation.compare import against_first
from evaluation.contexts import AS_IN_CHAT
from evaluation.plots import plot_groups, plot_hits
from evaluation.tables import ALL, grouped, mean_of, measure_table, summarise, table
from evaluation.types import Answered, Findings, InContext, TokenUse

RETRIEVAL = (
    *("hit@1", "hit@3", "hit@5", "hit@10", "hit@20", "recall@5", "recall@10", "recall@20", "all@10"),
    *("mrr@10", "ndcg@10", "session hit@1", "session hit@3", "session recall@5", "session all@5"),
    *("session mrr@10", "session ndcg@10"),
)


def markdown(found: Findings, *, command: str, budget_tokens: int) -> str:
    """The tables for people."""
    sections: tuple[tuple[bool, Callable[[], str]], ...] = (
        (bool(found.ranked), lambda: _retrieval(found)),
        (bool(found.contexts), lambda: _contexts(found.contexts, budget_tokens)),
        (bool(found.contexts), lambda: _floor(found)),
        (bool(found.answers), lambda: _answers(found.answers)),
        (any(each.calls for each in found.tokens), lambda: _tokens(found.tokens)),
    )
    return "\n\n".join([f"`{command}`", *(make() for is_known, make in sections if is_known)]) + "\n"


def write(found: Findings, folder: Path, *, command: str, budget_tokens: int) -> None:
    """Write report.json, report.md and the plots into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = summarise(found.ranked)
    content = {"command": command, "retrieval": [asdict(row) for row in rows], **figures(found)}
    (folder / "report.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    text = markdown(found, command=command, budget_tokens=budget_tokens)
    (folder / "report.md").write_text(text, encoding="utf-8")
    if rows:
        plot_hits(found.ranked, folder / "hit-by-k.png")
        plot_groups(rows, folder / "by-group.png")


def figures(found: Findings) -> dict[str, Any]:
    """The numbers of the other layers, for programs."""
    return {
        "contexts": {name: _context_figures(own) for name, own in grouped(found.contexts, _setting)},
        "floor": _floor_figures(found),
        "answers": {
            name: {"questions": len(own), "verdict": mean_of(_verdicts(own)), "unread": _unread(own)}
            for name, own in grouped(found.answers, lambda each: each.category)
        },
        "tokens": [asdict(each) for each in found.tokens],
    }


def _retrieval(found: Findings) -> str:
    rows = summarise(found.ranked)
    overall = [(row.system, row) for row in rows if row.group == ALL]
    first = [(row.group, row) for row in rows if row.system == rows[0].system and row.group != ALL]
    parts = ["## Retrieval", measure_table("system", overall, RETRIEVAL)]
    if len(overall) > 1:
        parts.append(against_first(found.ranked))
    parts += [
        f"**{rows[0].system}**, by category and dialogue:",
        measure_table("questions", first, RETRIEVAL),
    ]
    return "\n\n".join(parts)


def _contexts(contexts: Sequence[InContext], budget_tokens: int) -> str:
    rows = []
    for name, own in grouped(contexts, _setting):
        known = _context_figures(own)
        rows.append([name, *known.values()])
    head = [
        "context",
        "n",
        "tokens, mean",
        "tokens, median",
        "items, mean",
        "n with answer turns",
        "coverage",
    ]
    return f"## Context, at most {budget_tokens:,} tokens\n\n{table(head, rows)}"


def _floor(found: Findings) -> str:
    known = _floor_figures(found)
    rows = [[name, *values.values()] for name, values in known.items()]
    return f"## Floor\n\n{table(['questions', 'n', 'return nothing', 'return anything'], rows)}"


def _answers(answers: Sequence[Answered]) -> str:
    by_category = grouped(answers, lambda each: each.category)
    rows = []
    for name, own in [(ALL, list(answers)), *((f"category {name}", own) for name, own in by_category)]:
        contained = [float(each.is_contained) for each in own if each.is_contained is not None]
        rows.append([name, len(own), mean_of(_verdicts(own)), mean_of(contained), _unread(own)])
    head = ["questions", "n", "judged right", "answer contained", "verdicts unread"]
    return f"## End to end\n\n{table(head, rows)}"


def _tokens(tokens: Sequence[TokenUse]) -> str:
    construction = [each for each in tokens if each.purpose == CONSTRUCTION]
    parts = ["## Generative tokens", _construction(construction)]
    query = [each for each in tokens if each.purpose == QUERY]
    if query:
        parts.append(_query(query))
    return "\n\n".join(parts)


def _construction(used: Sequence[TokenUse]) -> str:
    rows = [
        [
            *(each.construction, each.dialogue, each.calls, each.spoken_tokens),
            *(each.input_tokens, each.output_tokens, _share(each.input_tokens, each.spoken_tokens)),
        ]
        for each in used
    ]
    head = ["construction", "dialogue", "calls", "its own tokens", "input", "output", "input / own"]
    return table(head, rows)


def _query(used: Sequence[TokenUse]) -> str:
    rows = [
        [
            *(each.dialogue, each.questions, each.calls),
            *(_share(total, each.questions) for total in (each.input_tokens, each.output_tokens)),
        ]
        for each in used
    ]
    return table(["query", "questions", "calls", "input a question", "output a question"], rows)


def _share(total: int, of: int) -> float | None:
    return total / of if of else None


def _setting(each: InContext) -> str:
    return each.setting


def _context_figures(own: Sequence[InContext]) -> dict[str, float | int | None]:
    covered = [float(each.is_covered) for each in own if each.is_covered is not None]
    ordered = sorted(each.tokens for each in own)
    return {
        "questions": len(own),
        "mean_tokens": mean_of(ordered),
        "median_tokens": ordered[len(ordered) // 2] if ordered else None,
        "mean_items": mean_of(each.items for each in own),
        "with_evidence": len(covered),
        "coverage": mean_of(covered),
    }


def _floor_figures(found: Findings) -> dict[str, dict[str, float | int | None]]:
    """Shares of questions that return nothing, as asked in a chat."""
    asked = [each for each in found.contexts if each.setting == AS_IN_CHAT]
    groups = {
        "own, answerable": [each.items for each in asked if each.is_answerable],
        "own, without an answer": [each.items for each in asked if not each.is_answerable],
        "of another dialogue": [each.items for each in found.foreign],
    }
    return {
        name: {
            "questions": len(items),
            "nothing": mean_of(float(not count) for count in items),
            "anything": mean_of(float(count > 0) for count in items),
        }
        for name, items in groups.items()
        if items
    }


def _verdicts(answers: Sequence[Answered]) -> list[float]:
    return [each.verdict for each in answers if each.verdict is not None]


def _unread(answers: Sequence[Answered]) -> int:
    return sum(each.verdict is None for each in answers)
