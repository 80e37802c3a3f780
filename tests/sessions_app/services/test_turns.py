"""Appending: numbered without gaps, all or none, clean, screened, findable at once."""

import threading
from datetime import UTC, datetime, timedelta
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.errors import Forbidden, InvalidInput, TooLarge
from accounts.models import Space, User
from memory.models import IndexedItem, IndexOutbox
from sessions_app.domain.types import NewTurn
from sessions_app.models import Session, SessionTurn
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db


def user_turn(text, **changes):
    return NewTurn(role="user", content=text, **changes)


@pytest.fixture
def session(alice):
    return open_session(alice, "plans")


def test_turns_are_numbered_in_order(alice, session):
    append_turns(alice, session, [user_turn("One."), NewTurn(role="assistant", content="Two.")])
    (third,) = append_turns(alice, session, [user_turn("Three.")])
    assert third.index == 2
    stored = SessionTurn.objects.for_space(alice.space_id).order_by("index")
    assert [(t.index, t.role, t.speaker, t.content) for t in stored] == [
        (0, "user", "Alice", "One."),
        (1, "assistant", "", "Two."),
        (2, "user", "Alice", "Three."),
    ]


def test_totals_are_kept_on_the_session(alice, session):
    before = timezone.now()
    rows = append_turns(alice, session, [user_turn("Hello world"), user_turn("Hello")])
    assert [row.tokens for row in rows] == [6, 5]  # cl100k counts 2 and 1; each turn adds 4
    session.refresh_from_db()
    assert (session.turn_count, session.token_total) == (2, 11)
    assert session.last_turn_at >= before


def test_a_markers_text_is_counted_not_obeyed(alice, session):
    (row,) = append_turns(alice, session, [user_turn("<|endoftext|>")])
    assert row.tokens > 5


def test_people_and_the_assistant_are_indexed_in_the_same_transaction(alice, session):
    append_turns(
        alice,
        session,
        [NewTurn(role=role, content=f"A {role} speaks.") for role in ("system", "user", "tool", "assistant")],
    )
    items = IndexedItem.objects.filter(session_id=session.id).order_by("position")
    assert [item.position for item in items] == [1, 3]
    assert IndexOutbox.objects.count() == 2


def test_one_faulty_turn_stores_none(alice, session):
    with pytest.raises(InvalidInput) as raised:
        append_turns(alice, session, [user_turn("Fine."), user_turn("  \x00 ")])
    assert raised.value.errors[0].pointer == "/turns/1/content"
    assert not SessionTurn.objects.for_space(alice.space_id).exists()


def test_an_index_that_fails_takes_the_turns_back(alice, session, monkeypatch):
    def fail(items):
        raise RuntimeError

    monkeypatch.setattr("sessions_app.services.turns.index_items", fail)
    with pytest.raises(RuntimeError):
        append_turns(alice, session, [user_turn("Lost?")])
    session.refresh_from_db()
    assert session.turn_count == 0
    assert not SessionTurn.objects.for_space(alice.space_id).exists()


def test_the_limits_hold(alice, session, settings):
    settings.MAX_MESSAGE_CHARS = 10
    append_turns(alice, session, [user_turn("x" * 10)])
    with pytest.raises(TooLarge):
        append_turns(alice, session, [user_turn("x" * 11)])
    with pytest.raises(TooLarge):
        append_turns(alice, session, [user_turn("x")] * 1_001)
    with pytest.raises(InvalidInput):
        append_turns(alice, session, [])


def test_secrets_are_hidden_before_the_row_is_written(alice, session):
    secret = "sk-proj-abcdefghij0123456789"
    (row,) = append_turns(
        alice,
        session,
        [user_turn(f"My key is {secret}.", metadata={"note": f"also {secret}", "n": [secret]})],
    )
    row.refresh_from_db()
    assert "[redacted:" in row.content
    assert secret not in f"{row.content}{row.metadata}"
    session.refresh_from_db()
    assert secret not in session.title


def test_a_space_may_switch_the_screen_off(alice, session):
    Space.objects.filter(pk=alice.space_id).update(is_screening_secrets=False)
    (row,) = append_turns(alice, session, [user_turn("My key is sk-proj-abcdefghij0123456789.")])
    assert "sk-proj" in row.content


