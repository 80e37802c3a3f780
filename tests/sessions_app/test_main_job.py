"""The main job, with the real engine: talk, come back in another session, be answered from memory."""

from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async

from accounts.models import Job
from accounts.services.jobs import run_job
from memory.domain.selection import EXPIRED
from memory.models import MemoryRecord, RecordEvidence, RetrievalLog
from memory.services.curate import expire_record
from sessions_app import pipeline
from sessions_app.domain.types import ChatRequest, Done, NewTurn
from sessions_app.models import Segment, SessionTurn
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import delete_session, find_session, open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def ask(principal, session, text, *, later=timedelta()) -> Done:
    request = ChatRequest(
        space_id=principal.space_id,
        user_id=principal.user_id,
        speaker=principal.speaker,
        time_zone=principal.time_zone,
        session=session,
        text=text,
        now=NOW + later,
    )
    last = [event async for event in pipeline.answer(request)][-1]
    assert isinstance(last, Done), last
    return last


def run_jobs(principal):
    """What workers would do."""
    while waiting := list(Job.objects.for_space(principal.space_id).filter(state="queued")):
        for job in waiting:
            assert run_job(job.id).state == "done"


def file_now(principal, name):
    request_consolidation(principal, find_session(principal, name), flush=True)
    run_jobs(principal)


def texts(done):
    return " ".join(hit.text for hit in done.recalled.records.hits)


async def test_another_session_is_answered_from_memory_with_evidence(alice):
    await ask(alice, "monday", "My sister Ana moved to Porto in January.")
    await ask(alice, "monday", "I adopted a grey cat named Pixel last Saturday.")
    await sync_to_async(file_now)(alice, "monday")
    done = await ask(alice, "tuesday", "Where does my sister Ana live?", later=timedelta(days=1))
    assert "Porto" in texts(done)
    answer = await sync_to_async(
        lambda: SessionTurn.objects.for_space(alice.space_id).get(
            session_id=done.session_id, index=done.turn_index
        )
    )()
    assert "Porto" in answer.content
    evidence = [turn.session_name for hit in done.recalled.records.hits for turn in hit.evidence]
    assert "monday" in evidence
    log = await sync_to_async(
        lambda: RetrievalLog.objects.for_space(alice.space_id).get(pk=answer.retrieval_log_id)
    )()
    assert log.kept_ids
    assert log.response_excerpt.startswith(answer.content[:50])


async def test_what_a_person_expired_is_answered_no_more(alice):
    def expire_all():
        for row in MemoryRecord.objects.for_space(alice.space_id):
            expire_record(alice, row.id)

    def said_last(done):
        turns = SessionTurn.objects.for_space(alice.space_id)
        return turns.get(session_id=done.session_id, index=done.turn_index).content

    await ask(alice, "monday", "My dentist is called Doctor Weiss.")
    await sync_to_async(file_now)(alice, "monday")
    done = await ask(alice, "tuesday", "What is my dentist called?")
    assert "Weiss" in await sync_to_async(said_last)(done)
    await sync_to_async(expire_all)()
    done = await ask(alice, "wednesday", "What is my dentist called?", later=timedelta(days=1))
    assert "Weiss" not in await sync_to_async(said_last)(done)
    assert EXPIRED in {dropped.reason for dropped in done.recalled.records.dropped}
    assert "Weiss" not in done.recalled.records.context


async def test_what_was_expired_is_not_quoted_in_the_session_in_which_it_was_said(alice):
    await ask(alice, "monday", "My sister Ana moved to Porto in January.")
    await ask(alice, "monday", "I adopted a grey cat named Pixel last Saturday.")
    await sync_to_async(file_now)(alice, "monday")
    question = "Where does my sister Ana live?"
    before = await answer_to(alice, "monday", question)
    assert "Porto" in before

    def expire():
        for record in MemoryRecord.objects.for_space(alice.space_id).filter(semantic_text__contains="Porto"):
            expire_record(alice, record.id)

    await sync_to_async(expire)()
    assert "Porto" not in await answer_to(alice, "monday", question)
    assert "Pixel" in await answer_to(alice, "monday", "What is my cat called?")


async def answer_to(principal, session, text, *, later=timedelta(hours=1)) -> str:
    done = await ask(principal, session, text, later=later)
    rows = SessionTurn.objects.for_space(principal.space_id)
    turn: SessionTurn = await sync_to_async(rows.get)(session_id=done.session_id, index=done.turn_index)
    return turn.content


