"""Turns to reusable ways of doing something, by rules: steps that a person enumerates or tells in
order, and tools that were used one after another until it was done.

A list counts only under words that announce how something is done, so that a shopping list is no
skill; a row of tools only where nothing failed and nobody complained. docs/algorithms/skills.md.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from memory.domain.feedback import Outcome, is_tool_error, judge_next_turn
from memory.domain.sentences import split_sentences
from memory.domain.text import normalize, search_terms
from memory.domain.types import EncodedSkill, Role, Turn

LEAST_STEPS = 2
LEAST_TOLD = 3  # steps of a way told in sentences
LEAST_TOOLS = 2
MOST_STEPS = 40
MAX_INTENT_CHARS = 200
MAX_STEP_CHARS = 600

_ITEM = re.compile(r"^\s*(?:(\d{1,2})[.):、]|[-*•–]|[①-⑳]|step \d{1,2}[.:)]?)\s*(?=\S)", re.IGNORECASE)
_INLINE = re.compile(r"(?<=\s)(\d{1,2})[.):]\s+(?=\S)")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HOW = re.compile(
    r"\bhow (?:to|i|we|you|do i|do you|do we|should i|can i)\b|\bhere(?:'s| is| are) (?:how|the steps|what)\b"
    r"|\b(?:the )?(?:steps?|procedure|recipe|workflow|runbook|checklist|instructions?|routine)\b"
    r"|^(?:in order )?to [a-z]\w+ .{2,}|^(?:when(?:ever)?|if) (?:you|we|i) (?:want|need|have) to\b"
    r"|\bwie (?:man|ich|wir|du)\b|^so \w+ (?:man|ich|wir)\b"
    r"|\b(?:schritte?|anleitung|vorgehen|rezept|ablauf)\b|^um .{3,80} zu \w+"
    r"|\bcomment (?:on|je|faire)\b|\b(?:étapes?|marche à suivre|recette|procédure)\b"
    r"|^pour [a-zà-ÿ]+(?:er|ir|re)\b"
    r"|\bcómo\b|\b(?:pasos|receta|procedimiento|instrucciones)\b|^para [a-zà-ÿ]+(?:ar|er|ir)\b"
    r"|\bcome (?:si|fare|faccio)\b|\b(?:passaggi|ricetta|procedura|istruzioni)\b"
    r"|\bcomo (?:se|eu|fazer)\b|\bpassos\b"
    r"|\bhoe (?:je|ik|we)\b|\b(?:stappen|werkwijze|recept)\b"
    r"|как (?:это )?(?:делать|сделать|[а-я]+ть)\b|\b(?:шаги|порядок действий|инструкция|рецепт|процедура)\b"
    r"|^чтобы "
    r"|步骤|流程|方法|做法|怎么|如何|手順|やり方|方法は|방법|순서|단계",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:(?:and|und|et|y|e|en|и)\s+)?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|"
    r"after (?:that|this)|"
    r"afterwards|finally|lastly|zuerst|zunächst|dann|danach|anschließend|schließlich|zuletzt|"
    r"d'abord|ensuite|puis|après|enfin|primero|luego|después|finalmente|prima|poi|infine|primeiro|depois|"
    r"eerst|daarna|vervolgens|tenslotte|сначала|сперва|потом|затем|после этого|наконец)\b[\s,:]*"
    r"|^(?:首先|先|然后|接着|再|最后|まず|次に|それから|最後に|먼저|다음에|그리고|마지막으로)[,，、\s]*",
    re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"(?<=[.!?;])\s+|(?<=[。！？；])\s*|,\s+(?=(?:and\s+)?(?:then|next|finally|afterwards)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so(?=,)|ok(?:ay)?|well|note|remember|please remember|for next time|fyi)[,:]?\s+)*"
    r"(?:(?:this|here|that)(?:'s| is| are)\s+)?"
    r"(?:the (?:steps|way|procedure|workflow|runbook)\s+(?:for|of)\s+)?"
    r"(?:how\s+(?:we|you|i|to|do (?:i|we|you)|can (?:i|we)|should (?:i|we))\s+)?"
    r"(?:(?:in order )?to\s+|when(?:ever)? (?:you|we|i) (?:want|need|have) to\s+)?",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:(?:please|kindly|can you|could you|would you|bitte|s'il te plaît|por favor)[,\s]+)+", re.IGNORECASE
)
# Stems of words that announce steps without saying what for.
_SAY_NOTHING = frozenset(
    [
        "step",
        "follow",
        "instruct",
        "procedur",
        "process",
        "recip",
        "workflow",
        "guid",
        "way",
        "do",
        "done",
        "thing",
        "list",
        "schritt",
        "schritte",
        "anleitung",
        "ablauf",
        "étape",
        "etap",
        "paso",
        "pasos",
        "passo",
        "passos",
        "stappen",
        "шаг",
        "инструкц",
        "步骤",
        "流程",
        "方法",
        "手順",
    ]
)
_END = re.compile(r"[\s,，:：.。!！?？…]+$")


def find_skills(turns: Sequence[Turn]) -> tuple[EncodedSkill, ...]:
    """The ways of doing something that the turns teach or show, each intent once; the last telling counts."""
    found: dict[str, EncodedSkill] = {}
    for place, turn in enumerate(turns):
        if turn.role is Role.USER and (taught := _taught(turn, turns[:place])):
            found[taught.intent.casefold()] = taught
    for shown in _shown(turns):
        found.setdefault(shown.intent.casefold(), shown)
    return tuple(found.values())


def _taught(turn: Turn, before: Sequence[Turn]) -> EncodedSkill | None:
    """What a person explains, in a list or in sentences; None where it is no way of doing something."""
    lead, steps = _listed(turn.text)
    if len(steps) < LEAST_STEPS:
        lead, steps = _told(turn.text)
    if not steps:
        return None
    announced = lead if _HOW.search(lead) else _question_before(turn, before)
    intent = _intent(announced)
    return _skill(intent, steps) if intent else None


def _listed(text: str) -> tuple[str, list[str]]:
    """What stands before a list, and its items with the lines that belong to them."""
    lead: list[str] = []
    steps: list[list[str]] = []
    is_code = False
    for line in _on_lines(text):
        is_code ^= bool(_FENCE.match(line))
        mark = None if is_code else _ITEM.match(line)
        if mark and (steps or lead or mark[1] in (None, "1")):
            steps.append([line[mark.end() :].rstrip()])
        elif not steps:
            lead.append(line)
        elif line.strip() and (line[:1].isspace() or is_code or _FENCE.match(line)):
            steps[-1].append(line.rstrip())
        elif line.strip():
            break  # what follows the list is another matter
    return _last_line(lead), ["\n".join(step)[:MAX_STEP_CHARS] for step in steps[:MOST_STEPS]]


def _on_lines(text: str) -> Iterator[str]:
    """The lines of a text; "1. … 2. … 3. …" within one is as many."""
    for line in text.splitlines():
        marks = [*_INLINE.finditer(line)]
        first = int(marks[0][1]) if marks else 0
        starts = [0, *(mark.start() for mark in marks), len(line)]
        is_counting = [int(mark[1]) for mark in marks] == [*range(first, first + len(marks))]
        is_list = is_counting and (first == 1 or (first == 2 and _ITEM.match(line)))
        yield from (line[a:b] for a, b in pairwise(starts)) if is_list else (line,)


def _told(text: str) -> tuple[str, list[str]]:
    """What is said before "first …, then …, finally …", and those steps."""
    clauses = [clause.strip() for clause in _CLAUSES.split(text) if clause.strip()]
    first = next((at for at, clause in enumerate(clauses) if _ORDER.search(_after_lead(clause))), None)
    if first is None:
        return "", []
    lead, opening = _parted(clauses[first])
    steps = [
        opening,
        *takewhile(lambda clause: _ORDER.match(clause) or not _is_asking(clause), clauses[first + 1 :]),
    ]
    ordered = sum(bool(_ORDER.match(step)) for step in steps)
    bare = [_END.sub("", _ORDER.sub("", step)).strip() for step in steps]
    if ordered < 2 or len(bare) < LEAST_TOLD:
        return "", []
    before = " ".join([*clauses[:first], lead]).strip()
    return _last_sentence(before), [step[:1].upper() + step[1:] for step in bare if step][:MOST_STEPS]


def _after_lead(clause: str) -> str:
    return _parted(clause)[1]


def _parted(clause: str) -> tuple[str, str]:
    """What is announced and its first step: "To bake it: first heat the oven" at the colon."""
    for at, char in enumerate(clause):
        if char in ":：,，" and _ORDER.match(clause[at + 1 :].strip()):
            return clause[: at + 1], clause[at + 1 :].strip()
    return "", clause


def _shown(turns: Sequence[Turn]) -> Iterator[EncodedSkill]:
    """What was done with several tools at a person's request, where it went well."""
    asked = [place for place, turn in enumerate(turns) if turn.role is Role.USER]
    for place, until in pairwise([*asked, len(turns)]):
        request, work = turns[place], turns[place + 1 : until]
        used = [turn for turn in work if turn.role is Role.TOOL and turn.speaker]
        after = turns[until] if until < len(turns) else None
        intent = _intent(_last_sentence(request.text))
        if (
            len({turn.speaker for turn in used}) >= LEAST_TOOLS
            and intent
            and _went_well(request, used, after)
        ):
            yield _skill(intent, [*_tool_steps(work)])


