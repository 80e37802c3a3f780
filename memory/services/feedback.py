"""What came of a recall, written onto its log: once the answer stands, and once it is judged.

The person's next turn judges the answer before it: by rules, or inside the planning call that
is made anyway. Beyond the log nothing is written here; counters follow in batches
(feedback_fold). docs/algorithms/feedback.md.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from uuid import UUID

from django.db import OperationalError
from django.utils import timezone

from memory.config import RecallConfig
from memory.domain.feedback import Outcome, judge_next_turn
from memory.domain.types import Answered, Plan, RecallRequest, Role
from memory.models import RetrievalLog

logger = logging.getLogger(__name__)

JUDGED_MODES = ("action", "mixed")  # whether an answer was right shows in what was done with it


@dataclass(frozen=True, slots=True)
class Undecided:
    """A recall whose outcome the rules cannot tell from the turn after it."""

    log_id: UUID
    space_id: UUID
    answered: Answered


def close_log(log_id: UUID, space_id: UUID, *, kept_ids: Sequence[UUID], excerpt: str) -> None:
    """Note which items the answer rests on and how it began; unknown logs are ignored.

    In the caller's transaction. `excerpt` is cut to `RecallConfig.excerpt_chars`.
    """
    RetrievalLog.objects.for_space(space_id).filter(pk=log_id).update(
        kept_ids=[str(item) for item in kept_ids],
        response_excerpt=excerpt[: RecallConfig.STANDARD.excerpt_chars],
        is_folded=False,
    )


def judge_previous(request: RecallRequest) -> Undecided | None:
    """Let the turn judge the asker's recall before it in the session, if that is open and was for
    something to be done. Returns it where the rules do not tell and a model may.
    """
    if not request.is_turn or request.session_id is None:
        return None
    log = _previous(request)
    if log is None or log.outcome != Outcome.OPEN or log.plan.get("mode") not in JUDGED_MODES:
        return None
    outcome = judge_next_turn(request.question, asked=log.query, tool_results=_tool_results(request))
    if outcome is None:
        return Undecided(log.id, log.space_id, Answered(log.query, log.response_excerpt))
    _settle(log.id, log.space_id, outcome, RetrievalLog.Judge.RULES)
    return None


def settle_by_plan(undecided: Undecided | None, plan: Plan) -> None:
    """Note what the plan's reply tells of the recall before, if it does."""
    if undecided is not None and plan.previous_outcome:
        outcome = Outcome(plan.previous_outcome)
        _settle(undecided.log_id, undecided.space_id, outcome, RetrievalLog.Judge.MODEL)


def _previous(request: RecallRequest) -> RetrievalLog | None:
    reader = request.reader
    logs = RetrievalLog.objects.visible_to(reader.space_id, reader.user_id)
    logs = logs.filter(session_id=request.session_id, user_id=reader.user_id)
    log: RetrievalLog | None = logs.order_by("-id").first()
    return log


def _tool_results(request: RecallRequest) -> list[str]:
    """What tools returned since the person's turn before."""
    since = takewhile(lambda turn: turn.role is not Role.USER, reversed(request.recent))
    return [turn.text for turn in since if turn.role is Role.TOOL]


def _settle(log_id: UUID, space_id: UUID, outcome: Outcome, judge: RetrievalLog.Judge) -> None:
    """Write an open log's outcome; a judgement that cannot be written fails no recall."""
    logs = RetrievalLog.objects.for_space(space_id).filter(pk=log_id, outcome=Outcome.OPEN)
    try:
        logs.update(outcome=outcome, judged_by=judge, judged_at=timezone.now(), is_folded=False)
    except OperationalError:
        logger.exception("the outcome of a recall could not be noted")
