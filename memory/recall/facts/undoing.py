"""Undo of deleted and corrected facts: possible for a short while, then they are gone for good.

A deleted fact is hidden at once. The previous value of a corrected fact is kept as a hidden row
that the new one replaces. A job deletes both soon after, with the answers that used them. Until
then they are deleted with everything that deletes facts: their turn, an erasure, the withdrawal of
a consent.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memory import audit, postponed
from memory.errors import Held, NotFound
from memory.holds import refuse_held, refuse_overwriting
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, register_kind
from memory.models import Fact, Purpose, Session, User
from memory.models.facts import FactQuerySet
from memory.outages import one_transaction
from memory.personal_data import consent
from memory.personal_data.packages import delete_unfetched
from memory.recall.facts.ending import delete_answers_with_facts
from memory.sealing import ledger

FINISH = register_kind("finish_fact", WorkClass.RIGHTS, AuditClass.ACTS)
UNDO_SECONDS = 30
UNDO_TIME = timedelta(seconds=UNDO_SECONDS)
# Fields that undoing a correction restores.
SAID = ("text", "subject", "kind", "state", "is_shared", "confirmed_at", "expires_at")
WHERE = ("session_id", "turn_id", "said_in", "origin")


def select_undoable_facts(owner: User) -> FactQuerySet:
    """Return the facts that can be restored now, also values before a correction, newest first."""
    since = timezone.now() - UNDO_TIME
    return Fact.objects.hidden(owner).filter(deleted_at__gt=since).order_by("-deleted_at")


@one_transaction
def hide(fact: Fact) -> None:
    """Hide a fact, restorable for a short while, or raise Held."""
    fact = lock_fact(Fact.objects.visible(fact.owner), fact)
    refuse_held(fact.session or fact)
    _hide(fact)
    fact.save(update_fields=["deleted_at"])
    audit.record("fact.deleted", actor=fact.owner_id, subject=fact)


def keep_previous(fact: Fact) -> None:
    """Keep the values of a locked fact before a correction, hidden."""
    values = {name: getattr(fact, name) for name in (*SAID, *WHERE)}
    before = Fact(owner_id=fact.owner_id, valid_from=fact.valid_from, replaced_by=fact, **values)
    _hide(before)
    before.save(force_insert=True)


@one_transaction
def undo(owner: User, fact_id: UUID) -> Fact:
    """Restore a deleted fact, or the values before a correction.

    Raises Held, and NotFound for a fact that is deleted for good.
    """
    # The values before a correction have no end.
    rows = select_undoable_facts(owner).filter(
        Q(pk=fact_id) | Q(replaced_by=fact_id, valid_until=None)
    )
    before = rows.first()
    if before is None:
        raise NotFound
    before = lock_fact(select_undoable_facts(owner), before)
    is_unconfirmed = before.is_shared and before.state == Fact.State.FOUND
    # A withdrawal deletes it, even if its job hasn't reached it yet.
    if is_unconfirmed and not consent.allows(owner.pk, Purpose.RECALL):
        raise NotFound
    if before.replaced_by_id and before.valid_until is None:
        return _undo_correction(owner, before)
    before.deleted_at = None
    if before.valid_until is None and (newer := _find_newer_fact(before)):
        before.valid_until, before.replaced_by = newer.valid_from, newer
    before.save(update_fields=["deleted_at", "valid_until", "replaced_by"])
    audit.record("fact.restored", actor=owner.pk, subject=before)
    return before


@job(FINISH)
def finish(lease: Lease) -> None:
    """Delete a fact for good unless it was restored; a held one waits for the release."""
    fact = Fact.objects.filter(pk=lease.subject).exclude(deleted_at=None).first()
    if fact and fact.deleted_at and timezone.now() < fact.deleted_at + UNDO_TIME:
        with lease.finishing():  # it was restored, and deleted again
            enqueue(FINISH, fact.pk, owner=fact.owner_id, delay=UNDO_TIME)
        return
    is_held = False
    try:
        if fact:
            _finish(fact)
    except Held:
        is_held = True
    with lease.finishing():
        if is_held:
            postponed.wait(FINISH, lease.subject, person=lease.owner_id, actor=lease.owner_id)


@postponed.carries_out(FINISH)
def finish_later(fact_id: UUID, actor: UUID | None) -> None:
    """Delete a deferred fact; raises Held if a hold still covers it."""
    fact = Fact.objects.filter(pk=fact_id).exclude(deleted_at=None).first()
    if fact is None:
        raise NotFound
    _finish(fact)


def lock_fact(rows: FactQuerySet, fact: Fact) -> Fact:
    """Return the current fact, with its session and its person locked, or raise NotFound."""
    if fact.session_id:
        sessions = Session.objects.select_for_update().filter(pk=fact.session_id)
        if not sessions.exists():
            raise NotFound
    consent.lock_person(fact.owner_id)
    current = rows.select_related("owner", "session").filter(pk=fact.pk).first()
    if current is None:
        raise NotFound
    return current


def _hide(fact: Fact) -> None:
    fact.deleted_at = timezone.now()
    enqueue(FINISH, fact.pk, owner=fact.owner_id, delay=UNDO_TIME)


def _finish(fact: Fact) -> None:
    """Delete a hidden fact with the answers that used it, or raise Held."""
    refuse_held(fact.session or fact)
    delete_answers_with_facts([fact.pk])
    with transaction.atomic():
        consent.lock_person(fact.owner_id)
        refuse_held(fact.session or fact)
        gone, _by_model = Fact.objects.filter(pk=fact.pk).exclude(deleted_at=None).delete()
        if gone:
            delete_unfetched(fact.owner_id)
            ledger.note(Fact(pk=fact.pk))


def _undo_correction(owner: User, before: Fact) -> Fact:
    rows = Fact.objects.visible(owner).filter(replaces=before.pk)
    fact = rows.select_related("session").first()
    if fact is None:
        raise NotFound
    refuse_overwriting(fact.session or fact)
    for name in (*SAID, *WHERE):
        setattr(fact, name, getattr(before, name))
    fact.save()
    before.delete()
    audit.record("fact.restored", actor=owner.pk, subject=fact)
    return fact


def _find_newer_fact(fact: Fact) -> Fact | None:
    """Return the newer current fact on the same subject, if there is one."""
    rows = Fact.objects.visible(fact.owner).current().filter(kind=fact.kind)
    later = rows.filter(valid_from__gt=fact.valid_from, is_shared=fact.is_shared)
    if not fact.is_shared:
        later = later.filter(session=fact.session_id)
    return next((row for row in later.order_by("valid_from") if row.subject == fact.subject), None)
