"""Somebody moves: with the offline engine the newer home is the answer, in several languages."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Job
from accounts.services.jobs import run_job
from memory.domain.types import Kind, Reader, RecallRequest
from memory.models import MemoryRecord
from memory.services.recall import recall
from sessions_app.domain.types import NewTurn
from sessions_app.services.consolidate import request_consolidation
from sessions_app.services.sessions import find_session, open_session
from sessions_app.services.turns import append_turns

pytestmark = pytest.mark.django_db(transaction=True)
MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
DAY = timedelta(days=1)
MOVES = {
    "English": ("I live in Paris.", "I moved to Berlin.", "Where do I live?", "Berlin"),
    "German": ("Ich wohne in Paris.", "Ich bin nach Berlin umgezogen.", "Wo wohne ich?", "Berlin"),
    "Russian": ("Я живу в Париже.", "Я переехал в Берлин.", "Где я живу?", "Берлин"),
    "Chinese": ("我住在巴黎。", "我搬到柏林了。", "我住在哪里？", "柏林"),
}


def say_and_file(principal, name: str, text: str, at: datetime) -> None:
    open_session(principal, name)
    append_turns(principal, find_session(principal, name), [NewTurn(role="user", content=text, said_at=at)])
    request_consolidation(principal, find_session(principal, name), flush=True)
    while waiting := list(Job.objects.for_space(principal.space_id).filter(state="queued")):
        for job in waiting:
            assert run_job(job.id).state == "done"


def first_record(principal, question: str, **options) -> str:
    request = RecallRequest(
        question=question,
        reader=Reader(principal.space_id, principal.user_id),
        now=MAY + 30 * DAY,
        time_zone="UTC",
        **options,
    )
    return next(hit.text for hit in recall(request).hits if hit.kind is Kind.RECORD)


@pytest.mark.parametrize("language", MOVES)
def test_the_newer_home_is_recalled_first_whichever_conversation_was_imported_first(alice, charlie, language):
    before, after, question, city = MOVES[language]
    for principal, order in ((alice, (0, 1)), (charlie, (1, 0))):
        said = ((before, MAY), (after, MAY + 9 * DAY))
        for place in order:
            text, at = said[place]
            say_and_file(principal, f"session {place}", text, at)
        rows = {row.value: row for row in MemoryRecord.objects.for_space(principal.space_id)}
        assert {row.slot for row in rows.values()} == {"residence"}
        older = next(row for value, row in rows.items() if value != city)
        assert (older.superseded_by_id, older.valid_to) == (rows[city].id, MAY + 9 * DAY)
        assert city in first_record(principal, question)
        assert city not in first_record(principal, question, as_of=MAY + DAY)
