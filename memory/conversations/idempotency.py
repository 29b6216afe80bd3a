"""Idempotency: the same key with the same request returns the same turn, for a day."""

from datetime import timedelta

from django.utils import timezone

from memory.errors import IdempotencyConflict, NotFound
from memory.jobs.batches import delete_in_batches
from memory.models import IdempotencyKey, Turn, User
from memory.sealing import fingerprint_words


def compute_fingerprints(owner: User, key: str, request: str) -> tuple[str, str] | None:
    """Return fingerprints of the client's key and its whole request; None without a key."""
    if not key:
        return None
    blind_key, body = fingerprint_words([key, request], owner=owner.pk)
    return blind_key, body


def find_earlier_turn(owner: User, fingerprints: tuple[str, str] | None) -> Turn | None:
    """Return the turn for which the key was used within a day.

    Raises IdempotencyConflict after another request, and NotFound if the turn is deleted.
    """
    if fingerprints is None:
        return None
    key, body = fingerprints
    day_ago = timezone.now() - timedelta(days=1)
    rows = IdempotencyKey.objects.filter(owner=owner, key=key).select_related("turn__session")
    row = rows.first()
    if row is None:
        return None
    if row.created_at < day_ago:
        row.delete()
        return None
    if row.body != body:
        raise IdempotencyConflict
    if not Turn.objects.visible(owner).filter(pk=row.turn_id).exists():  # it has expired
        raise NotFound
    return row.turn


def purge_idempotency_keys(*, older_than: timedelta) -> int:
    """Delete old keys; return how many."""
    old = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - older_than)
    return delete_in_batches(old.order_by("created_at"))
