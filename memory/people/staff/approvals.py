"""Approval by a second person: an act is stored, and runs when another admin has approved it.

SECOND_APPROVAL names the kinds of acts that need it; others run at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from memory import audit
from memory.audit import circumstances
from memory.audit.integrity.holders import GIVEN
from memory.errors import AwaitingApproval, NotFound, Refusal
from memory.models import AuditEvent, PendingAct, User
from memory.outages import one_transaction
from memory.people.staff.mailing import mail_person
from memory.people.staff.operators import find_operator

KINDS = ("break_glass", "erasure", "holds", "policies")
Status = PendingAct.Status
SHOWN = 20
# Minimum age of rights: an account that was just given rights can't approve an act.
SETTLED = timedelta(hours=24)


@dataclass(frozen=True)
class Asked:
    """An act as it runs: its target, its parameters, its author and its approver."""

    target_id: UUID
    parameters: dict[str, Any]
    by: User
    approved_by: UUID | None = None


Run = Callable[[Asked], Any]
_runs: dict[str, tuple[str, Any, Run]] = {}


class OwnRequest(Refusal):
    code = "own_request"
    says = gettext_lazy("Another person has to approve your request.")


class RightNew(Refusal):
    code = "right_new"
    says = gettext_lazy(
        "Your rights changed less than 24 hours before this was asked for. Another person has to "
        "approve it."
    )


class RightLost(Refusal):
    code = "right_lost"
    says = gettext_lazy(
        "The person who asked no longer has the right to do it, so it was not done."
    )


class AskerUnknown(Refusal):
    code = "asker_unknown"
    says = gettext_lazy("SECOND_APPROVAL is set: name an admin who may do this, with --operator.")


class Decided(Refusal):
    code = "decided"
    says = gettext_lazy("The request is closed: it was decided, or its 24 hours are over.")


def approvable(name: str, *, kind: str, title: Any) -> Callable[[Run], Run]:
    """Register the function that runs an act; it raises NotFound if the target is deleted."""

    def register(run: Run) -> Run:
        _runs[name] = kind, title, run
        return run

    return register


def get_title(name: str) -> str:
    """Return the act's title."""
    return str(_runs[name][1]) if name in _runs else name


def is_needed(name: str) -> bool:
    """Return whether the act waits for a second person."""
    return _runs[name][0] in settings.SECOND_APPROVAL


def submit(name: str, target_id: UUID, *, by: User, right: str, **parameters: Any) -> Any:
    """Run the act and return its result, or store it and raise AwaitingApproval."""
    if not is_needed(name):
        return _runs[name][2](Asked(target_id, parameters, by))
    ask(name, target_id, by=by, right=right, **parameters)
    raise AwaitingApproval


def find_asker(username: str, *, right: str) -> User:
    """Find the admin in whose name a command requests an act; raises AskerUnknown."""
    by = User.objects.filter(username=username, is_active=True, is_staff=True).first()
    if by is None or not by.has_perm(right):
        raise AskerUnknown
    return by


@one_transaction
def ask(name: str, target_id: UUID, *, by: User, right: str, **parameters: Any) -> None:
    """Store the act, unless the same one by the same author is waiting."""
    asked = PendingAct.objects.waiting().filter(act=name, requested_by_id=by.pk)
    # With other terms it is another act: another conversation, or a second hold.
    if any(row.parameters == parameters for row in asked.filter(target_id=target_id)):
        return
    pending = PendingAct(act=name, right=right, target_id=target_id, requested_by_id=by.pk)
    pending.parameters = parameters
    pending.save(force_insert=True)
    audit.record("approval.asked", actor=by.pk, subject=pending, operator=find_operator())


def find_approver(name: str, *, by: User, within: timedelta) -> UUID | None:
    """Find the approver of the person's recent act."""
    approved = PendingAct.objects.filter(act=name, requested_by_id=by.pk, status=Status.APPROVED)
    lately = approved.filter(decided_at__gt=timezone.now() - within).order_by("-decided_at")
    return lately.values_list("decided_by_id", flat=True).first()


