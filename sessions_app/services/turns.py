"""Appending turns: numbered by the session's locked row, indexed in the same transaction.

Nothing here looks at earlier turns: appending costs the same at turn 10 and 10,000.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.errors import InvalidInput, TooLarge
from accounts.models import Space
from accounts.principals import Principal
from memory.domain.secrets import screen
from memory.domain.types import IndexItem, Kind, Role
from memory.providers.offline_language.headline import headline_of
from memory.providers.registry import token_counter
from memory.services.index import index_items
from sessions_app.config import TurnConfig
from sessions_app.domain.turns import Cleaner, Writer, clean_turn
from sessions_app.domain.types import CleanTurn, NewTurn
from sessions_app.models import Session, SessionTurn
from sessions_app.services.sessions import lock_visible, open_session, require_writable

__all__ = ["NewTurn", "append_to_named", "append_turns", "clean_turns", "index_turns", "store_turns"]

RECALLED_ROLES = frozenset({Role.USER, Role.ASSISTANT})


def append_turns(principal: Principal, session: Session, turns: Sequence[NewTurn]) -> list[SessionTurn]:
    """Store the turns in order, all or none, findable by words at once.

    Raises Forbidden, InvalidInput or TooLarge naming the faulty turn, NotFound for a
    session deleted meanwhile.
    """
    require_writable(principal, session)
    return _append(principal, session, clean_turns(principal, turns, now=timezone.now()))


def append_to_named(principal: Principal, name_or_id: str, turns: Sequence[NewTurn]) -> list[SessionTurn]:
    """The same in the session of that name or id, which is made where there is none.

    A faulty turn makes none. Raises what open_session and append_turns raise.
    """
    clean = clean_turns(principal, turns, now=timezone.now())
    return _append(principal, open_session(principal, name_or_id), clean)


def _append(principal: Principal, session: Session, clean: Sequence[CleanTurn]) -> list[SessionTurn]:
    with transaction.atomic():
        locked = lock_visible(principal, session)
        rows = store_turns(principal, locked, clean)
        index_turns(locked, rows)
    return rows


def clean_turns(
    principal: Principal, turns: Sequence[NewTurn], *, now: datetime, text_field: str = "content"
) -> list[CleanTurn]:
    """The turns as they are stored; texts are screened where the space wants it.

    `text_field` is what a request calls their text.
    """
    config = turn_config()
    if not turns:
        raise InvalidInput.field("turns", "Send at least one turn.", code="blank")
    if len(turns) > config.max_batch_turns:
        raise TooLarge(f"At most {config.max_batch_turns:,} turns fit one request; send the rest in another.")
    cleaner = Cleaner(
        screen=space_screen(principal), count=token_counter().count, config=config, text_field=text_field
    )
    writer = Writer(speaker=principal.speaker, time_zone=principal.time_zone)
    return [
        clean_turn(turn, writer, cleaner, now=now, pointer=f"/turns/{i}" if len(turns) > 1 else "")
        for i, turn in enumerate(turns)
    ]


def store_turns(principal: Principal, locked: Session, turns: Sequence[CleanTurn]) -> list[SessionTurn]:
    """Number and write the turns, in the caller's transaction, under its lock on the session."""
    first = locked.turn_count
    rows = [
        SessionTurn(
            space_id=locked.space_id,
            private_to_id=locked.private_to_id,
            session=locked,
            index=first + i,
            role=turn.role,
            speaker=turn.speaker,
            author_id=principal.user_id,
            content=turn.content,
            tokens=turn.tokens,
            said_at=turn.said_at,
            # What a viewer says stays theirs: it never becomes a memory of the space.
            is_consolidated=turn.is_consolidated and principal.can_write,
            metadata=dict(turn.metadata),
        )
        for i, turn in enumerate(turns)
    ]
    SessionTurn.objects.for_space(locked.space_id).bulk_create(rows)
    locked.turn_count = first + len(rows)
    locked.token_total += sum(turn.tokens for turn in turns)
    locked.last_turn_at = timezone.now()
    if not locked.title:
        locked.title = _title(turns)
    locked.save(update_fields=["turn_count", "token_total", "last_turn_at", "title"])
    return rows


def index_turns(session: Session, rows: Sequence[SessionTurn]) -> None:
    """Hand what people and the assistant said to the index; system and tool turns are not
    recalled alone.
    """
    index_items(
        [
            IndexItem(
                kind=Kind.TURN,
                id=row.id,
                space_id=session.space_id,
                private_to=session.private_to_id,
                session_id=session.id,
                position=row.index,
                speaker=row.speaker,
                text=row.content,
            )
            for row in rows
            if Role(row.role) in RECALLED_ROLES
        ]
    )


def space_screen(principal: Principal) -> Callable[[str], str]:
    """The secret screen, or the identity where the space has switched it off."""
    is_on = Space.objects.filter(pk=principal.space_id, is_screening_secrets=True).exists()
    return screen if is_on else str


def turn_config() -> TurnConfig:
    """The limits as the settings have them."""
    return TurnConfig(max_chars=settings.MAX_MESSAGE_CHARS)


def _title(turns: Sequence[CleanTurn]) -> str:
    """The first thing a person said, on one line, without greeting and introduction."""
    said = next((turn.content for turn in turns if turn.role is Role.USER), "")
    limit = turn_config().title_chars
    line = headline_of(said[: 4 * limit])
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
