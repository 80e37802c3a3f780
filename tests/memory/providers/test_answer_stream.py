"""Pieces made in one thread and read in another, closed from a third."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from memory.errors import ProviderUnavailable
from memory.providers.answer_stream import AnswerStream


def test_pieces_come_in_order_and_then_end() -> None:
    stream = AnswerStream()
    stream.put("a")
    stream.put("b")
    stream.end()
    assert list(stream) == ["a", "b"]
    assert list(stream) == []


def test_a_break_is_raised_after_what_came_before_it() -> None:
    stream = AnswerStream()
    stream.put("a")
    stream.end(ProviderUnavailable("gone"))
    assert next(stream) == "a"
    with pytest.raises(ProviderUnavailable, match="gone"):
        next(stream)
    assert list(stream) == []


def test_closing_wakes_a_reader_that_waits() -> None:
    stream, waits = AnswerStream(), Event()

    def read() -> list[str]:
        waits.set()
        return list(stream)

    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        waits.wait(5)
        stream.close()
        assert reading.result(5) == []


def test_closing_cancels_the_call_behind_it_and_may_be_repeated() -> None:
    stream, call = AnswerStream(), Future[None]()
    call.add_done_callback(lambda _call: stream.end())
    stream.follow(call)
    stream.put("never read")
    stream.close()
    stream.close()
    assert call.cancelled()
    assert list(stream) == []
