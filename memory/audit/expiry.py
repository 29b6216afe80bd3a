"""Expiry of audit events, except those about retention and deletion.

Changes of policies, holds, requests for erasure and confirmed runs stay for good, and so does the
record that events expired. Otherwise, shortening the audit's retention could hide all of these.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from memory.audit import feed, recording
from memory.audit.integrity.pruning import BATCH, prune
from memory.jobs.batches import delete_in_batches
from memory.models import AuditAddress, AuditDetail, AuditEvent, RetentionPolicy, Tier, User
from memory.models.governance.policies import ADDRESS_LIFETIME, SHORTEST_AUDIT

log = logging.getLogger(__name__)

KEPT = ("policy.", "hold.", "erasure.", "retention.", "audit.")
# Lifetimes of events by tier, in seconds; None: forever.
Lifetimes = Mapping[str, int | None]


def purge_audit() -> int:
    """Delete the events older than their tier's retention; return how many were deleted.

    Events that a receiver of the feed has not accepted wait for it.
    """
    purge_words()
    old = [feed.filter_taken(lines) for lines in select_outlived_lines(get_ruling_lifetimes())]
    old = [lines for lines in old if lines.exists()]
    if not old:
        return 0
    with transaction.atomic():
        recording.record("audit.forgotten", actor=None)
    gone = sum(prune(lines) for lines in old)
    log.info("audit_forgotten", extra={"lines": gone})
    return gone


def purge_words() -> None:
    """Delete expired addresses and old reasons; their digests stay."""
    now = timezone.now()
    details = AuditDetail.objects.filter(created_at__lt=now - recording.DETAIL_LIFETIME)
    delete_in_batches(details.order_by("created_at"), batch=BATCH)
    for tier in Tier.values:
        seconds = RetentionPolicy.objects.ruling(tier).address_lifetime or ADDRESS_LIFETIME
        until = (now - timedelta(seconds=seconds)).date()
        old = AuditAddress.objects.filter(owner__tier=tier, last_used_on__lt=until)
        delete_in_batches(old.order_by("last_used_on"), batch=BATCH)


def get_ruling_lifetimes() -> dict[str, int | None]:
    """Return the current lifetimes of events by tier."""
    return {tier: RetentionPolicy.objects.ruling(tier).audit_lifetime for tier in Tier.values}


def select_outlived_lines(lifetimes: Lifetimes) -> "list[QuerySet[AuditEvent]]":
    """Return the events that are due under these lifetimes, by tier.

    Events without an actor, or with a deleted one, have the longest lifetime of all tiers.
    """
    known = [seconds for seconds in lifetimes.values() if seconds is not None]
    acting = User.objects.filter(pk=OuterRef("actor_id"))
    found = [
        get_old_lines(seconds).filter(Exists(acting.filter(tier=tier)))
        for tier, seconds in lifetimes.items()
        if seconds is not None
    ]
    if len(known) == len(lifetimes):
        found.append(get_old_lines(max(known)).filter(~Exists(acting)))
    return found


def get_old_lines(seconds: int) -> "QuerySet[AuditEvent]":
    """Return the events that are older than the lifetime, and may be deleted."""
    until = timezone.now() - timedelta(seconds=max(seconds, SHORTEST_AUDIT))
    for_good = reduce(or_, (Q(action__startswith=family) for family in KEPT))
    return AuditEvent.objects.older(until).filter(~for_good)
