"""The rest of a failing model: after some failures in a row nobody waits for it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from memory.config import ModelConfig
from memory.errors import ProviderRefused, ProviderUnavailable, TimeOver
from memory.ports import AnswerRequest
from memory.providers.attempts import Purpose
from memory.providers.breaker import Breaker
from memory.providers.litellm_call import ModelClient
from memory.providers.litellm_language import LiteLLMLanguage
from tests.memory.prompting import question
from tests.memory.providers.clock import FakeClock
from tests.model_server import ModelServer, chat, fail

AWAY = ProviderUnavailable("Nobody is there.")
PLAN = Purpose("plan", seconds=20.0, output_tokens=100)


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock_by_hand() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock_by_hand: Clock) -> Breaker:
    config = replace(ModelConfig(), breaker_failures=3, breaker_rest_seconds=10.0)
    return Breaker(config, clock_by_hand)


def fail_times(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.admit("here")
        breaker.settle(AWAY)


def test_fewer_failures_change_nothing(breaker: Breaker) -> None:
    fail_times(breaker, 2)
    assert breaker.admit("here") is False
    breaker.settle(None)
    fail_times(breaker, 2)
    assert breaker.admit("here") is False, "they are counted in a row"


def test_after_three_nobody_is_let_through(breaker: Breaker) -> None:
    fail_times(breaker, 3)
    with pytest.raises(ProviderUnavailable, match="here failed 3 times in a row"):
        breaker.admit("here")


def test_after_the_rest_one_may_find_out(breaker: Breaker, clock_by_hand: Clock) -> None:
    fail_times(breaker, 3)
    clock_by_hand.now = 10.0
    assert breaker.admit("here") is True
    with pytest.raises(ProviderUnavailable):
        breaker.admit("here")
    breaker.settle(None)
    assert breaker.admit("here") is False


def test_a_probe_that_fails_begins_another_rest(breaker: Breaker, clock_by_hand: Clock) -> None:
    fail_times(breaker, 3)
    clock_by_hand.now = 10.0
    fail_times(breaker, 1)
    clock_by_hand.now = 19.0
    with pytest.raises(ProviderUnavailable):
        breaker.admit("here")
    clock_by_hand.now = 20.0
    assert breaker.admit("here") is True


def test_a_slow_probe_is_joined_by_another(breaker: Breaker, clock_by_hand: Clock) -> None:
    fail_times(breaker, 3)
    clock_by_hand.now = 10.0
    assert breaker.admit("here") is True
    clock_by_hand.now = 20.0
    assert breaker.admit("here") is True


def test_a_probe_that_nobody_waits_for_leaves_its_place(breaker: Breaker, clock_by_hand: Clock) -> None:
    fail_times(breaker, 3)
    clock_by_hand.now = 10.0
    breaker.withdraw(is_probe=breaker.admit("here"))
    assert breaker.admit("here") is True


@pytest.mark.parametrize(("asked", "rest"), [(60, 60.0), (2, 10.0), (9_000, 300.0)])
def test_what_the_provider_asks_for_is_given_within_bounds(
    breaker: Breaker, clock_by_hand: Clock, asked: int, rest: float
) -> None:
    fail_times(breaker, 2)
    breaker.settle(ProviderUnavailable("Too many.", retry_after=asked))
    clock_by_hand.now = rest - 1
    with pytest.raises(ProviderUnavailable):
        breaker.admit("here")
    clock_by_hand.now = rest
    assert breaker.admit("here") is True


@pytest.mark.parametrize(("asked", "rest"), [(60, 60.0), (2, 2.0), (9_000, 300.0)])
def test_who_asks_for_patience_has_it_from_the_first_failure_on(
    breaker: Breaker, clock_by_hand: Clock, asked: int, rest: float
) -> None:
    breaker.settle(ProviderUnavailable("Too many.", retry_after=asked))
    clock_by_hand.now = rest - 1
    with pytest.raises(ProviderUnavailable, match="here asked for patience") as caught:
        breaker.admit("here")
    assert caught.value.retry_after == 1
    clock_by_hand.now = rest
    assert breaker.admit("here") is False, "two more may fail before it is doubted"


@pytest.mark.parametrize("other", [None, AWAY, ProviderUnavailable("Too many.", retry_after=1)])
def test_how_other_calls_end_does_not_shorten_what_was_asked_for(
    breaker: Breaker, clock_by_hand: Clock, other: ProviderUnavailable | None
) -> None:
    breaker.settle(ProviderUnavailable("Too many.", retry_after=60))
    breaker.settle(other)
    clock_by_hand.now = 59
    with pytest.raises(ProviderUnavailable):
        breaker.admit("here")
    clock_by_hand.now = 60
    assert breaker.admit("here") is False


def test_a_refusal_is_a_sign_of_life_and_the_end_of_a_job_is_none(breaker: Breaker) -> None:
    fail_times(breaker, 2)
    breaker.settle(ProviderRefused())
    assert breaker.failures == 0
    fail_times(breaker, 2)
    breaker.settle(TimeOver())
    assert breaker.failures == 2


class TestClient:
    """The same through real calls."""

    def test_a_resting_model_is_not_called_at_all(
        self, model_server: ModelServer, make_client: Callable[..., ModelClient]
    ) -> None:
        model_server.default = fail(500)
        client = make_client(attempts=2)
        for _ in range(3):
            with pytest.raises(ProviderUnavailable):
                client.complete((), PLAN)
        assert len(model_server.requests) == 6
        with pytest.raises(ProviderUnavailable, match="not asked for a moment"):
            client.complete((), PLAN)
        with pytest.raises(ProviderUnavailable, match="not asked for a moment"):
            LiteLLMLanguage(client).answer(AnswerRequest(question("Where?"), (), "", ()))
        assert len(model_server.requests) == 6
        assert client.health.is_failing
        assert "not asked" not in client.health.failure, "the cause stays to be read"

    def test_one_that_asks_for_ten_minutes_is_left_alone_at_once(
        self, model_server: ModelServer, make_client: Callable[..., ModelClient]
    ) -> None:
        model_server.script(fail(429, retry_after="600"))
        client = make_client()
        with pytest.raises(ProviderUnavailable):
            client.complete((), PLAN)
        with pytest.raises(ProviderUnavailable, match="asked for patience"):
            client.complete((), PLAN)
        assert len(model_server.requests) == 1

    def test_it_recovers_by_itself_and_a_probe_is_one_attempt(
        self, model_server: ModelServer, make_client: Callable[..., ModelClient], clock: FakeClock
    ) -> None:
        model_server.default = fail(500)
        client = make_client(attempts=2)
        for _ in range(3):
            with pytest.raises(ProviderUnavailable):
                client.complete((), PLAN)
        clock.advance += 15.0
        with pytest.raises(ProviderUnavailable):
            client.complete((), PLAN)
        assert len(model_server.requests) == 7
        model_server.default = chat()
        clock.advance += 15.0
        assert client.complete((), PLAN).text
        assert client.complete((), PLAN).text
        assert not client.breaker.is_open
