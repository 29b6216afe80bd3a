"""Kinds of jobs: the work class of each, and the function that does it.

A caller that enqueues a job imports its kind, so its class is known to every caller.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from uuid import UUID

from django.conf import settings

from memory.jobs.leases import Lease
from memory.models.jobs import WorkClass


class AuditClass(StrEnum):
    """The audit class of a kind of job."""

    ACTS = "acts"  # its acts, which are recorded by themselves
    RECORDED = "recorded"  # its completion, in the transaction of its end
    DERIVED = "derived"  # nothing: it derives data from recorded acts, and shows it to nobody


Handler = Callable[[Lease], None]
# Called with the subject of a job that is given up, in the transaction of its end.
GaveUp = Callable[[UUID], None]
_classes: dict[str, WorkClass] = {}
_audited: dict[str, AuditClass] = {}
_handlers: dict[str, Handler] = {}
_given_up: dict[str, GaveUp] = {}
_patient: set[str] = set()


def register_kind(
    name: str, work_class: WorkClass, audit_class: AuditClass, *, is_patient: bool = False
) -> str:
    """Register the classes of a kind of job, for its turn and for the audit; return the kind.

    A patient kind waits for a model, so it runs after other jobs of its class.
    """
    _classes[name], _audited[name] = work_class, audit_class
    if is_patient:
        _patient.add(name)
    return name


def list_patient_kinds() -> frozenset[str]:
    """Return the patient kinds."""
    return frozenset(_patient)


def get_class(kind: str) -> WorkClass:
    """Return the class of the kind, by default CONVERSATIONS."""
    return _classes.get(kind, WorkClass.CONVERSATIONS)


def get_audit_class(kind: str) -> AuditClass:
    """Return the audit class of a kind, by default ACTS."""
    return _audited.get(kind, AuditClass.ACTS)


def job(kind: str, *, gave_up: GaveUp | None = None) -> Callable[[Handler], Handler]:
    """Register the function that does jobs of the kind; it ends them with `lease.finishing()`."""

    def register(handler: Handler) -> Handler:
        _handlers[kind] = handler
        if gave_up is not None:
            _given_up[kind] = gave_up
        return handler

    return register


def do(kind: str, lease: Lease) -> None:
    """Do the job of the kind."""
    _handlers[kind](lease)


def give_up(kind: str, subject: UUID) -> None:
    """Report that the job won't be done; call in the transaction of its end."""
    if kind in _given_up:
        _given_up[kind](subject)


def get_worker_classes() -> Sequence[WorkClass]:
    """Return the classes of jobs that this worker takes, by priority."""
    return [WorkClass[name.upper()] for name in settings.WORKER_CLASSES]
