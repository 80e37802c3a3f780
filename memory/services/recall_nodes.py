"""Evidence nodes that a question names, is near, or dates: node to records.

Each answers with record ids and scores in [0, 1]. Hubs say nothing and are never read.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.config import EvidenceConfig
from memory.domain.evidence import (
    DAY,
    ENTITY,
    ENTITY_TOPIC,
    EVENT_FRAME,
    TOPIC,
    best_by_record,
    mean_cosine,
    name_key,
    node_weight,
    phrases,
)
from memory.domain.temporal import zone_of
from memory.domain.text import search_terms
from memory.domain.types import Reader, TimeRange
from memory.models import EntityName, EvidenceLink, EvidenceNode

CONFIG = EvidenceConfig()
_MY = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_NEAR = (ENTITY, TOPIC, ENTITY_TOPIC, EVENT_FRAME)


def by_name(reader: Reader, text: str, names: Sequence[str]) -> dict[UUID, float]:
    """Records of the entities and topics that the text names, by name or alias; three queries.

    `names`: people whom the question names or who asks, so that "my wife" is theirs too. A
    record scores the weight of its most telling node.
    """
    bearing = EntityName.objects.visible_to(reader.space_id, reader.user_id)
    bearing = bearing.filter(key__in=_names(text, names)[: CONFIG.most_phrases])
    entities = sorted(set(map(str, bearing.values_list("entity_id", flat=True))))[: CONFIG.most_named]
    topics = _topics(text, names)
    keys = [*entities, *topics, *(f"{entity}:{topic}" for entity in entities for topic in topics)]
    nodes = telling_nodes(reader).filter(kind__in=(ENTITY, TOPIC, ENTITY_TOPIC), key__in=keys)
    weights = {
        node: node_weight(degree, hub=CONFIG.hub_degree) for node, degree in nodes.values_list("id", "degree")
    }
    best = sorted(weights, key=lambda node: (-weights[node], node))[: CONFIG.most_named]
    rows = telling_links(reader).filter(node__in=best).values_list("record_id", "node_id")
    return best_by_record((record, weights[node]) for record, node in rows)


def by_vector(reader: Reader, cosines: Mapping[UUID, float], *, weakest: float) -> dict[UUID, float]:
    """Records of the nodes nearest to the question; two queries.

    `cosines`: of the records that are nearest themselves. A node's vector is the mean of its
    records', so its cosine is the mean of theirs; times its weight, as a share of the best.
    """
    near = telling_links(reader).filter(record__in=list(cosines), node__kind__in=_NEAR, node__degree__gt=1)
    known: dict[UUID, list[float]] = {}
    degrees: dict[UUID, int] = {}
    for record, node, degree in near.values_list("record_id", "node_id", "node__degree"):
        known.setdefault(node, []).append(cosines[record])
        degrees[node] = degree
    scores = {
        node: mean_cosine(found, degrees[node], weakest=weakest)
        * node_weight(degrees[node], hub=CONFIG.hub_degree)
        for node, found in known.items()
    }
    best = sorted(scores, key=lambda node: (-scores[node], node))[: CONFIG.nodes_followed]
    highest = scores[best[0]] if best else 0.0
    if highest <= 0:
        return {}
    links = telling_links(reader).filter(node__in=best).values_list("record_id", "node_id")
    return best_by_record((record, max(0.0, scores[node] / highest)) for record, node in links)


def by_time(reader: Reader, ranges: Iterable[TimeRange], *, time_zone: str) -> dict[UUID, float]:
    """Records of the days of this zone that the ranges touch; two queries, none without a range.

    The fewer there are, the more each says: as one node of all of them.
    """
    days, zone = Q(), zone_of(time_zone)
    for span in ranges:
        last = max(span.start, span.end - timedelta(microseconds=1))
        first, final = (at.astimezone(zone).date().isoformat() for at in (span.start, last))
        days |= Q(key__gte=first, key__lte=final)
    if not days:
        return {}
    nodes = EvidenceNode.objects.visible_to(reader.space_id, reader.user_id).filter(days, kind=DAY)
    ids = list(nodes.order_by("key").values_list("id", flat=True)[: CONFIG.hub_degree])
    links = EvidenceLink.objects.visible_to(reader.space_id, reader.user_id).filter(node__in=ids)
    records = set(links.values_list("record_id", flat=True)[: CONFIG.hub_degree])
    weight = node_weight(len(records), hub=CONFIG.hub_degree)
    return dict.fromkeys(records, weight) if weight else {}


def _names(text: str, names: Sequence[str]) -> list[str]:
    """What may be a name in the text; what is somebody's own also as theirs, but not they alone."""
    said = dict.fromkeys(phrases(text, most_words=CONFIG.name_words))
    if not _MY.search(text):
        return list(said)
    own = [phrases(_MY.sub(f"{name}'s", text), most_words=CONFIG.name_words) for name in names]
    theirs = dict.fromkeys(phrase for each in own for phrase in each)
    alone = {name_key(name, CONFIG) for name in names}
    return [*said, *(phrase for phrase in theirs if phrase not in said and phrase not in alone)]


def _topics(text: str, names: Collection[str]) -> list[str]:
    """What may be a topic's key: runs of the question's stems, people's names left out."""
    people = {term for name in names for term in search_terms(name)}
    terms = [term for term in search_terms(text) if term not in people]
    runs = [" ".join(terms[i : i + n]) for n in (3, 2, 1) for i in range(len(terms) - n + 1)]
    return list(dict.fromkeys(run for run in runs if name_key(run, CONFIG)))[: CONFIG.most_topics_asked]


def telling_nodes(reader: Reader) -> "QuerySet[EvidenceNode]":
    """The reader's nodes that say something. Asked for first, by an index that begins with the
    space: joined with their links, SQLite would walk all links of the space.
    """
    nodes: QuerySet[EvidenceNode] = EvidenceNode.objects.visible_to(reader.space_id, reader.user_id)
    return nodes.filter(degree__lt=CONFIG.hub_degree)


def telling_links(reader: Reader) -> "QuerySet[EvidenceLink]":
    """The reader's links of such nodes; to be narrowed by nodes or records."""
    links: QuerySet[EvidenceLink] = EvidenceLink.objects.visible_to(reader.space_id, reader.user_id)
    return links.filter(node__degree__lt=CONFIG.hub_degree)
