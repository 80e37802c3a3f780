"""Forms of memory and conversation."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from sessions_app.forms import ExpireForm, NewSessionForm, PositionForm, RecordFilterForm, RecordForm


def record(**changes: str) -> RecordForm:
    return RecordForm(
        {"semantic_text": "Ana lives in Porto.", "memory_type": "fact", "version": "1", **changes}
    )


@pytest.mark.parametrize(
    ("sent", "meant"), [({}, None), ({"private": "yes"}, True), ({"private": "no"}, False)]
)
def test_privacy_left_out_is_left_to_the_space(sent, meant):
    form = NewSessionForm(sent)
    assert form.is_valid()
    assert form.cleaned_data["private"] is meant


def test_another_word_for_privacy_is_refused():
    assert not NewSessionForm({"private": "perhaps"}).is_valid()


@pytest.mark.parametrize(
    "position", [{"at": "-1"}, {"at": "x"}, {"after": "-2"}, {"at": "9" * 30}, {"session": "x"}]
)
def test_a_place_that_cannot_be_is_refused(position):
    assert not PositionForm(position).is_valid()


def test_no_filter_filters_nothing():
    form = RecordFilterForm({})
    assert form.is_valid()
    assert not form.is_filtering
    assert not form.has_more


@pytest.mark.parametrize(
    ("field", "value", "is_folded"),
    [
        ("q", "porto", False),
        ("type", "fact", False),
        ("state", "expired", False),
        ("since", "2026-05-03", True),
        ("session", "01a22bee-0000-7000-8000-000000000000", True),
    ],
)
def test_a_filter_in_use_is_known_and_shown(field, value, is_folded):
    form = RecordFilterForm({field: value})
    assert form.is_valid()
    assert form.is_filtering
    assert form.has_more is is_folded


@pytest.mark.parametrize(
    ("field", "value"), [("type", "rumour"), ("state", "lost"), ("since", "yesterday"), ("session", "x")]
)
def test_a_faulty_filter_is_refused(field, value):
    assert field in RecordFilterForm({field: value}).errors


def test_names_are_split_trimmed_and_told_once():
    form = record(entities=" Ana, Porto ,, Ana ")
    assert form.is_valid()
    assert form.cleaned_data["entities"] == ["Ana", "Porto"]


def test_names_are_shown_with_commas():
    assert 'value="Ana, Porto"' in str(RecordForm(initial={"entities": ["Ana", "Porto"]})["entities"])


def test_instants_are_meant_in_the_readers_zone():
    with timezone.override("Asia/Tokyo"):
        form = record(valid_from="2026-05-03T09:00")
        assert form.is_valid()
        assert form.cleaned_data["valid_from"] == datetime(2026, 5, 3, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize("end", ["2026-05-03T09:00", "2026-05-02T09:00"])
def test_a_validity_that_ends_before_it_begins_is_refused(end):
    assert "valid_to" in record(valid_from="2026-05-03T09:00", valid_to=end).errors


@pytest.mark.parametrize(
    ("field", "value"),
    [("semantic_text", ""), ("semantic_text", "  "), ("memory_type", "rumour"), ("subject", "x" * 129)],
)
def test_a_faulty_correction_is_refused(field, value):
    assert field in record(**{field: value}).errors


def test_no_reason_is_needed_to_let_go():
    assert ExpireForm({}).is_valid()
    assert not ExpireForm({"reason": "x" * 129}).is_valid()