def test_naive_times_mean_the_users_zone(alice, session):
    User.objects.filter(pk=alice.user_id).update(time_zone="Asia/Shanghai")
    (row,) = append_turns(
        type(alice)(**{f: getattr(alice, f) for f in alice.__slots__} | {"time_zone": "Asia/Shanghai"}),
        session,
        [user_turn("Hi.", said_at=datetime(2026, 3, 1, 23, 30))],  # noqa: DTZ001
    )
    assert row.said_at == datetime(2026, 3, 1, 15, 30, tzinfo=UTC)


def test_given_times_are_honoured(alice, session):
    at = datetime(2021, 5, 1, 12, tzinfo=ZoneInfo("America/New_York"))
    (row,) = append_turns(alice, session, [user_turn("Hi.", said_at=at)])
    row.refresh_from_db()
    assert row.said_at == at
    assert row.created_at - row.said_at > timedelta(days=1)


def test_the_session_takes_its_title_from_the_first_thing_a_person_said(alice, session):
    append_turns(
        alice, session, [NewTurn(role="system", content="Be kind."), user_turn("Where\nis the key?")]
    )
    append_turns(alice, session, [user_turn("Another thing.")])
    session.refresh_from_db()
    assert session.title == "Where is the key?"


def test_the_title_begins_behind_a_greeting(alice, session):
    append_turns(alice, session, [user_turn("Hi! I'm Maya and I own a boat.")])
    session.refresh_from_db()
    assert session.title == "I own a boat."


def test_a_long_first_text_is_cut_for_the_title(alice, session):
    append_turns(alice, session, [user_turn("word " * 100)])
    session.refresh_from_db()
    assert len(session.title) <= 80
    assert session.title.endswith("…")


def test_a_viewers_turns_are_never_filed(vera):
    session = open_session(vera, "mine")
    (row,) = append_turns(vera, session, [user_turn("Between us.")])
    assert not row.is_consolidated
    assert row.private_to_id == vera.user_id


def test_a_viewer_adds_nothing_to_a_shared_session(vera, session):
    with pytest.raises(Forbidden):
        append_turns(vera, session, [user_turn("Hello?")])


def test_an_editor_speaks_under_their_own_name(alice, bob, session):
    append_turns(alice, session, [user_turn("Hi Bob.")])
    (row,) = append_turns(bob, session, [user_turn("Hi Alice.")])
    assert (row.index, row.speaker, row.author_id) == (1, "Bob", bob.user_id)


def test_appending_never_looks_back(alice, session):
    append_turns(alice, session, [user_turn("Warm up.")])
    with CaptureQueriesContext(connection) as at_ten:
        append_turns(alice, session, [user_turn("Early.")])
    fill(session, 10_000)
    with CaptureQueriesContext(connection) as at_ten_thousand:
        append_turns(alice, session, [user_turn("Late.")])
    assert len(at_ten) == len(at_ten_thousand)
    statements = " ".join(query["sql"] for query in at_ten_thousand)
    assert "COUNT(" not in statements
    assert "MAX(" not in statements


def test_appending_costs_the_same_in_a_long_session(alice, session):
    def best_of(n):
        times = []
        for i in range(n):
            started = perf_counter()
            append_turns(alice, session, [user_turn(f"Turn number {i} about the garden.")])
            times.append(perf_counter() - started)
        return min(times)

    short = best_of(10)
    fill(session, 10_000)
    assert best_of(10) < 2 * short + 0.005


def fill(session, n):
    """Let the session look long, without paying for the index."""
    session.refresh_from_db()
    SessionTurn.objects.for_space(session.space_id).bulk_create(
        SessionTurn(
            space_id=session.space_id,
            session=session,
            index=session.turn_count + i,
            role="user",
            content="Filler.",
            tokens=6,
            said_at=timezone.now(),
        )
        for i in range(n)
    )
    Session.objects.for_space(session.space_id).filter(pk=session.pk).update(
        turn_count=session.turn_count + n
    )


@pytest.mark.django_db(transaction=True)
def test_concurrent_appends_keep_every_turn_once(alice):
    session = open_session(alice, "busy")
    failures: list[Exception] = []

    def write(writer):
        try:
            for i in range(5):
                append_turns(alice, session, [user_turn(f"{writer}-{i}"), user_turn(f"{writer}-{i}b")])
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    rows = list(SessionTurn.objects.for_space(alice.space_id).order_by("index"))
    assert [row.index for row in rows] == list(range(40))
    texts = [row.content for row in rows]
    assert len(set(texts)) == 40
    assert all(texts[i + 1] == texts[i] + "b" for i in range(0, 40, 2))  # a batch stays together
    session.refresh_from_db()
    assert session.turn_count == 40
