"""Communities: who is told of together, made anew now and then."""

import pytest

from accounts.models import Space
from memory.domain.types import Reader
from memory.models import Community, CommunityMember, EvidenceState
from memory.services import fuse
from memory.services.communities import (
    refresh_communities,
    refresh_due_communities,
    top_records,
)
from memory.services.entity_rows import CONFIG
from memory.services.evidence_rows import count_ingest
from tests.memory.hanging import tell
from tests.memory.indexing import make_user

pytestmark = pytest.mark.django_db


def members(space: Space) -> set[frozenset[str]]:
    found: dict[object, set[str]] = {}
    for member in CommunityMember.objects.for_space(space.id).select_related("entity"):
        found.setdefault(member.community_id, set()).add(member.entity.canonical_name)
    return set(map(frozenset, found.values()))


def test_who_is_told_of_together_is_a_community(space):
    for _ in range(2):
        tell(space, "Anna", "Ben", "Choir")
        tell(space, "Lisbon", "Porto", "Train")
    assert refresh_communities(space.id) == 2
    assert members(space) == {frozenset({"Anna", "Ben", "Choir"}), frozenset({"Lisbon", "Porto", "Train"})}


def test_somebody_in_every_record_joins_nothing(space):
    for number in range(CONFIG.hub_degree + 1):
        tell(space, "Alice", f"Thing {number}")
    assert refresh_communities(space.id) == 0


def test_two_alone_are_no_community(space):
    tell(space, "Anna", "Ben")
    assert refresh_communities(space.id) == 0


def test_private_records_make_communities_of_their_own(space):
    owner = make_user("owner")
    tell(space, "Anna", "Ben", "Choir", owner=owner)
    tell(space, "Anna", "Choir", "Hall")
    refresh_communities(space.id)
    rows = Community.objects.for_space(space.id)
    assert {(row.private_to_id, row.size) for row in rows} == {(owner.id, 3), (None, 3)}


def test_they_are_looked_for_after_so_many_ingests(space):
    tell(space, "Anna", "Ben", "Choir")
    for _ in range(CONFIG.community_every - 1):
        count_ingest(space.id)
    assert not refresh_due_communities(space.id)
    count_ingest(space.id)
    assert refresh_due_communities(space.id)
    assert Community.objects.for_space(space.id).count() == 1
    assert not refresh_due_communities(space.id)
    assert EvidenceState.objects.get(space_id=space.id).communities_at == CONFIG.community_every


def test_a_space_that_was_never_ingested_into_has_none_due(space):
    assert not refresh_due_communities(space.id)


def test_a_full_fusion_makes_evidence_and_communities_anew(space, indexes):
    row = tell(space, "Anna", "Ben", "Choir")
    row.entities = ["Anna", "Ben", "Choir", "Hall"]
    row.save()
    stages: list[str] = []
    fuse.fuse_fully(space.id, lambda stage, done, total: stages.append(stage))
    assert members(space) == {frozenset({"Anna", "Ben", "Choir", "Hall"})}
    assert "evidence" in stages


def test_its_top_records_name_most_of_its_members(space):
    reader = Reader(space.id, make_user("reader").id)
    one, both = tell(space, "Anna", "Ben"), tell(space, "Anna", "Ben", "Choir")
    refresh_communities(space.id)
    community = Community.objects.for_space(space.id).get()
    assert [row.id for row in top_records(reader, community.id)] == [both.id, one.id]
    assert top_records(reader, community.id, most=1) == [both]


def test_nobody_sees_records_of_anothers_private_community(space):
    owner = make_user("owner")
    tell(space, "Anna", "Ben", "Choir", owner=owner)
    refresh_communities(space.id)
    community = Community.objects.for_space(space.id).get()
    assert top_records(Reader(space.id, make_user("reader").id), community.id) == []
    assert len(top_records(Reader(space.id, owner.id), community.id)) == 1