def approve(pending: PendingAct, *, approver: User) -> Any:
    """Run the act as its author, once; raises Refusal where it can't be done."""
    _decide(pending, approver, Status.APPROVED)
    # Each row of the act names its author as the actor, and its approver.
    with circumstances.represent(approver.pk):
        try:
            return _run(pending, approver)
        except BaseException:
            _note_failure(pending, approver)
            raise
        finally:
            _mail_asker(pending)


def _run(pending: PendingAct, approver: User) -> Any:
    by = User.objects.filter(pk=pending.requested_by_id, is_active=True, is_staff=True).first()
    if by is None or not by.has_perm(pending.right):
        raise RightLost
    run = _runs[pending.act][2]
    return run(Asked(pending.target_id, pending.parameters, by, approver.pk))


def refuse(pending: PendingAct, *, approver: User) -> None:
    """Refuse the act; its author may withdraw it this way."""
    _decide(pending, approver, Status.REFUSED)
    _mail_asker(pending)


def end_overdue() -> None:
    """Let overdue acts lapse, and notify their authors."""
    for pending in PendingAct.objects.overdue():
        with transaction.atomic():
            ended = PendingAct.objects.overdue().filter(pk=pending.pk)
            if not ended.update(status=Status.LAPSED, is_news=True):
                continue
            audit.record("approval.lapsed", actor=None, subject=pending)
        _mail_asker(pending)


def _decide(pending: PendingAct, approver: User, status: str) -> None:
    if refusal := _find_refusal(pending, approver, status):
        with transaction.atomic():
            denied = AuditEvent.Outcome.DENIED
            audit.record(f"approval.{status}", actor=approver.pk, subject=pending, outcome=denied)
        raise refusal
    _store_decision(pending, approver, status)


def _find_refusal(pending: PendingAct, approver: User, status: str) -> type[Refusal] | None:
    is_approval = status == Status.APPROVED
    if is_approval and pending.requested_by_id == approver.pk:
        return OwnRequest
    if not approver.has_perm(pending.right):
        return NotFound
    return RightNew if is_approval and _has_new_rights(approver, pending.requested_at) else None


def _has_new_rights(person: User, moment: datetime) -> bool:
    """Return whether rights of the person or their roles changed shortly before the moment."""
    groups = person.groups.values_list("pk", flat=True)
    holders = [person.pk, *(UUID(int=key) for key in groups)]
    changed = AuditEvent.objects.filter(subject_id__in=holders, action__in=GIVEN)
    return changed.newer(moment - SETTLED).exists()


@one_transaction
def _store_decision(pending: PendingAct, approver: User, status: str) -> None:
    waiting = PendingAct.objects.waiting().filter(pk=pending.pk)
    is_news = pending.requested_by_id != approver.pk
    decision = {"decided_by_id": approver.pk, "decided_at": timezone.now(), "is_news": is_news}
    if not waiting.update(status=status, **decision):
        raise Decided
    with circumstances.represent(pending.requested_by_id):
        audit.record(f"approval.{status}", actor=approver.pk, subject=pending)


@one_transaction
def _note_failure(pending: PendingAct, approver: User) -> None:
    PendingAct.objects.filter(pk=pending.pk).update(status=Status.FAILED)
    failed = AuditEvent.Outcome.FAILED
    audit.record("approval.done", actor=approver.pk, subject=pending, outcome=failed)


# --- Notices to authors ---------------------------------------------------------------------------


def take_news(asker: User) -> list[str]:
    """Return the results of the person's requested acts, each once."""
    news = PendingAct.objects.filter(requested_by_id=asker.pk, is_news=True).order_by("id")
    ended = list(news[:SHOWN])
    news.filter(pk__in=[pending.pk for pending in ended]).update(is_news=False)
    return [_describe_end(pending) for pending in ended]


def _mail_asker(pending: PendingAct) -> None:
    ended = PendingAct.objects.filter(pk=pending.pk, is_news=True).first()
    asker = User.objects.filter(pk=pending.requested_by_id).first()
    if ended and asker:
        mail_person(asker, gettext_lazy("Your request"), partial(_describe_end, ended))


def _describe_end(pending: PendingAct) -> str:
    terms = {"act": get_title(pending.act), "end": pending.get_status_display()}
    return _("Your request “%(act)s”: %(end)s.") % terms
