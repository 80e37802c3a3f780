"""A memory's page tells what hangs on it, to whom may see it."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from memory.domain.types import EncodedRelation
from memory.models import EvidenceNode, MemoryRecord
from memory.services.communities import refresh_communities
from memory.services.composite_rows import Audience
from memory.services.entity_rows import learn_aliases
from memory.services.evidence_rows import hang_records
from sessions_app.views.hanging import hanging_view
from tests.sessions_app.views.conftest import SAID, remember, talk

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def hang(record: MemoryRecord, *relations: EncodedRelation) -> MemoryRecord:
    hang_records(Audience(record.space_id, record.private_to_id), [(record, relations)])
    return record


@pytest.fixture
def hung(session) -> MemoryRecord:
    record = remember(session, "Ana lives in Porto.", entities=["Porto"], topics=["home"])
    learn_aliases(Audience(record.space_id, None), {"Alice's sister": "Ana"})
    return hang(record, EncodedRelation("Ana", "lives_in", "Porto"))


def page(browse, who, record: MemoryRecord) -> str:
    address = reverse("sessions:record", args=["garden", record.id])
    return str(browse(who).get(address).content.decode())


def test_the_page_names_entities_relations_and_nodes(browse, alice, hung):
    shown = page(browse, alice, hung)
    assert "What it belongs to" in shown
    assert "also Alice&#x27;s sister" in shown
    assert "Ana – lives in – Porto" in shown
    assert "home (1)" in shown
    assert "2026-05 (1)" in shown


def test_a_memory_on_which_nothing_hangs_says_nothing_of_it(browse, alice, session):
    record = remember(session, "Ana likes trains.")
    assert "What it belongs to" not in page(browse, alice, record)


def test_a_relation_tells_its_time(alice, hung):
    (relation,) = hanging_view(alice, hung.id, now=NOW).relations
    assert (relation.time, relation.is_past) == ("since 3 May 2026", False)
    hung.valid_from, hung.valid_to = SAID, datetime(2026, 5, 20, 12, tzinfo=UTC)
    hung.save()
    (relation,) = hanging_view(alice, hung.id, now=NOW).relations
    assert (relation.time, relation.is_past) == ("3 May 2026 to 20 May 2026", True)
    hung.valid_from = None
    hung.save()
    (relation,) = hanging_view(alice, hung.id, now=SAID).relations
    assert (relation.time, relation.is_past) == ("until 20 May 2026", False)


def test_a_community_shows_its_other_memories(alice, session, hung):
    other = remember(session, "Ana met Kim in Porto.", entities=["Porto", "Kim"])
    hang(other)
    refresh_communities(hung.space_id)
    (circle,) = hanging_view(alice, hung.id, now=NOW).circles
    assert circle.names == "Ana, Kim, Porto"
    assert [record.id for record in circle.records] == [other.id]


def test_nothing_private_of_another_hangs_on_a_shared_page(alice, bob):
    private = remember(
        talk(alice, "Ana hides in Porto.", private=True), "Ana hides in Porto.", entities=["Porto"]
    )
    MemoryRecord.everyone.filter(pk=private.pk).update(private_to=alice.user_id)
    private.refresh_from_db()
    hang(private)
    assert EvidenceNode.everyone.filter(private_to=alice.user_id).exists()
    view = hanging_view(bob, private.id, now=NOW)
    assert (view.entities, view.relations, view.groups, view.circles) == ((), (), (), ())
    assert {entity.name for entity in hanging_view(alice, private.id, now=NOW).entities} == {"Ana", "Porto"}
