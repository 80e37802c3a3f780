"""What a question of nothing but its asker is answered with: who they are, then the newest about them.

Such a question has no word that a record could hold, so nothing is searched for it. What they said
that no record rests on yet comes after the records, as turns.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When

from memory.domain.evidence import BONDS
from memory.domain.novelty import overlap
from memory.domain.planning import is_about_asker, is_asking_name
from memory.domain.selection import Candidate
from memory.domain.text import search_terms
from memory.domain.types import Role, TimeRange
from memory.models import MemoryRecord, RecordEvidence, Relation
from memory.providers.offline_language.chatter import is_chatter, is_question
from memory.providers.offline_language.slots import find_slot
from memory.providers.offline_language.statements import sentences_of
from memory.registries import turn_source
from memory.services.recall_items import Item, is_about, live_records, live_turns
from memory.services.recall_plan import Asked

MOST = 10
MOST_SAID = 5  # turns beside as many records; more where there are fewer
REPEATED = 0.8  # share of a turn's words in the records that makes it tell nothing more
LOOKED_AT = 100  # more than are shown, since filters leave some out
IDENTITY = ("residence", "job", "employer", "origin", "school", "birthday", "age")


def asker_records(asked: Asked) -> tuple[dict[UUID, Item], list[Candidate]] | None:
    """Items of the records about the asker and candidates of the first `MOST`: a name, what else tells who
    they are (home, work, people), then the newest, then what was said and is not filed yet. None for a
    question of anything else.
    """
    request = asked.request
    is_of_name = is_asking_name(request.question)
    if not (is_of_name or is_about_asker(request.question)):
        return None
    if not asked.names or not asked.config.are_records_recalled:
        return None
    rows = admitted_rows(asked).filter(subject__in=asked.names)
    rows = rows.filter(slot="name") if is_of_name else rows
    bonds = Relation.objects.visible_to(request.reader.space_id, request.reader.user_id).filter(
        record=OuterRef("pk"), type__in=sorted(BONDS)
    )
    place = Case(
        When(slot="name", then=Value(0)),
        When(Q(slot__in=IDENTITY) | Exists(bonds), then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    ids = list(rows.order_by(place, "-said_at", "-id").values_list("id", flat=True)[:LOOKED_AT])
    items = {item.id: item for item in live_records(asked, ids) if is_about(request, item)}
    known = [items[record_id] for record_id in ids if record_id in items]
    said = _unfiled(asked, known, is_of_name=is_of_name)
    told = known[: max(MOST - len(said), MOST_SAID)]
    told += said[: MOST - len(told)]
    items.update({item.id: item for item in told})
    return items, [as_asked(item, number) for number, item in enumerate(told)]


def _unfiled(asked: Asked, known: Iterable[Item], *, is_of_name: bool) -> list[Item]:
    """Of the asker's last turns those that state something, or their name, and that no record rests on,
    newest first.
    """
    request = asked.request
    if not asked.config.are_turns_recalled:
        return []
    span = TimeRange(datetime(1, 1, 1, tzinfo=UTC), request.now)
    near = turn_source().newest_within(request.reader, span, most=LOOKED_AT)
    ids = [turn.id for turn in near if turn.role is Role.USER and turn.speaker in asked.names]
    links = RecordEvidence.objects.for_space(request.reader.space_id).filter(turn_id__in=ids)
    filed = set(links.values_list("turn_id", flat=True))
    terms = frozenset(term for item in known for term in search_terms(item.text))
    said = live_turns(asked, [turn_id for turn_id in ids if turn_id not in filed])
    wanted = [each for each in said if is_about(request, each) and overlap(each.text, terms) < REPEATED]
    states = _states_name if is_of_name else is_telling
    return sorted((each for each in wanted if states(each.text)), key=lambda each: each.said_at, reverse=True)


def is_telling(text: str) -> bool:
    """Whether a sentence of it states something."""
    return any(not is_chatter(each) and not is_question(each) for each in sentences_of(text))


def _states_name(text: str) -> bool:
    slots = (find_slot(sentence) for sentence in sentences_of(text))
    return any(slot is not None and slot.name == "name" for slot in slots)


def admitted_rows(asked: Asked) -> "QuerySet[MemoryRecord]":
    """The records that the reader and the request's filters admit, as far as a query can tell."""
    request = asked.request
    reader, known_at = request.reader, request.known_at
    lives = Q(expired_at__isnull=True)
    rows: QuerySet[MemoryRecord] = MemoryRecord.objects.visible_to(reader.space_id, reader.user_id)
    rows = rows.filter(lives if known_at is None else lives | Q(expired_at__gt=known_at))
    rows = rows.exclude(session_id__in=reader.exclude_session_ids)
    return rows.filter(memory_type__in=request.types) if request.types else rows


def as_asked(item: Item, place: int) -> Candidate:
    """Wholly about what is asked; the order is theirs."""
    return Candidate(
        kind=item.kind,
        id=item.id,
        cosine=0.0,
        matched_share=1.0,
        score=1_000.0 - place,
        evidence=item.evidence,
        terms=frozenset(search_terms(item.text)),
    )
