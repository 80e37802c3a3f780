"""What is erased leaves the logs of the recalls that found it, too."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.domain.types import Kind
from memory.models import RetrievalLog
from memory.services.recall_log import TEXT_CHARS

ERASED = "erased"  # the kind of what is left of a hit: its place, which answers cite by number
_PLAIN = re.compile(r"[A-Za-z0-9 ,.]{8,}")
_BATCH = 200  # logs rewritten at a time


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
