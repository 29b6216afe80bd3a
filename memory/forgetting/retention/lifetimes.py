"""The lifetime that a person chooses for their conversations: at most that of their tier.

A shorter lifetime applies at once, so it can end conversations. Unpinning or unarchiving a
conversation is not meant to delete it. So it keeps at least a day, if the other term had left as
much.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import audit
from memory.errors import NotFound, Refusal
from memory.forgetting.retention.sweeping import get_policy
from memory.forgetting.retention.terms import format_duration
from memory.holds import find_told_hold
from memory.models import LegalHold, RetentionPolicy, Session, User

SHORTEST = 60
GRACE = timedelta(days=1)
# A conversation warns of its end a day before, or in the last quarter of its lifetime.
WARNS_BEFORE = timedelta(days=1)
AT_ONCE = 200
# Time for a reload, a view of a citation, or Back.
ENDS_AFTER_CLOSING = timedelta(seconds=60)


class LifetimeTooLong(Refusal):
    """Longer than the tier's lifetime, or shorter than useful."""

    code = "lifetime_too_long"


@dataclass(frozen=True)
class End:
    """The expiry of a conversation, and the notice to its person."""

    at: datetime
    lifetime: timedelta
    # Whether a warning is due; and whether extending would change the end noticeably.
    is_near: bool
    hold: LegalHold | None


def describe_end(session: Session) -> End:
    """Return the conversation's expiry, and whether a warning is due."""
    lifetime = session.compute_lifetime(session.policy)
    near = session.expires_at - timezone.now() <= min(WARNS_BEFORE, lifetime / 4)
    return End(at=session.expires_at, lifetime=lifetime, is_near=near, hold=find_told_hold(session))


def extend(session: Session) -> None:
    """Restart the conversation's lifetime, as a question would."""
    with transaction.atomic():
        row = _lock_session(session)
        row.extended_at = now = timezone.now()
        row.expires_at = row.compute_end(row.policy, now=now)
        row.save(update_fields=["extended_at", "expires_at"])
        audit.record("session.extended", actor=row.owner_id, subject=row)
    session.extended_at, session.expires_at = row.extended_at, row.expires_at


def limit_lifetime(session: Session, seconds: int | None) -> None:
    """Set the conversation's own lifetime, at most its tier's; None for the default."""
    with transaction.atomic():
        row = _lock_session(session)
        check_lifetime(row.owner, seconds)
        row.own_lifetime = seconds
        _restamp(row, row.policy, at_once=seconds is not None)
        row.save(update_fields=["own_lifetime", "expires_at", "kept_until"])
        audit.record("session.lifetime_changed", actor=row.owner_id, subject=row)
    session.own_lifetime, session.expires_at = row.own_lifetime, row.expires_at


def limit_all_lifetimes(person: User, seconds: int | None) -> int:
    """Limit the lifetime of all the person's conversations, also later ones; None for the tier's.

    Returns how many of them it has ended.
    """
    check_lifetime(person, seconds)
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(own_lifetime=seconds)
        audit.record("person.lifetime_changed", actor=person.pk, subject=person)
    person.own_lifetime = seconds
    before = Session.objects.visible(person).count()
    policy = get_policy(person)
    ids = list(Session.objects.visible(person).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), AT_ONCE):
        with transaction.atomic():
            rows = Session.objects.filter(pk__in=ids[start : start + AT_ONCE]).live()
            rows = rows.select_related("owner").order_by("pk").select_for_update(of=("self",))
            locked = list(rows)
            for session in locked:
                _restamp(session, policy, at_once=seconds is not None)
            Session.objects.bulk_update(locked, ["expires_at", "kept_until"])
    return before - Session.objects.visible(person).count()


def count_ending_sessions(person: User, seconds: int) -> int:
    """Return how many of the person's conversations such a lifetime would end."""
    rows = Session.objects.visible(person).only("last_activity", "extended_at")
    since = timezone.now() - timedelta(seconds=seconds)
    return sum(row.clock_began <= since for row in rows.iterator(chunk_size=500))


def check_lifetime(person: User, seconds: int | None) -> None:
    """Raise LifetimeTooLong if the person's tier doesn't allow the lifetime."""
    longest = get_longest_lifetime(person)
    if seconds is not None and not SHORTEST <= seconds <= longest:
        message = _("Choose a time between %(shortest)s and %(longest)s.")
        words = {"shortest": format_duration(SHORTEST), "longest": format_duration(longest)}
        raise LifetimeTooLong(message % words)


def get_longest_lifetime(person: User) -> int:
    """Return the longest lifetime of the person's tier, in seconds."""
    policy = get_policy(person)
    clocks = (policy.lifetime, policy.pinned_lifetime, policy.archived_lifetime)
    return max(clock for clock in clocks if clock is not None)


def rearrange(session: Session) -> None:
    """Update the conversation's expiry after a change of pin or archive.

    Call it in the transaction of that change.
    """
    row = _lock_session(session)
    now = timezone.now()
    clock = row.compute_expiry(row.clock_began)
    grace = min(row.expires_at, now + GRACE)
    kept_until = grace if grace > clock else None
    ends = max(clock, grace)
    Session.objects.filter(pk=row.pk).update(expires_at=ends, kept_until=kept_until)
    session.expires_at, session.kept_until = ends, kept_until


def _lock_session(session: Session) -> Session:
    rows = Session.objects.visible(session.owner).select_for_update(of=("self",))
    row = rows.select_related("owner").filter(pk=session.pk).first()
    if row is None:
        raise NotFound
    return row


def _restamp(session: Session, policy: RetentionPolicy, *, at_once: bool) -> None:
    """Set the session's end; a lifetime that its person has chosen leaves it no grace days."""
    if at_once:
        session.kept_until = None
    session.expires_at = session.compute_end(policy, now=timezone.now())


# --- Temporary conversations ----------------------------------------------------------------------


def close(session: Session) -> None:
    """Let a temporary conversation, whose page was closed, end soon; `reopen` reverts that."""
    soon = timezone.now() + ENDS_AFTER_CLOSING
    mine = Session.objects.visible(session.owner).filter(pk=session.pk, temporary=True)
    mine.filter(expires_at__gt=soon).update(expires_at=soon)


def reopen(session: Session) -> None:
    """Reopen a temporary conversation that was just closed, with the rest of its lifetime."""
    with transaction.atomic():
        row = _lock_session(session)
        if row.is_closing:
            ends = row.compute_expiry(row.clock_began)
            Session.objects.filter(pk=row.pk).update(expires_at=ends)
