"""Another embedding model is configured: words go on being found, vectors follow as a job."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEvent, Job, User
from accounts.principals import Principal
from accounts.services import jobs
from accounts.services.jobs import run_job
from memory import tasks
from memory.config import IndexConfig
from memory.domain.types import Kind, Reader, Recalled, RecallRequest
from memory.errors import IndexMismatch, TimeOver
from memory.models import IndexLease, IndexOutbox, IndexState
from memory.selectors import reembedding_of
from memory.services import drain, reembed
from memory.services.recall import recall
from memory.services.reembed import request_reembedding, spaces_to_reembed
from memory.services.reindex import check_space, drain_outbox
from sessions_app.domain.types import NewTurn
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.model_server import ModelServer, Step, fail
from tests.model_server.configured import configured
from tests.sessions_app.test_with_model import ANA, NOW, tell

pytestmark = pytest.mark.django_db(transaction=True)

SAID = [ANA, *(f"I planted the tree number {n} in our orchard." for n in range(39))]


class Killed(BaseException):
    """What a SIGKILL would do: nothing after it runs."""


@pytest.fixture
def server(alice: Principal) -> Iterator[ModelServer]:
    """A memory that the local embedder (384) made, now under a model of another dimension (64)."""
    tell(alice, *SAID)
    with ModelServer() as running, embedding(running):
        yield running


@contextmanager
def embedding(server: ModelServer, *, dimension: int = 64, model: str = "openai/embedder") -> Iterator[None]:
    named = {"model": model, "api_key": "", "api_base": server.url}
    with configured(server, EMBEDDING=named, EMBEDDING_DIM=dimension, LLM={**settings.LLM, "model": ""}):
        yield


def ask(principal: Principal, question: str = "Where does my sister Ana live?") -> Recalled:
    reader = Reader(principal.space_id, principal.user_id)
    return recall(RecallRequest(question, reader, NOW, "UTC"))


def found(recalled: Recalled) -> bool:
    return any("Porto" in hit.text for hit in recalled.hits)


def queue(principal: Principal) -> Job:
    return request_reembedding(principal.space_id, user_id=None)


def makers(principal: Principal) -> set[tuple[str, int]]:
    states = IndexState.objects.filter(space_id=principal.space_id)
    return set(states.values_list("embedder", "dimension"))


def texts_sent(server: ModelServer) -> int:
    return sum(len(call.texts) for call in server.of("embed"))


def kill_after(monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """The process dies when so many batches are written."""
    write, written = drain._write_batch, [0]

    def dying(*args: Any) -> None:
        if written[0] >= batches:
            raise Killed
        write(*args)
        written[0] += bool(args[2])

    monkeypatch.setattr(drain, "_write_batch", dying)


def abandon(job: Job) -> None:
    """Its lease and that of the space run out."""
    Job.objects.with_id(job.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    IndexLease.objects.update(holder=None, until=None)


def test_until_it_is_asked_for_words_are_recalled_and_it_is_said(
    alice: Principal, server: ModelServer
) -> None:
    recalled = ask(alice)
    assert found(recalled)
    assert any("rebuild_index --background" in note for note in recalled.notes)
    assert spaces_to_reembed() == [alice.space_id]
    state = reembedding_of(alice.space_id)
    assert state is not None
    assert (state.job_id, state.total) == (None, 0)


def test_nothing_is_embedded_in_vain_meanwhile(alice: Principal, server: ModelServer) -> None:
    append_turns(alice, open_session(alice, "monday"), [NewTurn(role="user", content="I like tea.")])
    with pytest.raises(IndexMismatch):
        drain_outbox(alice.space_id)
    assert tasks.sweep_outboxes() == 0
    assert server.requests == []
    assert found(ask(alice))


def test_the_job_makes_every_vector_anew(alice: Principal, charlie: Principal, server: ModelServer) -> None:
    tell(charlie, "I like tea.")
    append_turns(alice, open_session(alice, "monday"), [NewTurn(role="user", content="I like tea.")])
    job = run_job(queue(alice).id)
    assert (job.state, job.error) == ("done", "")
    assert job.result == {"stage": "done", "done": len(SAID) + 1, "total": len(SAID) + 1}
    assert makers(alice) == {("openai/embedder", 64)}
    assert check_space(alice.space_id).total == 0
    recalled = ask(alice)
    assert found(recalled)
    assert recalled.notes == ()
    assert spaces_to_reembed() == []
    assert reembedding_of(alice.space_id) is None


def test_words_go_on_and_progress_shows_while_it_runs(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(alice)
    seen: list[tuple[bool, int, int]] = []
    note = reembed._note

    def noting(of: Job, total: int) -> None:
        note(of, total)
        state = reembedding_of(alice.space_id)
        assert state is not None
        seen.append((found(ask(alice)), state.done, state.total))

    monkeypatch.setattr(reembed, "_note", noting)
    assert run_job(job.id).state == "done"
    total = len(SAID)
    assert seen == [(True, 0, total), (True, 32, total), (True, total, total)]


@pytest.mark.parametrize("batches", [0, 1])
def test_killed_it_goes_on_where_it_stood(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    job = queue(alice)
    with monkeypatch.context() as dying:
        kill_after(dying, batches)
        with pytest.raises(Killed):
            run_job(job.id)
    assert found(ask(alice))
    abandon(job)
    sent = texts_sent(server)
    done = run_job(job.id)
    assert (done.state, done.result["done"], done.result["total"]) == ("done", len(SAID), len(SAID))
    assert texts_sent(server) - sent == len(SAID) - 32 * batches, "what was made is kept"
    assert check_space(alice.space_id).total == 0


@pytest.mark.parametrize("step", ["_queue_everything", "vector_index", "token_store"])
def test_killed_before_the_first_vector_nothing_is_lost(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    job = queue(alice)

    def die(*_args: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(reembed, step, die)
        with pytest.raises(Killed):
            run_job(job.id)
    assert found(ask(alice))
    abandon(job)
    assert run_job(job.id).state == "done"
    assert check_space(alice.space_id).total == 0
    assert makers(alice) == {("openai/embedder", 64)}


def test_many_kills_do_not_end_it_while_it_gets_on(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(alice)
    small = IndexConfig(drain_batch=8)
    monkeypatch.setattr(reembed, "CONFIG", small)
    monkeypatch.setattr(drain.drain_held, "__kwdefaults__", {"config": small, "most": None})
    for _ in range(4):
        with monkeypatch.context() as dying:
            kill_after(dying, 1)
            with pytest.raises(Killed):
                run_job(job.id)
        abandon(job)
    assert jobs.MAX_ATTEMPTS < 4
    assert run_job(job.id).state == "done"


def test_when_its_time_is_up_another_job_goes_on_where_it_stood(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = queue(alice)
    with monkeypatch.context() as hurried:
        hurried.setattr(reembed, "CONFIG", replace(IndexConfig(), reembed_begin_seconds=0.0))
        ended = run_job(first.id)
    assert (ended.state, ended.result["status"], ended.result["done"]) == ("done", "partial", 32)
    state = reembedding_of(alice.space_id)
    assert state is not None
    assert (str(state.job_id), state.state) == (ended.result["next_job_id"], "queued")
    assert (state.done, state.total) == (32, len(SAID))
    sent = texts_sent(server)
    done = run_job(UUID(ended.result["next_job_id"]))
    assert done.result == {"stage": "done", "done": len(SAID), "total": len(SAID)}
    assert texts_sent(server) - sent == len(SAID) - 32
    assert check_space(alice.space_id).total == 0


def test_a_call_under_way_ends_when_the_jobs_time_is_up(
    alice: Principal, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = replace(IndexConfig(), reembed_begin_seconds=0.1, reembed_job_seconds=0.5)
    monkeypatch.setattr(reembed, "CONFIG", hurried)
    server.script(Step(delay=30.0), purpose="embed")
    began = time.monotonic()
    job = run_job(queue(alice).id)
    assert time.monotonic() - began < 10
    assert (job.state, job.error) == ("queued", TimeOver().detail)


def test_a_model_of_another_length_than_was_said_drops_nothing(alice: Principal, server: ModelServer) -> None:
    server.dimension = 32
    job = run_job(queue(alice).id)
    assert job.state == "failed"
    assert "set EMBEDDING_DIM=32" in job.error
    assert makers(alice) == {("all-MiniLM-L6-v2-int8", 384)}
    state = reembedding_of(alice.space_id)
    assert state is not None
    assert (state.state, state.error) == ("failed", job.error)


def test_a_model_that_is_away_is_asked_again_later(alice: Principal, server: ModelServer) -> None:
    server.script(fail(401), purpose="embed")
    job = queue(alice)
    assert run_job(job.id).state == "failed", "a refusal is for a person to mend"
    again = run_job(jobs.retry_job(Job.objects.with_id(job.id).get(), user_id=None).id)
    assert again.state == "done"


def test_a_worker_with_other_settings_leaves_it_alone(alice: Principal, server: ModelServer) -> None:
    job = queue(alice)
    with embedding(server, model="openai/other"):
        ended = run_job(job.id)
    assert ended.state == "failed"
    assert "start every process with the same settings" in ended.error
    assert server.requests == []


def test_back_to_the_local_model_it_works_too(alice: Principal, server: ModelServer) -> None:
    run_job(queue(alice).id)
    with configured(server, EMBEDDING={"model": "", "api_key": "", "api_base": ""}, EMBEDDING_DIM=None):
        assert found(ask(alice))
        assert run_job(queue(alice).id).state == "done"
        assert makers(alice) == {("all-MiniLM-L6-v2-int8", 384)}
        assert ask(alice).notes == ()


class TestDoors:
    def test_the_command_queues_the_spaces_that_need_it(
        self, alice: Principal, charlie: Principal, server: ModelServer
    ) -> None:
        out = StringIO()
        call_command("rebuild_index", "--background", stdout=out)
        job = Job.objects.for_space(alice.space_id).get(kind="reembed")
        assert f"garden: GET /jobs/{job.id} tells how far it is" in out.getvalue()
        assert "Queued the re-embedding of 1 of" in out.getvalue()
        run_job(job.id)
        out = StringIO()
        call_command("rebuild_index", "--background", "--space", "garden", stdout=out)
        assert out.getvalue().strip() == "Queued the re-embedding of 0 of 1 space(s)."

    def test_an_administrator_queues_it_too_and_is_told_how_far_it_is(
        self, alice: Principal, server: ModelServer, client: Client
    ) -> None:
        User.objects.filter(pk=alice.user_id).update(is_staff=True, is_superuser=True)
        client.force_login(User.objects.get(pk=alice.user_id))
        address = reverse("admin:memory_indexstate_changelist")
        chosen = list(IndexState.objects.values_list("pk", flat=True))
        client.post(address, {"action": "reembed", "_selected_action": chosen})
        job = Job.objects.for_space(alice.space_id).get(kind="reembed")
        assert AuditEvent.objects.get(action="space.reembedding_requested").user_id == alice.user_id
        assert "queued: 0 / ?" in client.get(address).content.decode()
        run_job(job.id)
        client.post(address, {"action": "reembed", "_selected_action": chosen})
        assert Job.objects.for_space(alice.space_id).filter(kind="reembed").count() == 1

    def test_the_page_of_memories_says_so_until_it_is_done(
        self, alice: Principal, server: ModelServer, client: Client
    ) -> None:
        client.force_login(User.objects.get(pk=alice.user_id))
        address = reverse("sessions:memory", args=["garden"])
        assert "The embedding model was changed" in client.get(address).content.decode()
        job = queue(alice)
        assert "It is about to begin." in client.get(address).content.decode()
        Job.objects.with_id(job.id).update(result={"stage": "vectors", "done": 3, "total": 9})
        assert "3 of 9 are done." in client.get(address).content.decode()
        run_job(job.id)
        assert "The embedding model was changed" not in client.get(address).content.decode()

    def test_what_is_said_meanwhile_is_embedded_too(self, alice: Principal, server: ModelServer) -> None:
        job = queue(alice)
        server.script(Step(delay=0.0), purpose="embed")
        append_turns(alice, open_session(alice, "sunday"), [NewTurn(role="user", content="I like tea.")])
        run_job(job.id)
        assert not IndexOutbox.objects.filter(space_id=alice.space_id, kind=Kind.TURN).exists()
        assert check_space(alice.space_id).total == 0
