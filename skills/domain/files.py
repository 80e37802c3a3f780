"""Skills as SKILL.md files, the form that agent runtimes read: YAML front matter, then Markdown.

https://agentskills.io/specification. `name` and `description` are what runtimes know; what is ours
stands under `metadata`. Permissions that a file claims (`allowed-tools`) are neither read nor written:
a procedure is no permission.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import TypeVar

import yaml

from memory.domain.text import clean_text
from skills.config import SkillConfig
from skills.domain.types import SkillText

FILE_NAME = "SKILL.md"
MAX_NAME_CHARS = 64
MAX_DESCRIPTION_CHARS = 1_024
_MAX_NESTING = 20
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
# Values that hold ": " or begin with a sign of YAML's, as files hold them that were only read by other means.
_BARE = re.compile(
    r"^((?:name|description|license|compatibility):[ \t]+)(?=[^\s'\"|>])(.*\S)[ \t\r]*$", re.MULTILINE
)
_SENTENCES = re.compile(r".*[.!?。！？](?=\s|$|(?<=[。！？]))", re.DOTALL)
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_SPELT = {"\u0131": "i", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"}

T = TypeVar("T")


class UnreadableSkill(ValueError):
    """A file that is no SKILL.md; the message says what is wrong with it, in a sentence."""


class _Loader(yaml.BaseLoader):
    """Texts, lists and mappings alone, whatever a file tags them as; an empty value is none.

    No numbers or dates, which not every text makes, and no aliases: nine of them can stand for a billion.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise UnreadableSkill("Its front matter uses YAML aliases; write the values out.")
        return super().compose_node(parent, index)

    def fetch_more_tokens(self) -> None:
        """Raises UnreadableSkill for brackets in brackets, of which each token costs as many as are open."""
        if self.flow_level > _MAX_NESTING:
            raise UnreadableSkill("Its front matter is nested too deeply.")
        super().fetch_more_tokens()


_NULL = "tag:yaml.org,2002:null"
_Loader.add_implicit_resolver(_NULL, re.compile(r"\A(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""])
_Loader.add_constructor(_NULL, lambda loader, node: None)


def read_skill(data: bytes, *, config: SkillConfig) -> SkillText:
    """What a SKILL.md says, not yet fit to be stored. Raises UnreadableSkill."""
    if len(data) > config.file_bytes:
        raise UnreadableSkill(f"It is larger than {config.file_bytes:,} bytes.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableSkill("It is not UTF-8 text.") from None
    found = _FRONT.match(text)
    if found is None:
        raise UnreadableSkill('It does not begin with front matter between two lines of "---".')
    front = _front_matter(found[1], config=config)
    metadata = front.get("metadata")
    own: Mapping[object, object] = metadata if isinstance(metadata, Mapping) else {}
    body = clean_text(text[found.end() :])
    described = _line(front.get("description"))
    own_intent = _line(own.get("intent"))
    intent = own_intent or _beginning(described or _titled(_line(front.get("name"))), config.max_intent_chars)
    if not intent:
        raise UnreadableSkill("Its front matter has neither a description nor a name.")
    if not body:
        raise UnreadableSkill("It holds no text after the front matter.")
    if len(body) > config.max_doc_chars:
        limit = f"{config.max_doc_chars:,}"
        raise UnreadableSkill(f"The text after its front matter has more than {limit} characters.")
    if not own_intent and described not in ("", intent):
        body = f"{described}\n\n{body}"
    return SkillText(intent, body, _lines(own.get("preconditions")), _lines(own.get("tools")))


def write_skill(text: SkillText, *, name: str, number: int) -> str:
    """The file of a skill; read again it says the same."""
    metadata = {"intent": text.intent, "version": str(number)}
    for key, values in (("preconditions", text.preconditions), ("tools", text.tools)):
        if values:
            metadata[key] = "\n".join(values)
    front = {"name": name, "description": _description(text), "metadata": metadata}
    dumped = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{dumped}---\n\n{text.doc_markdown}\n"


def file_names(intents: Mapping[T, str]) -> dict[T, str]:
    """For each skill a name that runtimes accept: a to z, digits and hyphens, each name once."""
    names: dict[T, str] = {}
    taken: set[str] = set()
    for key, intent in intents.items():
        name = next(each for each in _candidates(_slug(intent) or "skill") if each not in taken)
        taken.add(name)
        names[key] = name
    return names


def _front_matter(text: str, *, config: SkillConfig) -> Mapping[object, object]:
    if len(text) > config.front_matter_chars:
        raise UnreadableSkill("Its front matter is too long.")
    try:
        front = _loaded(text)
    except UnreadableSkill as error:
        try:
            front = _loaded(_BARE.sub(_quoted, text))
        except UnreadableSkill:
            raise error from None
    if not isinstance(front, Mapping):
        raise UnreadableSkill("Its front matter names no values.")
    return front


def _loaded(text: str) -> object:
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - it makes no objects
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, UnreadableSkill):
            raise
        mark = getattr(error, "problem_mark", None)
        where = f": line {mark.line + 2}" if mark else ""  # the first is the line of dashes
        raise UnreadableSkill(f"Its front matter is not valid YAML{where}.") from None


def _quoted(found: re.Match[str]) -> str:
    value = found[2].replace("'", "''")
    return f"{found[1]}'{value}'"


def _beginning(text: str, most: int) -> str:
    """The text's first sentences, as many as fit; of one that is longer its first words and a mark."""
    if len(text) <= most:
        return text
    begun = _SENTENCES.match(text, 0, most)
    if begun:
        return begun[0]
    words, _blank, _rest = text[: most - 1].rpartition(" ")
    return f"{words or text[: most - 1]}…"


def _description(text: SkillText) -> str:
    """When to use it, as runtimes show it."""
    when = f"{text.intent}. Only if: {'; '.join(text.preconditions)}" if text.preconditions else text.intent
    return when[:MAX_DESCRIPTION_CHARS]


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _lines(value: object) -> tuple[str, ...]:
    """A list, or the lines of one text."""
    values = value if isinstance(value, list) else value.splitlines() if isinstance(value, str) else []
    return tuple(line for each in values if (line := _line(each)))


def _titled(name: str) -> str:
    """A file's name as an intent: "deploy-the-app" is "Deploy the app"."""
    words = name.replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def _slug(intent: str) -> str:
    plain = "".join(_SPELT.get(char, char) for char in intent.lower())
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return _NOT_IN_NAMES.sub("-", plain).strip("-")[: MAX_NAME_CHARS - 4].strip("-")


def _candidates(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
