"""A record's facts to the evidence nodes it hangs on, and how much a node says.

docs/algorithms/evidence.md tells what each kind is for (arXiv 2608.12990, section 3.3).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log
from typing import NamedTuple
from uuid import UUID

from memory.config import EvidenceConfig
from memory.domain.text import fold, is_stop_word, search_terms, words
from memory.domain.types import MemoryType

ENTITY, TOPIC, ENTITY_TOPIC = "entity", "topic", "entity_topic"
DAY, MONTH, EVENT_FRAME = "day", "month", "event_frame"
MAX_KEY_CHARS = 255

# A type is never a topic: it would point to a third of all records.
_TYPES = frozenset(fold(each.value).replace("_", " ") for each in MemoryType) | frozenset(MemoryType)
_GENITIVE = ("'s ", "’s ")
_PRONOUNS = frozenset(
    {*"sie er es ihr ihre sein seine il elle lui son sa ella el su".split()}  # noqa: SIM905
    | {*"он она они его ее их 他们 她们 它们 彼女 彼ら それ 그녀 그들".split()}  # noqa: SIM905
)

BONDS = frozenset(
    {*"wife husband spouse partner girlfriend boyfriend fiance fiancee fiancé fiancée".split()}  # noqa: SIM905
    | {*"son daughter child children kid baby stepson stepdaughter".split()}  # noqa: SIM905
    | {*"mother father mom mum dad parent grandmother grandfather grandma grandpa".split()}  # noqa: SIM905
    | {*"sister brother sibling twin aunt uncle cousin niece nephew grandson granddaughter".split()}  # noqa: SIM905
    | {*"friend boss manager colleague roommate neighbour neighbor".split()}  # noqa: SIM905
    | {*"pet dog cat puppy kitten rabbit hamster parrot".split()}  # noqa: SIM905
)


class NodeKey(NamedTuple):
    """By what a node is known among its audience."""

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Node:
    """A node that a record hangs on; `entity_id` where it is of an entity."""

    kind: str
    key: str
    label: str
    entity_id: UUID | None = None

    @property
    def known_by(self) -> NodeKey:
        """Its kind and key."""
        return NodeKey(self.kind, self.key)


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a record makes nodes. `happened_at`: when what it tells was, else when it was
    said, in the zone of those who remember it; `position`: the index of its first evidence
    turn, None without any.
    """

    subject: str
    entities: tuple[str, ...]
    topics: tuple[str, ...]
    happened_at: datetime
    session_id: UUID
    position: int | None


def names_of(facts: Facts, config: EvidenceConfig) -> tuple[str, ...]:
    """The names that are entities, the subject first; each folded name once."""
    named = {name_key(name, config): name for name in reversed((facts.subject, *facts.entities))}
    ordered = [name for key, name in reversed(named.items()) if key]
    return tuple(ordered[: config.most_entities])


def name_key(name: str, config: EvidenceConfig) -> str:
    """The name as names are compared: folded words, at most `name_chars`."""
    return " ".join(words(name))[: config.name_chars]


def topic_key(topic: str) -> str:
    """The topic as topics are compared; empty for a memory type, which is none."""
    plain = fold(topic).strip()
    if plain in _TYPES or plain.replace("_", " ") in _TYPES:
        return ""
    return " ".join(search_terms(topic))[: MAX_KEY_CHARS - 40]


