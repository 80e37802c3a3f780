"""Turns as doors receive them become turns fit to be stored."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.errors import InvalidInput, TooLarge
from memory.domain.types import Role
from sessions_app.config import TurnConfig
from sessions_app.domain.turns import Cleaner, Writer, clean_metadata, clean_name, clean_turn
from sessions_app.domain.types import NewTurn

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WRITER = Writer(speaker="Alice", time_zone="Europe/Berlin")


def hide(text: str) -> str:
    return text.replace("hunter2", "[redacted: password]")


CLEANER = Cleaner(screen=hide, count=lambda text: len(text.split()), config=TurnConfig(max_chars=50))


def clean(turn: NewTurn, pointer: str = ""):
    return clean_turn(turn, WRITER, CLEANER, now=NOW, pointer=pointer)


def refusal(turn: NewTurn, pointer: str = "") -> tuple[str, str]:
    with pytest.raises((InvalidInput, TooLarge)) as raised:
        clean(turn, pointer)
    (error,) = raised.value.errors
    return error.pointer, error.code


def test_a_turn_is_cleaned_screened_and_counted():
    turn = clean(NewTurn(role="user", content="  Zoe\u0308 said\x00 hunter2 \ud83d "))
    assert turn.content == "Zo\u00eb said [redacted: password]"
    assert (turn.role, turn.speaker, turn.said_at) == (Role.USER, "Alice", NOW)
    assert turn.tokens == 4 + 4


def test_a_given_speaker_wins_and_is_put_on_one_line():
    assert clean(NewTurn(role="user", content="Hi", speaker=" Bob \n Ross ")).speaker == "Bob Ross"


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_people_get_the_writers_name(role):
    assert clean(NewTurn(role=role, content="Hi")).speaker == ""


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (NewTurn(role="robot", content="Hi"), ("/role", "invalid")),
        (NewTurn(role="", content="Hi"), ("/role", "invalid")),
        (NewTurn(role="user", content=""), ("/content", "blank")),
        (NewTurn(role="user", content="\x00 \ud800"), ("/content", "blank")),
        (NewTurn(role="user", content="x" * 51), ("/content", "too_long")),
        (NewTurn(role="user", content="Hi", speaker="x" * 129), ("/speaker", "too_long")),
        (NewTurn(role="user", content="Hi", metadata={"Space": 1}), ("/metadata/Space", "reserved_key")),
        (
            NewTurn(role="user", content="Hi", metadata={"a": {"tenant": 1}}),
            ("/metadata/a/tenant", "reserved_key"),
        ),
        (
            NewTurn(role="user", content="Hi", metadata={"user_id": "x"}),
            ("/metadata/user_id", "reserved_key"),
        ),
        (NewTurn(role="user", content="Hi", metadata={"": 1}), ("/metadata/", "invalid_key")),
        (NewTurn(role="user", content="Hi", metadata={"a": float("nan")}), ("/metadata/a", "invalid")),
        (NewTurn(role="user", content="Hi", metadata={"a": object()}), ("/metadata/a", "invalid")),
        (NewTurn(role="user", content="Hi", metadata={"a": "x" * 16_001}), ("/metadata", "too_long")),
    ],
)
def test_a_faulty_field_is_named(turn, expected):
    assert refusal(turn) == expected
    assert refusal(turn, "/turns/3") == (f"/turns/3{expected[0]}", expected[1])


def test_metadata_nested_too_deep_is_refused():
    deep: dict[str, object] = {}
    for _ in range(9):
        deep = {"a": deep}
    assert refusal(NewTurn(role="user", content="Hi", metadata=deep))[1] == "invalid"


def test_metadata_is_cleaned_all_the_way_down():
    raw = {" a\x00 ": ["hunter2", {"b": " x\ud83d "}], "n": 1, "f": 0.5, "t": True, "none": None}
    assert clean_metadata(raw, CLEANER, pointer="/metadata") == {
        "a": ["[redacted: password]", {"b": "x"}],
        "n": 1,
        "f": 0.5,
        "t": True,
        "none": None,
    }


def test_naive_times_are_the_writers_and_stored_in_utc():
    at = datetime(2026, 7, 1, 9, 30)  # noqa: DTZ001
    assert clean(NewTurn(role="user", content="Hi", said_at=at)).said_at == datetime(
        2026, 7, 1, 7, 30, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "edge",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
        datetime(1, 1, 1, tzinfo=UTC),  # which has no local time west of Greenwich
        datetime(9999, 12, 31, 23, tzinfo=UTC),
        datetime(999, 12, 31, tzinfo=UTC),
        datetime(3000, 1, 1, tzinfo=UTC),
    ],
)
def test_an_instant_near_the_ends_of_the_calendar_is_refused(edge):
    assert refusal(NewTurn(role="user", content="Hi", said_at=edge)) == ("/created_at", "out_of_range")


@pytest.mark.parametrize("name", ["", " \t", "\x00", "n" * 129])
def test_a_faulty_name_is_refused(name):
    with pytest.raises(InvalidInput):
        clean_name(name, field="session_id", limit=128)


@given(st.text(max_size=60))
def test_whatever_is_stored_can_be_stored_again(text):
    try:
        once = clean(NewTurn(role="user", content=text))
    except (InvalidInput, TooLarge):
        return
    assert clean(NewTurn(role="user", content=once.content)).content == once.content
    assert once.content.encode()  # no lone surrogate
    assert "\x00" not in once.content
