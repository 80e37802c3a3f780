"""What a question of nothing but a time is answered with: what was said or was the case then.

Such a question has no word that a memory could hold, so nothing is searched for it.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from memory.domain.asked_time import AskedTime, asked_time
from memory.domain.planning import is_first_person, is_first_persons
from memory.domain.selection import Candidate
from memory.domain.types import Role
from memory.registries import turn_source
from memory.services.recall_asker import admitted_rows, as_asked, is_telling
from memory.services.recall_items import Item, is_about, live_records, live_turns
from memory.services.recall_plan import Asked

MOST_TURNS = 100  # of the time that are looked at, the last ones
MOST_RECORDS = 500  # likewise; more than are asked for, since filters leave some out


def moment_items(asked: Asked) -> tuple[dict[UUID, Item], list[Candidate]] | None:
    """Items and candidates of the time that is asked for, in its order; None for other questions.

    Records, and of talk also the turns that no record rests on; the last `top_k` of them.
    """
    request = asked.request
    time = asked_time(request.question, now=request.now, time_zone=request.time_zone)
    if time is None:
        return None
    records = _records(asked, time) if asked.config.are_records_recalled else []
    turns = _turns(asked, time) if asked.config.are_turns_recalled and time.is_of_talk else []
    told = {turn_id for item in records for turn_id in item.evidence}
    found = [*records, *(item for item in turns if item.id not in told)]
    found = _of_asker(asked, [item for item in found if is_about(request, item)])
    if not found and not time.is_of_talk:
        return None  # what happened then may be told in words that a search finds
    last = sorted(found, key=lambda item: (item.said_at, item.id))[-asked.top_k :]
    return {item.id: item for item in last}, [as_asked(item, place) for place, item in enumerate(last)]


def _records(asked: Asked, time: AskedTime) -> Sequence[Item]:
    """The last records said in the time; where talk is not what is asked for, those true of it."""
    span = time.range
    wanted = Q(said_at__gte=span.start, said_at__lt=span.end)
    if not time.is_of_talk:
        since = Q(valid_from__lt=span.end) & (Q(valid_to__gt=span.start) | Q(valid_from__gte=span.start))
        wanted = since | Q(time_ref__gte=span.start, time_ref__lt=span.end)
    rows = admitted_rows(asked).filter(wanted)
    ids = list(rows.order_by("-said_at", "-id").values_list("id", flat=True)[:MOST_RECORDS])
    return live_records(asked, ids)


def _turns(asked: Asked, time: AskedTime) -> list[Item]:
    """What people said then, or, if that is asked for, the assistant."""
    of_assistant = asked.plan.question_type == "prior_assistant_response"
    role = Role.ASSISTANT if of_assistant else Role.USER
    near = turn_source().newest_within(asked.request.reader, time.range, most=MOST_TURNS)
    items = live_turns(asked, [turn.id for turn in near if turn.role is role])
    return [item for item in items if of_assistant or is_telling(item.text)]


def _of_asker(asked: Asked, items: list[Item]) -> list[Item]:
    """Of what "I" told, in a space of several people, what the asker said; all of what "we" told."""
    question = asked.request.question
    is_of_all = is_first_persons(question) and not is_first_person(question)
    if not asked.names or is_of_all or asked.plan.question_type == "prior_assistant_response":
        return items
    resting = [turn_id for item in items for turn_id in item.evidence]
    said = turn_source().current(asked.request.reader.space_id, resting)
    by_item = {item.id: {said[i].speaker for i in item.evidence if i in said} for item in items}
    return [item for item in items if not by_item[item.id] or by_item[item.id].intersection(asked.names)]
