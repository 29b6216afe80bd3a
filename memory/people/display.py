"""Display preferences of a person: time zone and language."""

from datetime import date, datetime, time, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from memory import audit
from memory.models import User

# Cookies set by the browser, for people without a choice of their own (static/js/display.js).
ZONE_COOKIE = "time_zone"
THEME_COOKIE = "theme"
THEMES = ("light", "dark")


@cache
def list_zone_names() -> list[str]:
    """Return the time zones named after places, without historical and technical ones."""
    return sorted(
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(("Etc/", "SystemV/", "posix/")))
    )


def get_zone(request: HttpRequest) -> ZoneInfo:
    """Return the time zone that the person chose, or the browser's, or the instance's."""
    chosen = request.user.time_zone if request.user.is_authenticated else ""
    for name in (chosen, request.COOKIES.get(ZONE_COOKIE, "")):
        if name in list_available_zones():
            return ZoneInfo(name)
    return ZoneInfo(settings.TIME_ZONE)


def get_local_day(moment: datetime, person: User) -> date:
    """Return the day of the moment in the person's time zone, in background work too."""
    return timezone.localdate(moment, get_home_zone(person))


def get_local_midnight(day: date, person: User) -> datetime:
    """Return the beginning of the day in the person's time zone."""
    return datetime.combine(day, time.min, tzinfo=get_home_zone(person))


def get_home_zone(person: User) -> tzinfo:
    """Return the time zone that the person chose, or the current one."""
    chosen = person.time_zone if person.time_zone in list_available_zones() else ""
    return ZoneInfo(chosen) if chosen else timezone.get_current_timezone()


@cache
def list_available_zones() -> frozenset[str]:
    """Return every valid name of a time zone."""
    return frozenset(available_timezones())


def change_display(user: User, **chosen: str) -> None:
    """Store the person's time zone, language or format; empty means the default."""
    for name, value in chosen.items():
        setattr(user, name, value)
    with transaction.atomic():
        user.save(update_fields=list(chosen))
        audit.record("person.display_changed", actor=user.pk, subject=user)
