"""A question put to the memory outside a conversation: recalled, and what it took written down."""

from dataclasses import replace

from accounts.principals import Principal
from memory.domain.types import Recalled, RecallRequest, Usage
from memory.services.recall import recall
from sessions_app.services.usage import UsageScope, allowance_of, record_usage


def search_memories(principal: Principal, request: RecallRequest) -> Recalled:
    """Recall with what the space may spend today; the calls are the asker's own affair."""
    allowance, usages = allowance_of(principal.space_id), list[Usage]()
    try:
        recalled = recall(request, language=allowance.language, on_usage=usages.append)
    finally:
        scope = UsageScope(principal.space_id, principal.user_id, session_id=request.session_id)
        record_usage(scope, usages)
    return replace(recalled, notes=(*allowance.notes, *recalled.notes))
