"""Names to entities: who is one, who is not."""

from collections.abc import Mapping
from uuid import UUID

import pytest

from accounts.models import Space
from memory.domain.types import EncodedRecord, EncodedRelation, MemoryType
from memory.models import Entity, EntityName
from memory.services.composite_rows import Audience
from memory.services.entity_rows import drop_orphans, filed_under, learn_aliases, resolve_names
from tests.memory.indexing import make_space, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def audience(space: Space) -> Audience:
    return Audience(space.id, None)


def learn(audience: Audience, aliases: Mapping[str, str]) -> Mapping[str, str]:
    return learn_aliases(audience, aliases).filed


def id_of(audience: Audience, name: str) -> UUID:
    (found,) = resolve_names(audience, [name]).values()
    return found


class TestResolving:
    def test_case_accents_and_signs_make_no_other_person(self, audience):
        assert id_of(audience, "José") == id_of(audience, "JOSE,")

    def test_two_people_of_one_first_name_are_two(self, audience):
        ids = resolve_names(audience, ["Anna", "Anna Lee", "Anna Smith"])
        assert len(set(ids.values())) == 3

    def test_an_alias_says_that_two_names_are_one(self, audience):
        learn(audience, {"Annie": "Anna Lee"})
        assert id_of(audience, "Annie") == id_of(audience, "Anna Lee")
        entity = Entity.objects.for_space(audience.space_id).get()
        assert (entity.canonical_name, entity.aliases) == ("Anna Lee", ["Annie"])

    def test_whoever_was_known_by_a_role_first_gets_the_name(self, audience):
        role = id_of(audience, "Alice's wife")
        learn(audience, {"Alice's wife": "Anna"})
        assert id_of(audience, "Anna") == role
        assert Entity.objects.for_space(audience.space_id).get(id=role).canonical_name == "Anna"

    def test_another_role_is_somebody_else_of_that_name(self, audience):
        learn(audience, {"Alice's wife": "Anna"})
        filed = learn(audience, {"Bob's sister": "Anna"})
        assert filed["anna"] == "Bob's sister"
        assert id_of(audience, "Bob's sister") != id_of(audience, "Alice's wife") == id_of(audience, "Anna")
        bearing = EntityName.objects.for_space(audience.space_id).filter(key="anna")
        assert bearing.count() == 2  # asked for Anna, both are found

    def test_the_same_role_again_is_the_same_person(self, audience):
        learn(audience, {"Alice's wife": "Anna"})
        assert "anna" not in learn(audience, {"Alice's wife": "Anna"})
        assert Entity.objects.for_space(audience.space_id).count() == 1

    def test_pronouns_file_names_and_name_nobody(self, audience):
        assert learn(audience, {"she": "Ann"}) == {"she": "Ann"}
        assert not Entity.objects.for_space(audience.space_id).exists()

    def test_audiences_have_entities_of_their_own(self, audience):
        owner = make_user("owner")
        private = Audience(audience.space_id, owner.id)
        assert id_of(audience, "Paris") != id_of(private, "Paris")
        other = Audience(make_space("space-b").id, None)
        assert id_of(other, "Paris") not in (id_of(audience, "Paris"), id_of(private, "Paris"))

    def test_nameless_names_are_nobody(self, audience):
        assert resolve_names(audience, ["", " … "]) == {}


def test_a_record_is_filed_under_who_is_meant():
    record = EncodedRecord(
        memory_type=MemoryType.FACT,
        semantic_text="Anna is a dentist.",
        subject="Bob",
        evidence_turns=(0,),
        entities=("Anna", "she", "Rome"),
        relations=(EncodedRelation("Bob", "sister", "Anna"),),
    )
    meant = filed_under(record, {"anna": "Bob's sister", "she": "Bob's sister"})
    assert meant.entities == ("Bob's sister", "Rome")
    assert meant.relations == (EncodedRelation("Bob", "sister", "Bob's sister"),)
    assert meant.semantic_text == record.semantic_text
    assert filed_under(record, {}) is record


def test_an_entity_to_which_no_record_leads_is_dropped(audience):
    gone = id_of(audience, "Zanzibar")
    drop_orphans(audience.space_id, [gone])
    assert not Entity.objects.for_space(audience.space_id).filter(id=gone).exists()
    assert not EntityName.objects.for_space(audience.space_id).exists()
