"""Turns of which something was taken out of memory or put right: no derived text quotes them."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import F, Q

from memory.domain.types import Reader, Turn
from memory.models import RecordEvidence, SilencedTurn
from memory.registries import turn_source
from memory.services.curate_merge import MERGED_INTO
from memory.services.fuse_duplicates import DUPLICATE_OF
from memory.services.recall_items import with_repeating

MOST_ELSEWHERE = 300  # withdrawn turns that are compared with what an assistant says

# Expired, but what it says is still remembered.
_LIVES_ON = Q(record__expired_reason__startswith=MERGED_INTO) | Q(
    record__expired_reason__startswith=DUPLICATE_OF
)


def withdrawn_turns(reader: Reader, turns: Collection[Turn]) -> frozenset[UUID]:
    """Those of the turns of which any record was expired, corrected or erased, whatever else they say, and
    the assistant's that repeat such a turn, wherever in the space that was said.
    """
    ids = {turn.id for turn in turns}
    gone = _gone(reader, Q(turn_id__in=ids))
    elsewhere = _gone(reader, ~Q(turn_id__in=ids), most=MOST_ELSEWHERE)
    repeated = turn_source().current(reader.space_id, list(elsewhere)).values()
    return with_repeating(gone | elsewhere, [*repeated, *turns]) & ids


def _gone(reader: Reader, wanted: Q, *, most: int | None = None) -> frozenset[UUID]:
    """The turns of which a record was taken out of memory, at most so many of each kind, the newest."""
    links = RecordEvidence.objects.visible_to(reader.space_id, reader.user_id).filter(wanted)
    expired = links.filter(record__expired_at__isnull=False).exclude(_LIVES_ON).order_by("-id")
    reworded = links.filter(record__corrected_at__gte=F("created_at")).order_by("-id")
    silenced = SilencedTurn.objects.visible_to(reader.space_id, reader.user_id).filter(wanted).order_by("-id")
    rows = (each.values_list("turn_id", flat=True)[:most] for each in (expired, reworded, silenced))
    return frozenset(turn_id for found in rows for turn_id in found)
