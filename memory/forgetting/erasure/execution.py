"""The execution of a request for erasure, step by step; a killed step is repeated.

    samples     some of the text to be erased is copied, sealed under the request's own key
    shredding   an account's data key is destroyed and entered in the ledger, in one transaction
    deleting    rows are deleted, by the rules of the data map, in short transactions
    scrubbing   what the database keeps of deleted rows is overwritten or dropped
    scanning    rows, then all stores are searched; any find stops the erasure here
    closing     the samples and their key are deleted; their storage is scrubbed
    verified    the certificate is issued

The state is a column that moves by compare-and-set, so that only one of two workers moves it. An
account is shut at the beginning: no cookie and no token gives access, open answers lose their
attempts, and jobs their rows.
"""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NoReturn

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from memory import audit
from memory.forgetting.erasure import certificates, scrubbing
from memory.forgetting.erasure.people import (
    count_left,
    count_old_words,
    delete_everything,
    delete_person,
)
from memory.forgetting.erasure.requests import ERASE, waits_for_hold
from memory.forgetting.evidence import scanning
from memory.forgetting.evidence.sampling import Samples, take_samples
from memory.forgetting.evidence.scanning import Store
from memory.jobs import Lease, Pulse, enqueue, job
from memory.models import Attempt, Certificate, DataKey, ErasureRequest, Session, User
from memory.outages import retry_clash
from memory.personal_data.recipients import get_recipients
from memory.sealing import destroy_data_keys, shred

log = logging.getLogger(__name__)

Status, Scope = ErasureRequest.Status, ErasureRequest.Scope
# Delay of a retry: short if the database is busy; doubled each time if something was left.
BUSY, LEFT, LONGEST = timedelta(minutes=1), timedelta(minutes=10), timedelta(days=1)
# The storage of the samples and of their key.
SAMPLES_STOOD_IN = (ErasureRequest._meta.db_table, DataKey._meta.db_table)


class Delayed(Exception):
    """It can't continue now, for the reason of this code; nothing is lost."""

    def __init__(self, code: str, wait: timedelta) -> None:
        super().__init__(code)
        self.code = code
        self.wait = wait


@job(ERASE)
def erase(lease: Lease) -> None:
    """Carry the request out to its end, or postpone it."""
    request = ErasureRequest.objects.filter(pk=lease.subject).first()
    try:
        if request is not None:
            carry_out(request, pulse=lease.pulse)
    except Delayed as delayed:
        ErasureRequest.objects.filter(pk=lease.subject).update(delay=delayed.code)
        log.warning("erasure_delayed", extra={"request": str(lease.subject), "why": delayed.code})
        with lease.finishing():
            enqueue(ERASE, lease.subject, delay=delayed.wait)
        return
    with lease.finishing():
        pass


def carry_out(request: ErasureRequest, *, pulse: Pulse = lambda: None) -> None:
    """Do the remaining steps of a due request; `pulse` is called in each.

    Raises Delayed if a step can't be done now.
    """
    if request.status == Status.WAITING:
        _begin(request)
    steps: dict[str, Callable[[ErasureRequest, Pulse], None]] = {
        Status.SHREDDING: _shred,
        Status.DELETING: _delete,
        Status.SCRUBBING: _scrub,
        Status.SCANNING: _scan,
        Status.CLOSING: _close,
    }
    request.refresh_from_db()
    while (step := steps.get(request.status)) is not None:
        pulse()
        step(request, pulse)
        request.refresh_from_db()


def _move(request: ErasureRequest, to: str, **values: Any) -> bool:
    """Move from the request's status to the next; return whether this call moved it."""
    here = ErasureRequest.objects.filter(pk=request.pk, status=request.status)
    return bool(here.update(status=to, delay="", **values))


def _begin(request: ErasureRequest) -> None:
    person = User.objects.filter(pk=request.person_id).first()
    samples = take_samples(person, request.scope) if person else Samples()
    field = ErasureRequest._meta.get_field("samples")
    sealed = field.seal_value(request, samples.serialize())
    retry_clash(lambda: _note_beginning(request, samples, sealed))


