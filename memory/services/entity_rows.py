"""Names to entities, per audience: who is meant, under which names, and how they are related.

Different people of one first name are never merged unless an alias says so
(docs/algorithms/evidence.md).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from memory.config import EvidenceConfig
from memory.domain.evidence import Known, is_lasting, is_namesake, name_key
from memory.domain.types import EncodedRecord
from memory.models import Entity, EntityName, EvidenceLink, EvidenceNode, Relation
from memory.services.composite_rows import Audience, in_batches

CONFIG = EvidenceConfig()


def resolve_names(audience: Audience, names: Iterable[str]) -> dict[str, UUID]:
    """The entity of each name, by `name_key`; what is new becomes one.

    A name that several bear means the one of just this name, else the oldest.
    """
    wanted = {key: name for name in names if (key := name_key(name, CONFIG))}
    found = _known(audience, wanted)
    missing = sorted(wanted.keys() - found.keys())
    if missing:
        own = {"space_id": audience.space_id, "private_to_id": audience.private_to}
        Entity.objects.for_space(audience.space_id).bulk_create(
            [Entity(key=key, canonical_name=wanted[key][: CONFIG.name_chars], **own) for key in missing],
            ignore_conflicts=True,  # another writer was first: read theirs
        )
        made = dict(_entities(audience).filter(key__in=missing).values_list("key", "id"))
        add_names(audience, [(made[key], key) for key in missing])
        found |= {key: [Known(made[key], key, frozenset({key}))] for key in missing}
    return {key: _meant(key, found[key]).id for key in wanted}


@dataclass(frozen=True, slots=True)
class Learned:
    """What aliases told. `filed`: by `name_key` the name under which a name of the segment is to be
    filed, where that is another: "she" under "Ann", an Anna who is not the one known under "Bob's
    sister". `entity_ids`: who is known under them.
    """

    filed: Mapping[str, str]
    entity_ids: frozenset[UUID] = frozenset()


def learn_aliases(audience: Audience, aliases: Mapping[str, str]) -> Learned:
    """Make people known under their aliases, in the caller's transaction.

    `aliases`: as an encoder returns them. To whom no record leads afterwards is for the caller to drop.
    """
    filed = {name_key(alias, CONFIG): whom for alias, whom in aliases.items()}
    lasting = [(alias, whom) for alias, whom in aliases.items() if is_lasting(alias)]
    keys = {name_key(name, CONFIG) for pair in lasting for name in pair} - {""}
    found = _known(audience, keys) if lasting else {}
    met: set[UUID] = set()
    for alias, whom in lasting:
        alias_key, whom_key = name_key(alias, CONFIG), name_key(whom, CONFIG)
        if not alias_key or not whom_key:
            continue
        known = _target(alias_key, whom_key, found)
        if known is None:
            is_other = whom_key in found
            known = _make(audience, alias_key if is_other else whom_key, whom)
        _name(audience, known, alias, whom)
        met.add(known.id)
        named = Known(known.id, known.key, known.names | {alias_key, whom_key})
        for key in (alias_key, whom_key):
            others = [each for each in found.get(key, []) if each.id != known.id]
            found[key] = [*others, named]
        if _meant(whom_key, found[whom_key]).id != known.id:
            filed[whom_key] = filed[alias_key] = alias
    return Learned(filed, frozenset(met))


def forget_aliases(audience: Audience, aliases: Mapping[str, str]) -> list[UUID]:
    """Have nobody known under these aliases any more, in the caller's transaction; returns the records that
    name somebody who was, to be hung anew.
    """
    met: set[UUID] = set()
    for alias, whom in aliases.items():
        alias_key, whom_key = name_key(alias, CONFIG), name_key(whom, CONFIG)
        if not is_lasting(alias) or not alias_key or not whom_key:
            continue
        both = _entities(audience).filter(names__key=alias_key).filter(names__key=whom_key)
        for entity in both.distinct():
            is_namesake = entity.key == alias_key
            if is_namesake:
                entity.canonical_name = alias[: CONFIG.name_chars]
            entity.aliases = [each for each in entity.aliases if name_key(each, CONFIG) != alias_key]
            entity.save(update_fields=["canonical_name", "aliases"])
            entity.names.filter(key=whom_key if is_namesake else alias_key).exclude(key=entity.key).delete()
            met.add(entity.id)
    links = EvidenceLink.objects.for_space(audience.space_id).filter(node__entity__in=met)
    return list(links.order_by().values_list("record_id", flat=True).distinct())


def filed_under(record: EncodedRecord, filed: Mapping[str, str]) -> EncodedRecord:
    """The record with the names that `learn_aliases` has filed otherwise; its text stays."""

    def name(said: str) -> str:
        return filed.get(name_key(said, CONFIG), said)

    if not filed:
        return record
    return replace(
        record,
        entities=tuple(dict.fromkeys(map(name, record.entities))),
        relations=tuple(
            replace(each, source=name(each.source), target=name(each.target)) for each in record.relations
        ),
    )


def drop_orphans(space_id: UUID, entity_ids: Collection[UUID]) -> None:
    """Remove those of the entities to which no record leads any more: an erased name leaves no trace."""
    nodes = EvidenceNode.objects.for_space(space_id).filter(entity=OuterRef("pk"))
    relations = Relation.objects.for_space(space_id)
    for batch in in_batches(sorted(entity_ids)):
        Entity.objects.for_space(space_id).filter(id__in=batch).exclude(
            Exists(nodes)
            | Exists(relations.filter(source=OuterRef("pk")))
            | Exists(relations.filter(target=OuterRef("pk")))
        ).delete()


def add_names(audience: Audience, names: Iterable[tuple[UUID, str]]) -> None:
    """Have the entities found under these folded names too."""
    EntityName.objects.for_space(audience.space_id).bulk_create(
        [
            EntityName(
                space_id=audience.space_id, private_to_id=audience.private_to, entity_id=entity_id, key=key
            )
            for entity_id, key in names
        ],
        ignore_conflicts=True,
    )


def _entities(audience: Audience) -> "QuerySet[Entity]":
    return Entity.objects.for_space(audience.space_id).filter(private_to=audience.private_to)


def _known(audience: Audience, keys: Collection[str]) -> dict[str, list[Known]]:
    """The entities found under each of the folded names, oldest first, with all their names."""
    names = EntityName.objects.for_space(audience.space_id).filter(private_to=audience.private_to)
    bearing: dict[UUID, set[str]] = {}
    own: dict[UUID, str] = {}
    ids: set[UUID] = set()
    for batch in in_batches(sorted(keys)):
        ids.update(names.filter(key__in=batch).values_list("entity_id", flat=True))
    for bearers in in_batches(sorted(ids)):
        rows = names.filter(entity__in=bearers).values_list("entity_id", "entity__key", "key")
        for entity_id, own_key, key in rows:
            bearing.setdefault(entity_id, set()).add(key)
            own[entity_id] = own_key
    found: dict[str, list[Known]] = {}
    for entity_id in sorted(bearing):
        known = Known(entity_id, own[entity_id], frozenset(bearing[entity_id]))
        for key in known.names.intersection(keys):
            found.setdefault(key, []).append(known)
    return found


def _meant(key: str, known: list[Known]) -> Known:
    return next((each for each in known if each.key == key), known[0])


def _target(alias_key: str, whom_key: str, found: Mapping[str, list[Known]]) -> Known | None:
    """Which known entity both names mean; None: one that is not known yet."""
    by_alias, by_name = found.get(alias_key, []), found.get(whom_key, [])
    both = {each.id for each in by_alias} & {each.id for each in by_name}
    for each in by_alias:
        if each.id in both:
            return each
    if by_alias:
        return by_alias[0]
    return next((each for each in by_name if not is_namesake(alias_key, each)), None)


def _make(audience: Audience, key: str, name: str) -> Known:
    entity, _ = _entities(audience).get_or_create(
        key=key,
        defaults={
            "space_id": audience.space_id,
            "private_to_id": audience.private_to,
            "canonical_name": name[: CONFIG.name_chars],
        },
    )
    return Known(entity.id, key, frozenset({key}))


def _name(audience: Audience, known: Known, alias: str, whom: str) -> None:
    """Note both names; the one that is no alias is what the entity is called."""
    keys = {name_key(name, CONFIG) for name in (alias, whom)} | {known.key}
    add_names(audience, [(known.id, key) for key in sorted(keys - known.names | {known.key})])
    entity = _entities(audience).get(id=known.id)
    aliases = [*entity.aliases, *([alias] if alias not in entity.aliases else [])]
    wanted = {"aliases": aliases, "canonical_name": entity.canonical_name}
    if name_key(entity.canonical_name, CONFIG) == name_key(alias, CONFIG):
        wanted["canonical_name"] = whom[: CONFIG.name_chars]
    _entities(audience).filter(id=known.id).update(**wanted)
