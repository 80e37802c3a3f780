"""Client frames: what is none is refused with its field, never a crash."""

from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.errors import InvalidInput, TooLarge
from api.ws.frames import FeedbackFrame, MessageFrame, ResumeFrame, StopFrame, read_frame
from memory.domain.types import Effort


@pytest.mark.parametrize("effort", list(Effort))
def test_a_message_may_ask_for_each_effort(effort: Effort) -> None:
    message = read_frame(f'{{"type": "message", "text": "hi", "effort": "{effort}"}}', time_zone="UTC")
    assert isinstance(message, MessageFrame)
    assert message.effort is effort


def test_each_type_is_read() -> None:
    message = read_frame('{"type": "message", "text": " hi ", "effort": "fast"}', time_zone="UTC")
    assert isinstance(message, MessageFrame)
    assert (message.text, message.effort) == ("hi", Effort.FAST)
    assert isinstance(read_frame('{"type": "stop"}', time_zone="UTC"), StopFrame)
    resume = read_frame('{"type": "resume", "last_seq": 7}', time_zone="UTC")
    assert isinstance(resume, ResumeFrame)
    assert resume.last_seq == 7
    feedback = '{"type": "feedback", "log_id": "00000000-0000-7000-8000-000000000000", "outcome": "fail"}'
    assert isinstance(read_frame(feedback, time_zone="UTC"), FeedbackFrame)


def test_a_naive_time_is_meant_in_the_users_zone() -> None:
    frame = read_frame(
        '{"type": "message", "text": "x", "reference_time": "2026-07-01T09:30"}', time_zone="Asia/Tokyo"
    )
    assert isinstance(frame, MessageFrame)
    assert frame.reference_time == datetime(2026, 7, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "data", [None, "", "x", "{", "NaN", "[" * 100_000, '"\\ud83d', "1" * 5_000, "{'type': 'stop'}"]
)
def test_what_is_no_json_is_refused(data: str | None) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_frame(data, time_zone="UTC")
    assert caught.value.error_code in ("malformed_frame", "invalid_frame")


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ("5", ""),
        ("[]", ""),
        ("null", ""),
        ("{}", ""),
        ('{"type": "shout"}', ""),
        ('{"type": 5}', ""),
        ('{"type": "message"}', "/text"),
        ('{"type": "message", "text": ""}', "/text"),
        ('{"type": "message", "text": "\\u0000"}', "/text"),
        ('{"type": "message", "text": 5}', "/text"),
        ('{"type": "message", "text": "x", "effort": "most"}', "/effort"),
        ('{"type": "message", "text": "x", "images": ["no base64!"]}', "/images/0"),
        ('{"type": "resume"}', "/last_seq"),
        ('{"type": "resume", "last_seq": -1}', "/last_seq"),
        ('{"type": "resume", "last_seq": "7"}', "/last_seq"),
        ('{"type": "resume", "last_seq": null}', "/last_seq"),
    ],
)
def test_a_faulty_value_is_named(data: str, pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_frame(data, time_zone="UTC")
    assert {error.pointer for error in caught.value.errors} == {pointer}


def test_a_frame_over_the_limit_is_too_large(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.MAX_IMAGE_BODY_BYTES = 5, 20
    assert isinstance(read_frame('{"type": "stop"}', time_zone="UTC"), StopFrame)
    settings.MAX_IMAGE_BODY_BYTES = 10
    with pytest.raises(TooLarge):
        read_frame('{"type": "stop"}', time_zone="UTC")
