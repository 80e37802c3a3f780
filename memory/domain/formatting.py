"""Recalled items to what a model and a person read: the context, reasons, order.

Items are numbered; every quoted text hangs under its header line and cannot close
the fence around it (see fencing). Follows arXiv 2608.12990, section 4.4.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.domain.denial import WRITTEN_DATE, is_denying
from memory.domain.fencing import escape, hanging
from memory.domain.prompts import excerpt
from memory.domain.temporal import tells_hour, zone_of
from memory.domain.text import search_terms
from memory.domain.types import Evidence, Hit, Temporal

T = TypeVar("T")

_NEIGHBOUR_SHARE = 3  # a neighbour is quoted at a third of an item's length
_NAME_CHARS = 80
_FRAGMENT_CHARS = 1_200  # of a text whose date is told with it
_LONG_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{6}(?=[0-9a-f]{6})")  # its last six tell it
_SILENT = "what was said here was corrected or erased since and is not quoted"
_ASKED = re.compile(r"[^“„«「]{0,120}[“„«「]\s?(?P<question>[^”“»」]+?)\s?[”“»」][^:：]{0,8}[:：]")
_RELATED = 0.15  # below this cosine a likeness of meaning explains nothing


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of an item is shown: characters of a quoted text, and its neighbours or not."""

    chars: int
    has_neighbours: bool = True


@dataclass(frozen=True, slots=True)
class Occasion:
    """A conversation on one day: the items said there stand under its heading, which they share."""

    session_id: UUID
    session: str
    day: date

    def heading(self) -> str:
        """`Wed 2024-05-08, main:`."""
        return f"{self.day:%a %Y-%m-%d}, {self.session}:"


def occasion_of(hit: Hit, *, time_zone: str) -> Occasion | None:
    """Where and on which day, in that zone, it was said; None if that was not at one occasion."""
    zone = zone_of(time_zone)
    own = [each for each in hit.evidence if not each.is_neighbour]
    occasions = {
        Occasion(each.session_id, _session(each), each.said_at.astimezone(zone).date()) for each in own
    }
    return occasions.pop() if len(occasions) == 1 and not hit.lost else None


def format_item(
    hit: Hit, number: int, detail: Detail, *, time_zone: str, quoted: Mapping[UUID, int] | None = None
) -> str:
    """One item: its header, its text, and the turns it was said in.

    Under the heading of its occasion `[1] fact · Ann · true from 2024-05-01 · 13:56 · turn 3`; one that
    has none says where and when by itself. `quoted`: turns that stand under the item of that number; this
    one refers to them. A statement that the turn quoted under it makes in the same words is not told twice.
    """
    has_heading = occasion_of(hit, time_zone=time_zone) is not None
    place = _turns if has_heading else _place
    elsewhere = {turn_id: n for turn_id, n in (quoted or {}).items() if n != number}
    shown = (each for each in hit.evidence if detail.has_neighbours or not each.is_neighbour)
    runs = _runs(each for each in shown if each.turn_id not in elsewhere)
    only = runs[0] if len(runs) == 1 else None
    header = _header_parts(
        hit, zone_of(time_zone), has_speaker=only is None or len(only) > 1, has_heading=has_heading
    )
    lines = [f"[{number}] {' · '.join([*header, place(only)] if only else header)}"]
    if hit.memory_type != "episode" and not _stands_in(runs, hit, detail):
        lines.append(_indented(hit.text, detail.chars))
    for run in runs:
        lines.extend([] if only else [f"  {place(run)}:"])
        lines.extend(_quote(each, detail) for each in run)
    own = (each for each in hit.evidence if not each.is_neighbour and each.turn_id in elsewhere)
    lines.extend(f"  {place([each])}: quoted under [{elsewhere[each.turn_id]}]" for each in own)
    return "\n".join(lines)


def dated_text(hit: Hit, *, time_zone: str) -> str:
    """The item's text alone, and what its header says of it.

    `Ann lives in Porto. (fact · Ann · true from 2024-05-01 · said Wed 2024-05-08 13:56 by Ann)`.
    """
    return f"{excerpt(hit.text, _FRAGMENT_CHARS)} ({' · '.join(_header_parts(hit, zone_of(time_zone)))})"


def reason_for(
    hit_breakdown: Mapping[str, float], *, names: Sequence[str], is_supported: bool, is_asker: bool = False
) -> str:
    """Why an item was recalled, in one sentence; `names`: those it shares with the question.

    `is_asker`: it is about the one who asks, whom the question does not name.
    """
    cosine, share = hit_breakdown.get("cosine", 0.0), hit_breakdown.get("matched_share", 0.0)
    parts: list[str] = []
    if hit_breakdown.get("attribute", 0.0) > 0:
        parts.append("it states what is asked for")
    elif share > 0:
        parts.append(f"it uses {_amount(share)} the question's words")
    if cosine >= _RELATED:
        parts.append(f"its meaning is {_closeness(cosine)} the question")
    if is_asker:
        parts.append("it is about the person asking")
    if names:
        parts.append(f"it is about or by {_listed(names)}, named in the question")
    if hit_breakdown.get("session_bm25", 0.0) > 0.8:
        parts.append("its conversation speaks of the same")
    if is_supported:
        parts.append("a record and a turn agree on it")
    if not parts:
        parts.append("the turns around it match the question")
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def newest_first(
    items: Sequence[T], *, attribute: Callable[[T], Hashable | None], since: Callable[[T], datetime]
) -> list[T]:
    """The items, those that give one attribute several values among them newest first.

    `attribute` is None for what has none. The places they hold in the order stay theirs.
    """
    places: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        key = attribute(item)
        if key is not None:
            places.setdefault(key, []).append(place)
    ordered = list(items)
    for group in places.values():
        newest = sorted((items[place] for place in group), key=since, reverse=True)
        for place, item in zip(group, newest, strict=True):
            ordered[place] = item
    return ordered


