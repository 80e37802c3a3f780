"""A question put to the memory outside a conversation: recalled, condensed, what it took written down."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.principals import Principal
from memory.domain.types import RecallRequest, Usage
from memory.services.recall import recall
from memory.services.synthesize import Synthesized, synthesize
from sessions_app.domain.types import Recollection
from sessions_app.services.usage import UsageScope, allowance_of, record_usage


def search_memories(principal: Principal, request: RecallRequest) -> Recollection:
    """Recall with what the space may spend today; the calls are the asker's own affair."""
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        recalled = recall(request, language=allowance.language, on_usage=usages.append)
    finally:
        scope = UsageScope(principal.space_id, principal.user_id, session_id=request.session_id)
        record_usage(scope, usages)
    return Recollection(replace(recalled, notes=(*allowance.notes, *recalled.notes)))


def synthesize_memories(principal: Principal, question: str, texts: Sequence[str]) -> Synthesized:
    """Condense recalled texts with what the space may spend today; the calls are the asker's own affair."""
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        made = synthesize(question, texts, language=allowance.language, on_usage=usages.append)
    finally:
        record_usage(UsageScope(principal.space_id, principal.user_id), usages)
    return replace(made, notes=(*allowance.notes, *made.notes))
