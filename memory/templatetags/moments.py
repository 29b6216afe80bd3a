"""Template tags for moments: in the person's time zone and language."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

NEAR = 7  # days for which a weekday is enough

register = template.Library()


@register.filter
def when(moment: datetime | None) -> SafeString:
    """Return the moment in words, near ones by their day; its title is the exact one."""
    return (
        _render_time(moment, _format_relative(timezone.localtime(moment)))
        if moment
        else SafeString("")
    )


@register.filter
def exactly(moment: datetime | None) -> SafeString:
    """Return the moment to the second, for evidence."""
    return (
        _render_time(moment, _format_in_full(timezone.localtime(moment)))
        if moment
        else SafeString("")
    )


def _render_time(moment: datetime, words: str) -> SafeString:
    local = timezone.localtime(moment)
    full = f"{date_format(local, 'l')}, {_format_in_full(local)}"
    stamp = local.isoformat(timespec="seconds")
    return format_html('<time datetime="{}" title="{}">{}</time>', stamp, full, words)


def _format_relative(local: datetime) -> str:
    today = timezone.localdate()
    days = (local.date() - today).days
    time = date_format(local, "TIME_FORMAT")
    named = {-1: _("yesterday, %(time)s"), 0: _("today, %(time)s"), 1: _("tomorrow, %(time)s")}
    if days in named:
        return named[days] % {"time": time}
    if abs(days) < NEAR:
        return f"{date_format(local, 'l')}, {time}"
    return date_format(local, "MONTH_DAY_FORMAT" if local.year == today.year else "DATE_FORMAT")


def _format_in_full(local: datetime) -> str:
    day = date_format(local, "DATE_FORMAT")
    return f"{day}, {date_format(local, 'H:i:s T')}"
