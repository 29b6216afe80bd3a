"""Carrying out a request for erasure, step by step; each can be killed, and is done again.

    samples     pieces of the person's own text are taken, sealed under the request's own key
    shredding   an account's data key is destroyed, and the ledger says so, in one transaction
    deleting    rows go, by the rules of the data map, in short transactions
    scrubbing   what the database keeps of deleted rows is overwritten or dropped
    scanning    all stores are searched for the samples; only with nothing found is it verified
    verified    the certificate is issued, the samples go, and the key they were under

The state is a column that moves by compare-and-set, so that of two workers at one request only one
moves it. An account is shut at the beginning: no cookie and no token lets anyone in, open answers
lose their attempts, jobs their rows.
"""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from memory import audit
from memory.forgetting import certificates, scanning, scrubbing
from memory.forgetting.persons import delete_everything, delete_person
from memory.forgetting.requests import ERASE, may_begin
from memory.forgetting.sampling import samples_of
from memory.jobs import Lease, enqueue, job
from memory.models import Attempt, Certificate, ErasureRequest, User
from memory.sealing import destroy_data_keys, shred

log = logging.getLogger(__name__)

Status, Scope = ErasureRequest.Status, ErasureRequest.Scope
Pulse = Callable[[], None]
# When to look again at a request that can't go on, by the reason.
AGAIN_AFTER = {
    "database_busy": timedelta(minutes=1),
    "something_left": timedelta(minutes=10),
}


class Delayed(Exception):
    """It can't go on now, for the reason of this code; nothing is lost."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@job(ERASE)
def erase(lease: Lease) -> None:
    """Do the job: carry the request out to its end, or come back to it later."""
    request = ErasureRequest.objects.filter(pk=lease.subject).first()
    try:
        if request is not None:
            carry_out(request, pulse=lease.hold)
    except Delayed as delayed:
        ErasureRequest.objects.filter(pk=lease.subject).update(delay=delayed.code)
        log.warning("erasure_delayed", extra={"request": str(lease.subject), "why": delayed.code})
        with lease.finishing():
            enqueue(ERASE, lease.subject, delay=AGAIN_AFTER[delayed.code])
        return
    with lease.finishing():
        pass


def carry_out(request: ErasureRequest, *, pulse: Pulse = lambda: None) -> None:
    """Do the steps that are left of a request that is due; `pulse` hears of each.

    Raises Delayed if a step can't be done now.
    """
    if request.status == Status.WAITING:
        _begin(request)
    steps: dict[str, Callable[[ErasureRequest, Pulse], None]] = {
        Status.SHREDDING: _shred,
        Status.DELETING: _delete,
        Status.SCRUBBING: _scrub,
        Status.SCANNING: _scan,
    }
    while (step := steps.get(_status_of(request))) is not None:
        pulse()
        step(request, pulse)


def _status_of(request: ErasureRequest) -> str:
    request.refresh_from_db()
    return request.status


def _move(request: ErasureRequest, to: str, **values: Any) -> bool:
    """Move from the request's status to the next; tell whether it was ours to move."""
    here = ErasureRequest.objects.filter(pk=request.pk, status=request.status)
    return bool(here.update(status=to, delay="", **values))


def _begin(request: ErasureRequest) -> None:
    person = User.objects.filter(pk=request.person_id).first()
    samples = samples_of(person, request.scope) if person else []
    request.samples = samples
    sealed = ErasureRequest._meta.get_field("samples").sealed_for(request, samples)
    with transaction.atomic():
        if not may_begin(request):
            return
        now = timezone.now()
        taken = {"samples": sealed, "sample_count": len(samples), "started_at": now}
        if not _move(request, Status.SHREDDING, **taken):
            return
        audit.record("erasure.begun", actor=request.actor_id, subject=request)
        if request.scope == Scope.ACCOUNT:
            User.objects.filter(pk=request.person_id).update(is_active=False)
        # Whoever is writing an answer finds that the attempt is gone.
        Attempt.objects.filter(owner=request.person_id, finished_at=None).delete()


def _shred(request: ErasureRequest, pulse: Pulse) -> None:
    if request.scope == Scope.ACCOUNT:
        shred(request.person_id, request=request.pk)
        _move(request, Status.DELETING, shredded_at=timezone.now())
    else:  # the account lives on, and with it the key of what it will say
        _move(request, Status.DELETING)


def _delete(request: ErasureRequest, pulse: Pulse) -> None:
    def counted(gone: Counter[str]) -> None:
        row = ErasureRequest.objects.select_for_update().get(pk=request.pk)
        row.counts = dict(Counter(row.counts) + gone)
        row.save(update_fields=["counts"])
        pulse()

    if request.scope == Scope.ACCOUNT:
        delete_person(request.person_id, counted=counted)
        # A process that had the key in memory may have made a new one for what it wrote last.
        destroy_data_keys(request.person_id)
    else:
        delete_everything(request.person_id, counted=counted)
    with transaction.atomic():
        if _move(request, Status.SCRUBBING, deleted_at=timezone.now()):
            audit.record("erasure.deleted", actor=request.actor_id, subject=request)


def _scrub(request: ErasureRequest, pulse: Pulse) -> None:
    try:
        done = scrubbing.scrub(pulse)
    except scrubbing.Busy as busy:
        raise Delayed("database_busy") from busy
    _move(request, Status.SCANNING, scrubbed=done, scrubbed_at=timezone.now())


def _scan(request: ErasureRequest, pulse: Pulse) -> None:
    searched = scanning.search(request.samples or [], pulse=pulse)
    report = [store.as_json() for store in searched]
    if any(store.found for store in searched):
        # Something was written meanwhile, or left: overwrite and search once more.
        _move(request, Status.SCRUBBING, searched=report)
        raise Delayed("something_left")
    _verify(request, report)


def _verify(request: ErasureRequest, searched: list[dict[str, Any]]) -> None:
    with transaction.atomic():
        values = {"searched": searched, "verified_at": timezone.now(), "samples": None}
        if not _move(request, Status.VERIFIED, **values):
            return
        request.refresh_from_db()
        event = audit.record("erasure.verified", actor=request.actor_id, subject=request)
        if not Certificate.objects.filter(request=request).exists():
            certificates.issue(request, event)
    destroy_data_keys(request.pk)
