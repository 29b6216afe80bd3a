"""Legal holds: nothing that one covers is deleted, by anyone or anything, until its release.

Nor are questions and answers in it overwritten, though their person may go on asking. A deletion
checks for holds in its own transaction, after locking its session. Placing a hold locks the same
sessions. So either the deletion came first, or it sees the hold.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from memory import audit, postponed
from memory.errors import Held, NotFound, Refusal
from memory.models import ErasureRequest, LegalHold, Session, Turn, User, WaitingDeletion
from memory.models.conversations import SessionQuerySet
from memory.models.governance.holds import LegalHoldQuerySet
from memory.outages import one_transaction

Scope = LegalHold.Scope


class TooLateToHold(Refusal):
    """The hold's target is being erased: it can't be kept any more."""

    code = "too_late_to_hold"
    says = gettext_lazy("The erasure of this is under way: it is too late for a hold.")


class HeldAlready(Refusal):
    """Another hold has the same scope and start: both would have to be released."""

    code = "held_already"
    says = gettext_lazy("A hold of this kind is on it already.")


def is_held(row: models.Model) -> bool:
    """Return whether a hold forbids deleting the person, session, turn or document now.

    A hold on anything of a person's covers the person: their account is deleted with it.
    """
    return select_holds(row).exists()


def select_holds(row: models.Model) -> LegalHoldQuerySet:
    """Return the active holds that forbid deleting the row."""
    active = LegalHold.objects.active()
    if isinstance(row, User):
        return active.filter(person_id=row.pk)
    target = row.session_id if isinstance(row, Turn) else row.pk
    owner_id = getattr(row, "owner_id", None)
    by_person = Q(scope=Scope.PERSON, target_id=owner_id)
    return active.filter(Q(scope=_find_scope(row), target_id=target) | by_person)


def hold_on_session() -> Q:
    """Return the condition, for a query of sessions, that the session or its owner is held."""
    active = LegalHold.objects.active()
    on_session = active.filter(scope=Scope.SESSION, target_id=OuterRef("pk"))
    on_owner = active.filter(scope=Scope.PERSON, target_id=OuterRef("owner_id"))
    return Q(Exists(on_session)) | Q(Exists(on_owner))


def find_held(session_ids: Collection[UUID]) -> set[UUID]:
    """Return the held ones of the sessions; check again after locking them."""
    rows = Session.objects.filter(hold_on_session(), pk__in=session_ids)
    return set(rows.values_list("pk", flat=True))


@contextmanager
def keeping_wish(row: models.Model, kind: str, *, actor: UUID | None) -> Iterator[None]:
    """Defer the deletion of the row if a hold refuses it inside; call outside of transactions.

    A transaction would roll the deferral back. The deletion first locks its session, and then calls
    `refuse_held`.
    """
    try:
        yield
    except Held:
        postponed.wait(kind, row.pk, person=_get_person_id(row), actor=actor)
        raise


def refuse_held(row: models.Model) -> None:
    """Raise Held if a hold forbids deleting the row."""
    if is_held(row):
        raise Held


def refuse_overwriting(row: models.Model) -> None:
    """Raise Held, with a message of its own, if a hold protects the row's texts.

    Call it where a deletion calls `refuse_held`. The change is not deferred: nobody expects a title
    to change months later.
    """
    if is_held(row):
        raise Held(_("A legal hold is on this: it can't be changed until the hold ends."))


@one_transaction
def place(
    row: models.Model,
    *,
    reason: str,
    author: User,
    tells_person: bool = True,
    starts_at: datetime | None = None,
) -> LegalHold:
    """Forbid deleting the person, session or document from now or a later moment.

    Raises TooLateToHold if its person's erasure has begun, and HeldAlready.
    """
    person_id = _get_person_id(row)
    _wait_for_deletions(row, person_id)
    # Only after the lock: a concurrent hold may have the same start.
    begins = starts_at or timezone.now()
    unreleased = LegalHold.objects.filter(released_at=None, starts_at__lte=begins)
    if unreleased.filter(scope=_find_scope(row), target_id=row.pk).exists():
        raise HeldAlready
    hold = LegalHold(
        scope=_find_scope(row),
        target_id=row.pk,
        person_id=person_id,
        author_id=author.pk,
        reason=reason,
        tells_person=tells_person,
        starts_at=begins,
    )
    hold.save(force_insert=True)
    audit.record("hold.placed", actor=author.pk, subject=hold, reason=reason, about=person_id)
    return hold


def _wait_for_deletions(row: models.Model, person_id: UUID | None) -> None:
    """Lock the row after concurrent deletions; later ones see the hold."""
    its_own = Session.objects.filter(**{"owner" if isinstance(row, User) else "pk": row.pk})
    list(its_own.order_by("pk").select_for_update().values_list("pk", flat=True))
    if person_id is not None:
        # An erasure locks the account when it begins, and then checks for holds. Rows that refer to
        # the account may be written meanwhile.
        locked = User.objects.select_for_update(no_key=True).filter(pk=person_id)
        list(locked.values_list("pk", flat=True))
        if ErasureRequest.objects.running().filter(person_id=person_id).exists():
            raise TooLateToHold
    if not type(row)._default_manager.select_for_update().filter(pk=row.pk).exists():
        raise NotFound


@one_transaction
def release(hold: LegalHold, *, actor: User) -> None:
    """End the hold; deletions that only it deferred are carried out now."""
    unreleased = LegalHold.objects.filter(pk=hold.pk, released_at=None)
    if not unreleased.update(released_at=timezone.now(), released_by_id=actor.pk):
        raise NotFound
    audit.record("hold.released", actor=actor.pk, subject=hold)
    # Sessions that expired under the hold count as expired from now on.
    _select_concerned_sessions(hold).expired().update(expires_at=timezone.now())
    postponed.carry_out_later(list(list_waiting(hold)))


def list_waiting(hold: LegalHold) -> models.QuerySet[WaitingDeletion]:
    """Return the deletions deferred by the hold, and perhaps by others too."""
    concerned = Q(target_id=hold.target_id)
    if hold.person_id:
        concerned |= Q(person_id=hold.person_id)
    return WaitingDeletion.objects.open().filter(concerned)


def list_told_holds(person: User) -> LegalHoldQuerySet:
    """Return the active holds on the person's data that they are notified of, oldest first."""
    known = LegalHold.objects.active().filter(person_id=person.pk, tells_person=True)
    return known.order_by("starts_at")


def find_told_hold(row: models.Model) -> LegalHold | None:
    """Return the first active hold on the row that its person is notified of, if any."""
    return select_holds(row).filter(tells_person=True).order_by("starts_at").first()


def _get_person_id(row: models.Model) -> UUID | None:
    """Return the row's person; None for the shared library."""
    return row.pk if isinstance(row, User) else getattr(row, "owner_id", None)


def _find_scope(row: models.Model) -> str:
    if isinstance(row, User):
        return Scope.PERSON
    return Scope.SESSION if isinstance(row, Session | Turn) else Scope.DOCUMENT


def _select_concerned_sessions(hold: LegalHold) -> SessionQuerySet:
    by_person = hold.scope == Scope.PERSON
    return Session.objects.filter(**{"owner" if by_person else "pk": hold.target_id})
