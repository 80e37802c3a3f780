"""Calls through the true LiteLLM against a real server that misbehaves on purpose."""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Thread, current_thread

import pytest

from memory.config import ModelConfig
from memory.domain.prompts import Message
from memory.domain.types import Usage
from memory.errors import (
    ContextTooLong,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    ReplyFaulty,
    ReplyRefused,
    ReplyTruncated,
)
from memory.providers.attempts import Purpose
from memory.providers.litellm_call import ModelClient
from memory.providers.model_loop import model_loop
from memory.providers.model_settings import ModelSettings
from memory.providers.retrying import Clockwork
from tests.memory.providers.clock import FakeClock
from tests.memory.providers.conftest import KEY
from tests.model_server import ModelServer, Step, cut_in_stream, fail, hang, raw, say

Make = Callable[..., ModelClient]

ASK = (Message("system", "Be kind. CANARY-SYSTEM"), Message("user", "Say something. CANARY-TEXT"))
PLAN = Purpose("plan", seconds=20, output_tokens=500)
ANSWER = Purpose("answer", seconds=20, output_tokens=700)


def complete(client: ModelClient, purpose: Purpose = PLAN) -> str:
    return client.complete(ASK, purpose).text


def test_one_call_at_a_time_and_people_before_the_background(model_server: ModelServer):
    settings = ModelSettings("openai/m", KEY, model_server.url, parallel_calls=1)
    client = ModelClient(settings)
    model_server.script(hang())  # the first that comes
    encode = Purpose("encode", seconds=60, output_tokens=500, is_background=True)
    with ThreadPoolExecutor(1) as threads:
        background = threads.submit(complete, client, encode)
        model_server.wait_for(lambda server: len(server.requests) == 1, seconds=10)
        assert complete(client, PLAN)  # while the other hangs
        model_server.wait_for(lambda server: len(server.requests) == 3, seconds=10)
        assert background.result(10)


