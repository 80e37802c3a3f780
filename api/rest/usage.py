"""`/usage`: what the models took."""

from datetime import timedelta

from django.utils import timezone
from ninja import Query, Router

from api.auth import SIGNED_IN, SignedIn
from api.schemas.usage import UsageItem, UsagePeriod, UsageReport
from sessions_app.selectors import usage_by_day

router = Router(tags=["pipeline"], auth=SIGNED_IN)


@router.get("", response=UsageReport, summary="Count tokens and calls")
def usage(request: SignedIn, period: Query[UsagePeriod]) -> UsageReport:
    """Tokens and calls by day (UTC), purpose and model, newest first."""
    since = timezone.now().date() - timedelta(days=period.days - 1)
    return UsageReport.of([UsageItem.of(row) for row in usage_by_day(request.auth, since=since)])
