"""Stored turns as pages show them: safe HTML, stages with their times, citation cards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.principals import Principal
from memory.domain.types import Kind, Reader, Role
from memory.models import RetrievalLog
from memory.selectors import composite_titles
from sessions_app.models import SessionTurn
from sessions_app.services.images import images_by_turn
from sessions_app.views.addresses import image_url, record_url, skill_url, turn_url
from sessions_app.views.markdown import answer_html
from sessions_app.views.reading import logs_of, standing_sessions
from sessions_app.views.stages import Stage, found_words, stages_of
from visual.domain.telling import alt_text
from visual.domain.types import Visual

ASSISTANT = "Lychee"  # a name, the same in every language
UNCITED = (Kind.SKILL, Kind.VISUAL)  # answers do not cite them by number


@dataclass(frozen=True, slots=True)
class Card:
    """A recalled item beside the answer that rests on it; `number` is what `[n]` cites, 0 for a skill."""

    number: int
    item_id: str  # empty for what was erased since
    memory_type: str
    text: str
    score: float
    reason: str
    speaker: str
    said_at: datetime | None
    record_url: str
    turn_url: str
    skill_url: str = ""
    title: str = ""  # of a composite that has one


@dataclass(frozen=True, slots=True)
class TurnPicture:
    """An image that was sent with a turn; no address where it was deleted since."""

    url: str
    small_url: str
    alt: str


@dataclass(frozen=True, slots=True)
class RatedLog:
    """The recall behind an answer, and what is known to have come of it."""

    id: UUID
    outcome: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn with what led to it: `cited` are the cards its text rests on, `others` were
    recalled beside them, `skills` were shown for it. `can_ask_again`: the last answer broke off, and
    the reader asked.
    """

    index: int
    is_user: bool
    speaker: str
    said_at: datetime
    state: str
    text: str
    html: str
    stages: tuple[Stage, ...]
    cited: tuple[Card, ...]
    others: tuple[Card, ...]
    can_ask_again: bool
    is_consolidated: bool
    skills: tuple[Card, ...] = ()
    images: tuple[TurnPicture, ...] = ()  # sent with it
    pictures: tuple[TurnPicture, ...] = ()  # recalled for it
    log: RatedLog | None = None  # of an answer whose recall the reader may rate


def present_turns(principal: Principal, rows: Sequence[SessionTurn]) -> list[ShownTurn]:
    """The turns in order."""
    logs = logs_of(principal, rows)
    named = {
        UUID(turn["session_id"]) for log in logs.values() for hit in log.hits for turn in _sources_of(hit)
    }
    standing = standing_sessions(principal, named)
    titles = _titles(principal, logs.values())
    sent = images_by_turn(principal, rows[0].session) if rows else {}
    return [
        replace(
            _present(principal, row, logs.get(row.id), standing, titles),
            images=tuple(_picture(principal, visual) for visual in sent.get(row.id, ())),
        )
        for row in rows
    ]


def _titles(principal: Principal, logs: Iterable[RetrievalLog]) -> dict[UUID, str]:
    """Of the composites that were recalled, as they are called now: a log keeps no title."""
    composites = {UUID(hit["id"]) for log in logs for hit in log.hits if hit["kind"] == Kind.COMPOSITE}
    return composite_titles(Reader(principal.space_id, principal.user_id), composites)


def _picture(principal: Principal, visual: Visual | None) -> TurnPicture:
    if visual is None:
        return TurnPicture("", "", _("This image was deleted."))
    url = image_url(principal, visual.id)
    return TurnPicture(url, f"{url}?size=small", alt_text(visual))


def _recalled(principal: Principal, hit: Mapping[str, Any]) -> TurnPicture:
    """A recalled image; one that was deleted since is left out of the log."""
    url = image_url(principal, hit["id"])
    return TurnPicture(url, f"{url}?size=small", hit["text"])


def _present(
    principal: Principal,
    row: SessionTurn,
    log: RetrievalLog | None,
    standing: frozenset[UUID],
    titles: Mapping[UUID, str],
) -> ShownTurn:
    is_user = row.role == Role.USER
    found = log.hits if log else []
    hits = [hit for hit in found if hit["kind"] not in UNCITED]
    cards = tuple(_card(principal, hit, number, standing) for number, hit in enumerate(hits, 1))
    if titles:
        cards = tuple(
            replace(card, title=titles.get(UUID(card.item_id), "") if card.item_id else "") for card in cards
        )
    html = "" if is_user else answer_html(row.content, turn_index=row.index, item_count=len(cards))
    return ShownTurn(
        index=row.index,
        is_user=is_user,
        speaker=row.speaker or (_("You") if is_user else ASSISTANT),
        said_at=row.said_at,
        state=row.state,
        text=row.content,
        html=html,
        stages=stages_of(row.trace, row.state) or ((_recall_stage(log),) if log else ()),
        cited=tuple(card for card in cards if log and card.item_id in log.kept_ids),
        others=tuple(card for card in cards if log and card.item_id not in log.kept_ids),
        can_ask_again=_can_ask_again(principal, row),
        is_consolidated=row.is_consolidated,
        skills=tuple(_skill_card(principal, hit) for hit in found if hit["kind"] == Kind.SKILL),
        pictures=tuple(_recalled(principal, hit) for hit in found if hit["kind"] == Kind.VISUAL),
        log=RatedLog(log.id, log.outcome) if log and row.state == SessionTurn.State.COMPLETE else None,
    )


def _can_ask_again(principal: Principal, row: SessionTurn) -> bool:
    is_broken = row.role == Role.ASSISTANT and row.state == SessionTurn.State.INTERRUPTED
    is_last = row.index == row.session.turn_count - 1
    return is_broken and is_last and row.author_id == principal.user_id


def _recall_stage(log: RetrievalLog) -> Stage:
    """How the recall went, from its log: all that is known of an answer without a trace."""
    kept = sum(hit["kind"] not in UNCITED for hit in log.hits)
    return Stage(
        label=_("Recall"),
        ms=f"{round(sum(log.timings_ms.values()))} ms",
        words=found_words(kept + len(log.dropped), kept),
    )


def _sources_of(hit: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [turn for turn in hit.get("turns", ()) if turn.get("session_id")]


def _skill_card(principal: Principal, hit: Mapping[str, Any]) -> Card:
    """A skill of a log as a card; it leads to the skill's page."""
    return Card(
        number=0,
        item_id=hit["id"],
        memory_type=hit["memory_type"],
        text=hit["text"],
        score=hit["score"],
        reason=hit.get("reason", ""),
        speaker="",
        said_at=None,
        record_url="",
        turn_url="",
        skill_url=skill_url(principal, hit["id"]),
    )


def _card(principal: Principal, hit: Mapping[str, Any], number: int, standing: frozenset[UUID]) -> Card:
    """A hit of a log as a card; it leads to its turn while that stands."""
    turns = _sources_of(hit)
    is_open = bool(turns) and UUID(turns[0]["session_id"]) in standing
    is_record = hit["kind"] == Kind.RECORD
    said_at = hit.get("said_at")
    return Card(
        number=number,
        item_id=hit["id"],
        memory_type=hit["memory_type"],
        text=hit["text"],
        score=hit["score"],
        reason=hit.get("reason", ""),
        speaker=(turns[0]["speaker"] or ASSISTANT) if turns else "",
        said_at=datetime.fromisoformat(said_at) if said_at else None,
        record_url=record_url(principal, hit["id"]) if is_record else "",
        turn_url=turn_url(principal, turns[0]["session_id"], turns[0]["index"]) if is_open else "",
    )
