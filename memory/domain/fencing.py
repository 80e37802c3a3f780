"""Text of people and memories into prompts, as data that cannot close its fence.

A fence is a pair of tags that carry a mark derived from what they hold, so that a text
cannot name its own closing tag; whatever looks like one of our tags inside is escaped
as well. Headers between fenced texts stand at a line's beginning, texts never do.
"""

import hashlib
import re

from memory.domain.text import clean_text

TAGS = (
    "memory",
    "turns",
    "reference",
    "recent",
    "summary",
    "state",
    "question",
    "reply",
    "errors",
    "skill",
    "images",
)

# The bracket in its look-alikes too; blanks and invisible characters before the name.
_BLANK = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*"
_TAG = re.compile(rf"[<＜‹〈⟨﹤](?={_BLANK}[/／∕⁄\\]?{_BLANK}(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_LINES = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def fence(tag: str, text: str) -> str:
    """The text between `<tag mark>` and `</tag mark>`; the mark is 8 hex digits of its hash.

    `</memory>` inside becomes `&lt;/memory>`.
    """
    data = escape(text)
    mark = hashlib.sha256(f"{tag}\n{data}".encode()).hexdigest()[:8]
    return f"<{tag} {mark}>\n{data}\n</{tag} {mark}>"


def escape(text: str) -> str:
    """The text, clean, with the bracket of every tag of ours as an entity. Idempotent."""
    return _TAG.sub("&lt;", clean_text(text))


def hanging(text: str, *, indent: int = 2) -> str:
    """The text with each further line indented by so many spaces, so that it cannot forge a header line.

    `indent` is more than that of any line of ours that may follow.
    """
    return _LINES.sub(f"\n{' ' * indent}", clean_text(text))
