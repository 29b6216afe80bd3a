"""Deletions that a hold has refused: kept as rows, carried out when the hold is released."""

from collections.abc import Callable
from uuid import UUID

from django.utils import timezone

from memory import audit, jobs
from memory.errors import Held, NotFound
from memory.models import WaitingDeletion

# Told the target and who wished it; may be called again, and raises NotFound for what is gone.
CarryOut = Callable[[UUID, UUID | None], None]
_ways: dict[str, CarryOut] = {}


def carries_out(kind: str) -> Callable[[CarryOut], CarryOut]:
    """Register the function that deletes what waiting deletions of the kind name."""

    def register(function: CarryOut) -> CarryOut:
        _ways[kind] = function
        return function

    return register


def wait(kind: str, target_id: UUID, *, person: UUID | None, actor: UUID | None) -> WaitingDeletion:
    """Note the wish; asking again for what waits already is the same wish."""
    wish, is_new = WaitingDeletion.objects.open().get_or_create(
        kind=kind, target_id=target_id, defaults={"person_id": person, "actor_id": actor}
    )
    if is_new:
        audit.record("deletion.refused", actor=actor, subject=wish)
    return wish


def is_waiting(kind: str, target_id: UUID) -> bool:
    """Tell whether the deletion of the target waits for the end of a hold."""
    return WaitingDeletion.objects.open().filter(kind=kind, target_id=target_id).exists()


def carry_out_later(wishes: "list[WaitingDeletion]") -> None:
    """Ask for these deletions, in the caller's transaction; what is still held goes on waiting."""
    for wish in wishes:
        jobs.enqueue("waiting_deletion", wish.pk)


@jobs.job("waiting_deletion")
def carry_out(lease: jobs.Lease) -> None:
    """Do what was wished; a deletion that another hold refuses stays as it is."""
    wish = WaitingDeletion.objects.open().filter(pk=lease.subject).first()
    is_gone = wish is not None and _carried_out(wish)
    with lease.finishing():
        if wish is not None and is_gone:
            WaitingDeletion.objects.filter(pk=wish.pk).update(carried_out_at=timezone.now())
            audit.record("deletion.carried_out", actor=wish.actor_id, subject=wish)


def is_known(kind: str) -> bool:
    """Tell whether there is a way to delete such rows."""
    return kind in _ways


def carry_out_now(kind: str, target_id: UUID, actor: UUID | None) -> None:
    """Delete the target as its kind is deleted; raises Held and NotFound."""
    _ways[kind](target_id, actor)


def _carried_out(wish: WaitingDeletion) -> bool:
    try:
        _ways[wish.kind](wish.target_id, wish.actor_id)
    except Held:
        return False
    except NotFound:  # it went some other way
        return True
    return True
