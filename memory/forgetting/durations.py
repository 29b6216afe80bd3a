"""Stretches of time in words."""

from django.utils.translation import ngettext

MINUTE, HOUR, DAY = 60, 3600, 86_400


def in_words(seconds: int) -> str:
    """Return a stretch of time in its largest unit that is whole: "7 days", "90 minutes"."""
    if seconds and seconds % DAY == 0:
        days = seconds // DAY
        return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}
    if seconds and seconds % HOUR == 0:
        hours = seconds // HOUR
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    if seconds and seconds % MINUTE == 0:
        minutes = seconds // MINUTE
        return ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
    return ngettext("%(seconds)d second", "%(seconds)d seconds", seconds) % {"seconds": seconds}
