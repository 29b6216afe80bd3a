"""Retention: what rules how long, the sweep that purges, and how far it is behind."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memory import append_only, audit
from memory.forgetting.batches import delete_in_batches
from memory.forgetting.due import Due
from memory.forgetting.purging import Purged, purge
from memory.models import (
    AuditEvent,
    PurgeFailure,
    RetentionPolicy,
    RetentionRun,
    Tier,
    User,
)

log = logging.getLogger(__name__)

# One worker has other work as well: a sweep that isn't done by then comes again behind it.
SWEEP_SECONDS = 20.0


@dataclass(frozen=True)
class Lag:
    """How far the purge is behind: seconds since the oldest expiry, and sessions it can't delete.

    What a hold keeps doesn't count, nor do the sessions that failed and wait for another try.
    """

    seconds: float
    failing: int


def policy_of(person: User) -> RetentionPolicy:
    """Return the policy that rules the person's tier now."""
    return RetentionPolicy.objects.ruling(person.tier)


def sweep(*, seconds: float = SWEEP_SECONDS) -> Purged:
    """Purge what has expired, for at most so many seconds, and record what went."""
    began = timezone.now()
    purged = purge(Due(at=began), seconds=seconds)
    if purged.sessions or purged.skipped:
        _record(purged, began)
    behind = lag()
    numbers = {"sessions": purged.sessions, "turns": purged.turns, "skipped": purged.skipped}
    lagging = {"lag_seconds": round(behind.seconds), "failing": behind.failing}
    log.info("purge", extra=numbers | lagging)
    return purged


def _record(purged: Purged, began: datetime) -> None:
    with transaction.atomic():
        run = RetentionRun.objects.create(
            status=RetentionRun.Status.DONE,
            created_at=began,
            confirmed_at=began,
            finished_at=timezone.now(),
            sessions_gone=purged.sessions,
            turns_gone=purged.turns,
            skipped=purged.skipped,
        )
        audit.record("retention.done", actor=None, subject=run)


def forget_audit() -> int:
    """Delete the audit's lines that have outlived their tier's time; return how many went.

    Lines of nobody, or of nobody who is there, go by the longest time of all tiers; where a tier
    has none, its lines are kept.
    """
    ruling = {tier: RetentionPolicy.objects.ruling(tier).audit_lifetime for tier in Tier.values}
    gone = 0
    for tier, lifetime in ruling.items():
        acting = User.objects.filter(tier=tier, pk=OuterRef("actor_id"))
        gone += _forget_lines(lifetime, Exists(acting))
    anyone = Exists(User.objects.filter(pk=OuterRef("actor_id")))
    longest = None if None in ruling.values() else max(filter(None, ruling.values()), default=None)
    return gone + _forget_lines(longest, ~Q(anyone))


def _forget_lines(lifetime: int | None, whose: Exists | Q) -> int:
    if lifetime is None:
        return 0
    with append_only.lifted():
        old = AuditEvent.objects.filter(whose, at__lt=timezone.now() - timedelta(seconds=lifetime))
        return delete_in_batches(old.order_by("id"))


def lag() -> Lag:
    """Return how far the purge is behind now."""
    now = timezone.now()
    oldest = Due(at=now).takable().order_by("expires_at", "pk").only("expires_at").first()
    seconds = (now - oldest.expires_at).total_seconds() if oldest else 0.0
    return Lag(seconds, PurgeFailure.objects.count())