class TestRequest:
    """What goes over the wire."""

    def test_key_model_and_messages_arrive_as_given(self, make_client: Make, model_server: ModelServer):
        complete(make_client())
        (request,) = model_server.requests
        assert request.key == KEY
        assert request.body["model"] == "test-model"
        assert request.messages == [
            {"role": "system", "content": "Be kind. CANARY-SYSTEM"},
            {"role": "user", "content": "Say something. CANARY-TEXT"},
        ]

    def test_plans_leave_nothing_to_chance_and_answers_use_the_settings(
        self, make_client: Make, model_server: ModelServer
    ):
        settings = ModelSettings(
            "openai/m", KEY, model_server.url, temperature=0.7, top_p=0.9, max_tokens=123
        )
        client = make_client(settings=settings)
        complete(client)
        list(client.stream(ASK, ANSWER))
        plan, answer = (request.body for request in model_server.requests)
        assert (plan["temperature"], plan.get("top_p"), plan["max_tokens"]) == (0.0, None, 123)
        assert (answer["temperature"], answer["top_p"], answer["max_tokens"]) == (0.7, 0.9, 123)

    def test_without_a_limit_in_the_settings_the_purpose_has_one(
        self, make_client: Make, model_server: ModelServer
    ):
        complete(make_client())
        assert model_server.requests[0].body["max_tokens"] == 500

    def test_no_key_of_the_environment_is_used(
        self, make_client: Make, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
        complete(make_client(settings=ModelSettings("openai/m", api_base=model_server.url)))
        assert model_server.requests[0].key == "none"

    @pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
    def test_a_base_url_of_the_environment_never_gets_the_key(
        self, variable: str, make_client: Make, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv(variable, model_server.url)
        with pytest.raises(ProviderRefused, match=f"{variable} would send the key elsewhere"):
            complete(make_client(settings=ModelSettings("openai/m", api_key=KEY)))
        assert model_server.requests == []

    def test_a_redirect_is_not_followed(self, make_client: Make, model_server: ModelServer):
        with ModelServer() as elsewhere:
            to = {"Location": f"{elsewhere.url}/chat/completions"}
            model_server.script(Step(status=307, headers=to, raw=b""))
            with pytest.raises(ProviderRefused, match="check LLM_API_BASE"):
                complete(make_client())
            assert elsewhere.requests == []

    def test_all_calls_go_to_the_configured_server_whatever_the_provider(
        self, make_client: Make, model_server: ModelServer
    ):
        settings = ModelSettings("ollama_chat/qwen", api_base=model_server.url)
        model_server.script(
            raw('{"model": "qwen", "message": {"role": "assistant", "content": "hi"}, "done": true}')
        )
        assert complete(make_client(settings=settings)) == "hi"
        assert model_server.requests[0].path == "/v1/api/chat"


class TestRetries:
    """What is tried again, when, and how often."""

    @pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
    def test_what_may_pass_is_tried_again(
        self, status: int, make_client: Make, model_server: ModelServer, clock: FakeClock
    ):
        model_server.script(fail(status), fail(status), say("at last"))
        assert complete(make_client()) == "at last"
        assert clock.pauses == [0.5, 1.0]

    def test_attempts_are_bounded(self, make_client: Make, model_server: ModelServer):
        model_server.script(*[fail(500)] * 9)
        with pytest.raises(ProviderUnavailable):
            complete(make_client(attempts=3))
        assert len(model_server.requests) == 3

    @pytest.mark.parametrize(
        ("status", "message", "error", "says"),
        [
            (400, "Unknown parameter", ProviderRefused, "status 400"),
            (
                401,
                f"Incorrect API key provided: {KEY}",
                ProviderRefused,
                "rejects the key: check LLM_API_KEY",
            ),
            (402, "pay", ProviderRefused, "asks for payment"),
            (403, "not allowed", ProviderRefused, "does not let this key use"),
            (404, "model not found", ProviderRefused, "check LLM_MODEL and LLM_API_BASE"),
            (405, "bad", ProviderRefused, "status 405"),
            (400, "This model's maximum context length is 8192 tokens.", ContextTooLong, "longer than"),
            (400, "the request exceeds the available context size", ContextTooLong, "longer than"),
            (413, "too large", ContextTooLong, "longer than"),
            (
                400,
                "filtered due to the prompt triggering content management policy",
                ReplyRefused,
                "declined",
            ),
            (429, "You exceeded your current quota, check your billing", ProviderRefused, "quota"),
        ],
    )
    def test_what_cannot_pass_is_not(
        self,
        status: int,
        message: str,
        error: type[ProviderError],
        says: str,
        make_client: Make,
        model_server: ModelServer,
    ):
        model_server.script(fail(status, message), say("not reached"))
        with pytest.raises(error, match=says) as caught:
            complete(make_client())
        assert not caught.value.is_retryable
        assert len(model_server.requests) == 1

    def test_parameters_that_a_server_refuses_are_left_out_once(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(*[fail(422)] * 4)
        with pytest.raises(ProviderRefused, match="status 422"):
            complete(make_client())
        assert len(model_server.requests) == 2

    @pytest.mark.parametrize(
        "message",
        [
            "Unsupported value: 'temperature' does not support 0.0 with this model.",
            "Unrecognized request argument supplied: temperature",
            "temperature: Extra inputs are not permitted",
        ],
    )
    def test_a_parameter_that_a_model_refuses_is_never_sent_again(
        self, message: str, make_client: Make, model_server: ModelServer
    ):
        client = make_client()
        model_server.script(fail(400, message), say("ok"), say("ok"))
        assert [complete(client), complete(client)] == ["ok", "ok"]
        assert ["temperature" in request.body for request in model_server.requests] == [True, False, False]

    def test_a_server_without_usage_in_streams_streams_without(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(fail(400, "Unknown parameter: stream_options"), say("Hello."))
        took: list[Usage] = []
        assert "".join(make_client().stream(ASK, ANSWER, on_usage=took.append)) == "Hello."
        assert took[0].output_tokens > 0

    def test_a_used_up_quota_is_told_from_a_rate_by_its_code(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(fail(429, "no", code="insufficient_quota"))
        with pytest.raises(ProviderRefused, match="quota"):
            complete(make_client())

    def test_retry_after_in_seconds_is_honoured(
        self, make_client: Make, model_server: ModelServer, clock: FakeClock
    ):
        model_server.script(fail(429, retry_after="7"), say("ok"))
        complete(make_client())
        assert clock.pauses == [pytest.approx(7.7)]

    def test_retry_after_as_a_date_is_honoured(
        self, make_client: Make, model_server: ModelServer, clock: FakeClock
    ):
        at = format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True)
        model_server.script(fail(503, retry_after=at), say("ok"))
        complete(make_client())
        assert 8 <= clock.pauses[0] <= 12

    def test_a_wait_beyond_the_deadline_is_not_begun_but_told(
        self, make_client: Make, model_server: ModelServer, clock: FakeClock
    ):
        model_server.script(fail(429, retry_after="3600"))
        with pytest.raises(ProviderUnavailable) as caught:
            complete(make_client())
        assert caught.value.retry_after == 3600
        assert clock.pauses == []

    def test_a_server_that_is_not_there_is_tried_again_and_then_named(
        self, make_client: Make, clock: FakeClock
    ):
        settings = ModelSettings("openai/m", api_base="http://127.0.0.1:9/v1")
        with pytest.raises(ProviderUnavailable, match=r"127\.0\.0\.1:9 failed or could not be reached"):
            complete(make_client(settings=settings))
        assert len(clock.pauses) == 3

    @pytest.mark.parametrize(
        "body", ["<html>It works</html>", "", "null", "{}", '{"choices": null}', "[]", '{"ch']
    )
    def test_a_body_that_is_no_completion_is_tried_again_or_empty(
        self, body: str, make_client: Make, model_server: ModelServer
    ):
        model_server.script(raw(body), say("ok"))
        assert complete(make_client()) in ("ok", "")

    def test_the_time_of_all_attempts_together_is_bounded(
        self, make_client: Make, model_server: ModelServer, clock: FakeClock
    ):
        model_server.script(*[fail(500)] * 50)
        with pytest.raises(ProviderUnavailable):
            complete(make_client(attempts=50, backoff_ceiling_seconds=4.0))
        assert sum(clock.pauses) < PLAN.seconds


class TestTime:
    """Nothing waits for ever."""

    def test_a_server_that_says_nothing_is_given_up(self, make_client: Make, model_server: ModelServer):
        model_server.script(hang(), say("not reached"))
        with pytest.raises(ProviderUnavailable, match="did not answer in time"):
            complete(make_client(), Purpose("plan", seconds=0.3, output_tokens=9))
        model_server.wait_for(lambda server: server.open_streams == 0)
        assert len(model_server.requests) == 1

    def test_a_stream_that_never_begins_is_given_up(self, make_client: Make, model_server: ModelServer):
        model_server.script(hang())
        with pytest.raises(ProviderUnavailable, match="did not answer in time"):
            list(make_client(first_byte_seconds=0.3).stream(ASK, ANSWER))
        model_server.wait_for(lambda server: server.open_streams == 0)

    def test_a_stream_that_stops_in_the_middle_is_given_up(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(Step(pieces=("one ", "two ", "three"), hang_after=2))
        stream = make_client(gap_seconds=0.3).stream(ASK, ANSWER)
        assert next(stream) == "one "
        assert next(stream) == "two "
        with pytest.raises(ProviderUnavailable, match="did not answer in time"):
            next(stream)

    def test_the_deadline_ends_a_stream_that_drips(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("word " * 500, gap=0.02))
        with pytest.raises(ProviderUnavailable, match="in time"):
            list(make_client().stream(ASK, Purpose("answer", seconds=0.4, output_tokens=9)))


class TestPermits:
    """Patience with one does not hold up the others."""

    def test_a_permit_is_free_during_back_off(self, make_client: Make, model_server: ModelServer):
        """One permit; the first call is told to wait, and waits until the second is through."""
        through = asyncio.Event()

        async def wait_for_the_other(_seconds: float) -> None:
            await asyncio.wait_for(through.wait(), 5)

        settings = ModelSettings("openai/m", KEY, model_server.url)
        patient = ModelClient(
            settings,
            config=ModelConfig(permits=1),
            clockwork=Clockwork(sleep=wait_for_the_other, random=lambda: 0.0),
        )
        other = ModelClient(settings, config=ModelConfig(permits=1))
        model_server.script(fail(429, retry_after="2"), say("other"), say("patient"))
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(complete, patient)
            model_server.wait_for(lambda server: len(server.requests) == 1)
            assert complete(other) == "other"
            model_loop()._loop.call_soon_threadsafe(through.set)
            assert waiting.result(5) == "patient"

    def test_calls_beyond_the_permits_wait_their_turn(self, make_client: Make, model_server: ModelServer):
        client = make_client(permits=2)
        model_server.script(*[say("x", delay=0.1)] * 6)
        with ThreadPoolExecutor(6) as pool:
            calls = [pool.submit(complete, client) for _ in range(6)]
            model_server.wait_for(lambda server: server.open_streams == 2)
            assert [call.result(10) for call in calls] == ["x"] * 6
        assert model_server.most_open == 2


class TestStreams:
    """Answers in pieces."""

    def test_pieces_come_as_they_are_made(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("Hello there, Alice."))
        stream = make_client().stream(ASK, ANSWER)
        assert list(stream) == ["Hello ", "there, ", "Alice."]
        assert not stream.is_cut

    def test_the_last_chunk_with_usage_has_no_choices_and_is_counted(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(say("Hello there.", cached_tokens=5))
        took: list[Usage] = []
        list(make_client().stream(ASK, ANSWER, on_usage=took.append))
        assert model_server.requests[0].wants_usage
        assert took == [Usage("answer", "openai/test-model", 11, 3, cached_tokens=5)]

    def test_a_cut_answer_is_whole_text_and_says_so(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("Once upon a", finish="length"))
        stream = make_client().stream(ASK, ANSWER)
        assert "".join(stream) == "Once upon a"
        assert stream.is_cut

    def test_thoughts_are_not_shown(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("<think>What do I know?</think>\n\nHello."))
        assert "".join(make_client().stream(ASK, ANSWER)) == "Hello."

    def test_an_answer_of_nothing_is_an_error(self, make_client: Make, model_server: ModelServer):
        model_server.script(say(""), say("<think>so much to", finish="length"))
        with pytest.raises(ReplyFaulty):
            list(make_client().stream(ASK, ANSWER))
        with pytest.raises(ReplyTruncated):
            list(make_client().stream(ASK, ANSWER))

    def test_a_filter_in_mid_stream_is_a_refusal(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("I would", finish="content_filter"))
        stream = make_client().stream(ASK, ANSWER)
        with pytest.raises(ReplyRefused):
            list(stream)

    def test_a_connection_cut_before_the_first_piece_is_tried_again(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(cut_in_stream(after_pieces=0), fail(500), say("Hello."))
        assert "".join(make_client().stream(ASK, ANSWER)) == "Hello."

    def test_a_connection_cut_in_the_middle_is_not(self, make_client: Make, model_server: ModelServer):
        model_server.script(Step(pieces=("one ", "two ", "three"), cut_after=2), say("not reached"))
        stream = make_client().stream(ASK, ANSWER)
        assert [next(stream), next(stream)] == ["one ", "two "]
        with pytest.raises(ProviderUnavailable):
            next(stream)
        assert len(model_server.requests) == 1

    def test_a_stream_that_ends_without_a_finish_reason_is_broken(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(Step(pieces=("one ", "two "), cut_after=2))
        with pytest.raises(ProviderUnavailable):
            list(make_client().stream(ASK, ANSWER))

    def test_what_breaks_after_its_finish_reason_was_whole(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(Step(pieces=("one ", "two."), cut_after=3), Step(pieces=("one.",), hang_after=2))
        assert "".join(make_client().stream(ASK, ANSWER)) == "one two."
        client = make_client(gap_seconds=0.3)
        assert "".join(client.stream(ASK, ANSWER)) == "one."
        assert not client.health.is_failing

    @pytest.mark.parametrize("stray", ["\ud83d", "\x00"])
    def test_what_cannot_be_stored_never_comes_out(
        self, stray: str, make_client: Make, model_server: ModelServer
    ):
        model_server.script(Step(pieces=("soup \ud83c", "\udf5c", f" {stray}.")))
        assert "".join(make_client().stream(ASK, ANSWER)) == "soup 🍜 ."

    def test_closing_ends_the_call_on_the_wire(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("word " * 1_000, gap=0.01))
        took: list[Usage] = []
        stream = make_client().stream(ASK, ANSWER, on_usage=took.append)
        next(stream)
        stream.close()
        assert took[0].is_estimated
        model_server.wait_for(lambda server: server.open_streams == 0)
        assert list(stream) == []

    def test_closing_a_stream_that_has_not_begun_ends_it_too(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(hang())
        stream = make_client().stream(ASK, ANSWER)
        model_server.wait_for(lambda server: server.open_streams == 1)
        stream.close()
        model_server.wait_for(lambda server: server.open_streams == 0)

    def test_a_stream_that_minds_no_limit_is_cut(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("word " * 1_000, gap=0.001))
        stream = make_client(answer_chars=100).stream(ASK, ANSWER)
        assert 100 < len("".join(stream)) < 200
        assert stream.is_cut
        model_server.wait_for(lambda server: server.open_streams == 0)

    def test_what_a_broken_stream_took_is_counted_by_estimate(
        self, make_client: Make, model_server: ModelServer
    ):
        model_server.script(Step(pieces=("one ", "two ", "three"), cut_after=2))
        took: list[Usage] = []
        with pytest.raises(ProviderUnavailable):
            list(make_client().stream(ASK, ANSWER, on_usage=took.append))
        (usage,) = took
        assert usage.is_estimated
        assert usage.output_tokens == 3
        assert usage.input_tokens > 10


class TestUsage:
    """Tokens come back as a value."""

    def test_a_call_says_what_it_took(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("Hello there.", cached_tokens=4))
        took: list[Usage] = []
        threads: list[Thread] = []

        def tell(usage: Usage) -> None:
            took.append(usage)
            threads.append(current_thread())

        make_client().complete(ASK, PLAN, on_usage=tell)
        assert threads == [current_thread()]
        assert took == [Usage("plan", "openai/test-model", 11, 3, cached_tokens=4)]

    def test_a_provider_that_does_not_say_is_counted_here(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("Hello there.", has_usage=False))
        took: list[Usage] = []
        make_client().complete(ASK, PLAN, on_usage=took.append)
        assert took[0].is_estimated
        assert took[0].output_tokens == 3

    def test_a_refused_reply_took_tokens_too(self, make_client: Make, model_server: ModelServer):
        model_server.script(say("", message={"refusal": "I will not."}))
        took: list[Usage] = []
        with pytest.raises(ReplyRefused):
            make_client().complete(ASK, PLAN, on_usage=took.append)
        assert len(took) == 1

    def test_a_call_that_failed_took_none(self, make_client: Make, model_server: ModelServer):
        model_server.script(fail(401))
        took: list[Usage] = []
        with pytest.raises(ProviderRefused):
            make_client().complete(ASK, PLAN, on_usage=took.append)
        assert took == []


class TestSilence:
    """Neither texts nor keys leave by the back door."""

    @pytest.mark.parametrize(
        "step",
        [
            fail(401, f"Incorrect API key provided: {KEY}. CANARY-TEXT"),
            fail(400, "CANARY-TEXT is too rude"),
            fail(500, f"{KEY} CANARY-TEXT"),
            raw(f"<html>{KEY} CANARY-TEXT"),
            fail(429, f"{KEY} CANARY-TEXT", retry_after="999"),
        ],
    )
    def test_no_error_or_log_line_bears_a_text_or_a_key(
        self, step, make_client: Make, model_server: ModelServer, caplog: pytest.LogCaptureFixture, capfd
    ):
        caplog.set_level(logging.DEBUG)
        model_server.script(*[step] * 4)
        client = make_client()
        for call in (lambda: complete(client), lambda: list(client.stream(ASK, ANSWER))):
            try:
                call()
            except ProviderError as error:
                assert (error.__cause__, error.__context__) == (None, None)  # noqa: PT017
                caplog.handler.emit(
                    logging.makeLogRecord({"exc_info": (type(error), error, error.__traceback__)})
                )
        written = caplog.text + "".join(capfd.readouterr())
        for secret in (KEY, "CANARY-TEXT", "CANARY-SYSTEM"):
            assert secret not in written
        assert "model call failed: purpose=plan" in caplog.text or "raw" in repr(step)

    def test_importing_it_reads_no_env_file_and_fetches_nothing(self, tmp_path):
        (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-of-a-file\n")
        script = (
            "import os, socket\n"
            "socket.socket.connect = lambda *_: (_ for _ in ()).throw(AssertionError('connects'))\n"
            "from memory.providers.litellm_vendor import vendor\n"
            "made = vendor()\n"
            "print(os.environ.get('OPENAI_API_KEY'), made.callbacks, made.num_retries, made.drop_params)"
        )
        environ = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI")}
        environ["PYTHONPATH"] = os.getcwd()
        result = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == "None [] 0 True"

    def test_the_module_is_not_imported_before_the_first_call(self):
        script = (
            "import sys; from memory.providers import litellm_language, litellm_embedder\n"
            "print('litellm' in sys.modules)"
        )
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert result.stdout.strip() == "False"
