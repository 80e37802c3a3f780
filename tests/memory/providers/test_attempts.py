"""Attempts, pauses and the deadline over all of them, without a network."""

import asyncio
from collections.abc import Callable

import pytest

from memory.config import ModelConfig
from memory.errors import OutOfTime, ProviderError, ProviderRefused, ProviderUnavailable
from memory.providers.attempts import Attempts, Purpose
from memory.providers.model_loop import model_loop
from memory.providers.retrying import Clockwork
from tests.memory.providers.clock import FakeClock

PURPOSE = Purpose("plan", seconds=30)


@pytest.fixture
def play(clock: FakeClock) -> Callable[..., object]:
    """Run a call whose attempts have these outcomes, in order."""

    def run(
        *outcomes: object, purpose: Purpose = PURPOSE, may_retry: bool = True, **config: object
    ) -> object:
        left = list(outcomes)

        async def attempt() -> object:
            outcome = left.pop(0)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        attempts = Attempts(
            loop=model_loop(),
            origin="here",
            config=ModelConfig(**config),  # type: ignore[arg-type]
            clockwork=Clockwork(monotonic=clock.monotonic, sleep=clock.sleep, random=lambda: 1.0),
            translate=lambda error: ProviderUnavailable(f"translated {type(error).__name__}"),
        )
        call = attempts.run(attempt, purpose, may_retry=lambda: may_retry)
        return model_loop().submit(call).result(10)

    return run


def test_the_first_success_is_the_result(play: Callable[..., object], clock: FakeClock) -> None:
    assert play(ProviderUnavailable(), ValueError("a vendor's"), "made") == "made"
    assert clock.pauses == [0.5, 1.0]


def test_the_last_failure_is_raised_as_ours(play: Callable[..., object]) -> None:
    with pytest.raises(ProviderUnavailable, match="translated KeyError") as caught:
        play(KeyError("secret"), attempts=1)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_what_cannot_pass_is_raised_at_once(play: Callable[..., object], clock: FakeClock) -> None:
    with pytest.raises(ProviderRefused):
        play(ProviderRefused(), "not reached")
    assert clock.pauses == []


def test_what_must_not_be_repeated_is_raised_at_once(play: Callable[..., object]) -> None:
    with pytest.raises(ProviderUnavailable):
        play(ProviderUnavailable(), "not reached", may_retry=False)


def test_running_out_of_time_is_not_tried_again(play: Callable[..., object]) -> None:
    with pytest.raises(OutOfTime) as caught:
        play(TimeoutError(), "not reached")
    assert caught.value.is_retryable  # later, by whoever asked


def test_a_pause_that_leaves_no_time_is_not_begun(play: Callable[..., object], clock: FakeClock) -> None:
    with pytest.raises(ProviderUnavailable):
        play(ProviderUnavailable(retry_after=31), "not reached")
    assert play(ProviderUnavailable(retry_after=20), "made") == "made"
    assert clock.pauses == [22]


def test_waiting_for_a_permit_counts_as_time(clock: FakeClock) -> None:
    config, free = ModelConfig(permits=1), asyncio.Event()

    async def hold() -> None:
        await model_loop().run("crowded", free.wait, config=config, is_background=False)

    async def wait_in_vain() -> None:
        holder = asyncio.ensure_future(hold())
        await asyncio.sleep(0)
        attempts = Attempts(model_loop(), "crowded", config, Clockwork(), lambda _error: ProviderError())
        try:
            await attempts.run(hold, Purpose("plan", seconds=0.05))
        finally:
            free.set()
            await holder

    with pytest.raises(OutOfTime, match="crowded did not answer in time"):
        model_loop().submit(wait_in_vain()).result(10)
