"""How much a person may do in a time: exact, however many requests come at once.

Time is cut into windows of equal length. The row of a person and a kind of act holds the number of
its window and how often the act was done in it; one conditional update counts, so two requests
never share the last place. It needs no cache, and an act that is rolled back gives its place back.
"""

import time
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.translation import ngettext_lazy

from memory.errors import Refusal
from memory.models import Usage, User

MINUTE, HOUR = 60, 3600
REACHED = {
    "turns": ngettext_lazy(
        "You have asked %(limit)d questions within the hour, as many as your account may. "
        "Ask again in %(minutes)d minute.",
        "You have asked %(limit)d questions within the hour, as many as your account may. "
        "Ask again in %(minutes)d minutes.",
        "minutes",
    ),
    "uploads": ngettext_lazy(
        "You have added %(limit)d documents within the hour, as many as your account may. "
        "Add more in %(minutes)d minute.",
        "You have added %(limit)d documents within the hour, as many as your account may. "
        "Add more in %(minutes)d minutes.",
        "minutes",
    ),
    "requests": ngettext_lazy(
        "You have sent %(limit)d requests within the minute, as many as your account may. "
        "Try again in %(seconds)d second.",
        "You have sent %(limit)d requests within the minute, as many as your account may. "
        "Try again in %(seconds)d seconds.",
        "seconds",
    ),
}


@dataclass(frozen=True)
class Allowance:
    """What is left of a limit: acts, and seconds until all of them are there again."""

    limit: int
    remaining: int
    reset: int


class LimitReached(Refusal):
    """The person has done it as often as their tier allows."""

    code = "limit_reached"

    def __init__(self, message: str, allowance: Allowance) -> None:
        super().__init__(message)
        self.allowance = allowance


def take_turn(owner: User) -> Allowance:
    """Count a question, or a new try at one; raises LimitReached."""
    return _take(owner, "turns", owner.limits.turns_an_hour, HOUR)


def take_request(owner: User) -> Allowance:
    """Count a request to the API; raises LimitReached."""
    return _take(owner, "requests", owner.limits.requests_a_minute, MINUTE)


def take_upload(owner: User) -> Allowance:
    """Count a document that is added; raises LimitReached."""
    return _take(owner, "uploads", owner.limits.uploads_an_hour, HOUR)


def _take(owner: User, kind: str, limit: int, length: int) -> Allowance:
    """Take a place in the current window, or raise LimitReached if there is none."""
    window = int(time.time()) // length
    rows = Usage.objects.filter(owner=owner, kind=kind)
    # A window may have begun by another process's clock, a moment before it does by this one's.
    open_windows = rows.filter(window__in=[window, window + 1], used__lt=limit)
    if not open_windows.update(used=F("used") + 1):
        begun = limit > 0 and _begin(owner, kind, window)
        # Another request may have begun the window a moment ago.
        if not begun and not open_windows.update(used=F("used") + 1):
            left = _left(length)
            facts = {"limit": limit, "minutes": -(-left // MINUTE), "seconds": left}
            raise LimitReached(REACHED[kind] % facts, Allowance(limit, 0, left))
    used = rows.values_list("used", flat=True).first() or 0
    return Allowance(limit, max(limit - used, 0), _left(length))


def _begin(owner: User, kind: str, window: int) -> bool:
    """Begin the window with its first act; return whether this call did."""
    rows = Usage.objects.filter(owner=owner, kind=kind)
    # One far ahead is of a clock that has been set back since.
    other = Q(window__lt=window) | Q(window__gt=window + 1)
    if rows.filter(other).update(window=window, used=1):
        return True
    if rows.exists():
        return False
    try:
        with transaction.atomic():
            Usage.objects.create(owner=owner, kind=kind, window=window, used=1)
    except IntegrityError:
        return False
    return True


def _left(length: int) -> int:
    return length - int(time.time()) % length
