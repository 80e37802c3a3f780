"""Thumbs up and down: what a person says of an answer."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.principals import Principal
from memory.domain.feedback import Outcome
from memory.services.feedback_rate import rate_log
from sessions_app.views.frame import frame, page, space_page, wants_part


@require_POST
@space_page
def rate(request: HttpRequest, principal: Principal, log_id: UUID) -> HttpResponse:
    """Note the outcome, or with the one that stands take it back; who says it again has second thoughts."""
    outcome = request.POST.get("outcome", "")
    log = rate_log(principal, log_id, outcome or Outcome.OPEN)
    if wants_part(request):
        own = {"log": {"id": log.id, "outcome": log.outcome}}
        return page(request, "sessions_app/_thumbs.html", frame(principal, place="chat"), own)
    if log.session_id is None:
        return redirect("sessions:chat-new", principal.space_slug)
    return redirect("sessions:chat", principal.space_slug, log.session_id)
