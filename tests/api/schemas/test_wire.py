"""The types of the wire: cleaned, bounded, and the same however often they are cleaned."""

from datetime import UTC, datetime
from typing import Any
from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ninja import Schema
from pydantic import ValidationError

from api.schemas.wire import Count, Flag, Instant, PageSize, Query, SessionName, Share, Slug, Text, TopK

# A day within the years that may be given, so that no zone leads out of them.
FIRST, LAST = datetime(1000, 1, 2), datetime(2999, 12, 30)  # noqa: DTZ001


class Everything(Schema):
    """One field of each type."""

    text: Text = "x"
    query: Query = "x"
    session: SessionName = "x"
    slug: Slug = "xx"
    instant: Instant = datetime(2026, 1, 1, tzinfo=UTC)
    flag: Flag = True
    top_k: TopK = 1
    share: Share = 0.5
    count: Count = 0
    page: PageSize = 1


def read(zone: str = "UTC", **values: Any) -> Everything:
    return Everything.model_validate(values, context={"time_zone": zone})


def code(field: str, value: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        read(**{field: value})
    (fault,) = caught.value.errors()
    assert fault["loc"] == (field,)
    return str(fault["type"])


def attempt(**values: Any) -> Everything | str:
    """What was read, or the code of the only fault."""
    try:
        return read(**values)
    except ValidationError as error:
        (fault,) = error.errors()
        return str(fault["type"])


@given(st.text())
def test_text_is_cleaned_or_refused_and_never_anything_else(raw: str) -> None:
    found = attempt(text=raw)
    if isinstance(found, str):
        assert found == "string_too_short"
        return
    assert found.text == found.text.strip()
    assert "\x00" not in found.text
    assert is_normalized("NFC", found.text)
    assert found.text.encode()
    assert read(text=found.text).text == found.text


@given(st.text(max_size=300))
def test_a_session_name_has_1_to_128_characters_after_cleaning(raw: str) -> None:
    found = attempt(session=raw)
    if isinstance(found, str):
        assert found in ("string_too_short", "string_too_long")
    else:
        assert 1 <= len(found.session) <= 128


@given(st.one_of(st.none(), st.integers(), st.floats(), st.booleans(), st.lists(st.text())))
def test_what_is_no_text_is_no_text(value: Any) -> None:
    for field in ("text", "query", "session", "slug", "instant"):
        with pytest.raises(ValidationError):
            read(**{field: value})


@given(st.datetimes(timezones=st.just(UTC), min_value=FIRST, max_value=LAST))
def test_a_naive_instant_is_read_in_the_users_zone(value: datetime) -> None:
    naive = value.replace(tzinfo=None).isoformat()
    assert read(instant=naive).instant == value
    assert read("Asia/Tokyo", instant=naive).instant.tzinfo is UTC


@given(st.text())
def test_no_text_crashes_the_clock(raw: str) -> None:
    found = attempt(instant=raw)
    is_refused = found in ("instant_format", "instant_range")
    assert is_refused or (isinstance(found, Everything) and found.instant.tzinfo is UTC)


@pytest.mark.parametrize(
    ("given", "utc"),
    [
        ("2026-07-01T09:30:00", "2026-07-01T07:30:00+00:00"),
        ("2026-07-01 09:30", "2026-07-01T07:30:00+00:00"),
        ("2026-07-01", "2026-06-30T22:00:00+00:00"),
        ("2026-07-01T09:30:00Z", "2026-07-01T09:30:00+00:00"),
        ("2026-07-01T09:30:00.5-05:00", "2026-07-01T14:30:00.500000+00:00"),
        ("20260701T093000", "2026-07-01T07:30:00+00:00"),
        (" 2026-07-01T09:30:00 ", "2026-07-01T07:30:00+00:00"),
        ("2026-03-29T02:30:00", "2026-03-29T01:30:00+00:00"),
    ],
)
def test_instants_are_iso_8601(given: str, utc: str) -> None:
    assert read("Europe/Berlin", instant=given).instant.isoformat() == utc


@pytest.mark.parametrize(
    "edge", ["0001-01-01T00:00:00Z", "0999-12-31T23:59:59Z", "3000-01-01T00:00:00Z", "9999-12-31"]
)
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/New_York"])
def test_an_instant_that_some_zone_has_no_local_time_for_is_refused(edge: str, zone: str) -> None:
    with pytest.raises(ValidationError) as raised:
        read(zone, instant=edge)
    assert [fault["type"] for fault in raised.value.errors()] == ["instant_range"]


def test_a_long_query_is_cut(settings: Any) -> None:
    settings.MAX_QUERY_CHARS = 5
    assert read(query="abcdefgh").query == "abcde"


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("flag", 1, "bool_type"),
        ("flag", "true", "bool_type"),
        ("top_k", "5", "int_type"),
        ("top_k", True, "int_type"),
        ("top_k", 0, "greater_than_equal"),
        ("top_k", 101, "less_than_equal"),
        ("share", "0.5", "float_type"),
        ("share", float("nan"), "finite_number"),
        ("share", 1.01, "less_than_equal"),
        ("count", -1, "greater_than_equal"),
        ("page", "ten", "int_parsing"),
        ("page", 101, "less_than_equal"),
        ("slug", "A", "string_too_short"),
        ("slug", "a_b", "slug_form"),
        ("slug", "ab-", "slug_form"),
    ],
)
def test_a_faulty_value_has_a_code(field: str, value: Any, expected: str) -> None:
    assert code(field, value) == expected


def test_a_query_parameter_may_be_a_number_in_text() -> None:
    assert read(page="10").page == 10
