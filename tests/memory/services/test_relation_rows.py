"""Relations and aliases follow a record whose text a person has put right."""

import pytest

from memory.models import Entity, MemoryRecord, Relation
from memory.services.curate import edit_record
from tests.memory.curating import tell

pytestmark = pytest.mark.django_db


def told(space):
    """A record of Alice's cat Minka, and what else she says of her."""
    tell(space, "My cat Minka sleeps on the sofa. I live in Paris.").file()


def relations(space):
    rows = Relation.objects.for_space(space.id).select_related("source", "target")
    return {(each.source.canonical_name, each.type, each.target.canonical_name) for each in rows}


def edit(space, alice, old, new):
    record = MemoryRecord.objects.for_space(space.id).get(semantic_text__contains=old)
    return edit_record(alice, record.id, {"semantic_text": record.semantic_text.replace(old, new)})


def test_another_name_gets_the_relation_and_the_alias(space, alice):
    told(space)
    assert ("Alice", "cat", "Minka") in relations(space)
    edit(space, alice, "Minka", "Mauzi")
    assert ("Alice", "cat", "Mauzi") in relations(space)
    assert not Entity.objects.for_space(space.id).filter(names__key="minka").exists()
    (cat,) = Entity.objects.for_space(space.id).filter(names__key="alice s cat")
    assert cat.canonical_name == "Mauzi"


def test_another_home_is_where_they_live(space, alice):
    told(space)
    edit(space, alice, "Paris", "Lyon")
    assert {(each[1], each[2]) for each in relations(space)} == {("cat", "Minka"), ("lives_in", "Lyon")}


def test_what_is_no_more_told_goes_and_the_rest_stays(space, alice):
    told(space)
    edit(space, alice, " Minka", "")
    assert relations(space) == {("Alice", "lives_in", "Paris")}
