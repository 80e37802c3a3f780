"""The cast with browsers, a conversation of Alice's and a memory of it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from accounts.principals import Principal
from memory.models import MemoryRecord, RecordEvidence
from sessions_app.domain.types import NewTurn
from sessions_app.models import Session
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns

Browse = Callable[[Principal], Client]
SAID = datetime(2026, 5, 3, 9, 30, tzinfo=UTC)


@pytest.fixture
def browse() -> Browse:
    def signed_in(principal: Principal) -> Client:
        client = Client()
        client.force_login(User.objects.get(pk=principal.user_id))
        return client

    return signed_in


def talk(principal: Principal, *texts: str, name: str = "talk", private: bool = False) -> Session:
    """A conversation in which the person and the assistant take turns."""
    session = open_session(principal, name, private=private)
    roles = ("user", "assistant")
    turns = [NewTurn(role=roles[i % 2], content=text, said_at=SAID) for i, text in enumerate(texts)]
    append_turns(principal, session, turns)
    session.refresh_from_db()
    return session


@pytest.fixture
def session(alice) -> Session:
    return talk(
        alice, "My sister Ana lives in Porto.", "Noted: **Porto**.", "She likes trains.", "Good to know."
    )


def remember(session: Session, text: str, *, turn_index: int = 0, **changes: object) -> MemoryRecord:
    """A record that rests on one turn of the session."""
    values: dict[str, object] = {
        "memory_type": "fact",
        "semantic_text": text,
        "normalized_text": text.lower(),
        "subject": "Ana",
        "learned_at": SAID,
        "said_at": SAID,
        "content_hash": text[:64],
        "session_id": session.id,
        **changes,
    }
    record: MemoryRecord = MemoryRecord.objects.for_space(session.space_id).create(
        space_id=session.space_id, private_to_id=session.private_to_id, **values
    )
    turn = session.turns.get(index=turn_index)
    RecordEvidence.objects.for_space(session.space_id).create(
        space_id=session.space_id,
        private_to_id=session.private_to_id,
        record=record,
        session_id=session.id,
        turn_id=turn.id,
        turn_index=turn_index,
    )
    return record


@pytest.fixture
def record(session) -> MemoryRecord:
    return remember(session, "Ana lives in Porto.")


def without_token(response: HttpResponse) -> str:
    """A page but for its CSRF token, which differs each time."""
    return re.sub(r'"X-CSRFToken": "\w+"', "", response.content.decode())
