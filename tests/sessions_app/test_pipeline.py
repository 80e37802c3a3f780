"""One chat request: its events, and what is stored however it ends."""

import asyncio
import json
import threading
from contextlib import aclosing, suppress
from datetime import UTC, datetime

import pytest
from asgiref.sync import sync_to_async

from accounts.errors import InvalidInput, NotFound, ProviderUnavailable, SessionBusy
from accounts.models import Job
from memory.domain.types import Effort
from memory.models import RetrievalLog
from memory.providers.registry import offline_language
from sessions_app import pipeline
from sessions_app.agents import reason
from sessions_app.agents.working_memory import open_question
from sessions_app.domain.types import Answer, ChatRequest, Delta, Done, Failed, NewTurn, StepDone
from sessions_app.models import SessionTurn, UsageEntry
from sessions_app.services import recollect, usage
from sessions_app.services.sessions import open_session
from sessions_app.services.turns import append_turns
from tests.sessions_app.fakes import ScriptedModel, ScriptedRecall

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def model(monkeypatch):
    model = ScriptedModel()
    for module in (reason, pipeline, usage):
        monkeypatch.setattr(module, "language_model", lambda: model)
    return model


@pytest.fixture
def memory(monkeypatch):
    memory = ScriptedRecall()
    monkeypatch.setattr(recollect, "recall", memory)
    return memory


@pytest.fixture(autouse=True)
def _scripted(model, memory):
    return


def ask(principal, text="Where is the key?", session="plans", **changes):
    request = ChatRequest(
        space_id=principal.space_id,
        user_id=principal.user_id,
        speaker=principal.speaker,
        time_zone=principal.time_zone,
        session=session,
        text=text,
        now=NOW,
        **changes,
    )
    return pipeline.answer(request)


async def all_of(events):
    return [event async for event in events]


def stored(principal):
    rows = SessionTurn.objects.for_space(principal.space_id).order_by("index")
    return [(row.role, row.state, row.content) for row in rows]


astored = sync_to_async(stored)
QUESTION = ("user", "complete", "Where is the key?")


async def test_a_request_goes_through_its_stages_in_order(alice):
    events = await all_of(ask(alice))
    kinds = [event.step if isinstance(event, StepDone) else type(event).__name__ for event in events]
    assert kinds == ["wm_manager", "search", *["Delta"] * 4, "reason", "Answer", "Done"]
    assert "".join(event.content for event in events if isinstance(event, Delta)) == "Under the mat [1]."
    assert await astored(alice) == [QUESTION, ("assistant", "complete", "Under the mat [1].")]


async def test_done_tells_where_the_answer_is_and_what_it_rests_on(alice, memory):
    events = await all_of(ask(alice))
    done, answer = events[-1], events[-2]
    assert isinstance(done, Done)
    assert answer == Answer("Under the mat [1].")
    assert (done.session_name, done.turn_index, done.status) == ("plans", 1, "ok")
    assert done.recalled.records.hits == (memory.hit,)
    assert (done.input_tokens, done.output_tokens) == (90, 4)
    assert set(done.trace) == {"wm_manager", "search", "reason"}


async def test_trace_fragments_are_json_that_people_can_read(alice, memory):
    events = await all_of(ask(alice))
    traces = {event.step: event.trace for event in events if isinstance(event, StepDone)}
    steps = json.loads(json.dumps(traces))
    assert (steps["wm_manager"]["turns"], steps["wm_manager"]["turn_index"]) == (1, 0)
    (hit,) = steps["search"]["hits"]
    assert (hit["number"], hit["text"], hit["score"]) == (1, "The key lies under the mat.", 0.8765)
    assert hit["reason"] == "It names the key."
    assert hit["turns"][0]["turn_id"] == str(memory.hit.id)
    assert steps["search"]["plan"]["names"] == ["key"]
    assert steps["search"]["timings_ms"] == {"rank": 1.2}
    assert (steps["reason"]["model"], steps["reason"]["kept"]) == ("scripted", 1)


