"""Single values of a reply, lenient in form and strict in range."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.reply_values import (
    Calendar,
    block_of,
    count_of,
    indexes_of,
    mapping_of,
    share_of,
    text_of,
    texts_of,
    truth_of,
)

NOW = datetime(2023, 5, 8, 12, tzinfo=UTC)
BERLIN = Calendar("Europe/Berlin", NOW)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2023-05-07", datetime(2023, 5, 6, 22, tzinfo=UTC)),
        ("2023-05", datetime(2023, 4, 30, 22, tzinfo=UTC)),
        ("2023", datetime(2022, 12, 31, 23, tzinfo=UTC)),
        ("2023-5-7", datetime(2023, 5, 6, 22, tzinfo=UTC)),
        ("2023-05-07T10:00", datetime(2023, 5, 7, 8, tzinfo=UTC)),
        ("2023-05-07T10:00:00+08:00", datetime(2023, 5, 7, 2, tzinfo=UTC)),
        ("2023-05-07 10:00:00Z", datetime(2023, 5, 7, 10, tzinfo=UTC)),
        (" 2023-05-07 ", datetime(2023, 5, 6, 22, tzinfo=UTC)),
        ("1970-01-02", datetime(1970, 1, 1, 23, tzinfo=UTC)),
        ("2122-05-07", datetime(2122, 5, 6, 22, tzinfo=UTC)),
    ],
)
def test_iso_dates_are_read_in_the_users_zone(written: str, instant: datetime) -> None:
    assert BERLIN.instant(written) == instant


@pytest.mark.parametrize(
    "written",
    [
        "0000-01-01",
        "0001-01-01",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-12:00",
        "1969-12-31",
        "2124-01-01",
        "99999-01-01",
        "2147483648",
        "2023-02-30",
        "2023-13-01",
        "room 2024",
        "99999 years ago",
        "yesterday",
        "",
        "  ",
        "null",
        2024,
        2147483648,
        1e300,
        True,
        None,
        ["2023-05-07"],
        {"start": "2023"},
    ],
)
def test_no_date_comes_of_what_is_none_or_out_of_range(written: object) -> None:
    assert BERLIN.instant(written) is None  # type: ignore[arg-type]


def test_a_span_whose_end_is_not_after_its_start_has_no_end() -> None:
    assert BERLIN.span("2023-05-07", "2023-05-09") == (
        datetime(2023, 5, 6, 22, tzinfo=UTC),
        datetime(2023, 5, 8, 22, tzinfo=UTC),
    )
    assert BERLIN.span("2023-05-07", "2023-05-07")[1] is None
    assert BERLIN.span(None, "2023-05-07")[1] is not None


def test_a_day_named_as_an_end_means_its_last_moment() -> None:
    assert BERLIN.end_of("2023-05-07") == datetime(2023, 5, 7, 22, tzinfo=UTC)
    assert BERLIN.end_of("2023-05-07T10:00") == datetime(2023, 5, 7, 8, tzinfo=UTC)
    assert BERLIN.end_of(None) is None


def test_an_unknown_zone_means_utc() -> None:
    assert Calendar("Atlantis", NOW).instant("2023-05-07") == datetime(2023, 5, 7, tzinfo=UTC)


def test_text_is_one_clean_line_inside_its_limit() -> None:
    assert text_of(" a\n b ", limit=10) == "a b"
    assert text_of("a" * 20, limit=10) == "a" * 10 + "…"
    assert text_of(42, limit=10) == "42"
    assert {text_of(None, limit=10), text_of(True, limit=10), text_of([], limit=10)} == {""}


def test_a_block_keeps_its_lines() -> None:
    assert block_of("# a\n\n1. b\n", limit=100) == "# a\n\n1. b"
    assert block_of(["a"], limit=100) == ""


def test_lists_of_texts_take_what_models_write() -> None:
    assert texts_of(["Ann", "ann", {"name": "Bob"}, None, 7, ""], limit=9, most=9) == ("Ann", "Bob", "7")
    assert texts_of("Ann", limit=9, most=9) == ("Ann",)
    assert texts_of(None, limit=9, most=9) == ()
    assert texts_of(list("abcdef"), limit=9, most=3) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("value", "share"),
    [
        (0.5, 0.5),
        ("0.9", 0.9),
        (7, 1.0),
        (-3, 0.0),
        (math.inf, 1.0),
        (math.nan, 0.8),
        ("high", 0.8),
        (None, 0.8),
    ],
)
def test_shares_are_clamped(value: object, share: float) -> None:
    assert share_of(value, default=0.8) == share  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "truth"),
    [(True, True), (False, False), ("true", True), ("No", False), (0, False), ("maybe", True), (None, True)],
)
def test_truths_are_read_from_words_and_numbers(value: object, truth: bool) -> None:
    assert truth_of(value, default=True) is truth  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (5, 5),
        ("7", 7),
        (99, 15),
        (-1, 1),
        (3.9, 3),
        ("many", None),
        (None, None),
        (True, None),
        (math.inf, None),
    ],
)
def test_counts_are_clamped(value: object, count: int | None) -> None:
    assert count_of(value, lowest=1, highest=15) == count  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "indexes"),
    [
        ([3, 4], (3, 4)),
        ([4, 3, 3], (3, 4)),
        (["3", "turn 4", "[5]"], (3, 4, 5)),
        (3, (3,)),
        ("3-5", (3, 5)),
        ([3.0, 3.5, True, None], (3,)),
        ("", ()),
        (None, ()),
        (["99999999999999999999"], ()),
        ({"turn": 3}, ()),
    ],
)
def test_turn_numbers_are_found(value: object, indexes: tuple[int, ...]) -> None:
    assert indexes_of(value) == indexes  # type: ignore[arg-type]


@given(ANYTHING)
def test_no_value_raises(value: object) -> None:
    text_of(value, limit=5)  # type: ignore[arg-type]
    texts_of(value, limit=5, most=3)  # type: ignore[arg-type]
    assert 0 <= share_of(value, default=0.5) <= 1  # type: ignore[arg-type]
    truth_of(value, default=True)  # type: ignore[arg-type]
    count_of(value, lowest=0, highest=9)  # type: ignore[arg-type]
    indexes_of(value)  # type: ignore[arg-type]
    mapping_of(value)  # type: ignore[arg-type]
    BERLIN.instant(value)  # type: ignore[arg-type]
    BERLIN.span(value, value)  # type: ignore[arg-type]
