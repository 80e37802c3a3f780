"""A model's reply about a conversation to its summary: five sections, inside their bounds.

Whatever else it wrote (its analysis, remarks, other keys) is left out. A reply that says nothing
of turns that say something is Unreadable: the history must not be exchanged for it.
"""

from memory.domain.replies import Fault, JsonValue, Unreadable, read_json
from memory.domain.reply_values import mapping_of, text_of, texts_of
from memory.domain.summaries import SECTIONS, Summary

ENTRY_CHARS = 600
MAX_ENTRIES = 80  # of one section
_NAMED = ("text", "content", "summary", "point", "result", "fact", "goal", "decision")


def read_summary(text: str, *, is_cut: bool = False) -> Summary | Unreadable:
    """The summary of a reply. Lists, lone strings, objects that hold a text, and names of sections
    that are spelt a little differently are all understood.
    """
    given = read_json(text, wants="facts", is_cut=is_cut)
    if isinstance(given, Unreadable):
        return given
    value = {_key(name): entries for name, entries in mapping_of(given).items()}
    nested = mapping_of(value.get("summary"))
    if nested and not value.keys() & set(SECTIONS):
        value = {_key(name): entries for name, entries in nested.items()}
    if not value.keys() & set(SECTIONS):
        return Unreadable(Fault.NO_JSON, 'The reply must be an object with "facts" and the other sections.')
    summary = Summary.of({name: _entries(value.get(name)) for name in SECTIONS})
    return summary if summary.sections else Unreadable(Fault.EMPTY, "The summary was empty.")


def _key(name: str) -> str:
    """`openPoints`, `Open points` and `open-points` are all `open_points`."""
    spelt = "".join(f"_{char}" if char.isupper() else char for char in name.strip())
    joined = "_".join(spelt.replace("-", "_").replace(" ", "_").lower().split("_"))
    return "_".join(filter(None, joined.split("_")))


def _entries(value: JsonValue) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return texts_of([_said(item) for item in listed], limit=ENTRY_CHARS, most=MAX_ENTRIES)


def _said(item: JsonValue) -> JsonValue:
    """The text of an entry: itself, or what an object calls its text, else all its words."""
    if not isinstance(item, dict):
        return item.strip(" -•\n") if isinstance(item, str) else item
    named = next((item[name] for name in _NAMED if isinstance(item.get(name), str)), None)
    if named is not None:
        return named
    return "; ".join(filter(None, (text_of(each, limit=ENTRY_CHARS) for each in item.values())))
