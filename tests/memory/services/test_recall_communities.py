"""What the best records speak of leads to their community's other records."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.domain.types import Reader
from memory.services.communities import refresh_communities
from memory.services.recall_communities import by_community
from tests.memory.hanging import tell
from tests.memory.indexing import make_user

pytestmark = pytest.mark.django_db


def test_the_share_of_the_best_records_is_the_score(space):
    reader = Reader(space.id, make_user("reader").id)
    choir = [tell(space, "Anna", "Ben", "Choir") for _ in range(3)]
    other = tell(space, "Lisbon")
    refresh_communities(space.id)
    best = [choir[0].id, choir[1].id, other.id, tell(space, "Oslo").id]
    assert by_community(reader, best) == {row.id: 0.5 for row in choir}


def test_one_record_alone_speaks_for_no_community(space):
    reader = Reader(space.id, make_user("reader").id)
    row = tell(space, "Anna", "Ben", "Choir")
    refresh_communities(space.id)
    assert by_community(reader, [row.id]) == {}
    assert by_community(reader, []) == {}


def test_a_private_community_is_its_owners(space):
    owner = make_user("owner")
    rows = [tell(space, "Anna", "Ben", "Choir", owner=owner) for _ in range(2)]
    refresh_communities(space.id)
    ids = [row.id for row in rows]
    assert by_community(Reader(space.id, make_user("reader").id), ids) == {}
    with CaptureQueriesContext(connection) as queries:
        assert by_community(Reader(space.id, owner.id), ids) == dict.fromkeys(ids, 1.0)
    assert len(queries) == 3