@pytest.mark.parametrize(
    ("held", "over", "question", "gone"),
    [
        (
            "I work at Siemens.",
            "I quit at Siemens; I now run my own practice.",
            "Where do I work?",
            "Siemens",
        ),
        ("My dog's name is Biscuit.", "Biscuit died last week. He was 14.", "Do I have a dog?", "name is"),
        ("I'm dating Jonas.", "We broke up.", "Who am I dating?", "dating Jonas"),
        ("我有一辆车。", "我把车卖了。", "我有车吗？", "有一辆车"),
    ],
)
async def test_what_is_over_is_no_answer_any_more(alice, held, over, question, gone):
    await ask(alice, "monday", held)
    await sync_to_async(file_now)(alice, "monday")
    assert gone in await answer_to(alice, "before", question)
    await ask(alice, "tuesday", over, later=timedelta(days=1))
    await sync_to_async(file_now)(alice, "tuesday")
    assert gone not in await answer_to(alice, "wednesday", question, later=timedelta(days=2))


async def test_what_is_not_filed_yet_is_found_already(alice):
    await ask(alice, "monday", "The spare key hangs behind the blue door.")
    done = await ask(alice, "tuesday", "Where is the spare key?")
    assert "blue door" in texts(done)
    assert not await sync_to_async(MemoryRecord.objects.for_space(alice.space_id).exists)()


async def test_chat_alone_keeps_its_segment_open(alice):
    await ask(alice, "monday", "I like sailing.")
    await sync_to_async(run_jobs)(alice)
    await ask(alice, "monday", "Sailing at noon is best.")
    await sync_to_async(run_jobs)(alice)
    segments = await sync_to_async(lambda: list(Segment.objects.for_space(alice.space_id)))()
    assert [(segment.first_turn, segment.end_turn, segment.state) for segment in segments] == [(0, 4, "open")]


async def test_a_new_session_has_the_previous_one_remembered(alice):
    await ask(alice, "monday", "I live in Lisbon and I work as a marine biologist.")
    await ask(alice, "tuesday", "Good morning!")
    await sync_to_async(run_jobs)(alice)
    records = await sync_to_async(lambda: list(MemoryRecord.objects.for_space(alice.space_id)))()
    assert any("Lisbon" in record.semantic_text for record in records)


async def test_a_chat_that_repeats_what_it_recalled_stores_no_echo(alice):
    await ask(alice, "monday", "My sister Ana moved to Porto in January.")
    await sync_to_async(file_now)(alice, "monday")
    before = await sync_to_async(MemoryRecord.objects.for_space(alice.space_id).count)()
    for n in range(20):
        await ask(alice, "tuesday", "Where does my sister Ana live?", later=timedelta(minutes=n))
    await sync_to_async(file_now)(alice, "tuesday")
    after = await sync_to_async(MemoryRecord.objects.for_space(alice.space_id).count)()
    assert after == before


def test_turns_that_piled_up_while_no_worker_ran_are_all_covered(alice):
    session = open_session(alice, "piled up")
    for n in range(20):
        said = [f"On day {10 * n + k} I planted tree number {10 * n + k} in the orchard." for k in range(10)]
        append_turns(alice, session, [NewTurn(role="user", content=text) for text in said])
    file_now(alice, "piled up")
    ranges = sorted(Segment.objects.for_space(alice.space_id).values_list("first_turn", "end_turn"))
    assert [index for first, end in ranges for index in range(first, end)] == list(range(200))
    rested_on = RecordEvidence.objects.for_space(alice.space_id).values_list("turn_index", flat=True)
    assert len(set(rested_on)) > 190


async def test_memories_outlive_their_deleted_conversation(alice):
    await ask(alice, "monday", "My sister Ana moved to Porto in January.")

    def delete():
        delete_session(alice, find_session(alice, "monday"))
        run_jobs(alice)

    await sync_to_async(delete)()
    done = await ask(alice, "tuesday", "Where does my sister Ana live?")
    assert "Porto" in texts(done)
    assert {hit.kind.value for hit in done.recalled.records.hits} == {"record"}
    rows = await sync_to_async(lambda: list(SessionTurn.objects.for_space(alice.space_id)))()
    assert {row.session_id for row in rows} == {done.session_id}


async def test_what_is_said_in_private_stays_there(alice, bob):
    await sync_to_async(open_session)(bob, "diary", private=True)
    await sync_to_async(open_session)(bob, "notes", private=True)
    await ask(bob, "diary", "My locker code word is Kingfisher.")
    await sync_to_async(file_now)(bob, "diary")
    question = "What is my locker code word?"
    assert "Kingfisher" in texts(await ask(bob, "notes", question))
    assert "Kingfisher" not in texts(await ask(bob, "shared", question)), "alice reads that along"
    assert "Kingfisher" not in texts(await ask(alice, "mine", "What is Bob's locker code word?"))


