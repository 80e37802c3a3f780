"""What is erased leaves the logs of recalls, too: what they found of it, and questions that told it."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.domain.quoting import is_quoting, probes, tells_again
from memory.domain.types import Kind
from memory.models import RetrievalLog
from memory.services.composite_rows import in_batches
from memory.services.recall_log import TEXT_CHARS

ERASED = "erased"  # the kind of what is left of a hit: its place, which answers cite by number
_PLAIN = re.compile(r"[A-Za-z0-9 ,.]{8,}")
_BATCH = 200  # logs rewritten at a time
_PROBES = 50  # ids looked for in one query
_WORDLESS = ("mode", "question_type", "is_small_talk", "origin")  # what of a plan repeats no question
_CHANGED = ("query", "plan", "hits", "response_excerpt")


def erase_from_logs(space_id: UUID, record_id: UUID, text: str) -> int:
    """Take a record, and whatever bears its text, out of every log of the space; how many logs.

    In the caller's transaction. The places of hits stay, so that `[2]` of an answer still
    means the second; excerpts of answers that rest on the record go.
    """
    named = str(record_id)
    wanted = Q(kept_ids__icontains=named)
    for probe in filter(None, (named, _probe(text))):
        wanted |= Q(hits__icontains=probe) | Q(dropped__icontains=probe)
    logs = RetrievalLog.objects.for_space(space_id).filter(wanted)
    changed = 0
    for log in logs.order_by("id").iterator(chunk_size=_BATCH):
        is_kept = named in log.kept_ids
        log.hits = [_without_text(hit) if _is_of(hit, named, text) else hit for hit in log.hits]
        log.dropped = [item for item in log.dropped if not _is_of(item, named, text)]
        log.kept_ids = [item for item in log.kept_ids if item != named]
        log.response_excerpt = "" if is_kept else log.response_excerpt
        log.save(update_fields=["hits", "dropped", "kept_ids", "response_excerpt"])
        changed += 1
    return changed


def erase_told(space_id: UUID, turn_ids: Sequence[UUID], told: Sequence[str]) -> int:
    """Take the words of these turns out of every log of the space, and whatever repeats what they
    told: questions with their plans and answers; how many logs. In the caller's transaction.
    """
    wanted = Q(pk__in=())
    for turn_id in turn_ids:
        wanted |= Q(hits__icontains=str(turn_id))
    for probe in probes(told):
        wanted |= Q(query__icontains=probe) | Q(response_excerpt__icontains=probe)
    changed = 0
    for log in RetrievalLog.objects.for_space(space_id).filter(wanted).order_by("id").iterator(_BATCH):
        if tells_again(log.query, told):
            _forget_words(log)
        if is_quoting(log.response_excerpt, told):
            log.response_excerpt = ""
        changed += _saved_without(log, {str(turn_id) for turn_id in turn_ids})
    return changed


def erase_session_from_logs(space_id: UUID, session_id: UUID, turn_ids: Collection[UUID]) -> int:
    """Take the words of a session whose turns are deleted out of every log of the space; how many logs.

    What its own recalls were asked goes; the memories that they found stay. In the caller's transaction.
    """
    wanted = Q(session_id=session_id) | Q(hits__icontains=str(session_id))
    named = {str(turn_id) for turn_id in turn_ids}
    changed = 0
    for log in RetrievalLog.objects.for_space(space_id).filter(wanted).order_by("id").iterator(_BATCH):
        if log.session_id == session_id:
            _forget_words(log)
        changed += _saved_without(log, named)
    return changed


def withhold_from_logs(space_id: UUID, session_id: UUID, item_ids: frozenset[UUID], *, owner_id: UUID) -> int:
    """Take what came of a session from the logs of everybody but its owner: its turns, these items, and
    excerpts of answers that rest on them; how many logs. In the caller's transaction.

    What others asked in the session itself goes, too.
    """
    named = frozenset(str(item_id) for item_id in item_ids)
    logs = RetrievalLog.objects.for_space(space_id).exclude(private_to=owner_id)
    of_items = (
        reduce(or_, (Q(hits__icontains=each) for each in some)) for some in in_batches(sorted(named), _PROBES)
    )
    wanted = [Q(session_id=session_id) | Q(hits__icontains=str(session_id)), *of_items]
    ids = {id_ for each in wanted for id_ in logs.filter(each).values_list("id", flat=True)}
    for batch in in_batches(sorted(ids), _BATCH):
        for log in logs.filter(id__in=batch).order_by("id"):
            if log.session_id == session_id:
                _forget_words(log)
            _withhold(log, str(session_id), named)
    return len(ids)


def _withhold(log: RetrievalLog, session_id: str, named: frozenset[str]) -> None:
    if named.intersection(log.kept_ids):
        log.response_excerpt = ""
    log.kept_ids = [item for item in log.kept_ids if item not in named]
    log.dropped = [item for item in log.dropped if item["id"] not in named]
    log.hits = [
        _without_text(hit)
        if hit["id"] in named
        else {**hit, "turns": [turn for turn in hit.get("turns", ()) if turn["session_id"] != session_id]}
        for hit in log.hits
    ]
    log.save(update_fields=[*_CHANGED, "kept_ids", "dropped"])


def _forget_words(log: RetrievalLog) -> None:
    log.query = log.response_excerpt = ""
    log.plan = {name: log.plan[name] for name in _WORDLESS if name in log.plan}


def _saved_without(log: RetrievalLog, turn_ids: Collection[str]) -> int:
    """Save the log without the text of these turns."""
    log.hits = [_without_text(hit) if hit["id"] in turn_ids else hit for hit in log.hits]
    log.save(update_fields=_CHANGED)
    return 1


def _probe(text: str) -> str:
    """The longest part of the text that every database writes alike in JSON: it finds composites
    that bore the text, under ids that are gone.
    """
    return max(_PLAIN.findall(text[:TEXT_CHARS]), key=len, default="")


def _is_of(item: Mapping[str, Any], named: str, text: str) -> bool:
    is_same_text = bool(text) and item.get("text", "") == text[:TEXT_CHARS] and item["kind"] != Kind.TURN
    return bool(item["id"] == named or is_same_text)


def _without_text(hit: Mapping[str, Any]) -> dict[str, Any]:
    """What is left of a hit: that there was one, and how it scored."""
    scores = {name: hit[name] for name in ("score", "rank_score", "breakdown") if name in hit}
    return {"kind": ERASED, "id": "", "memory_type": ERASED, "text": "", "turns": [], **scores}
