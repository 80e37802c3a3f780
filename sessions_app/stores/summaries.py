"""Summary rows to the values that windows are made of."""

from memory.domain.summaries import Summary as SummaryValue
from sessions_app.domain.types import Anchor
from sessions_app.models import Session, Summary


def anchor_of(session: Session) -> Anchor | None:
    """The summary that stands for the session's older turns, if there is one."""
    row: Summary | None = session.summaries.filter(state=Summary.State.READY).first()
    return to_anchor(row) if row else None


def to_anchor(row: Summary) -> Anchor:
    """The value of a row that is in use."""
    return Anchor(
        id=row.id,
        first_turn=row.first_turn,
        end_turn=row.end_turn,
        summary=SummaryValue.of(row.sections),
        tokens=row.tokens,
        covered_tokens=row.covered_tokens,
        covered_turns=row.covered_turns,
        made_by=row.made_by,
        made_at=row.made_at or row.created_at,
    )