async def test_in_a_personal_space_nobody_reads_along(charlie):
    await sync_to_async(open_session)(charlie, "diary", private=True)
    await ask(charlie, "diary", "My locker code word is Kingfisher.")
    assert "Kingfisher" in texts(await ask(charlie, "open", "What is my locker code word?"))


async def test_another_space_knows_nothing(alice, charlie):
    await ask(alice, "monday", "My sister Ana moved to Porto in January.")
    await sync_to_async(file_now)(alice, "monday")
    assert not (await ask(charlie, "monday", "Where does my sister Ana live?")).recalled.records.hits


async def test_a_day_put_right_in_one_session_is_the_answer_in_another(alice):
    await ask(alice, "sunday", "My aunt Ruth comes on Wednesday.")
    await sync_to_async(file_now)(alice, "sunday")
    await ask(alice, "monday", "Aunt Ruth comes on Thursday at 3pm, not Wednesday.", later=timedelta(days=1))
    await sync_to_async(file_now)(alice, "monday")
    done = await ask(alice, "tuesday", "When is aunt Ruth coming?", later=timedelta(days=2))
    answer = await SessionTurn.objects.for_space(alice.space_id).aget(
        session_id=done.session_id, index=done.turn_index
    )
    assert answer.content.removeprefix("- ").startswith("5 March 2026, 15:00 — ")
    held = MemoryRecord.objects.for_space(alice.space_id).filter(valid_from__isnull=False)
    begun = {row.valid_from async for row in held}
    assert begun == {datetime(2026, 3, 4, tzinfo=UTC), datetime(2026, 3, 5, 15, tzinfo=UTC)}


async def test_a_statement_after_a_greeting_is_filed_and_answers(alice):
    await ask(alice, "monday", "hello my friend, I own a boat")
    await sync_to_async(file_now)(alice, "monday")
    done = await ask(alice, "tuesday", "What do I own?", later=timedelta(days=1))
    assert "boat" in texts(done)


async def answered(principal, session, text, *, later) -> str:
    done = await ask(principal, session, text, later=later)
    turns = SessionTurn.objects.for_space(principal.space_id)
    turn: SessionTurn = await turns.aget(session_id=done.session_id, index=done.turn_index)
    return str(turn.content)


@pytest.mark.parametrize("is_filed_before", [True, False])
@pytest.mark.parametrize("is_filed_after", [True, False])
async def test_a_date_put_right_answers_alone(alice, is_filed_before, is_filed_after):
    await ask(alice, "monday", "My brother Erik marries on 20 February 2027.")
    if is_filed_before:
        await sync_to_async(file_now)(alice, "monday")
    slip = "Correction: my brother's wedding is on 27 February 2027, not on the 20th."
    await ask(alice, "monday", slip, later=timedelta(minutes=5))
    if is_filed_after:
        await sync_to_async(file_now)(alice, "monday")
    told = await answered(alice, "monday", "When is Erik's wedding?", later=timedelta(minutes=9))
    assert "27 February 2027" in told
    assert "20 February" not in told


async def test_neither_a_question_without_its_mark_nor_a_wish_to_forget_is_filed(alice):
    for said in ("My aunt Rosa lives in Turin.", "wo wohnt meine Tante", "what's my aunt's name"):
        await ask(alice, "monday", said)
    await ask(alice, "monday", "Vergiss, dass ich in Leipzig wohne.")
    await sync_to_async(file_now)(alice, "monday")
    rows = MemoryRecord.objects.for_space(alice.space_id)
    assert await sync_to_async(lambda: [row.semantic_text for row in rows])() == [
        "Alice's aunt Rosa lives in Turin."
    ]


@pytest.mark.parametrize(
    ("before", "now", "question", "old", "new"),
    [
        ("We live in Hamburg.", "Since June we live in Kiel.", "Where do I live?", "Hamburg", "Kiel"),
        (
            "Ich wohne in Leipzig.",
            "Seit Oktober wohne ich in Dresden.",
            "Wo wohne ich?",
            "Leipzig",
            "Dresden",
        ),
    ],
)
async def test_a_home_since_some_month_supersedes_the_one_told_before(alice, before, now, question, old, new):
    await ask(alice, "monday", before)
    await sync_to_async(file_now)(alice, "monday")
    await ask(alice, "tuesday", now, later=timedelta(days=1))
    await sync_to_async(file_now)(alice, "tuesday")
    current = MemoryRecord.objects.for_space(alice.space_id).filter(superseded_at=None)
    assert await sync_to_async(lambda: [row.value for row in current])() == [new]
    told = await answered(alice, "wednesday", question, later=timedelta(days=2))
    assert new in told
    assert old not in told