async def test_recall_sees_the_question_its_reader_and_what_the_window_shows(alice, memory):
    await all_of(ask(alice, "First thing."))
    at = datetime(2023, 5, 8, tzinfo=UTC)
    await all_of(ask(alice, "Second thing.", effort=Effort.FAST, top_k=3, reference_time=at))
    request = memory.requests[1]
    assert (request.question, request.effort, request.top_k, request.now) == (
        "Second thing.",
        Effort.FAST,
        3,
        at,
    )
    assert (request.reader.space_id, request.reader.user_id) == (alice.space_id, alice.user_id)
    assert [turn.text for turn in request.recent] == ["First thing.", "Under the mat [1]."]
    assert len(request.exclude_turn_ids) == 3


async def test_the_model_reads_the_window_the_question_and_the_hits(alice, model, memory):
    await all_of(ask(alice, "First thing."))
    await all_of(ask(alice))
    request = model.requests[1]
    assert request.question.text == "Where is the key?"
    assert [turn.text for turn in request.window] == ["First thing.", "Under the mat [1]."]
    assert (request.hits, request.context) == ((memory.hit,), "[1] The key lies under the mat.")


async def test_another_session_can_be_left_out(alice, memory):
    other = await sync_to_async(open_session)(alice, "current")
    await all_of(ask(alice, exclude_session="current"))
    assert memory.requests[0].reader.exclude_session_ids == {other.id}
    await all_of(ask(alice, exclude_session="not there yet"))
    assert memory.requests[1].reader.exclude_session_ids == frozenset()


async def test_the_log_keeps_what_was_cited(alice, memory):
    def make_log():
        return RetrievalLog.objects.for_space(alice.space_id).create(
            space_id=alice.space_id, user_id=alice.user_id, query="q", effort="fast"
        )

    log = await sync_to_async(make_log)()
    memory.log_id = log.id
    await all_of(ask(alice))
    await sync_to_async(log.refresh_from_db)()
    assert log.kept_ids == [str(memory.hit.id)]
    assert log.response_excerpt == "Under the mat [1]."


async def test_consolidation_is_queued_unless_refused(alice):
    def jobs():
        return list(Job.objects.for_space(alice.space_id).values_list("kind", "arguments"))

    await all_of(ask(alice, is_consolidated=False))
    assert await sync_to_async(jobs)() == []
    await all_of(ask(alice))
    assert await sync_to_async(jobs)() == [("consolidate", {"flush": False, "erase_turns": False})]


async def test_degraded_recall_is_told(alice, memory):
    memory.notes = ("The reranker is away.",)
    assert (await all_of(ask(alice)))[-1].status == "partial"


async def test_the_offline_engine_costs_no_tokens(alice, model, monkeypatch):
    for module in (reason, pipeline, usage):
        monkeypatch.setattr(module, "language_model", offline_language)
    done = (await all_of(ask(alice)))[-1]
    assert (done.status, done.input_tokens, done.output_tokens) == ("offline", 0, 0)


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"text": "  "}, InvalidInput), ({"session": ""}, InvalidInput)],
)
async def test_bad_input_is_refused_before_the_first_event(alice, changes, error):
    with pytest.raises(error):
        await anext(ask(alice, **changes))
    assert await astored(alice) == []


async def test_a_stranger_is_refused_before_the_first_event(alice, charlie):
    events = ask(alice)
    request = ChatRequest(
        space_id=alice.space_id,
        user_id=charlie.user_id,
        speaker="Charlie",
        time_zone="UTC",
        session="plans",
        text="Hello?",
        now=NOW,
    )
    await events.aclose()
    with pytest.raises(NotFound):
        await anext(pipeline.answer(request))


