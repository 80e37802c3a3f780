"""The older part of a conversation to a summary by section, in its own words.

Statements of people and of the assistant are quoted with who said them and when, sorted by cue
words, weighed by what they tell, and chosen until the tokens are used up. Nothing is translated
or reworded.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memory.domain.prompts import local_time
from memory.domain.summaries import SECTIONS, Summary, SummaryRequest
from memory.domain.text import search_terms
from memory.domain.types import Role, Turn
from memory.providers.offline_language.chatter import content_words, is_chatter, is_question
from memory.providers.offline_language.statements import find_statements, sentences_of

Count = Callable[[str], int]

ENTRY_CHARS = 240
_TOOL_HEAD, _TOOL_TAIL = 140, 60  # characters of a tool's result
_BLOCK = 12  # turns looked at together: what a statement leans on is near
_TELLING_WORDS = 12  # content words from which more add no weight
_SECTION_SHARE = 0.2  # of the tokens, that each section but the facts may take
_ASSISTANT = -0.4  # what people say of themselves comes first
_NEWEST = 0.1  # for the last entry; less, the older
_TIMES = 10  # parts of the conversation, each of which is to be heard
_CROWDED = 0.2  # for each entry of the same part and section that weighs more
_HEADINGS = 24  # tokens kept for the names of the sections

_GOAL = re.compile(
    r"\b(?:(?:i|we)(?: would|'d|’d)? (?:really )?(?:want|need|hope|plan|intend|aim|like) to"
    r"|(?:my|our|the) (?:goal|aim|plan)"
    r"|(?:i'm|i am|we're|we are) (?:trying|planning|hoping|going) to|(?:i|we) am looking for"
    r"|(?:ich|wir) (?:will|wollen|möchten?|plane|planen|habe vor|brauche|brauchen)"
    r"|(?:mein|unser) (?:ziel|plan)"
    r"|(?:je|nous) (?:veux|voulons|voudrais|voudrions|souhaite|prévois)|(?:mon|notre) (?:but|objectif)"
    r"|(?:quiero|queremos|quisiera|necesito|planeo)|(?:mi|nuestro) (?:objetivo|meta|plan)"
    r"|(?:voglio|vogliamo|vorrei)|(?:quero|queremos|gostaria)"
    r"|(?:хочу|хотим|хотел[аи]? бы|планиру\w+|собира\w+(?:сь)?|моя цель|наша цель))(?!\w)"
    r"|(?:我|我们)(?:想|要|打算|计划|希望)|目标是|(?:たい|つもり)(?:です|。|と)|(?:싶|계획)",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|agreed|settled on|let'?s (?:go with|use|take|do|make)"
    r"|(?:we|i)(?:'ll| will) (?:go with|use|take)|going with|chose|chosen|booked|approved|confirmed"
    r"|entschieden|beschlossen|wir nehmen|ich nehme|abgemacht|einigen uns|gebucht"
    r"|décidé|on prend|choisi|convenu|réservé|decidido|decidimos|elegimos|acordamos|reservado|reservé"
    r"|deciso|decidiu|решил[аи]?|решено|договорил\w+|выбрал[аи]?|забронировал\w*)(?!\w)"
    r"|决定|就这样|确定了|选了|定了|決め|決定|결정",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:to-?do|still (?:have|need|has) to|not (?:done|decided|sure) yet|remind (?:me|us)|don'?t forget"
    r"|pending|open question|follow up|noch (?:offen|zu|nicht)|erinner\w* (?:mich|uns)|vergiss nicht"
    r"|reste à|rappelle[- ]moi|n'oublie pas"
    r"|pendiente|todavía (?:no|falta)|recuérdame|no olvides|ancora da|ainda (?:não|falta)"
    r"|ещё (?:не|нужно|надо)|напомни\w*|не забудь\w*)(?!\w)"
    r"|还(?:没|要|需要)|待办|提醒我|别忘了|まだ|忘れない",
    re.IGNORECASE,
)
_CUES = (("decisions", _DECISION), ("open_points", _OPEN), ("goals", _GOAL))
_WEIGHTS = {"goals": 0.5, "decisions": 0.6, "open_points": 0.4, "facts": 0.0, "tool_results": 0.1}
_FIGURE_OR_NAME = re.compile(r"\d|(?<![.!?:] )(?<!^)\b[A-ZÄÖÜА-Я]\w{2,}")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One candidate. `place` orders it in time; those carried over stand before all others."""

    place: int
    section: str
    text: str
    weight: float  # at first what speaks for or against it before its words are looked at


def summarize_turns(request: SummaryRequest, *, count: Count) -> Summary:
    """The entries that tell most, in the order in which they were said, inside the tokens."""
    carried = list(_carried(request.previous)) if request.previous else []
    said = list(_said(request.turns, request.time_zone, first=len(carried)))
    most = len(carried) + len(said)
    entries = [_weighed(entry, most) for entry in (*carried, *said)]
    return _chosen(_spread(entries, most), count=count, budget=request.tokens - _HEADINGS)


