"""Calls in a scope end when it is left, and by its deadline."""

import gc
import math
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread

import pytest

from memory.errors import CallLeft, ProviderUnavailable, TimeOver
from memory.providers.attempts import Purpose
from memory.providers.call_scope import CallScope, current_scope
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_vendor import vendor
from tests.model_server import ModelServer, chat, fail, hang

PLAN = Purpose("plan", seconds=20.0, output_tokens=100)
Make = Callable[..., ModelClient]


def outcome_of(scope: CallScope, work: Callable[[], object]) -> tuple[Thread, list[object]]:
    """The work inside the scope, in a thread; what it came to."""
    came: list[object] = []

    def run() -> None:
        try:
            came.append(scope.run(work))
        except Exception as error:
            came.append(error)

    thread = Thread(target=run)
    thread.start()
    return thread, came


def test_outside_any_there_are_no_bounds() -> None:
    assert current_scope().seconds_left == math.inf
    current_scope().check()


def test_a_scope_holds_for_its_function_alone() -> None:
    scope = CallScope(seconds=5.0, monotonic=lambda: 0.0)
    assert scope.run(lambda: current_scope().seconds_left) == 5.0
    assert current_scope() is not scope


def test_leaving_cancels_what_is_held_and_what_comes_later() -> None:
    scope, early, late = CallScope(), Future[None](), Future[None]()
    with scope.holding(early):
        scope.leave()
        assert early.cancelled()
        with scope.holding(late):
            assert late.cancelled()
    with pytest.raises(CallLeft):
        scope.check()


def test_leaving_ends_a_call_on_the_wire_at_once(model_server: ModelServer, make_client: Make) -> None:
    client = make_client()
    client.complete((), PLAN)  # LiteLLM imports what it needs during its first call
    model_server.script(hang())
    scope = CallScope()
    thread, came = outcome_of(scope, lambda: client.complete((), PLAN))
    model_server.wait_for(lambda it: it.open_streams == 1)
    scope.leave()
    model_server.wait_for(lambda it: it.open_streams == 0)
    thread.join(1.0)
    assert [type(one) for one in came] == [CallLeft]
    assert not client.health.is_failing, "that somebody left says nothing of the model"


def test_a_call_left_while_it_is_being_prepared_vanishes_without_a_word(
    model_server: ModelServer, make_client: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LiteLLM prepares a call in a thread; what comes of it afterwards nobody awaits."""
    client, prepare = make_client(), vendor().main.completion
    begun, go_on, made = Event(), Event(), Event()

    def slowly(**arguments: object) -> object:
        begun.set()
        go_on.wait(10.0)
        try:
            return prepare(**arguments)
        finally:
            made.set()

    monkeypatch.setattr(vendor().main, "completion", slowly)
    scope = CallScope()
    thread, came = outcome_of(scope, lambda: client.complete((), PLAN))
    assert begun.wait(10.0)
    scope.leave()
    thread.join(10.0)
    assert [type(one) for one in came] == [CallLeft]
    go_on.set()
    assert made.wait(10.0)
    client.complete((), PLAN)  # by its end the other has come back from its thread
    gc.collect()  # a complaint would be raised here
    assert len(model_server.requests) == 1


def test_in_a_scope_that_was_left_nothing_begins(model_server: ModelServer, make_client: Make) -> None:
    scope = CallScope()
    scope.leave()
    with pytest.raises(CallLeft):
        scope.run(make_client().complete, (), PLAN)
    assert model_server.requests == []


def test_the_deadline_bounds_a_call_and_blames_no_model(model_server: ModelServer, make_client: Make) -> None:
    client = make_client()
    client.complete((), PLAN)
    model_server.script(hang())
    scope = CallScope(seconds=0.2)
    with pytest.raises(TimeOver):
        scope.run(client.complete, (), PLAN)
    assert not client.health.is_failing
    assert client.breaker.failures == 0
    with pytest.raises(TimeOver):
        scope.run(client.complete, (), PLAN)
    assert len(model_server.requests) == 2, "after it nothing is asked"


def test_a_call_that_fails_in_time_is_the_models_fault(model_server: ModelServer, make_client: Make) -> None:
    model_server.script(fail(503))
    client = make_client(attempts=1)
    with pytest.raises(ProviderUnavailable) as raised:
        CallScope(seconds=9.0).run(client.complete, (), PLAN)
    assert not isinstance(raised.value, TimeOver)
    assert client.health.is_failing
    model_server.default = chat()
    assert client.complete((), PLAN).text
