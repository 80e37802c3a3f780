"""Turns of which something was taken out of memory, by a person or a policy: no derived text quotes them."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from memory.domain.types import Reader, Turn
from memory.models import RecordEvidence, SilencedTurn
from memory.services.curate_merge import MERGED_INTO
from memory.services.fuse_duplicates import DUPLICATE_OF
from memory.services.recall_items import with_repeating

# Expired, but what it says is still remembered.
_LIVES_ON = Q(record__expired_reason__startswith=MERGED_INTO) | Q(
    record__expired_reason__startswith=DUPLICATE_OF
)


def withdrawn_turns(reader: Reader, turns: Collection[Turn]) -> frozenset[UUID]:
    """Those of the turns of which any record was expired or erased, whatever else they say, and the
    assistant's that repeat such a turn.
    """
    ids = {turn.id for turn in turns}
    links = RecordEvidence.objects.visible_to(reader.space_id, reader.user_id).filter(turn_id__in=ids)
    expired = links.filter(record__expired_at__isnull=False).exclude(_LIVES_ON)
    silenced = SilencedTurn.objects.for_space(reader.space_id).filter(turn_id__in=ids)
    gone = {*expired.values_list("turn_id", flat=True), *silenced.values_list("turn_id", flat=True)}
    return with_repeating(gone, turns)
