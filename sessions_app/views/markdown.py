"""An answer's markdown as safe HTML, its `[1]` as links to the recalled items.

Whatever the text holds, only the tags listed here come out, and no image: an
address in an answer must not be fetched by merely looking at it.
"""

import re

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block
from markdown_it.rules_inline import StateInline

from memory.domain.citations import cited_numbers

_CITATION = re.compile(r"\[\d{1,3}(?: ?[,;–-] ?\d{1,3})*\](?!\(|\[\D)")
_ORDINAL = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_TAGS = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}


def _cite(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's own signature
    """The inline rule for `[n]`, and `[n, m]`, where all of them are items of the turn."""
    match = _CITATION.match(state.src, state.pos)
    numbers = cited_numbers(match[0]) if match else ()
    if match is None or not all(1 <= number <= state.env["items"] for number in numbers):
        return False
    for number in () if silent else numbers:
        token = state.push("html_inline", "", 0)
        token.content = f'<a class="cite" href="#cite-{state.env["turn"]}-{number}">{number}</a>'
    state.pos = match.end()
    return True


def _list(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    """The block rule for lists, but for an ordinal that counts nothing: a date such as `29. May`."""
    is_next_item = state.sCount[start] < state.blkIndent  # seen from within the item before it
    ordinal = None if is_next_item else _ordinal(state, start)
    if ordinal is not None and not _is_counting(state, ordinal, start, end):
        return False
    return list_block(state, start, end, silent)


def _is_counting(state: StateBlock, first: re.Match[str], start: int, end: int) -> bool:
    """Whether the ordinals of a list begin at the beginning, and go on."""
    number, mark = int(first[1]), first[2]
    if number > 1:
        return False
    lines = (line for line in range(start + 1, end) if state.sCount[line] == state.sCount[start])
    later = (_ordinal(state, line) for line in lines)
    return any(one[2] == mark and int(one[1]) in (number, number + 1) for one in later if one)


def _ordinal(state: StateBlock, line: int) -> re.Match[str] | None:
    return _ORDINAL.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.block.ruler.at("list", _list, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.inline.ruler.before("link", "cite", _cite)
    return parser


_MARKDOWN = _parser()


def markdown_html(text: str) -> SafeString:
    """Render a text that cites nothing, with the same few tags."""
    return answer_html(text, turn_index=0, item_count=0)


def answer_html(text: str, *, turn_index: int, item_count: int) -> SafeString:
    """Render an answer. Citations beyond `item_count` stay as they were written."""
    raw = _MARKDOWN.render(text, {"turn": turn_index, "items": item_count})
    clean = nh3.clean(
        raw,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes={"a": {"cite"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(clean)  # noqa: S308 - nh3 has just cleaned it
