"""Operators of the server, who can grant or take access: named, with a reason; people are notified.

An operator who can run a command can make a link or a token for anyone. This can't be prevented,
but it is recorded, and the person sees it in their account.
"""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, transaction
from django.utils.translation import gettext_lazy

from memory import audit
from memory.audit import circumstances
from memory.errors import Refusal
from memory.models import AuditEvent, OperatorAct, User

SHOWN = 20


class ReasonNeeded(Refusal):
    """Opening another person's account needs a reason."""

    code = "reason_needed"
    says = gettext_lazy(
        "This opens an account that may be someone else's: give a --reason, which the person "
        "will see."
    )


class RecordedCommand(BaseCommand):
    """A command recorded at its end, with the machine's account that ran it."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        outcome = AuditEvent.Outcome.FAILED
        try:
            result = super().execute(*args, **options)
            outcome = AuditEvent.Outcome.DONE
        finally:
            name = type(self).__module__.rpartition(".")[2]
            # Without a database, the command's own error counts.
            with suppress(DatabaseError), transaction.atomic():
                audit.record(
                    f"command.{name}", actor=None, operator=get_operator(), outcome=outcome
                )
        return result


@contextmanager
def report_refusals() -> Iterator[None]:
    """Turn a refusal into a CommandError."""
    try:
        yield
    except Refusal as error:
        raise CommandError(error.message) from error


def get_operator() -> str:
    """Return the account of this machine that runs the command, and the user that sudo names."""
    name = _get_account_name()
    claimed = os.environ.get("SUDO_USER", "")
    return (f"{name} (sudo: {claimed})" if claimed and claimed != name else name)[:80]


def find_operator() -> str | None:
    """Find the operator at a terminal: None during a request."""
    return None if circumstances.get().request else get_operator()


def _get_account_name() -> str:
    number = os.getuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # in a container, for example
        return f"uid {number}"


def check_reason(person: User, what: OperatorAct.What, reason: str) -> None:
    """Raise ReasonNeeded if opening the person's account needs a reason.

    One's own account, or one that was never signed in to, needs none; but a token for someone else
    always does.
    """
    is_first = what != OperatorAct.What.TOKEN and person.last_login is None
    if not reason.strip() and not is_first and person.username != _get_account_name():
        raise ReasonNeeded


def note(person: User, what: OperatorAct.What, *, reason: str) -> None:
    """Record that the operator opens the person's account; raises ReasonNeeded."""
    check_reason(person, what, reason)
    with transaction.atomic():
        act = OperatorAct(owner=person, what=what, operator=get_operator())
        act.reason = audit.clean_reason(reason)
        act.save(force_insert=True)
        audit.record(
            f"{what}.by_operator",
            actor=None,
            subject=act,
            operator=act.operator,
            reason=reason,
            about=person.pk,
        )


def list_operator_acts(person: User) -> list[OperatorAct]:
    """Return the newest acts on the person's account."""
    return list(OperatorAct.objects.filter(owner=person).order_by("-id")[:SHOWN])
