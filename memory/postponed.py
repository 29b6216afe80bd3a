"""Deferred deletions, refused by a hold: kept as rows, carried out when the hold is released."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from memory import audit, jobs
from memory.errors import Held, NotFound
from memory.models import Job, LegalHold, WaitingDeletion

CARRY_OUT = jobs.register_kind("waiting_deletion", jobs.WorkClass.RIGHTS, jobs.AuditClass.ACTS)
# Interval of retries of a refused deletion without a hold on its target or its person: only the
# deletion itself finds holds on dependent rows.
TRIED_EVERY = timedelta(hours=1)
AT_ONCE = 1000

# Called with the target and the requester; may be called again, and raises NotFound without a
# target.
CarryOut = Callable[[UUID, UUID | None], None]
# Deletes a person's rows without a hold, and calls the pulse; returns whether any are left.
DeleteUnheld = Callable[[UUID, jobs.Pulse], bool]
_ways: dict[str, CarryOut] = {}
# The audit's action at the end of a deferral that isn't the deletion itself, since the requester
# has done nothing then.
_acts: dict[str, str] = {}


def carries_out(kind: str, *, act: str = "") -> Callable[[CarryOut], CarryOut]:
    """Register the function that carries out deferred deletions of the kind."""

    def register(function: CarryOut) -> CarryOut:
        _ways[kind] = function
        if act:
            _acts[kind] = act
        return function

    return register


def deletes_unheld(kind: str, *, for_person: bool) -> Callable[[DeleteUnheld], DeleteUnheld]:
    """Register a function that deletes a person's rows in a job; held rows are deferred.

    With `for_person`, the person counts as the author of the deferred deletion.
    """

    def register(function: DeleteUnheld) -> DeleteUnheld:
        @jobs.job(kind)
        def delete(lease: jobs.Lease) -> None:
            person = lease.subject
            is_kept = function(person, lease.pulse)
            with lease.finishing():
                if is_kept:
                    wait(kind, person, person=person, actor=person if for_person else None)

        @carries_out(kind)
        def delete_later(person: UUID, actor: UUID | None) -> None:
            if function(person, lambda: None):
                raise Held

        return function

    return register


def wait(kind: str, target_id: UUID, *, person: UUID | None, actor: UUID | None) -> WaitingDeletion:
    """Defer the deletion; a repeated request is the same deferral."""
    wish, is_new = WaitingDeletion.objects.open().get_or_create(
        kind=kind, target_id=target_id, defaults={"person_id": person, "actor_id": actor}
    )
    if is_new:
        audit.record("deletion.refused", actor=actor, subject=wish)
    return wish


def is_waiting(kind: str, target_id: UUID) -> bool:
    """Return whether the deletion of the target is deferred."""
    return WaitingDeletion.objects.open().filter(kind=kind, target_id=target_id).exists()


def carry_out_later(wishes: "list[WaitingDeletion]") -> None:
    """Enqueue these deletions, in the caller's transaction; those still held stay deferred."""
    for wish in wishes:
        jobs.enqueue(CARRY_OUT, wish.pk, owner=wish.person_id)


def resume() -> int:
    """Enqueue again the deletions that no hold defers any more; return how many.

    Their job was given up, or their hold was released just before they were noted.
    """
    # On the target itself, or on its person.
    on_person = Q(scope=LegalHold.Scope.PERSON, target_id=OuterRef("person_id"))
    holds = LegalHold.objects.active().filter(Q(target_id=OuterRef("target_id")) | on_person)
    # Jobs that will carry it out, or have just found it held.
    just_tried = Q(status=Job.Status.DONE, finished_at__gt=timezone.now() - TRIED_EVERY)
    tries = Job.objects.filter(kind=CARRY_OUT, subject=OuterRef("pk"))
    tries = tries.filter(Q(finished_at=None) | just_tried)
    lost = WaitingDeletion.objects.open().filter(~Exists(holds), ~Exists(tries))
    wishes = list(lost.order_by("asked_at")[:AT_ONCE])
    carry_out_later(wishes)
    return len(wishes)


@jobs.job(CARRY_OUT)
def carry_out(lease: jobs.Lease) -> None:
    """Carry out the deletion; one that another hold refuses stays deferred."""
    wish = WaitingDeletion.objects.open().filter(pk=lease.subject).first()
    is_gone = wish is not None
    try:
        if wish is not None:
            carry_out_now(wish.kind, wish.target_id, wish.actor_id)
    except Held:
        is_gone = False
    except NotFound:  # it was deleted otherwise
        pass
    with lease.finishing():
        if wish is not None and is_gone:
            WaitingDeletion.objects.filter(pk=wish.pk).update(carried_out_at=timezone.now())
            if act := _acts.get(wish.kind):
                audit.record(act, actor=None, subject=wish)
            else:
                audit.record("deletion.carried_out", actor=wish.actor_id, subject=wish)


def is_known(kind: str) -> bool:
    """Return whether a deletion is registered for such rows."""
    return kind in _ways


def carry_out_now(kind: str, target_id: UUID, actor: UUID | None) -> None:
    """Delete the target by the function of its kind; raises Held and NotFound."""
    _ways[kind](target_id, actor)
