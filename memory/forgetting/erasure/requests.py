"""Requests for erasure: made, confirmed after a fresh sign-in, then waiting.

Between confirmation and execution lies the grace period (ERASURE_GRACE), in which the person can
cancel. A legal hold on anything of theirs delays it until the hold's release. The execution is in
memory.forgetting.erasure.execution.
"""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from itertools import islice
from secrets import token_urlsafe
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy

from memory import audit, holds, postponed
from memory.errors import Held, NotFound, Refusal
from memory.jobs import AuditClass, WorkClass, enqueue, register_kind
from memory.models import DataKey, ErasureRequest, Job, User

# No owner: the job outlives its person.
ERASE = register_kind("erase", WorkClass.RIGHTS, AuditClass.ACTS)
UNCONFIRMED_LIFETIME = timedelta(days=1)
# Longest search for keys, even if taking samples is delayed.
KEYS_SOUGHT = timedelta(days=7)
BATCH = 500
Status, Scope = ErasureRequest.Status, ErasureRequest.Scope


class AskedAlready(Refusal):
    code = "erasure_asked_already"
    says = gettext_lazy("There is a request for erasure already.")


class TooLate(Refusal):
    code = "erasure_under_way"
    says = gettext_lazy("The erasure is under way and can't be cancelled.")


class ConfirmedAlready(Refusal):
    """A program can't cancel an erasure that its person has confirmed: its token may be stolen."""

    code = "erasure_confirmed"
    says = gettext_lazy("It is confirmed. Cancel it in your account: Your data, Erase.")


def ask(person: User, scope: str, *, actor: UUID | None) -> ErasureRequest:
    """Store the request, to be confirmed; raises AskedAlready if there is one."""
    try:
        with transaction.atomic():
            request = ErasureRequest.objects.create(
                person_id=person.pk, actor_id=actor, scope=Scope(scope)
            )
            audit.record("erasure.asked", actor=actor, subject=request)
    except IntegrityError as error:
        raise AskedAlready from error
    return request


def confirm(request: ErasureRequest, *, actor: UUID | None, at_once: bool = False) -> str:
    """Begin the grace period; return the token under which anyone can follow the request.

    Only its hash is stored. A hold postpones it instead, as its status shows.
    """
    token, now = token_urlsafe(32), timezone.now()
    grace = timedelta(0) if at_once else timedelta(seconds=settings.ERASURE_GRACE)
    with transaction.atomic():
        is_held = _is_held(request)  # before the request's own row is locked, as at its beginning
        unconfirmed = ErasureRequest.objects.filter(pk=request.pk, status=Status.UNCONFIRMED)
        if not unconfirmed.update(
            status=Status.WAITING, confirmed_at=now, due_at=now + grace, link_hash=hash_token(token)
        ):
            raise TooLate
        audit.record("erasure.confirmed", actor=actor, subject=request)
        if is_held:
            _let_wait(request)
        else:
            enqueue(ERASE, request.pk, delay=grace)
    request.refresh_from_db()
    return token


def cancel(request: ErasureRequest, *, actor: UUID | None) -> None:
    """Cancel the request, or raise TooLate."""
    if not _cancel_request(request, Status.stoppable(), actor):
        raise TooLate


def cancel_unconfirmed(request: ErasureRequest, *, actor: UUID) -> None:
    """Cancel the request for a program, or raise ConfirmedAlready or TooLate."""
    if not _cancel_request(request, [Status.UNCONFIRMED], actor):
        raise ConfirmedAlready if request.is_stoppable else TooLate


def set_aside(request: ErasureRequest, files: Sequence[tuple[str, str]], *, actor: UUID) -> None:
    """Exclude these files of stores from the search, since an operator declares them foreign.

    Only files with finds can be excluded; raises NotFound if there is none of them now.
    """
    with transaction.atomic():
        row = ErasureRequest.objects.running().select_for_update().filter(pk=request.pk).first()
        named = set(files) & set(list_found_files(row)) if row else set()
        if row is None or not named:
            raise NotFound
        for store in row.searched:
            others = [file for place, file in named if place == store["store"]]
            if others:
                store["not_ours"] = sorted({*store.get("not_ours", []), *others})
        row.save(update_fields=["searched"])
        audit.record("erasure.files_set_aside", actor=actor, subject=request)
        waiting = Job.objects.filter(kind=ERASE, subject=request.pk, status=Job.Status.WAITING)
        waiting.update(due_at=timezone.now())


