"""A question put to the memory outside a conversation: recalled, condensed, what it took written down."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.principals import Principal
from memory.domain.types import RecallRequest, Usage
from memory.services.synthesize import Synthesized, synthesize
from sessions_app.domain.types import Recollection
from sessions_app.services.recollect import recollect
from sessions_app.services.usage import UsageScope, allowance_of, record_usage


def search_memories(
    principal: Principal, request: RecallRequest, *, with_skills: bool = True
) -> Recollection:
    """Recall with what the space may spend today; the calls are the asker's own affair."""
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        found = recollect(
            request, language=allowance.language, on_usage=usages.append, with_skills=with_skills
        )
    finally:
        scope = UsageScope(principal.space_id, principal.user_id, session_id=request.session_id)
        record_usage(scope, usages)
    records = replace(found.records, notes=(*allowance.notes, *found.records.notes))
    return replace(found, records=records)


def synthesize_memories(principal: Principal, question: str, texts: Sequence[str]) -> Synthesized:
    """Condense recalled texts with what the space may spend today; the calls are the asker's own affair."""
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        made = synthesize(question, texts, language=allowance.language, on_usage=usages.append)
    finally:
        record_usage(UsageScope(principal.space_id, principal.user_id), usages)
    return replace(made, notes=(*allowance.notes, *made.notes))