async def test_a_busy_session_is_refused_before_the_first_event(alice, model):
    model.gate = threading.Event()
    async with aclosing(ask(alice)) as events:
        await anext(events)
        with pytest.raises(SessionBusy) as raised:
            await anext(ask(alice))
        assert raised.value.retry_after
        model.gate.set()
        assert isinstance([event async for event in events][-1], Done)


async def test_a_recall_that_fails_is_no_answer(alice, memory, model):
    memory.error = ProviderUnavailable("The index does not answer.")
    events = await all_of(ask(alice))
    assert events[-1] == Failed("provider_unavailable", "The index does not answer.")
    assert not model.requests
    assert await astored(alice) == [QUESTION, ("assistant", "interrupted", "")]
    memory.error = None
    assert isinstance((await all_of(ask(alice)))[-1], Done)
    assert await astored(alice) == [QUESTION, ("assistant", "complete", "Under the mat [1].")]


async def traces_of(principal):
    rows = SessionTurn.objects.for_space(principal.space_id).order_by("index")
    return await sync_to_async(lambda: [row.trace for row in rows])()


async def test_the_trace_is_kept_with_the_answer_as_it_was_told(alice, memory):
    memory.notes = ("The reranker is away.",)
    events = await all_of(ask(alice))
    told = {event.step: event.trace for event in events if isinstance(event, StepDone)}
    of_question, kept = await traces_of(alice)
    assert of_question == {}
    assert kept["wm_manager"] == told["wm_manager"]
    assert kept["reason"] == told["reason"]
    assert (kept["search"]["found"], kept["search"]["kept"]) == (1, 1)
    for name in ("ms", "notes", "timings_ms"):
        assert kept["search"][name] == told["search"][name]


async def test_a_broken_answer_keeps_the_stages_that_had_ended_and_why_it_broke(alice, model):
    model.fails_after = 2
    failed = (await all_of(ask(alice)))[-1]
    assert isinstance(failed, Failed)
    question, broken = await traces_of(alice)
    assert (set(question), set(broken)) == (set(), {"wm_manager", "search", "failure"})
    assert broken["failure"] == {"code": failed.code, "detail": failed.detail}


async def test_a_model_that_fails_midway_keeps_the_question_and_the_part(alice, model):
    model.fails_after = 2
    events = await all_of(ask(alice))
    failed = events[-1]
    assert isinstance(failed, Failed)
    assert failed.code == "internal"
    assert "canary" not in failed.detail
    assert await astored(alice) == [QUESTION, ("assistant", "interrupted", "Under the")]
    assert not await sync_to_async(Job.objects.for_space(alice.space_id).exists)()


async def test_a_model_that_is_away_is_stood_in_for_and_people_are_told(alice, model):
    model.fails_after, model.error = 0, ProviderUnavailable("Nobody is there.")
    events = await all_of(ask(alice))
    done, trace = events[-1], events[-3].trace
    assert (done.status, trace["model"], trace["notes"]) == ("partial", "offline", [reason.DEGRADED])
    assert "mat" in events[-2].content


async def test_what_the_models_took_is_told_and_written_with_the_answer(alice):
    events = await all_of(ask(alice))
    (told,) = events[-3].trace["usage"]
    assert (told["purpose"], told["input_tokens"], told["output_tokens"]) == ("answer", 90, 4)
    (entry,) = await sync_to_async(lambda: list(UsageEntry.objects.for_space(alice.space_id)))()
    assert (entry.model, entry.input_tokens, entry.session_id) == ("scripted", 90, events[-1].session_id)
    answer = await sync_to_async(SessionTurn.objects.for_space(alice.space_id).get)(pk=entry.turn_id)
    assert answer.content == "Under the mat [1]."


async def test_what_a_broken_answer_took_is_written_too(alice, model):
    model.fails_after = 2
    await all_of(ask(alice))
    assert await sync_to_async(UsageEntry.objects.for_space(alice.space_id).count)() == 1


