"""From the session's latest records to what stands near their entities."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Space
from memory.domain.evidence import node_weight
from memory.domain.types import EncodedRelation, Reader
from memory.models import MemoryRecord
from memory.services.recall_graph import by_graph
from tests.memory.hanging import tell
from tests.memory.indexing import make_user

pytestmark = pytest.mark.django_db
TWO = node_weight(2, hub=64)


@pytest.fixture
def reader(space: Space) -> Reader:
    return Reader(space.id, make_user("reader").id)


def test_two_hops_each_half_as_much(space, reader):
    session = uuid4()
    here = tell(space, "Anna", session_id=session)
    one = tell(space, "Anna", "Ben")
    two = tell(space, "Ben", "Cleo")
    three = tell(space, "Cleo", "Dora")
    tell(space, "Dora", "Emil")
    found = by_graph(reader, session)
    assert found == {
        here.id: pytest.approx(TWO),
        one.id: pytest.approx(TWO),
        two.id: pytest.approx(0.5 * TWO),
        three.id: pytest.approx(0.25 * TWO),
    }


def test_a_relation_is_a_step(space, reader):
    session = uuid4()
    tell(space, "Anna", session_id=session, relations=(EncodedRelation("Anna", "sister", "Kim"),))
    kim = tell(space, "Kim")
    assert by_graph(reader, session)[kim.id] == pytest.approx(0.5)


def test_a_relation_of_an_expired_record_is_none(space, reader):
    session = uuid4()
    tell(space, "Anna", session_id=session)
    told = tell(space, relations=(EncodedRelation("Anna", "sister", "Kim"),))
    kim = tell(space, "Kim")
    MemoryRecord.objects.for_space(space.id).filter(id=told.id).update(expired_at=timezone.now())
    assert kim.id not in by_graph(reader, session)


def test_a_hub_leads_nowhere(space, reader):
    session = uuid4()
    tell(space, "Alice", session_id=session)
    for number in range(64):
        tell(space, "Alice", f"Thing {number}")
    assert by_graph(reader, session) == {}


def test_without_a_session_nothing_is_read(space, reader):
    with CaptureQueriesContext(connection) as queries:
        assert by_graph(reader, None) == {}
    assert len(queries) == 0


def test_an_excluded_or_anothers_private_session_leads_nowhere(space, reader):
    owner, session = make_user("owner"), uuid4()
    own = tell(space, "Anna", owner=owner, session_id=session)
    assert by_graph(reader, session) == {}
    assert by_graph(Reader(space.id, owner.id), session) == {own.id: 1.0}
    assert by_graph(Reader(space.id, owner.id, frozenset({session})), session) == {}


def test_its_queries_are_bounded(space, reader):
    session = uuid4()
    for number in range(20):
        tell(space, f"Kim{number}", f"Kim{number + 1}", session_id=session)
    with CaptureQueriesContext(connection) as queries:
        by_graph(reader, session)
    assert len(queries) <= 11
