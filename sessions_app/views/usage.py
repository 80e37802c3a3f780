"""What the models took: a bar a day, and a table by purpose and model."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.principals import Principal
from sessions_app.selectors import UsageRow, usage_by_day
from sessions_app.views.frame import frame, page, space_page

DAYS = 30
CHART_HEIGHT = 100  # units of the drawing
BAR_STEP = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """One day of the chart, in units of the drawing; its origin is at the top."""

    day: date
    tokens: int
    x: int
    y: int
    height: int


@require_GET
@space_page
def show(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The last thirty days."""
    today = timezone.now().date()
    rows = usage_by_day(principal, since=today - timedelta(days=DAYS - 1))
    own = {
        "heading": _("Usage"),
        "rows": rows,
        "bars": bars_of(rows, today),
        "chart_width": DAYS * BAR_STEP,
        "chart_height": CHART_HEIGHT,
        "calls": sum(row.calls for row in rows),
        "tokens": sum(_tokens(row) for row in rows),
        "budget": settings.DAILY_TOKEN_BUDGET,
    }
    return page(request, "sessions_app/usage.html", frame(principal, place="usage"), own)


def bars_of(rows: list[UsageRow], today: date) -> list[Bar]:
    """A bar for each of the last thirty days, oldest first; the highest fills the drawing."""
    by_day: dict[date, int] = {}
    for row in rows:
        by_day[row.day] = by_day.get(row.day, 0) + _tokens(row)
    most = max(by_day.values(), default=0) or 1
    bars: list[Bar] = []
    for number in range(DAYS):
        day = today - timedelta(days=DAYS - 1 - number)
        tokens = by_day.get(day, 0)
        height = max(1, round(CHART_HEIGHT * tokens / most)) if tokens else 0
        bars.append(Bar(day, tokens, number * BAR_STEP, CHART_HEIGHT - height, height))
    return bars


def _tokens(row: UsageRow) -> int:
    return row.input_tokens + row.output_tokens
