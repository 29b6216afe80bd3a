"""Automatic ends of facts.

They end with the withdrawal of a consent, at their expiry, with their turn, or beyond their limit.
"""

from collections.abc import Callable, Collection
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from memory.errors import Held
from memory.holds import find_held, is_held
from memory.jobs import AuditClass, Pulse, WorkClass, enqueue, register_kind
from memory.jobs.batches import delete_in_batches, delete_whole, run_each_alone
from memory.models import Consent, Fact, LegalHold, Purpose, Session
from memory.outages import retry_clash
from memory.personal_data.consent import DELETE_FACTS
from memory.postponed import deletes_unheld

TRIM_FACTS = register_kind("trim_facts", WorkClass.RIGHTS, AuditClass.RECORDED)
BATCH = 200
# Most facts of a person: noticed ones; and confirmed ones, with those that newer ones replaced.
MOST_FOUND = MOST_CONFIRMED = 300
FactOfSession = tuple[UUID, UUID | None]
# Called before facts are deleted, outside of transactions; raises Held if they must stay.
BeforeFactsGo = Callable[[Collection[UUID]], None]
_before_facts: list[BeforeFactsGo] = []


def goes_before_facts(function: BeforeFactsGo) -> BeforeFactsGo:
    """Register a function that deletes the answers that used facts, before these are deleted."""
    _before_facts.append(function)
    return function


def delete_answers_with_facts(fact_ids: Collection[UUID]) -> None:
    """Delete the answers that used these facts, or raise Held."""
    for function in _before_facts:
        function(fact_ids)


@deletes_unheld(DELETE_FACTS, for_person=True)
def delete_unconfirmed(owner_id: UUID, pulse: Pulse) -> bool:
    """Delete a person's unconfirmed facts from under a withdrawn consent.

    Facts that a legal hold keeps are meanwhile unused.
    """
    consents = Consent.objects.filter(owner_id=owner_id, purpose=Purpose.RECALL, given=False)
    withdrawn = consents.order_by("-number").values_list("at", flat=True).first()
    if withdrawn is None:
        return False
    rows = Fact.objects.filter(
        owner=owner_id, is_shared=True, state=Fact.State.FOUND, valid_from__lte=withdrawn
    )
    is_kept, after = False, None
    while batch := _read_next_batch(rows, after):
        is_kept |= _delete_unheld(owner_id, batch)
        after = batch[-1][0]
        pulse()
    return is_kept


def purge_expired() -> int:
    """Delete the expired confirmed facts, except those of people under a hold.

    Each person's facts are deleted separately, so that one failure doesn't block others.
    """
    # Excluded in the query: people under a long hold would block the batch.
    is_held = LegalHold.objects.active().filter(person_id=OuterRef("owner"))
    free = Fact.objects.expired().filter(~Exists(is_held)).order_by()
    owners = list(free.values_list("owner", flat=True).distinct()[:BATCH])
    gone, _raised = run_each_alone(
        lambda owner: retry_clash(partial(_delete_expired, owner)), owners, "facts_not_purged"
    )
    return gone


def _delete_expired(owner_id: UUID) -> int:
    rows = Fact.objects.expired().filter(owner=owner_id).order_by("pk")
    ids = list(rows.values_list("pk", flat=True)[:BATCH])
    try:
        delete_answers_with_facts(ids)
    except Held:  # a concurrent hold: the next sweep tries again
        return 0
    return delete_in_batches(rows.filter(pk__in=ids))


def make_room(owner_id: UUID) -> None:
    """Enqueue the deletion of facts beyond the limit, after the caller's transaction.

    Answers that used them are deleted first, in transactions of their own.
    """
    if _list_excess_facts(owner_id):
        enqueue(TRIM_FACTS, owner_id, owner=owner_id)


@deletes_unheld(TRIM_FACTS, for_person=False)
def trim(owner_id: UUID, pulse: Pulse) -> bool:
    """Delete the facts of a person beyond the limit."""
    over, is_kept = _list_excess_facts(owner_id), False
    for start in range(0, len(over), BATCH):
        is_kept |= _delete_unheld(owner_id, over[start : start + BATCH])
        pulse()
    return is_kept


def _list_excess_facts(owner_id: UUID) -> list[FactOfSession]:
    """Return the facts over the limits: noticed ones first, and the oldest past confirmed ones."""
    mine = Fact.objects.filter(owner=owner_id)
    found = mine.filter(state=Fact.State.FOUND).order_by("-valid_from", "-id")
    confirmed = mine.filter(state=Fact.State.CONFIRMED)
    past = confirmed.exclude(valid_until=None).order_by("valid_from", "id")
    excess = max(confirmed.count() - MOST_CONFIRMED, 0)
    both = (found[MOST_FOUND:], past[:excess])
    return [row for rows in both for row in rows.values_list("pk", "session_id")]


def restore_replaced(which: Q) -> None:
    """Make facts current again that were replaced by facts about to be deleted.

    A deletion takes the statement back; a fact that merely expires stays replaced.
    """
    going = Fact.objects.filter(which).values("pk")
    Fact.objects.filter(replaced_by__in=going).update(valid_until=None, replaced_by=None)


def _read_next_batch(rows: "QuerySet[Fact]", after: UUID | None) -> list[FactOfSession]:
    rows = rows.filter(pk__gt=after) if after else rows
    return list(rows.order_by("pk").values_list("pk", "session_id")[:BATCH])


def _delete_unheld(owner_id: UUID, batch: Collection[FactOfSession]) -> bool:
    """Delete the facts without a hold; return whether there are others."""
    sessions = {session for _pk, session in batch if session}
    kept = _find_held_sessions(owner_id, sessions)
    try:
        delete_answers_with_facts([pk for pk, session in batch if session not in kept])
    except Held:  # on an answer that used one of them
        return True
    with transaction.atomic():
        locked = Session.objects.filter(pk__in=sessions).order_by("pk").select_for_update()
        list(locked.values_list("pk", flat=True))
        kept |= _find_held_sessions(owner_id, sessions)
        delete_whole(Fact, [pk for pk, session in batch if session not in kept])
    return any(session in kept for _pk, session in batch)


def _find_held_sessions(owner_id: UUID, sessions: Collection[UUID]) -> set[UUID | None]:
    """Return the held ones of the sessions; None stands for facts without a session."""
    kept: set[UUID | None] = {*find_held(sessions)}
    return kept | {None} if is_held(Fact(owner_id=owner_id)) else kept