async def test_a_reader_who_closes_leaves_an_interrupted_answer(alice, model):
    model.gate = threading.Event()
    async with aclosing(ask(alice)) as events:
        async for event in events:
            if isinstance(event, Delta):
                break
    model.gate.set()
    assert await astored(alice) == [QUESTION, ("assistant", "interrupted", "Under")]
    assert await asyncio.to_thread(model.has_ended.wait, 10)
    model.gate = None
    assert isinstance((await all_of(ask(alice)))[-1], Done)


async def test_a_cancelled_reader_leaves_an_interrupted_answer(alice, model):
    model.gate = threading.Event()
    task = asyncio.create_task(all_of(ask(alice)))
    assert await asyncio.to_thread(model.has_begun.wait, 10)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    model.gate.set()
    rows = await astored(alice)
    assert rows[0] == QUESTION
    assert rows[1][:2] == ("assistant", "interrupted")


async def test_who_leaves_while_the_question_is_stored_gives_the_claim_back(alice, monkeypatch):
    storing, may_go_on = threading.Event(), threading.Event()

    def slow(request):
        storing.set()
        may_go_on.wait(10)
        return open_question(request)

    monkeypatch.setattr(pipeline, "open_question", slow)
    task = asyncio.create_task(all_of(ask(alice)))
    assert await asyncio.to_thread(storing.wait, 10)
    task.cancel()
    may_go_on.set()
    with suppress(asyncio.CancelledError):
        await task
    assert await astored(alice) == [QUESTION, ("assistant", "interrupted", "")]


async def test_an_interrupted_answer_is_no_part_of_the_next_window(alice, model):
    model.fails_after = 1
    await all_of(ask(alice))
    model.fails_after = None
    await all_of(ask(alice, "And now?"))
    assert [turn.text for turn in model.requests[-1].window] == ["Where is the key?"]


async def test_the_lease_is_renewed_while_the_model_thinks(alice, model, monkeypatch):
    renewed = threading.Event()

    def renew(open_answer):
        renewed.set()
        return True

    monkeypatch.setattr(pipeline, "renew_lease", renew)
    monkeypatch.setattr(pipeline, "AnswerConfig", type("Quick", (), {"heartbeat_seconds": 0}))
    model.gate = threading.Event()
    async with aclosing(ask(alice)) as events:
        await anext(events)
        assert await asyncio.to_thread(renewed.wait, 10)
        model.gate.set()
        assert isinstance([event async for event in events][-1], Done)


async def test_a_claim_lost_meanwhile_ends_in_a_failure_not_in_a_second_answer(alice, model):
    model.gate = threading.Event()
    async with aclosing(ask(alice)) as events:
        await anext(events)
        pending = SessionTurn.objects.for_space(alice.space_id).filter(state="pending")
        await sync_to_async(pending.update)(state="interrupted", lease_until=None)
        model.gate.set()
        last = [event async for event in events][-1]
    assert isinstance(last, Failed)
    assert last.code == "interrupted"


async def test_a_viewer_chats_in_private_and_nothing_is_filed(vera):
    await all_of(ask(vera))
    rows = await sync_to_async(lambda: list(SessionTurn.objects.for_space(vera.space_id)))()
    assert {row.private_to_id for row in rows} == {vera.user_id}
    assert not any(row.is_consolidated for row in rows)


async def test_a_session_named_by_the_id_of_another_space_is_ones_own(alice, charlie):
    session = await sync_to_async(open_session)(alice, "plans")
    done = (await all_of(ask(charlie, session=str(session.id))))[-1]
    assert done.session_id != session.id
    assert done.session_name == str(session.id)


async def test_appended_turns_are_in_the_window(alice, model):
    def append():
        session = open_session(alice, "plans")
        append_turns(alice, session, [NewTurn(role="system", content="Be kind.")])

    await sync_to_async(append)()
    await all_of(ask(alice))
    assert [turn.text for turn in model.requests[0].window] == ["Be kind."]
