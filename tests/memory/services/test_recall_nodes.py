"""Nodes that a question names, is near, or dates lead to their records."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Space
from memory.domain.evidence import node_weight
from memory.domain.types import Reader, TimeRange
from memory.models import EvidenceNode
from memory.services.composite_rows import Audience
from memory.services.entity_rows import learn_aliases
from memory.services.recall_nodes import by_name, by_time, by_vector
from tests.memory.hanging import NOON, tell
from tests.memory.indexing import make_user

pytestmark = pytest.mark.django_db
TWO = node_weight(2, hub=64)


@pytest.fixture
def reader(space: Space) -> Reader:
    return Reader(space.id, make_user("reader").id)


class TestByName:
    def test_a_named_entity_leads_to_its_records(self, space, reader):
        anna = tell(space, "Anna", "Tulips")
        tell(space, "Ben")
        assert by_name(reader, "What does ANNA like?", ()) == {anna.id: 1.0}

    def test_an_alias_leads_there_too_also_as_the_askers_own(self, space, reader):
        anna = tell(space, "Anna")
        learn_aliases(Audience(space.id, None), {"Alice's wife": "Anna"})
        assert by_name(reader, "What does Alice's wife like?", ()) == {anna.id: 1.0}
        assert by_name(reader, "What does my wife like?", ("Alice",)) == {anna.id: 1.0}
        assert by_name(reader, "What does my wife like?", ("Bob",)) == {}

    def test_whoever_asks_of_their_own_is_not_meant_themself(self, space, reader):
        own = tell(space, "Alice", "Rex")
        assert by_name(reader, "What does my dog eat?", ("Alice",)) == {}
        assert by_name(reader, "What does Alice say of my dog?", ("Alice",)) == {own.id: 1.0}

    def test_a_topic_leads_to_its_records(self, space, reader):
        walk = tell(space, "Ben", topics=("dog walking",))
        assert by_name(reader, "Who was walking? Dog walks?", ()) == {walk.id: 1.0}

    def test_somebody_of_many_records_says_something_with_a_topic_only(self, space, reader):
        painted = tell(space, "Alice", topics=("painting",))
        for _ in range(64):
            tell(space, "Alice")
        assert by_name(reader, "What about Alice?", ("Alice",)) == {}
        assert by_name(reader, "Does Alice like painting?", ("Alice",)) == {painted.id: 1.0}

    def test_the_more_records_the_less_each_scores(self, space, reader):
        rows = [tell(space, "Anna"), tell(space, "Anna")]
        assert by_name(reader, "Anna?", ()) == {row.id: pytest.approx(TWO) for row in rows}

    def test_another_members_private_records_are_not_found(self, space, reader):
        owner = make_user("owner")
        own = tell(space, "Anna", owner=owner)
        assert by_name(reader, "Anna?", ()) == {}
        assert by_name(Reader(space.id, owner.id), "Anna?", ()) == {own.id: 1.0}

    def test_three_queries_whatever_is_asked(self, space, reader):
        for number in range(12):
            tell(space, f"Kim{number}", topics=(f"topic {number}",))
        with CaptureQueriesContext(connection) as queries:
            by_name(reader, " ".join(f"Kim{number} topic {number}" for number in range(12)), ("Alice", "Bob"))
        assert len(queries) == 3


class TestByVector:
    def test_a_node_is_as_near_as_its_records_are_on_average(self, space, reader):
        near, beside = tell(space, "Anna"), tell(space, "Anna")
        far, away = tell(space, "Ben"), tell(space, "Ben")
        cosines = {near.id: 0.8, beside.id: 0.4, far.id: 0.3, away.id: 0.3}
        EvidenceNode.objects.for_space(space.id).exclude(kind="entity").delete()
        found = by_vector(reader, cosines, weakest=0.1)
        assert found == {
            near.id: 1.0, beside.id: 1.0, far.id: pytest.approx(0.5), away.id: pytest.approx(0.5),
        }  # fmt: skip

    def test_it_leads_to_records_that_are_not_near_themselves(self, space, reader):
        near, unknown = tell(space, "Anna"), tell(space, "Anna")
        assert by_vector(reader, {near.id: 0.8}, weakest=0.1)[unknown.id] == 1.0

    def test_nothing_near_nothing_found(self, space, reader):
        row = tell(space, "Anna")
        assert by_vector(reader, {}, weakest=0.0) == {}
        assert by_vector(reader, {row.id: 0.9}, weakest=0.0) == {}  # nodes of one record say nothing more


class TestByTime:
    def test_the_days_of_a_range_lead_to_what_was_then(self, space, reader):
        then = tell(space, "Anna", at=NOON)
        tell(space, "Ben", at=NOON + timedelta(days=1))
        day = TimeRange(NOON.replace(hour=0), NOON.replace(hour=0) + timedelta(days=1))
        assert by_time(reader, [day], time_zone="UTC") == {then.id: 1.0}

    def test_a_day_is_one_of_the_zone_in_which_it_is_asked_for(self, space, reader):
        then = tell(space, "Anna", at=NOON)
        midnight = NOON.replace(hour=22) - timedelta(days=1)  # in Berlin
        day = TimeRange(midnight, midnight + timedelta(days=1))
        tell(space, "Ben", at=NOON - timedelta(days=1))
        assert by_time(reader, [day], time_zone="Europe/Berlin") == {then.id: 1.0}

    def test_ranges_are_half_open(self, space, reader):
        tell(space, "Anna", at=NOON)
        before = TimeRange(NOON.replace(hour=0) - timedelta(days=1), NOON.replace(hour=0))
        assert by_time(reader, [before], time_zone="UTC") == {}

    def test_a_range_full_of_records_tells_none_from_another(self, space, reader):
        for _ in range(64):
            tell(space, "Anna")
        span = TimeRange(NOON - timedelta(days=1), NOON + timedelta(days=1))
        assert by_time(reader, [span], time_zone="UTC") == {}

    def test_without_a_range_nothing_is_read(self, space, reader):
        with CaptureQueriesContext(connection) as queries:
            assert by_time(reader, [], time_zone="UTC") == {}
        assert len(queries) == 0
