"""A day that the question names brings what was said on it or is of it."""

from datetime import timedelta
from uuid import uuid4

import pytest

from memory.config import RecallConfig
from memory.domain.types import Kind, Plan, Reader, RecallRequest, Route, TimeRange
from memory.services.recall_find import Clock, find
from memory.services.recall_plan import Asked, embed, prepare
from memory.services.recall_time import led_by_time
from tests.memory.indexing import make_user
from tests.memory.recalling import LATER, MONDAY, Memory, texts

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
MORNING = MONDAY.replace(hour=0)
ON_MONDAY = TimeRange(MORNING, MORNING + DAY)
CROWD = 300  # more than are compared word by word


def asked(memory: Memory, *spans: TimeRange) -> Asked:
    plan = Plan(routes=tuple(Route("", ("dog",), time_range=span) for span in spans))
    request = RecallRequest("Which dog?", Reader(memory.space.id, memory.user.id), LATER, "UTC")
    return embed(prepare(request, RecallConfig.STANDARD, plan, []))[0]


class TestLed:
    def test_are_turns_and_records_of_the_day_as_this_reader_sees_them(self, memory: Memory):
        bob = make_user("Bob")
        (said,) = memory.say(("Alice", "Here, I got you this."))
        memory.say(("Bob", "For me alone."), owner=bob)
        (later,) = memory.say(("Alice", "Yesterday was fun."), at=MONDAY + 3 * DAY)
        memory.learn("Alice gave a present.", said)
        memory.learn("It was fun.", later, valid_from=MONDAY)
        memory.learn("It is over.", later)
        made = asked(memory, ON_MONDAY)
        assert [len(led) for led in led_by_time([made], Kind.TURN)] == [1]
        assert [len(led) for led in led_by_time([made], Kind.RECORD)] == [2]

    def test_are_none_for_longer_times_or_without_one(self, memory: Memory, django_assert_num_queries):
        memory.say(("Alice", "Here, I got you this."))
        for made in (asked(memory), asked(memory, TimeRange(MORNING, MORNING + 2 * DAY))):
            with django_assert_num_queries(0):
                assert led_by_time([made], Kind.TURN) == [[]]


def test_what_was_said_on_the_day_is_in_the_running_by_no_word_of_the_question(memory: Memory):
    for start in range(0, CROWD, 100):
        lines = (("Alice", f"My dog barks for the {n}th time.") for n in range(start, start + 100))
        memory.say(*lines, at=MONDAY + 9 * DAY, session_id=uuid4())
    (said,) = memory.say(("Alice", "Here, unwrap it at home."))
    for made, is_found in ((asked(memory, ON_MONDAY), True), (asked(memory), False)):
        assert (said.id in find(made, [made], Clock()).items) is is_found


def test_somebody_known_and_a_month_are_evidence_together(memory: Memory):
    (said,) = memory.say(("Alice", "My dog Rex, the puppy pet, has tea."))
    memory.say(("Ben", "Your dog Rex, the puppy pet, has tea."), at=MONDAY + 60 * DAY)
    assert texts(memory.ask("Which cup did Alice drink in May 2026?"))[0] == said.text
    for unknown in ("in April 2026", "in 2026", "at all"):
        assert texts(memory.ask(f"Which cup did Alice drink {unknown}?")) == []
    assert texts(memory.ask("Which cup did anybody drink in May 2026?")) == []