def _carried(previous: Summary) -> Iterator[_Entry]:
    pairs = [(name, text) for name, texts in previous.sections.items() for text in texts]
    for place, (name, text) in enumerate(pairs):
        yield _Entry(place, name, text, 0.0)


def _said(turns: Sequence[Turn], zone: str, *, first: int) -> Iterator[_Entry]:
    place = first
    for start in range(0, len(turns), _BLOCK):
        block, after = turns[start : start + _BLOCK], turns[start + _BLOCK :][:1]
        for role, section, text in _of_block(block, after, zone):
            yield _Entry(place, section, text, _ASSISTANT * (role is Role.ASSISTANT))
            place += 1


def _of_block(block: Sequence[Turn], after: Sequence[Turn], zone: str) -> Iterator[tuple[Role, str, str]]:
    stated = {turn.id: list[str]() for turn in block}
    for statement in find_statements(block):
        asked = f"{statement.question} – " if statement.question else ""
        stated[statement.turn.id].append(asked + statement.text)
    following = [*block[1:], *after]
    for at, turn in enumerate(block):
        who = f"{turn.speaker or turn.role} ({local_time(turn.said_at, zone)[4:14]})"
        if turn.role is Role.TOOL:
            yield turn.role, "tool_results", f"{who}: {_result(turn.text)}"
        for text in stated[turn.id]:
            yield turn.role, _section_of(text), f"{who}: {_cut(text)}"
        if turn.role is Role.USER and all(each.role is Role.USER for each in following[at : at + 1]):
            for question in _questions(turn.text):
                yield turn.role, "open_points", f"{who}: {_cut(question)}"


def _section_of(text: str) -> str:
    return next((name for name, cue in _CUES if cue.search(text)), "facts")


def _questions(text: str) -> list[str]:
    """What was asked last and nobody replied to."""
    return [each for each in sentences_of(text) if is_question(each) and not is_chatter(each)][-1:]


def _weighed(entry: _Entry, most: int) -> _Entry:
    """How much the entry tells: content words, figures and names, its section, a little its age."""
    told = min(_TELLING_WORDS, len(set(content_words(entry.text)))) / _TELLING_WORDS
    named = 0.3 * (_FIGURE_OR_NAME.search(_told(entry.text)) is not None)
    recent = _NEWEST * entry.place / max(1, most)
    weight = entry.weight + _WEIGHTS[entry.section] + told + named + recent
    return replace(entry, weight=weight)


def _spread(entries: Sequence[_Entry], most: int) -> list[_Entry]:
    """The entries, each the lighter the more of its time and section outweigh it: the summary stands
    for all of the conversation.
    """
    ranks: dict[tuple[str, int], int] = {}
    spread = []
    for entry in sorted(entries, key=lambda entry: -entry.weight):
        time = (entry.section, _TIMES * entry.place // max(1, most))
        rank = ranks[time] = ranks.get(time, -1) + 1
        spread.append(replace(entry, weight=entry.weight - _CROWDED * rank))
    return spread


def _chosen(entries: Iterable[_Entry], *, count: Count, budget: int) -> Summary:
    """The weightiest entries that fit, none that repeats another, as a summary.

    First each section may take its share, and its best entry anyway; what is left goes by weight alone.
    """
    ranked = sorted(entries, key=lambda entry: (-entry.weight, -entry.place))
    choice = _Choice(count, budget)
    for entry in ranked:
        share = budget if entry.section == "facts" else int(budget * _SECTION_SHARE)
        if not choice.taken[entry.section] or choice.taken[entry.section] + choice.cost(entry) <= share:
            choice.add(entry)
    for entry in ranked:
        choice.add(entry)
    kept = sorted(choice.kept, key=lambda entry: entry.place)
    return Summary.of({name: [e.text for e in kept if e.section == name] for name in SECTIONS})


@dataclass(slots=True)
class _Choice:
    """What was chosen so far, and what it took."""

    count: Count
    left: int
    kept: list[_Entry] = field(default_factory=list)
    known: list[frozenset[str]] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SECTIONS, 0))

    def cost(self, entry: _Entry) -> int:
        """Tokens of the entry on a line of its own."""
        return self.count(entry.text) + 3

    def add(self, entry: _Entry) -> None:
        """Take the entry if it fits and its words are not all told by another."""
        terms = frozenset(search_terms(_told(entry.text)))
        tokens = self.cost(entry)
        if tokens > self.left or any(terms <= other for other in self.known):
            return
        self.left -= tokens
        self.taken[entry.section] += tokens
        self.kept.append(entry)
        self.known.append(terms)


def _told(text: str) -> str:
    """An entry without who said it and when; one that a model wrote has no such head."""
    return text.partition("): ")[2] or text


def _result(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _TOOL_HEAD + _TOOL_TAIL:
        return line
    missing = len(line) - _TOOL_HEAD - _TOOL_TAIL
    return f"{line[:_TOOL_HEAD]} [… {missing:,} characters left out …] {line[-_TOOL_TAIL:]}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= ENTRY_CHARS else line[: ENTRY_CHARS - 1].rstrip() + "…"
