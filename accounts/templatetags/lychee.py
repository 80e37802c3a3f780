"""Small marks that every page uses: icons and bars, drawn without inline style."""

from datetime import datetime

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """A line icon of static/img/icons.svg; decoration, so hidden from screen readers."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def bar(value: float, label: str) -> SafeString:
    """A bar for a value in [0, 1], with its words for screen readers."""
    percent = round(max(0.0, min(1.0, float(value or 0))) * 100)
    return format_html(
        '<svg class="meter" role="img" aria-label="{} {}%" viewBox="0 0 100 4" preserveAspectRatio="none">'
        '<rect width="{}" height="4"/></svg>',
        label,
        percent,
        percent,
    )


@register.filter
def grouped(number: int) -> str:
    """A count with its thousands apart, as the reader's language writes it: 12,345."""
    return number_format(number, force_grouping=True)


@register.filter
def short_moment(at: datetime) -> str:
    """An instant as briefly as it can be told in the reader's zone: today by its time."""
    local, today = timezone.localtime(at), timezone.localdate()
    if local.date() == today:
        return date_format(local, "TIME_FORMAT")
    return date_format(local, "MONTH_DAY_FORMAT" if local.year == today.year else "DATE_FORMAT")