def list_found_files(request: ErasureRequest) -> list[tuple[str, str]]:
    """Return the files, with their store, with finds of the last search."""
    stores = [store for store in request.searched if request.is_open and store.get("found")]
    found = [(store["store"], file) for store in stores for file in store.get("files", [])]
    set_apart = {(s["store"], file) for s in stores for file in s.get("not_ours", [])}
    return [each for each in found if each not in set_apart]


def _cancel_request(request: ErasureRequest, statuses: Sequence[str], actor: UUID | None) -> bool:
    with transaction.atomic():
        here = ErasureRequest.objects.filter(pk=request.pk, status__in=statuses)
        is_ours = here.update(status=Status.CANCELLED, cancelled_at=timezone.now())
        if is_ours:
            audit.record("erasure.cancelled", actor=actor, subject=request)
            Job.objects.filter(kind=ERASE, subject=request.pk).delete()
    request.refresh_from_db()
    return bool(is_ours)


def waits_for_hold(request: ErasureRequest) -> bool:
    """Return whether a hold covers the request's data, and postpone it then; in a transaction."""
    if is_held := _is_held(request):
        _let_wait(request)
    return is_held


def _is_held(request: ErasureRequest) -> bool:
    """Return whether a hold covers the request's data; a locked row prevents new holds."""
    person = User.objects.select_for_update().filter(pk=request.person_id).first()
    return person is not None and holds.is_held(person)


def _let_wait(request: ErasureRequest) -> None:
    ErasureRequest.objects.filter(pk=request.pk).update(status=Status.HELD)
    postponed.wait("erasure", request.pk, person=request.person_id, actor=request.actor_id)


# This erases nothing: the grace period continues.
@postponed.carries_out("erasure", act="erasure.freed_of_hold")
def begin_later(request_id: UUID, actor: UUID | None) -> None:
    """Let a request that a hold had postponed begin; raises Held and NotFound."""
    with transaction.atomic():
        held = ErasureRequest.objects.select_for_update().filter(pk=request_id, status=Status.HELD)
        request = held.first()
        if request is None:
            raise NotFound
        person = User.objects.filter(pk=request.person_id).first()
        if person and holds.is_held(person):
            raise Held
        # The release doesn't shorten the grace period.
        now = timezone.now()
        due = max(request.due_at or now, now)
        held.update(status=Status.WAITING, due_at=due)
        enqueue(ERASE, request_id, delay=due - now)


def get_open_request(person: User) -> ErasureRequest | None:
    """Return the person's request that is neither done nor cancelled."""
    return ErasureRequest.objects.owned(person).open().first()


def get_waiting_request(person: User) -> ErasureRequest | None:
    """Return the person's confirmed request that hasn't begun, and can be cancelled."""
    confirmed = [Status.WAITING, Status.HELD]
    return ErasureRequest.objects.owned(person).filter(status__in=confirmed).first()


def list_requests(person: User) -> list[ErasureRequest]:
    """Return the person's requests, newest first, with their certificates."""
    rows = ErasureRequest.objects.owned(person).select_related("certificate")
    return list(rows.order_by("-requested_at")[:50])


def find_by_token(token: str) -> ErasureRequest:
    """Return the request with the token, or raise NotFound."""
    rows = ErasureRequest.objects.select_related("certificate").exclude(link_hash="")
    request = rows.filter(link_hash=hash_token(token)).first()
    if request is None:
        raise NotFound
    return request


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def resume() -> int:
    """Enqueue lost jobs of requests again; cancel requests that were not confirmed in time."""
    # Keys of samples, left by requests that ended while samples were being taken.
    ended = ErasureRequest.objects.ended_lately(timezone.now() - KEYS_SOUGHT)
    requests = ended.values_list("pk", flat=True).iterator(chunk_size=BATCH)
    while some := list(islice(requests, BATCH)):
        DataKey.objects.filter(owner_id__in=some).delete()
    stale = ErasureRequest.objects.filter(
        status=Status.UNCONFIRMED, requested_at__lt=timezone.now() - UNCONFIRMED_LIFETIME
    )
    stale.update(status=Status.CANCELLED, cancelled_at=timezone.now())
    at_work = Job.objects.unfinished().filter(kind=ERASE, subject=OuterRef("pk"))
    due = ErasureRequest.objects.filter(status=Status.WAITING, due_at__lte=timezone.now())
    lost = (ErasureRequest.objects.running() | due).filter(~Exists(at_work))
    ids = list(lost.values_list("pk", flat=True))
    for pk in ids:
        enqueue(ERASE, pk)
    return len(ids)
