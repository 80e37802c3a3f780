"""A person's word on an answer or a record; it counts before what rules and models read."""

from uuid import UUID

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import InvalidInput, NotFound
from accounts.principals import Principal
from accounts.services.audit import record_audit
from memory.domain.feedback import Outcome
from memory.domain.types import Kind, Reader
from memory.models import ItemRating, MemoryRecord, RetrievalLog, UsageCount
from memory.selectors import get_record

FAILING = (Outcome.FAIL, Outcome.CORRECTION)


def read_outcome(value: object) -> Outcome:
    """The outcome of that name. Raises InvalidInput naming the field."""
    try:
        return Outcome(str(value))
    except ValueError:
        known = ", ".join(Outcome)
        raise InvalidInput.field("outcome", _("Say one of: %(known)s.") % {"known": known}) from None


def rate_log(principal: Principal, log_id: UUID, outcome: str) -> RetrievalLog:
    """What the asker says came of their recall; `open` takes it back. Saying it twice changes nothing.

    Viewers rate their own recalls too. Raises NotFound alike for a missing and a foreign one, and
    InvalidInput.
    """
    return _judge(principal, log_id, read_outcome(outcome), RetrievalLog.Judge.USER)


def correct_outcome(
    principal: Principal, log_id: UUID, outcome: str, *, is_administrator: bool = False
) -> RetrievalLog:
    """A curator's judgement of a recall, audited.

    Logs are their asker's own; an administrator, who sees all of them, may judge each. Raises
    NotFound, Forbidden or InvalidInput.
    """
    principal.require_write()
    judge = RetrievalLog.Judge.CURATOR
    return _judge(principal, log_id, read_outcome(outcome), judge, is_everybodys=is_administrator)


def rate_record(principal: Principal, record_id: UUID, outcome: str) -> ItemRating | None:
    """Whether a record helped this person: one rating each, which may change; `open` takes it back.

    Everybody who sees the record may rate it. Raises NotFound or InvalidInput.
    """
    wanted = read_outcome(outcome)
    record = get_record(Reader(principal.space_id, principal.user_id), record_id)
    ratings = ItemRating.objects.for_space(principal.space_id)
    with transaction.atomic():
        MemoryRecord.objects.for_space(principal.space_id).select_for_update().filter(id=record.id).first()
        own = ratings.filter(user_id=principal.user_id, record_id=record.id)
        before: ItemRating | None = own.first()
        was = Outcome(before.outcome) if before else Outcome.OPEN
        if was == wanted:
            return before
        _count(record, {was: -1, wanted: 1})
        if wanted is Outcome.OPEN:
            own.delete()
            return None
        values = {"outcome": wanted, "private_to_id": principal.user_id}
        rating: ItemRating
        rating, _made = ratings.update_or_create(
            space_id=principal.space_id, user_id=principal.user_id, record_id=record.id, defaults=values
        )
        return rating


def _judge(
    principal: Principal,
    log_id: UUID,
    outcome: Outcome,
    judge: RetrievalLog.Judge,
    *,
    is_everybodys: bool = False,
) -> RetrievalLog:
    logs = RetrievalLog.objects.for_space(principal.space_id)
    if not is_everybodys:
        logs = RetrievalLog.objects.visible_to(principal.space_id, principal.user_id)
    with transaction.atomic():
        log: RetrievalLog | None = logs.select_for_update().filter(pk=log_id).first()
        if log is None:
            raise NotFound(_("There is no such recall among yours."))
        if log.outcome != outcome:
            before, log.outcome = log.outcome, outcome
            log.judged_by = judge if outcome is not Outcome.OPEN else RetrievalLog.Judge.NOBODY
            log.judged_at, log.is_folded = timezone.now(), False
            log.save(update_fields=["outcome", "judged_by", "judged_at", "is_folded"])
            record_audit(
                action="recall.judged",
                object_type="retrieval log",
                object_id=log.id,
                space_id=principal.space_id,
                user_id=principal.user_id,
                changes={"outcome": (str(before), str(outcome))},
            )
    return log


def _count(record: MemoryRecord, changes: dict[Outcome, int]) -> None:
    """Add to the record's counters, which never fall below zero."""
    success = changes.get(Outcome.SUCCESS, 0)
    fail = sum(changes.get(each, 0) for each in FAILING)
    counts = UsageCount.objects.for_space(record.space_id)
    row, _made = counts.get_or_create(
        space_id=record.space_id,
        item_id=record.id,
        defaults={"kind": Kind.RECORD, "private_to_id": record.private_to_id},
    )
    counts.filter(pk=row.pk).update(
        success=Greatest(F("success") + success, Value(0)), fail=Greatest(F("fail") + fail, Value(0))
    )
