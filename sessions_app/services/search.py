"""A question put to the memory outside a conversation: recalled, condensed, what it took written down."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.principals import Principal
from memory.domain.text import normalize
from memory.domain.types import RecallRequest, Role, Turn, Usage
from memory.services.synthesize import Synthesized, synthesize
from sessions_app.domain.types import Recollection
from sessions_app.models import SessionTurn
from sessions_app.services.recollect import EVERYTHING, Beside, recollect
from sessions_app.services.usage import UsageScope, allowance_of, record_usage
from sessions_app.stores.turns import to_turn

RECENT_TURNS = 6  # of the session asking, that the planner reads


def search_memories(
    principal: Principal, request: RecallRequest, *, include: Beside = EVERYTHING
) -> Recollection:
    """Recall with what the space may spend today; the calls are the asker's own affair.

    What was said and done last in the session that asks tells the planner what is being done.
    """
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    asked = replace(request, recent=_recent_turns(principal, request)) if request.session_id else request
    try:
        found = recollect(asked, language=allowance.language, on_usage=usages.append, include=include)
    finally:
        scope = UsageScope(principal.space_id, principal.user_id, session_id=request.session_id)
        record_usage(scope, usages)
    records = replace(found.records, notes=(*allowance.notes, *found.records.notes))
    return replace(found, records=records)


def _recent_turns(principal: Principal, request: RecallRequest) -> tuple[Turn, ...]:
    """The last turns of the session, oldest first, without the question if that is stored there already."""
    visible = SessionTurn.objects.visible_to(principal.space_id, principal.user_id)
    rows = visible.filter(session_id=request.session_id, state=SessionTurn.State.COMPLETE)
    newest = rows.exclude(role=Role.SYSTEM).select_related("session").order_by("-index")
    turns = [to_turn(row) for row in newest[: RECENT_TURNS + 1]]
    if turns and normalize(turns[0].text) == normalize(request.question):
        turns = turns[1:]
    return tuple(reversed(turns[:RECENT_TURNS]))


def synthesize_memories(
    principal: Principal, question: str, texts: Sequence[str], *, shown: Sequence[str] = ()
) -> Synthesized:
    """Condense recalled texts with what the space may spend today; the calls are the asker's own affair.

    `shown`: the texts with their dates, where these are known.
    """
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        made = synthesize(question, texts, shown=shown, language=allowance.language, on_usage=usages.append)
    finally:
        record_usage(UsageScope(principal.space_id, principal.user_id), usages)
    return replace(made, notes=(*allowance.notes, *made.notes))
