"""What hangs on records follows them: written, edited, expired, merged, removed, rebuilt."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.principals import Principal, principal_for
from accounts.services.users import register_user
from memory.domain.types import EncodedRelation, MemoryType, SegmentText
from memory.models import (
    Entity,
    EntityName,
    EvidenceLink,
    EvidenceNode,
    EvidenceState,
    MemoryRecord,
    RecordEvidence,
    Relation,
)
from memory.services import ingest
from memory.services.composite_rows import Audience
from memory.services.curate import edit_record, expire_record
from memory.services.curate_merge import merge_records
from memory.services.curate_purge import purge_record
from memory.services.curate_state import restore_record
from memory.services.evidence_rows import (
    hang_records,
    rebuild_evidence,
    refresh_evidence,
    remove_evidence,
)
from memory.services.fuse_duplicates import merge_duplicate
from memory.services.ingest import ingest_segment
from tests.memory.talking import Line, talk

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 7, 12, tzinfo=UTC)
PASSWORD = "a long walk by the sea"


class Desk:
    """One space whose segments are ingested."""

    def __init__(self) -> None:
        self.principal: Principal = principal_for(
            register_user(username="alice", password=PASSWORD, display_name="Alice")
        )
        self.space_id = self.principal.space_id

    def say(
        self, *lines: Line, owner: UUID | None = None, segment_id: UUID | None = None
    ) -> list[MemoryRecord]:
        turns = talk(*lines, space_id=self.space_id)
        done = ingest_segment(
            space_id=self.space_id,
            private_to=owner,
            session_id=turns[0].session_id,
            segment_id=segment_id or uuid4(),
            segment=SegmentText(turns=turns, time_zone="UTC"),
            now=NOW,
            force=True,
        )
        rows = MemoryRecord.objects.for_space(self.space_id).in_bulk(done.record_ids)
        return [rows[id_] for id_ in done.record_ids]

    def nodes(self, kind: str = "") -> dict[str, int]:
        rows = EvidenceNode.objects.for_space(self.space_id).order_by("key")
        rows = rows.filter(kind=kind) if kind else rows
        return {f"{node.kind}: {node.label}": node.degree for node in rows}

    def entities(self) -> list[str]:
        rows = Entity.objects.for_space(self.space_id)
        return sorted(rows.values_list("canonical_name", flat=True))

    def relations(self) -> list[tuple[str, str, str]]:
        rows = Relation.objects.for_space(self.space_id).order_by("id")
        return [(r.source.canonical_name, r.type, r.target.canonical_name) for r in rows]

    def links(self) -> set[tuple[UUID, UUID]]:
        return set(EvidenceLink.objects.for_space(self.space_id).values_list("node_id", "record_id"))

    def true_degrees(self) -> bool:
        nodes = EvidenceNode.objects.for_space(self.space_id)
        return all(node.degree == node.links.count() > 0 for node in nodes)


@pytest.fixture
def desk() -> Desk:
    return Desk()


class TestWriting:
    def test_a_segment_hangs_on_people_topics_and_time(self, desk):
        desk.say(("Alice", "I live in Paris."))
        assert desk.entities() == ["Alice", "Paris"]
        assert desk.nodes("entity") == {"entity: Alice": 1, "entity: Paris": 1}
        assert desk.nodes("day") == {"day: 2026-05-07": 1}
        assert desk.nodes("month") == {"month: 2026-05": 1}
        assert desk.relations() == [("Alice", "lives_in", "Paris")]

    def test_who_speaks_is_a_person_and_where_one_lives_a_place(self, desk):
        desk.say(("Alice", "I live in Paris."))
        kinds = dict(Entity.objects.for_space(desk.space_id).values_list("canonical_name", "kind"))
        assert kinds == {"Alice": "person", "Paris": "place"}

    def test_a_second_segment_raises_the_degree_of_what_it_shares(self, desk):
        desk.say(("Alice", "I live in Paris."))
        desk.say(("Alice", "I bought a red bicycle in Paris."))
        assert desk.nodes("entity")["entity: Paris"] == 2
        assert desk.true_degrees()

    def test_a_crash_leaves_neither_record_nor_node(self, desk, monkeypatch):
        def fail(*args: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(ingest, "count_ingest", fail)
        with pytest.raises(RuntimeError):
            desk.say(("Alice", "I live in Paris."))
        assert desk.nodes() == {}
        assert desk.entities() == []

    def test_private_records_hang_on_nodes_of_their_own(self, desk):
        desk.say(("Alice", "I live in Paris."))
        desk.say(("Alice", "I hid a key in Paris."), owner=desk.principal.user_id)
        paris = EvidenceNode.objects.for_space(desk.space_id).filter(label="Paris", kind="entity")
        assert sorted((node.private_to_id is None, node.degree) for node in paris) == [(False, 1), (True, 1)]
        mixed = EvidenceLink.objects.for_space(desk.space_id)
        assert all(link.record.private_to_id == link.node.private_to_id for link in mixed)

    def test_each_ingest_is_counted(self, desk):
        desk.say(("Alice", "I live in Paris."))
        desk.say(("Alice", "I have a dog named Rex."))
        assert EvidenceState.objects.get(space_id=desk.space_id).ingests == 2

    def test_the_number_of_queries_does_not_grow_with_the_records(self, desk):
        few = [("Alice", "I live in Paris.")]
        many = [*few, *(("Alice", f"I met Kim{chr(97 + n)} Park in Oslo at the harbour.") for n in range(12))]
        taken = []
        for lines in (few, many):
            rows = desk.say(*lines)
            EvidenceNode.objects.for_space(desk.space_id).delete()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                hang_records(Audience(desk.space_id, None), [(row, ()) for row in rows])
            taken.append(len(queries))
        assert len(rows) > 6
        assert taken[1] <= taken[0] + 2
        assert taken[1] <= 20


class TestRelations:
    def test_its_instants_are_the_records(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        end = datetime(2026, 6, 1, tzinfo=UTC)
        MemoryRecord.objects.for_space(desk.space_id).filter(id=row.id).update(valid_to=end)
        relation = Relation.objects.for_space(desk.space_id).select_related("record").get()
        assert relation.learned_at == NOW
        assert (relation.valid_to, relation.expired_at) == (end, None)

    def test_bounds_of_its_own_go_first_but_never_beyond_the_record(self, desk):
        (row,) = desk.say(("Alice", "Good bread is sold in Oslo."))
        start, end = datetime(2020, 1, 1, tzinfo=UTC), datetime(2026, 9, 1, tzinfo=UTC)
        told = EncodedRelation("Alice", "shops_in", "Oslo", start, end)
        hang_records(Audience(desk.space_id, None), [(row, (told, told))])
        relation = Relation.objects.for_space(desk.space_id).get(type="shops_in")
        assert (relation.valid_from, relation.valid_to) == (start, end)
        relation.record.valid_to = datetime(2026, 7, 1, tzinfo=UTC)
        assert relation.valid_to == datetime(2026, 7, 1, tzinfo=UTC)

    def test_an_event_told_of_a_sister_bounds_no_sisterhood(self, desk):
        desk.say(("Alice", "My sister Anna called me on May 6, 2026."))
        relation = Relation.objects.for_space(desk.space_id).select_related("record").get(type="sister")
        assert relation.record.valid_to is not None
        assert (relation.valid_from, relation.valid_to) == (None, None)
        relation.record.superseded_at = NOW
        assert relation.valid_to == relation.record.valid_to

    def test_an_alias_names_the_relative(self, desk):
        desk.say(("Alice", "My sister Anna moved in with me."))
        anna = Entity.objects.for_space(desk.space_id).get(canonical_name="Anna")
        assert anna.aliases == ["Alice's sister"]
        names = EntityName.objects.for_space(desk.space_id).filter(entity=anna)
        assert set(names.values_list("key", flat=True)) == {"anna", "alice s sister"}
        assert ("Alice", "sister", "Anna") in desk.relations()


class TestChanging:
    def test_an_edit_takes_the_old_name_along(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        edit_record(desk.principal, row.id, {"semantic_text": "Alice lives in Berlin."})
        assert desk.entities() == ["Alice", "Berlin"]
        assert desk.relations() == [("Alice", "lives_in", "Berlin")]
        assert desk.true_degrees()

    def test_an_edit_that_names_both_keeps_the_relation(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        edit_record(desk.principal, row.id, {"semantic_text": "Alice lives in Paris, near the river."})
        assert desk.relations() == [("Alice", "lives_in", "Paris")]

    def test_an_expired_record_hangs_on_nothing_and_its_relation_is_known_until_then(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        expire_record(desk.principal, row.id)
        assert desk.nodes() == {}
        relation = Relation.objects.for_space(desk.space_id).get()
        assert relation.expired_at is not None

    def test_other_records_keep_the_node(self, desk):
        first, _ = desk.say(("Alice", "I live in Paris.")) + desk.say(("Alice", "I cycled through Paris."))
        expire_record(desk.principal, first.id)
        assert desk.nodes("entity")["entity: Paris"] == 1
        assert desk.true_degrees()

    def test_a_merged_duplicate_leaves_its_nodes(self, desk):
        kept, lost = desk.say(("Alice", "I have a dog named Rex.")) + desk.say(
            ("Alice", "Rex is my dog in Ulm.")
        )
        with transaction.atomic():
            merge_duplicate(Audience(desk.space_id, None), kept=kept, lost=lost)
        assert {record_id for _, record_id in desk.links()} == {kept.id}
        assert "entity: Ulm" not in desk.nodes("entity")

    def test_a_removed_record_leaves_no_trace(self, desk):
        rows = desk.say(("Alice", "My sister Anna lives in Zanzibar."))
        remove_evidence(desk.space_id, [row.id for row in rows])
        MemoryRecord.objects.for_space(desk.space_id).delete()
        assert (desk.nodes(), desk.entities(), desk.relations()) == ({}, [], [])
        assert not EntityName.objects.for_space(desk.space_id).exists()

    def test_a_purged_record_leaves_no_name_behind(self, desk):
        (row,) = desk.say(("Alice", "My sister Anna lives in Zanzibar."))
        purge_record(desk.principal, row.id)
        assert (desk.nodes(), desk.entities(), desk.relations()) == ({}, [], [])

    def test_a_restored_record_hangs_again(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        before = desk.nodes()
        expire_record(desk.principal, row.id)
        restore_record(desk.principal, row.id)
        assert desk.nodes() == before

    def test_records_that_a_person_merged_hang_as_one(self, desk):
        kept, other = desk.say(("Alice", "I live in Paris.")) + desk.say(("Alice", "I bought a kite in Ulm."))
        merge_records(desk.principal, kept.id, [other.id])
        assert {record_id for _, record_id in desk.links()} == {kept.id}
        assert desk.nodes("entity")["entity: Ulm"] == 1
        assert desk.true_degrees()

    def test_what_a_later_encoding_no_longer_tells_goes(self, desk):
        segment_id = uuid4()
        desk.say(("Alice", "I live in Paris."), segment_id=segment_id)
        desk.say(("Alice", "I live in Oslo."), segment_id=segment_id)
        assert desk.entities() == ["Alice", "Oslo"]
        assert desk.true_degrees()


class TestRebuilding:
    def test_it_gives_what_writing_gave(self, desk):
        desk.say(("Alice", "My sister Anna moved to Oslo."), ("Alice", "I live in Paris."))
        desk.say(("Bob", "My sister Anna is a dentist in Rome."))
        before = (desk.links(), desk.nodes(), desk.entities(), desk.relations())
        rebuild_evidence(desk.space_id)
        assert (desk.links(), desk.nodes(), desk.entities(), desk.relations()) == before

    def test_it_mends_what_is_missing_and_what_is_too_many(self, desk):
        (row,) = desk.say(("Alice", "I live in Paris."))
        (gone,) = desk.say(("Alice", "I cycled through Ulm."))
        MemoryRecord.objects.for_space(desk.space_id).filter(id=gone.id).update(expired_at=NOW)
        EvidenceLink.objects.for_space(desk.space_id).filter(record=row).delete()
        seen: list[tuple[int, int]] = []
        rebuild_evidence(desk.space_id, lambda done, total: seen.append((done, total)))
        assert {record_id for _, record_id in desk.links()} == {row.id}
        assert desk.true_degrees()
        assert "Ulm" not in desk.entities()
        assert seen[-1] == (1, 1)

    def test_refreshing_again_changes_nothing(self, desk):
        rows = desk.say(("Alice", "I live in Paris."), ("Alice", "I have a dog named Rex."))
        before = desk.links()
        refresh_evidence(desk.space_id, [row.id for row in rows])
        assert desk.links() == before

    def test_another_space_is_left_alone(self, desk):
        desk.say(("Alice", "I live in Paris."))
        other = principal_for(register_user(username="bob", password=PASSWORD))
        refresh_evidence(other.space_id, [row_id for _, row_id in desk.links()])
        assert not EvidenceNode.objects.for_space(other.space_id).exists()
        assert desk.true_degrees()


def test_a_record_without_time_of_its_own_stands_at_the_day_it_was_said(desk):
    (row,) = desk.say(("Alice", "I adore marmalade on toast."))
    assert RecordEvidence.objects.for_space(desk.space_id).filter(record=row).count() == 1
    row.memory_type, row.time_ref = MemoryType.EVENT, datetime(2025, 12, 24, 20, tzinfo=UTC)
    row.save()
    refresh_evidence(desk.space_id, [row.id])
    assert desk.nodes("day") == {"day: 2025-12-24": 1}


def test_its_day_is_that_of_the_zone_of_whose_it_is(desk):
    (row,) = desk.say(("Alice", "I adore marmalade on toast."))
    row.memory_type, row.time_ref = MemoryType.EVENT, datetime(2025, 12, 31, 23, 30, tzinfo=UTC)
    row.save()
    User.objects.filter(id=desk.principal.user_id).update(time_zone="Europe/Berlin")
    rebuild_evidence(desk.space_id)
    assert desk.nodes("day") == {"day: 2026-01-01": 1}
    assert desk.nodes("month") == {"month: 2026-01": 1}
    vera = register_user(username="vera", password=PASSWORD)
    User.objects.filter(id=vera.id).update(time_zone="America/New_York")
    MemoryRecord.objects.for_space(desk.space_id).filter(id=row.id).update(private_to=vera)
    rebuild_evidence(desk.space_id)
    days = EvidenceNode.objects.for_space(desk.space_id).filter(kind="day", private_to=vera)
    assert [day.key for day in days] == ["2025-12-31"]
