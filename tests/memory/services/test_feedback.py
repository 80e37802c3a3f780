"""A recall's log, closed once the answer stands."""

from uuid import uuid4

import pytest

from memory.config import RecallConfig
from memory.models import RetrievalLog
from memory.services.feedback import close_log
from tests.memory.indexing import make_space
from tests.memory.recalling import Memory

pytestmark = pytest.mark.django_db


def test_closing_notes_what_was_kept_and_how_the_answer_began(memory: Memory):
    memory.say(("Alice", "I live in Berlin."))
    recalled = memory.ask("Who lives in Berlin?")
    assert recalled.log_id is not None
    close_log(recalled.log_id, memory.space.id, kept_ids=[recalled.hits[0].id], excerpt="x" * 5_000)
    (log,) = RetrievalLog.objects.for_space(memory.space.id)
    assert log.kept_ids == [str(recalled.hits[0].id)]
    assert log.response_excerpt == "x" * RecallConfig.STANDARD.excerpt_chars
    assert log.outcome == RetrievalLog.Outcome.OPEN


def test_a_log_of_another_space_or_none_is_left_alone(memory: Memory):
    recalled = memory.ask("Who lives in Berlin?")
    assert recalled.log_id is not None
    for log_id, space_id in ((recalled.log_id, make_space("other").id), (uuid4(), memory.space.id)):
        close_log(log_id, space_id, kept_ids=[], excerpt="never")
    (log,) = RetrievalLog.objects.for_space(memory.space.id)
    assert log.response_excerpt == ""
