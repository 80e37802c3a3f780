"""What is being done when a question is asked: turns and tool calls into an ActionState.

Pure rules; the model's plan reply refines what they find. Follows arXiv 2608.12990, section 4.1.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from memory.config import ActionConfig
from memory.domain.sentences import split_sentences
from memory.domain.text import fold
from memory.domain.types import ActionState, Plan, Question, Role, Turn

Count = Callable[[str], int]

_CONSTRAINT = re.compile(
    r"\b(?:must(?:n['’]t)?|only|without|at (?:most|least)|no (?:more|less|later) than|under \W?\d|never"
    r"|don['’]t|do not|has to|have to|needs? to be|before \d|until|muss|darf|nur|ohne|höchstens|mindestens"
    r"|nicht mehr als|bis (?:zum|spätestens)|doit|seulement|sans|debe|solo|sin"
    r"|нельзя|только|без|должен|должна|не более)\b|必须|只能|不要|不能|最多|至少|之前",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\b(?:errors?|failed|failure|exception|traceback|timed? ?out|denied|refused|not found|cannot|could not"
    r"|couldn['’]t|(?:doesn|didn|isn|won)['’]t work|does not work|did not work|exit (?:code|status) [1-9]\d*"
    r"|[45]\d\d (?:error|status)|fehler|fehlgeschlagen|erreur|échoué|falló"
    r"|ошибка|не работает|не удалось)\b|失败|错误|报错",
    re.IGNORECASE,
)
_ENDS_AS_QUESTION = ("?", "？")


def build_action_state(question: Question, *, count: Count, config: ActionConfig) -> ActionState:
    """What the recent turns, newest last, and the text itself tell, without a model.

    The talk is at most the last six turns and 600 tokens. A failure counts until somebody or a tool
    says something after it that is none; what the assistant asked is missing until it is answered:
    a text that asks back or orders on does not.
    """
    recent = question.recent[-config.recent_turns :]
    tools = [turn for turn in question.recent if turn.role is Role.TOOL]
    told = [turn.text for turn in recent if turn.role is Role.USER] + [question.text]
    return ActionState(
        known_constraints=_constraints(told, config),
        failure_signal=_failure(recent, question.text, config),
        missing_slots=_missing(recent, question.text, config),
        available_tools=tuple(dict.fromkeys(turn.speaker for turn in tools if turn.speaker)),
        last_tool=tools[-1].speaker if tools else "",
        last_result=_cut(tools[-1].text, config.result_chars) if tools else "",
        talk=_talk(recent, count, config),
        budget_tokens=config.recent_tokens,
    )


def refine_action_state(built: ActionState, plan: Plan, *, text: str, config: ActionConfig) -> ActionState:
    """What rules found with what the plan says of it: the plan's own words win, constraints add up.

    In action mode the text itself is what is tried, where the plan names nothing.
    """
    said = plan.action
    tried = said.tentative_action or (_cut(text, config.phrase_chars) if plan.mode != "answer" else "")
    constraints = (*said.known_constraints, *plan.required_constraints, *built.known_constraints)
    return replace(
        built,
        tentative_action=tried,
        known_constraints=_distinct(constraints)[: config.most],
        failure_signal=said.failure_signal or built.failure_signal,
        missing_slots=said.missing_slots or built.missing_slots,
        available_tools=_distinct((*built.available_tools, *plan.tool_hints))[: config.most],
    )


def _constraints(texts: Iterable[str], config: ActionConfig) -> tuple[str, ...]:
    """Sentences of people that bound what may be done, the newest kept."""
    bounding = [
        _cut(sentence, config.phrase_chars)
        for text in texts
        for sentence in split_sentences(text)
        if _CONSTRAINT.search(sentence) and not sentence.rstrip().endswith(_ENDS_AS_QUESTION)
    ]
    return _distinct(bounding)[-config.most :]


def _failure(recent: Sequence[Turn], text: str, config: ActionConfig) -> str:
    """The sentence that tells of a failure in the text, else in the last words of a person or a tool."""
    told = [turn.text for turn in recent if turn.role in (Role.USER, Role.TOOL)][-1:]
    for each in (text, *told):
        found = next((sentence for sentence in split_sentences(each) if _FAILURE.search(sentence)), "")
        if found:
            return _cut(found, config.phrase_chars)
    return ""


def _missing(recent: Sequence[Turn], text: str, config: ActionConfig) -> tuple[str, ...]:
    """What the assistant asked last, if the text answers with a question of its own."""
    if not recent or recent[-1].role is not Role.ASSISTANT or not text.rstrip().endswith(_ENDS_AS_QUESTION):
        return ()
    asked = [each for each in split_sentences(recent[-1].text) if each.rstrip().endswith(_ENDS_AS_QUESTION)]
    return tuple(_cut(each, config.phrase_chars) for each in asked[: config.most])


def _talk(recent: Sequence[Turn], count: Count, config: ActionConfig) -> tuple[str, ...]:
    """The newest turns inside the token budget, oldest first, a line each."""
    lines: list[str] = []
    left = config.recent_tokens
    for turn in reversed(recent):
        line = f"{turn.speaker or turn.role}: {' '.join(turn.text.split())}"
        tokens = count(line)
        if tokens > left:
            break
        lines.append(line)
        left -= tokens
    return tuple(reversed(lines))


def _cut(text: str, chars: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= chars else f"{line[: chars - 1].rstrip()}…"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({fold(text): text for text in reversed(list(texts)) if text}.values())[::-1]
