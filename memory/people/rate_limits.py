"""Rate limits of a person: exact under any number of concurrent requests.

Time is cut into windows of equal length. The row of a person and a kind of act holds the number of
its window and the count of acts in it. One conditional statement counts, so two requests never
share the last unit. It needs no cache, and a rolled-back act doesn't count.
"""

import time
from dataclasses import dataclass

from django.db import connections, router, transaction
from django.utils.translation import ngettext_lazy

from memory.errors import Refusal
from memory.models import Usage, User

MINUTE, HOUR = 60, 3600
COUNT = """
INSERT INTO memory_usage AS kept (owner_id, kind, "window", used) VALUES (%s, %s, %s, 1)
ON CONFLICT (owner_id, kind) DO UPDATE SET
    used = CASE WHEN kept."window" IN (%s, %s) THEN kept.used + 1 ELSE 1 END,
    "window" = CASE WHEN kept."window" IN (%s, %s) THEN kept."window" ELSE excluded."window" END
WHERE kept."window" NOT IN (%s, %s) OR kept.used < %s
RETURNING used
"""
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
    """The rest of a limit: remaining acts, and seconds until the next window."""

    limit: int
    remaining: int
    reset: int


class LimitReached(Refusal):
    """The person has reached their tier's limit."""

    code = "limit_reached"

    def __init__(self, message: str, allowance: Allowance) -> None:
        super().__init__(message)
        self.allowance = allowance


def take_turn(owner: User) -> Allowance:
    """Count a question, or a retry of one; raises LimitReached."""
    return _take(owner, "turns", owner.limits.turns_an_hour, HOUR)


def take_request(owner: User) -> Allowance:
    """Count a request to the API; raises LimitReached."""
    return _take(owner, "requests", owner.limits.requests_a_minute, MINUTE)


def take_upload(owner: User) -> Allowance:
    """Count a document that is added; raises LimitReached."""
    return _take(owner, "uploads", owner.limits.uploads_an_hour, HOUR)


def _take(owner: User, kind: str, limit: int, length: int) -> Allowance:
    """Take a unit of the current window, or raise LimitReached if there is none."""
    used = _count_act(owner, kind, limit, int(time.time()) // length) if limit > 0 else None
    left = _compute_seconds_left(length)
    if used is None:
        facts = {"limit": limit, "minutes": -(-left // MINUTE), "seconds": left}
        raise LimitReached(REACHED[kind] % facts, Allowance(limit, 0, left))
    return Allowance(limit, max(limit - used, 0), left)


def _count_act(owner: User, kind: str, limit: int, window: int) -> int | None:
    """Count the act by one statement; return the count, or None beyond the limit.

    A window may have begun by another process's clock, a moment before this one's. A window further
    ahead comes from a clock that has been set back since.
    """
    alias = router.db_for_write(Usage)
    of_owner = Usage._meta.get_field("owner").get_db_prep_save(owner.pk, connections[alias])
    # SQLite ends a statement outside of a transaction only once its rows are fetched.
    with transaction.atomic(alias, savepoint=False), connections[alias].cursor() as cursor:
        cursor.execute(COUNT, [of_owner, kind, window, *[window, window + 1] * 3, limit])
        row = cursor.fetchone()
    return row[0] if row else None


def _compute_seconds_left(length: int) -> int:
    return length - int(time.time()) % length
