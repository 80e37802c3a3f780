"""A model's reply about groups of memories to their titles, inside their bounds.

A title that cannot stand (an order, another language than its memories', nothing) is "": then the
text of the representative stands alone.
"""

from collections.abc import Sequence

from memory.domain.encoding import is_suspicious
from memory.domain.languages import is_translated
from memory.domain.replies import Fault, JsonValue, Unreadable, read_json
from memory.domain.reply_values import indexes_of, mapping_of, text_of

_AROUND = " \t\"'`*#-–—«»„“”‚‘’「」『』《》.。:：;"
_NAMED = ("title", "name", "heading", "text")


def read_titles(
    text: str, groups: Sequence[Sequence[str]], *, chars: int, is_cut: bool = False
) -> tuple[str, ...] | Unreadable:
    """One title for each group, of at most so many characters on one line.

    Understood are lists of objects with an id, lists and objects by number, and a lone title of one group.
    """
    given = read_json(text, wants="titles", is_cut=is_cut)
    if isinstance(given, Unreadable):
        return given
    value = mapping_of(given)
    listed = value.get("titles", value.get("title"))
    if listed is None:
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with "titles".')
    found = _by_number(listed)
    return tuple(
        _sound(found.get(number), texts, chars=chars) for number, texts in enumerate(groups, start=1)
    )


def _by_number(listed: JsonValue) -> dict[int, JsonValue]:
    """Titles by the number of their group; where none is given, by their place."""
    if isinstance(listed, dict):
        pairs: list[tuple[JsonValue, JsonValue]] = list(listed.items())
    elif isinstance(listed, list):
        pairs = [(mapping_of(item).get("id", place), item) for place, item in enumerate(listed, start=1)]
    else:
        pairs = [(1, listed)]
    found: dict[int, JsonValue] = {}
    for name, item in pairs:
        for number in indexes_of(name)[:1]:
            found.setdefault(number, _said(item))
    return found


def _said(item: JsonValue) -> JsonValue:
    named = mapping_of(item)
    return next((named[name] for name in _NAMED if name in named), None) if named else item


def _sound(title: JsonValue, texts: Sequence[str], *, chars: int) -> str:
    line = text_of(title, limit=4 * chars).strip(_AROUND)
    if is_suspicious(line) or is_translated(line, sources=" ".join(texts)):
        return ""
    return line if len(line) <= chars else f"{line[: chars - 1].rstrip()}…"
