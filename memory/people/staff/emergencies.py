"""Emergency access: an operator opens a person's conversations for half an hour, with a reason.

Each opening and each read is recorded. The person is notified at once, or after the last hold that
is secret from them.
"""

from datetime import timedelta
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy

from memory import audit
from memory.errors import NotFound, Refusal
from memory.models import AuditEvent, EmergencyAccess, LegalHold, Session, User
from memory.outages import one_transaction
from memory.people.display import get_home_zone
from memory.people.staff.mailing import mail_person
from memory.postgresql.scope import assume_person

RIGHT = "memory.add_emergencyaccess"
LASTS = timedelta(minutes=30)
LONGEST_REASON = 300
SHOWN = 20


class ReasonMissing(Refusal):
    """Opening another person's conversations needs a reason."""

    code = "reason_missing"
    says = gettext_lazy("Give a reason: the person is shown it.")


def open_conversations(
    person: User,
    *,
    operator: User,
    reason: str,
    session: Session | None = None,
    approved_by: UUID | None = None,
) -> EmergencyAccess:
    """Open the person's conversations, or the one session, to the operator."""
    opening = EmergencyAccess(owner=person, operator_id=operator.pk, approved_by_id=approved_by)
    opening.session_id = session.pk if session else None
    return _record(opening, reason)


def note_reading(
    person: User, *, terminal: str, reason: str, approved_by: UUID | None
) -> EmergencyAccess:
    """Record as an opening that an operator at a terminal opened the person's key."""
    opening = EmergencyAccess(owner=person, terminal=terminal, approved_by_id=approved_by)
    return _record(opening, reason)


@one_transaction
def _record(opening: EmergencyAccess, reason: str) -> EmergencyAccess:
    opening.reason = audit.clean_reason(reason)
    if not opening.reason:
        raise ReasonMissing
    opening.expires_at = timezone.now() + LASTS
    opening.save(force_insert=True)
    audit.record(
        "emergency.opened",
        actor=opening.operator_id,
        operator=opening.terminal or None,
        subject=opening,
        reason=opening.reason,
        about=opening.owner_id,
    )
    _tell(opening)
    return opening


def find_opening(opening_id: UUID, *, operator: User) -> EmergencyAccess:
    """Return the operator's opening for a read, and record the read; raises NotFound.

    Only its operator reads by it, until its end and with the right.
    """
    mine = EmergencyAccess.objects.select_related("owner").filter(operator_id=operator.pk)
    opening = mine.filter(pk=opening_id).first()
    is_open = opening is not None and opening.expires_at > timezone.now()
    is_open = is_open and operator.has_perm(RIGHT)
    outcome = AuditEvent.Outcome.DONE if is_open else AuditEvent.Outcome.DENIED
    subject = opening or EmergencyAccess(pk=opening_id)
    with transaction.atomic():
        audit.record("emergency.read", actor=operator.pk, subject=subject, outcome=outcome)
    if opening is None or not is_open:
        raise NotFound
    return opening


@one_transaction
def close(opening_id: UUID, *, operator: User) -> None:
    """Close the operator's opening early; raises NotFound."""
    now = timezone.now()
    mine = EmergencyAccess.objects.filter(pk=opening_id, operator_id=operator.pk)
    if not mine.filter(expires_at__gt=now).update(expires_at=now):
        raise NotFound
    audit.record("emergency.closed", actor=operator.pk, subject=EmergencyAccess(pk=opening_id))


# --- Notices to the person ------------------------------------------------------------------------


def tell_waiting() -> None:
    """Notify people of openings that a hold kept secret until now."""
    for opening in EmergencyAccess.objects.filter(told_at=None).select_related("owner"):
        _tell(opening)


@one_transaction
def _tell(opening: EmergencyAccess) -> None:
    """Notify the person, unless a secret hold is on them."""
    person = opening.owner
    secret = LegalHold.objects.active().filter(person_id=person.pk, tells_person=False)
    untold = EmergencyAccess.objects.filter(pk=opening.pk, told_at=None)
    if not secret.exists() and untold.update(told_at=timezone.now()):
        transaction.on_commit(partial(_mail, opening), robust=True)


def _mail(opening: EmergencyAccess) -> None:
    title = gettext_lazy("Your conversations were opened in an emergency")
    mail_person(opening.owner, title, partial(_describe_opening, opening))


def _describe_opening(opening: EmergencyAccess) -> str:
    """Describe the operator and the end of an opening; the reason stays out of the mail."""
    until = timezone.localtime(opening.expires_at, get_home_zone(opening.owner))
    return _(
        "%(name)s opened your conversations in an emergency, until %(until)s. The reason is in "
        "your account: Your data, Account activity."
    ) % {
        "name": get_operator_name(opening),
        "until": date_format(until, "DATETIME_FORMAT"),
    }


def get_operator_name(opening: EmergencyAccess) -> str:
    """Return the operator's user name, or their account of the machine."""
    if opening.operator_id is None:
        return opening.terminal
    with assume_person(opening.operator_id):  # the person's own scope hides other accounts
        operator = User.objects.filter(pk=opening.operator_id).first()
    return operator.username if operator else _("an account that is gone")


def list_told(person: User) -> list[EmergencyAccess]:
    """Return the newest openings that the person may know of."""
    return list(EmergencyAccess.objects.told(person)[:SHOWN])


def find_unseen(person: User) -> EmergencyAccess | None:
    """Return the newest opening that the person was notified of and hasn't seen."""
    return EmergencyAccess.objects.told(person).filter(seen_at=None).first()


def mark_seen(person: User) -> None:
    """Mark all announced openings as seen by the person."""
    EmergencyAccess.objects.told(person).filter(seen_at=None).update(seen_at=timezone.now())