def _went_well(request: Turn, used: Sequence[Turn], after: Turn | None) -> bool:
    """Whether the last results are no errors, and whoever asked did not say it failed."""
    if is_tool_error(used[-1].text):
        return False
    said = judge_next_turn(after.text, asked=request.text) if after else None
    return said in (None, Outcome.SUCCESS)


def _tool_steps(work: Sequence[Turn]) -> Iterator[str]:
    """Each tool whose use went well, with what the assistant said it was for."""
    purpose, last = "", ""
    for turn in work:
        if turn.role is Role.ASSISTANT:
            purpose = _last_sentence(turn.text)
        elif turn.role is Role.TOOL and turn.speaker and not is_tool_error(turn.text):
            step = f"`{turn.speaker}`: {purpose}" if purpose else f"`{turn.speaker}`"
            if step != last:
                yield step[:MAX_STEP_CHARS]
            purpose, last = "", step


def _skill(intent: str, steps: Sequence[str]) -> EncodedSkill:
    numbered = (f"{number}. {_indented(step)}" for number, step in enumerate(steps, start=1))
    return EncodedSkill(intent, "\n".join(numbered))


def _indented(step: str) -> str:
    """A step of several lines, so that they stay with its number."""
    first, *rest = step.strip().splitlines()
    return "\n".join([first, *(f"   {line.strip()}" for line in rest)])


def _intent(announced: str) -> str:
    """What is to be achieved: "Here's how to deploy the app:" says "Deploy the app", "The steps are as
    follows:" nothing.
    """
    text = _END.sub("", _LEAD.sub("", _POLITE.sub("", normalize(announced)))).strip()
    if set(search_terms(text)) <= _SAY_NOTHING:
        return ""
    return text[:1].upper() + text[1:MAX_INTENT_CHARS]


def _question_before(turn: Turn, before: Sequence[Turn]) -> str:
    """What another asked right before, if it was how something is done."""
    asked = _last_sentence(before[-1].text) if before and before[-1].speaker != turn.speaker else ""
    return asked if _is_asking(asked) and _HOW.search(asked) else ""


def _is_asking(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟"))


def _last_line(lines: Sequence[str]) -> str:
    said = [line.strip() for line in lines if line.strip()]
    return _last_sentence(said[-1]) if said else ""


def _last_sentence(text: str) -> str:
    sentences = split_sentences(text.strip()[:2_000])
    return sentences[-1].strip() if sentences else ""
