"""Addresses that pages link to."""

from uuid import uuid4

from sessions_app.views.addresses import record_url, turn_url


def test_a_turn_is_reached_by_its_place_and_highlighted_by_its_anchor(alice):
    session_id = uuid4()
    assert turn_url(alice, session_id, 7) == f"/app/s/garden/chat/{session_id}/?at=7#turn-7"


def test_a_record_has_a_page_in_its_space(alice):
    record_id = uuid4()
    assert record_url(alice, record_id) == f"/app/s/garden/memory/{record_id}/"
