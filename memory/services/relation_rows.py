"""A record's relations, once a person has put its text right: told anew by its words as they are now.

Called in the transaction of the edit, after what hangs on the record has followed it
(docs/algorithms/evidence.md, section Order of writing).
"""

from collections.abc import Mapping
from uuid import UUID

from memory.domain.evidence import name_key
from memory.domain.text import words
from memory.domain.types import EncodedRelation, Role
from memory.models import Entity, EntityName, MemoryRecord, Relation
from memory.providers.offline_language.person import possessive_of
from memory.providers.offline_language.relations import find_relations, named_relatives
from memory.providers.offline_language.slots import Slot
from memory.services.composite_rows import Audience
from memory.services.entity_rows import CONFIG, drop_orphans, learn_aliases
from memory.services.evidence_rows import hang_records
from memory.services.own_words import own_words


def follow_relations(row: MemoryRecord, old_text: str) -> None:
    """Take off the relations of which only the old text named both ends, and hang what the new one tells.

    An alias that the new text gives to another ("Edith's cat") leaves the one who bore it.
    """
    if row.semantic_text == old_text or row.source_role != Role.USER:
        return
    audience = Audience(row.space_id, row.private_to_id)
    gone = [each for each in _told_by(row) if _is_lost(each, old_text, row)]
    bereft = {id_ for each in gone for id_ in (each.source_id, each.target_id)}
    Relation.objects.for_space(row.space_id).filter(id__in=[each.id for each in gone]).delete()
    aliases = _aliases(row)
    for alias, name in aliases.items():
        _take_alias(audience, alias, name)
    told = _relations(row)
    if told:
        learned = learn_aliases(audience, aliases)
        hang_records(audience, [(row, told)])
        bereft |= learned.entity_ids
    drop_orphans(row.space_id, bereft)


def _told_by(row: MemoryRecord) -> list[Relation]:
    relations = Relation.objects.for_space(row.space_id).filter(record=row)
    return list(relations.select_related("source", "target"))


def _is_lost(relation: Relation, old_text: str, row: MemoryRecord) -> bool:
    """Whether one of its ends is called by name in the old text alone."""
    old, new = (f" {' '.join(words(text))} " for text in (old_text, row.semantic_text))
    keys = (f" {name_key(end.canonical_name, CONFIG)} " for end in (relation.source, relation.target))
    return any(key in old and key not in new for key in keys)


def _relations(row: MemoryRecord) -> tuple[EncodedRelation, ...]:
    slot = Slot(row.slot, row.value) if row.slot and row.value else None
    return find_relations(own_words(row.semantic_text, row.subject), slot, speaker=row.subject)


def _aliases(row: MemoryRecord) -> Mapping[str, str]:
    """Whom "Edith's cat Mauzi" makes known: {"Edith's cat": "Mauzi"}."""
    owner = possessive_of(row.subject)
    told = named_relatives(own_words(row.semantic_text, row.subject))
    return {f"{owner} {role}": name for role, name in told}


def _take_alias(audience: Audience, alias: str, name: str) -> None:
    """Have nobody of another name known under the alias any more."""
    key = name_key(alias, CONFIG)
    bearing = EntityName.objects.for_space(audience.space_id).filter(private_to=audience.private_to, key=key)
    others = bearing.exclude(entity__key=name_key(name, CONFIG))
    ids: list[UUID] = list(others.values_list("entity_id", flat=True))
    for entity in Entity.objects.for_space(audience.space_id).filter(id__in=ids).exclude(key=key):
        entity.aliases = [each for each in entity.aliases if name_key(each, CONFIG) != key]
        entity.save(update_fields=["aliases"])
        others.filter(entity=entity).delete()