def _note_beginning(request: ErasureRequest, samples: Samples, sealed: object) -> None:
    with transaction.atomic():
        # Before the person's row, as everywhere: recording an answer locks in this order.
        open_attempts = Attempt.objects.filter(owner=request.person_id, finished_at=None)
        sessions = Session.objects.filter(pk__in=open_attempts.values("turn__session"))
        list(sessions.order_by("pk").select_for_update().values_list("pk", flat=True))
        if waits_for_hold(request):
            return
        now = timezone.now()
        taken = {
            "samples": sealed,
            "sample_count": len(samples),
            "started_at": now,
            "recipients": get_recipients(request.person_id),
        }
        if not _move(request, Status.SHREDDING, **taken):
            return
        audit.record("erasure.begun", actor=request.actor_id, subject=request)
        if request.scope == Scope.ACCOUNT:
            User.objects.filter(pk=request.person_id).update(is_active=False)
        # An answering process finds that its attempt is gone.
        open_attempts.delete()


def _shred(request: ErasureRequest, pulse: Pulse) -> None:
    if request.scope == Scope.ACCOUNT:
        shred(request.person_id, request=request.pk)
        _move(request, Status.DELETING, shredded_at=timezone.now())
    else:  # the account lives on, and so does its key
        _move(request, Status.DELETING)


def _delete(request: ErasureRequest, pulse: Pulse) -> None:
    def count(gone: Counter[str]) -> None:
        row = ErasureRequest.objects.select_for_update().get(pk=request.pk)
        row.counts = dict(Counter(row.counts) + gone)
        row.save(update_fields=["counts"])
        pulse()

    if request.scope == Scope.ACCOUNT:
        delete_person(request.person_id, count=count)
        # A process with the key in memory may have made a new one for its last writes.
        destroy_data_keys(request.person_id)
    else:
        delete_everything(request.person_id, count=count)
    with transaction.atomic():
        if _move(request, Status.SCRUBBING, deleted_at=timezone.now()):
            audit.record("erasure.deleted", actor=request.actor_id, subject=request)


def _scrub(request: ErasureRequest, pulse: Pulse) -> None:
    # Finds of a search may be in tables that should hold no rows of people.
    done = _scrub_storage(pulse, tables=scrubbing.list_all_tables() if request.finds else None)
    _move(request, Status.SCANNING, scrubbed=done, scrubbed_at=timezone.now())


def _scrub_storage(pulse: Pulse, **only: Any) -> list[str]:
    try:
        return scrubbing.scrub(pulse, **only)
    except scrubbing.Busy as busy:
        raise Delayed("database_busy", BUSY) from busy


def _scan(request: ErasureRequest, pulse: Pulse) -> None:
    if request.scope == Scope.ACCOUNT:
        rows = count_left(request.person_id)
    else:
        rows = count_old_words(request.person_id, request.started_at or timezone.now())
    if rows:
        found = [Store(f"rows of {model}", found=count) for model, count in rows.items()]
        _retry_from_step(request, Status.DELETING, found)
    samples = Samples.deserialize(request.samples)
    not_ours = {store["store"]: store.get("not_ours", []) for store in request.searched}
    searched = scanning.search(samples, not_ours=not_ours, pulse=pulse) if samples else []
    if any(store.found and store.is_database for store in searched):
        # A row was written meanwhile, or left: overwrite and search once more.
        _retry_from_step(request, Status.SCRUBBING, searched)
    if any(store.found for store in searched):
        # Scrubbing doesn't reach it: an operator has to delete or exclude the file.
        _retry_from_step(request, Status.SCANNING, searched)
    _move(request, Status.CLOSING, searched=[store.serialize() for store in searched])


def _retry_from_step(request: ErasureRequest, to: str, searched: list[Store]) -> NoReturn:
    """Note the stores with leftovers, and continue from that step later."""
    report = [store.serialize() for store in searched]
    _move(request, to, searched=report, finds=F("finds") + 1)
    raise Delayed("something_left", min(LEFT * 2 ** min(request.finds, 20), LONGEST))


def _close(request: ErasureRequest, pulse: Pulse) -> None:
    ErasureRequest.objects.filter(pk=request.pk, status=request.status).update(samples=None)
    destroy_data_keys(request.pk)
    _scrub_storage(pulse, tables=SAMPLES_STOOD_IN)
    with transaction.atomic():
        if not _move(request, Status.VERIFIED, verified_at=timezone.now()):
            return
        request.refresh_from_db()
        event = audit.record("erasure.verified", actor=request.actor_id, subject=request)
        if not Certificate.objects.filter(request=request).exists():
            certificates.issue(request, event)
