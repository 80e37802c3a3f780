"""Between threads and the loop: order, back-pressure, errors, and an end to both sides."""

import asyncio
import contextlib
import threading
from contextlib import aclosing

import pytest
from django.db import connection

from accounts.models import User
from memory.errors import CallLeft
from memory.providers.call_scope import CallScope, current_scope
from sessions_app.bridge import in_calling_thread, in_thread, stream_from_thread


def wait_for(event: threading.Event) -> bool:
    return event.wait(10)


async def test_a_blocking_call_runs_in_another_thread():
    assert await in_thread(threading.get_ident) != threading.get_ident()


async def test_arguments_and_errors_pass_through():
    def divide(a: int, *, by: int) -> float:
        return a / by

    assert await in_thread(divide, 6, by=3) == 2
    with pytest.raises(ZeroDivisionError):
        await in_thread(divide, 1, by=0)


@pytest.mark.django_db(transaction=True)
async def test_a_thread_leaves_no_connection_open():
    def work():
        User.objects.count()
        return threading.get_ident()

    def state():
        return connection.connection

    await in_thread(work)
    assert [await in_thread(state) for _ in range(8)] == [None] * 8


async def test_cancelling_who_waits_for_models_leaves_their_scope():
    has_begun, is_over = threading.Event(), threading.Event()
    scopes: list[CallScope] = []

    def work():
        scopes.append(current_scope())
        has_begun.set()
        wait_for(is_over)

    waiting = asyncio.create_task(in_calling_thread(work))
    assert await asyncio.to_thread(wait_for, has_begun)
    scopes[0].check()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(CallLeft):
        scopes[0].check()
    is_over.set()


async def test_who_waits_to_the_end_gets_the_result():
    assert await in_calling_thread(lambda n: n + 1, 2) == 3


async def test_pieces_arrive_in_order():
    async with aclosing(stream_from_thread(lambda: iter([str(n) for n in range(500)]))) as pieces:
        assert [piece async for piece in pieces] == [str(n) for n in range(500)]


async def test_an_error_reaches_the_reader_after_what_came_before_it():
    def start():
        yield "one"
        raise ValueError("broken")

    pieces = stream_from_thread(start)
    assert await anext(pieces) == "one"
    with pytest.raises(ValueError, match="broken"):
        await anext(pieces)


async def test_an_error_before_the_first_piece_reaches_the_reader():
    def start():
        raise ValueError("no model")

    with pytest.raises(ValueError, match="no model"):
        await anext(stream_from_thread(start))


async def test_a_slow_reader_holds_the_producer_back():
    produced = []

    def start():
        for n in range(1_000):
            produced.append(n)
            yield str(n)

    async with aclosing(stream_from_thread(start)) as pieces:
        await anext(pieces)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(produced) < 200


async def test_closing_the_stream_ends_the_producer():
    ended, started = threading.Event(), threading.Event()

    def start():
        try:
            for n in range(10**9):
                started.set()
                yield str(n)
        finally:
            ended.set()

    async with aclosing(stream_from_thread(start)) as pieces:
        await anext(pieces)
    assert started.is_set()
    assert await asyncio.to_thread(wait_for, ended)


async def test_cancelling_the_reader_ends_the_producer():
    ended, reading = threading.Event(), asyncio.Event()

    def start():
        try:
            for n in range(10**9):
                yield str(n)
        finally:
            ended.set()

    async def read():
        async with aclosing(stream_from_thread(start)) as pieces:
            async for _ in pieces:
                reading.set()

    task = asyncio.create_task(read())
    await reading.wait()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(wait_for, ended)