def _header_parts(
    hit: Hit, zone: ZoneInfo, *, has_speaker: bool = True, has_heading: bool = False
) -> list[str]:
    """Type, subject, validity, and when it was said; by whom, unless the one turn quoted tells it."""
    parts = [hit.memory_type.replace("_", " ")]
    if hit.subject and hit.memory_type != "episode":
        parts.append(_name(hit.subject))
    parts.extend(_validity(hit.temporal, hit.said_at, zone))
    speaker = next((each.speaker for each in hit.evidence if not each.is_neighbour), hit.subject)
    moment = hit.said_at.astimezone(zone)
    said = f"{moment:%H:%M}" if has_heading else f"said {moment:%a %Y-%m-%d %H:%M}"
    return [*parts, f"{said} by {_name(speaker)}" if speaker and has_speaker else said]


def _validity(temporal: Temporal, said_at: datetime, zone: ZoneInfo) -> list[str]:
    """When it was true, unless that is just when it was said."""

    def day(instant: datetime) -> str:
        return f"{instant.astimezone(zone):%Y-%m-%d}"

    def begun(instant: datetime) -> str:
        return f"{instant.astimezone(zone):%Y-%m-%d %H:%M}" if tells_hour(instant, zone) else day(instant)

    if temporal.valid_from and temporal.valid_to:
        return [f"true {begun(temporal.valid_from)} until {day(temporal.valid_to)}"]
    if temporal.valid_from:
        return [f"true from {begun(temporal.valid_from)}"]
    if temporal.valid_to:
        return [f"true until {day(temporal.valid_to)}"]
    return [f"of {begun(temporal.ref)}"] if temporal.ref and temporal.ref != said_at else []


def _runs(evidence: Iterable[Evidence]) -> list[list[Evidence]]:
    """Turns by session and index; those that follow each other together."""
    runs: list[list[Evidence]] = []
    for each in sorted(evidence, key=lambda each: (str(each.session_id), each.index)):
        last = runs[-1][-1] if runs else None
        if last and last.session_id == each.session_id and each.index - last.index <= 1:
            if each.index > last.index:
                runs[-1].append(each)
        else:
            runs.append([each])
    return runs


def _stands_in(runs: Sequence[Sequence[Evidence]], hit: Hit, detail: Detail) -> bool:
    """Whether the turn it was said in is quoted whole and says all of its statement, in its order.

    Of an answer, the turn that asked is quoted whole before it.
    """
    shown = [each for run in runs for each in run if not each.is_neighbour]
    own = sum(not each.is_neighbour for each in hit.evidence)
    if not 0 < own == len(shown) <= 2 or any(len(each.text) > detail.chars for each in shown):
        return False
    *asking, teller = shown
    statement = _answer(hit.text, asking[0].text) if asking else hit.text
    if not statement:
        return False
    if hit.temporal.valid_from:  # which the header tells
        statement = WRITTEN_DATE.sub("", statement, count=1)
    names = {*search_terms(teller.speaker), *search_terms(hit.subject)}
    said = iter(search_terms(teller.text))  # each word is looked for after the one before
    is_said = all(term in said for term in search_terms(statement) if term not in names)
    return is_said and is_denying(statement) == is_denying(teller.text)


def _answer(text: str, question: str) -> str:
    """What a statement says to the question that it quotes, if that is this one; else nothing."""
    quoted = _ASKED.match(text)
    return text[quoted.end() :] if quoted and quoted["question"] in question else ""


def _place(run: Sequence[Evidence]) -> str:
    return f"{_session(run[0])}, {_turns(run)}"


def _turns(run: Sequence[Evidence]) -> str:
    first, last = run[0].index, run[-1].index
    return f"turn {first}" if first == last else f"turns {first}-{last}"


def _session(each: Evidence) -> str:
    """Its conversation's name, in which a long id is cut: "chat-…9c41d7"."""
    return _name(_LONG_ID.sub("…", each.session_name))


def _quote(each: Evidence, detail: Detail) -> str:
    if each.is_silent:
        return f"    ({_SILENT})"
    chars = detail.chars // _NEIGHBOUR_SHARE if each.is_neighbour else detail.chars
    return f"    {_name(each.speaker or each.role.value)}: {_hanging(each.text, chars)}"


def _indented(text: str, chars: int) -> str:
    return f"  {_hanging(text, chars)}"


def _hanging(text: str, chars: int) -> str:
    """The text, cut, its further lines deeper than the places and quotations of an item."""
    return hanging(escape(excerpt(text, chars)), indent=6)


def _name(text: str) -> str:
    return " ".join(escape(text).replace("[", "(").split())[:_NAME_CHARS]


def _closeness(cosine: float) -> str:
    if cosine >= 0.6:
        return "very close to"
    return "close to" if cosine >= 0.4 else "related to"


def _amount(share: float) -> str:
    """As people say it; rare words count for more in the share."""
    if share >= 0.95:
        return "all"
    return "most of" if share >= 0.5 else "some of"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(_name(name) for name in names)
