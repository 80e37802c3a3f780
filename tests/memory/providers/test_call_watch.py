"""How a call ends is told to the model's health and its breaker, once."""

from dataclasses import replace

import pytest

from memory.config import ModelConfig
from memory.errors import ProviderRefused, ProviderUnavailable, TimeOver
from memory.providers.breaker import Breaker
from memory.providers.call_watch import CallWatch
from memory.providers.model_health import ModelHealth


class Bench:
    """A model that rests after one failure, and a clock by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.health = ModelHealth("m", "here:80")
        config = replace(ModelConfig(), breaker_failures=1, breaker_rest_seconds=10.0)
        self.breaker = Breaker(config, lambda: self.now)

    def watch(self) -> CallWatch:
        return CallWatch(self.health, self.breaker)

    def fail(self, error: BaseException) -> None:
        with pytest.raises(type(error)), self.watch().whole():
            raise error


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_call_that_ends_well_shows_health(bench: Bench) -> None:
    with bench.watch().whole():
        pass
    assert bench.health.noted_at is not None
    assert not bench.breaker.is_open


def test_a_failure_is_noted_by_both(bench: Bench) -> None:
    bench.fail(ProviderUnavailable("Away."))
    assert (bench.health.is_failing, bench.health.failure) == (True, "Away.")
    with pytest.raises(ProviderUnavailable, match="here:80 failed 1 times in a row"):
        bench.watch()


def test_a_refusal_fails_but_the_model_need_not_rest(bench: Bench) -> None:
    bench.fail(ProviderRefused("Check the key."))
    assert bench.health.is_failing
    assert not bench.breaker.is_open


def test_beginning_well_shows_nothing_yet_and_beginning_badly_does(bench: Bench) -> None:
    with bench.watch().beginning():
        pass
    assert bench.health.noted_at is None
    with pytest.raises(ProviderRefused), bench.watch().beginning():
        raise ProviderRefused("Check LLM_API_BASE.")
    assert bench.health.is_failing


@pytest.mark.parametrize("error", [TimeOver(), KeyboardInterrupt()])
def test_what_is_not_the_models_fault_is_not_noted(bench: Bench, error: BaseException) -> None:
    bench.fail(error)
    assert bench.health.noted_at is None
    assert not bench.breaker.is_open


def test_a_probe_that_is_left_may_be_made_again_at_once(bench: Bench) -> None:
    bench.fail(ProviderUnavailable("Away."))
    bench.now = 10.0
    probe = bench.watch()
    assert probe.is_probe
    with pytest.raises(KeyboardInterrupt), probe.whole():
        raise KeyboardInterrupt
    assert bench.watch().is_probe
