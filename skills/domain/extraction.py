"""What an encoder described as a skill, to what may be kept of it: cut, named by its tools, and told
apart by who taught it. docs/algorithms/skills.md.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence

from memory.domain.encoding import statement_key
from memory.domain.text import clean_text, fold, normalize, search_terms
from memory.domain.types import EncodedSkill, Role, Turn
from skills.config import SkillConfig
from skills.domain.types import Lesson, Origin, SkillText

Screen = Callable[[str], str]
_MARK = re.compile(r"^\s*(?:[-*+•]|#{1,6}|\d{1,3}[.):])\s+")  # of a step or a heading


def lesson_of(skill: EncodedSkill, turns: Sequence[Turn], *, config: SkillConfig, screen: Screen) -> Lesson:
    """The described skill, fit to be stored, with the tools of the turns that it names and its origin."""
    tools = tools_named(skill, (turn.speaker for turn in turns if turn.role is Role.TOOL))
    text = SkillText(skill.intent, skill.doc_markdown, skill.preconditions, tools)
    origin = origin_of(skill, turns, has_tools=bool(tools), config=config)
    return Lesson(fit_text(text, config=config, screen=screen), origin)


def fit_text(text: SkillText, *, config: SkillConfig, screen: Screen) -> SkillText:
    """Clean, without secrets, inside the limits; an intent is one line, a list holds each once."""

    def listed(values: Iterable[str]) -> tuple[str, ...]:
        texts = (screen(normalize(value))[: config.max_listed_chars] for value in values)
        return tuple(dict.fromkeys(each for each in texts if each))[: config.max_listed]

    return SkillText(
        intent=screen(normalize(text.intent))[: config.max_intent_chars].strip(),
        doc_markdown=screen(clean_text(text.doc_markdown))[: config.max_doc_chars].strip(),
        preconditions=listed(text.preconditions),
        tools=listed(text.tools),
    )


def tools_named(skill: EncodedSkill, used: Iterable[str]) -> tuple[str, ...]:
    """Those of the used tools that the skill names, in the order of their first use."""
    said = f"{skill.intent}\n{skill.doc_markdown}"
    names = dict.fromkeys(normalize(name) for name in used)
    return tuple(name for name in names if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said))


def origin_of(skill: EncodedSkill, turns: Sequence[Turn], *, has_tools: bool, config: SkillConfig) -> Origin:
    """Whose way it is: a person's, whose words it is made of, one of tools, or an assistant's alone.

    `has_tools`: whether it names tools that were used; then it takes more to be a person's.
    """
    by_person = _share(skill, turns, Role.USER)
    least = config.taught_beside_tools if has_tools else config.taught_share
    if by_person >= least and by_person >= _share(skill, turns, Role.ASSISTANT):
        return Origin.TAUGHT
    if any(turn.role is Role.TOOL for turn in turns):
        return Origin.OBSERVED
    return Origin.SUGGESTED


def intent_key(text: SkillText) -> str:
    """What two wordings of one intent with the same tools share: 64 hexadecimal digits."""
    parts = (statement_key(text.intent), *tools_key(text.tools))
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def tools_key(tools: Iterable[str]) -> tuple[str, ...]:
    """The tools as a set, whatever their order and case."""
    return tuple(sorted({fold(tool) for tool in tools}))


def is_same_text(one: SkillText, other: SkillText) -> bool:
    """Whether two versions say the same, whatever their blanks."""
    return _essence(one) == _essence(other)


def says_the_same(one: SkillText, other: SkillText) -> bool:
    """Whether two lessons say the same with the same tools, however their steps are marked, whatever
    their case and punctuation.
    """
    return _words_of(one) == _words_of(other)


def shares_words(one: str, other: str) -> float:
    """How many of two intents' words are common to them: their Jaccard, in [0, 1]."""
    mine, theirs = set(search_terms(one)), set(search_terms(other))
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def _essence(text: SkillText) -> tuple[object, ...]:
    lines = [normalize(line) for line in text.doc_markdown.splitlines() if line.strip()]
    return lines, [normalize(each) for each in text.preconditions], tools_key(text.tools)


def _words_of(text: SkillText) -> tuple[object, ...]:
    lines = [_MARK.sub("", line) for line in text.doc_markdown.splitlines()]
    said = [key for line in lines if (key := statement_key(line))]
    return said, sorted(map(statement_key, text.preconditions)), tools_key(text.tools)


def _share(skill: EncodedSkill, turns: Sequence[Turn], role: Role) -> float:
    """The share of the skill's words that turns of this role hold."""
    own = set(search_terms(skill.doc_markdown))
    said = {term for turn in turns if turn.role is role for term in search_terms(turn.text)}
    return len(own & said) / len(own) if own else 0.0