def nodes_of(facts: Facts, entity_ids: Mapping[str, UUID], config: EvidenceConfig) -> tuple[Node, ...]:
    """The nodes of a record, each once.

    `entity_ids` by `name_key`; a name without one makes no node.
    """
    named = [(name, entity_ids.get(name_key(name, config))) for name in names_of(facts, config)]
    entities = list({found: name for name, found in reversed(named) if found}.items())[::-1]
    topics = list({key: topic for topic in facts.topics if (key := topic_key(topic))}.items())
    topics = topics[: config.most_topics]
    nodes = [Node(ENTITY, str(entity_id), name, entity_id) for entity_id, name in entities]
    nodes += [Node(TOPIC, key, topic) for key, topic in topics]
    pairs = [
        Node(ENTITY_TOPIC, f"{entity_id}:{key}", f"{name}, {topic}", entity_id)
        for entity_id, name in entities
        for key, topic in topics
    ]
    nodes += pairs[: config.most_pairs]
    day = facts.happened_at.date().isoformat()
    nodes += [Node(DAY, day, day), Node(MONTH, day[:7], day[:7])]
    if facts.position is not None:
        frame = facts.position // config.frame_turns
        first = frame * config.frame_turns
        label = f"{first}–{first + config.frame_turns - 1}"
        nodes.append(Node(EVENT_FRAME, f"{facts.session_id}:{frame}", label))
    return tuple(nodes)


def node_weight(degree: int, *, hub: int) -> float:
    """How much a node of so many records says, in [0, 1]: 1 − ln(degree)/ln(hub).

    One of a single record 1, of 8 with a hub of 64 0.5; a hub, and a node of none, 0.
    """
    return max(0.0, 1.0 - log(degree) / log(hub)) if degree > 0 else 0.0


def phrases(text: str, *, most_words: int) -> tuple[str, ...]:
    """What may be a name in the text: its runs of at most so many words, folded, longest first.

    "Ann's wife left" gives among others "ann s wife", as `name_key` cuts "Ann's wife". A run of
    a script without spaces gives its pieces of two to six characters.
    """
    said = words(text)
    found: dict[str, None] = {}
    for length in range(most_words, 0, -1):
        for start in range(len(said) - length + 1):
            found[" ".join(said[start : start + length])] = None
    for run in said:
        if not run.isascii() and len(run) > 2:
            for length in range(min(6, len(run)), 1, -1):
                found.update(dict.fromkeys(run[i : i + length] for i in range(len(run) - length + 1)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Known:
    """An entity as resolution sees it, with the folded names under which it is found."""

    id: UUID
    key: str
    names: frozenset[str]


def is_lasting(alias: str) -> bool:
    """Whether an alias names somebody beyond its segment: "Alice's wife" and "Annie" do, "she",
    "her brother" and "the boss" mean another one each time.
    """
    said = words(alias)
    if not said or is_stop_word(said[0]) or said[0] in _PRONOUNS or len(alias.strip()) < 2:
        return False
    first = alias.strip()[0]
    return any(genitive in alias for genitive in _GENITIVE) or first.isupper() or not first.islower()


def is_bond(relation_type: str) -> bool:
    """Whether it binds for years, whatever is told beside it: "sister", "older_sister", "dog"."""
    return relation_type.rsplit("_", 1)[-1].casefold() in BONDS


def is_namesake(alias: str, known: Known) -> bool:
    """Whether an alias for this entity's name means somebody else of that name.

    "Bob's sister" is Anna: not the Anna who is known as Alice's wife, unless an alias says so.
    A full name of two words or more is one person's.
    """
    roles = {name for name in known.names if " s " in f"{name} "}
    return bool(roles) and alias not in roles and len(known.key.split()) == 1


def best_by_record(scored: Iterable[tuple[UUID, float]]) -> dict[UUID, float]:
    """The largest score of each record."""
    best: dict[UUID, float] = {}
    for record_id, score in scored:
        best[record_id] = max(best.get(record_id, 0.0), score)
    return best


def mean_cosine(known: Sequence[float], degree: int, *, weakest: float) -> float:
    """The product of a node's vector, the mean of its records', with the question's.

    That is the mean of the records' own cosines, so no vector of a node is stored. `known` are
    the cosines that were found; the others are at most the weakest of these.
    """
    unknown = max(0, degree - len(known))
    return (sum(known) + unknown * weakest) / max(1, len(known) + unknown)
