"""Commands that show content, such as a shell: each person whose key is opened is notified.

Content is sealed, so it can't be read without the key. The access is recorded before a key opens.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, transaction
from django.utils import timezone

from memory import audit
from memory.errors import AwaitingApproval
from memory.models import EmergencyAccess, User
from memory.people.staff import approvals, emergencies
from memory.people.staff.operators import RecordedCommand, get_operator, report_refusals
from memory.sealing.cipher import key_opening, key_ring

ACT = "open_by_command"


class ContentCommand(RecordedCommand):
    """A command that shows content: it names its operator and a reason, and is recorded first."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--operator", default="", help="who runs it, by name")
        parser.add_argument("--reason", default="", help="why; it is recorded")

    def execute(self, *args: Any, **options: Any) -> str | None:
        named, reason = options.pop("operator").strip(), options.pop("reason").strip()
        if not named or not reason:
            raise CommandError("This shows what people said: give --operator and --reason.")
        name = type(self).__module__.rpartition(".")[2]
        who = f"{get_operator()} (for: {named})"[:80]
        try:
            with transaction.atomic():
                audit.record(f"command.{name}_begun", actor=None, operator=who, reason=reason)
        except DatabaseError as error:
            raise CommandError("It can't be recorded, so nothing is shown.") from error
        approved_by = None
        if approvals.is_needed(ACT):
            approved_by = _find_approval(named, name, reason)
            if approved_by is None:
                self.stdout.write(AwaitingApproval().message)
                return None
        reader = Reader(who, reason, approved_by)
        try:
            reader.watch()
            return super().execute(*args, **options)
        finally:
            reader.end()


def _find_approval(username: str, command: str, reason: str) -> UUID | None:
    """Find the approver of the admin's reading in the last half hour; else request approval."""
    with report_refusals():
        by = approvals.find_asker(username, right=emergencies.RIGHT)
    if approved_by := approvals.find_approver(ACT, by=by, within=emergencies.LASTS):
        return approved_by
    approvals.ask(ACT, by.pk, by=by, right=emergencies.RIGHT, command=command, reason=reason)
    return None


class Reader:
    """The reader by a command: each person whose key this process opens is notified."""

    def __init__(self, terminal: str, reason: str, approved_by: UUID | None) -> None:
        self._terms: dict[str, Any] = {
            "terminal": terminal,
            "reason": reason,
            "approved_by": approved_by,
        }
        self._until: dict[UUID, datetime] = {}
        self._openings: list[EmergencyAccess] = []

    def watch(self) -> None:
        """Record from now on each opened key."""
        key_ring.clear()
        key_opening.connect(self._note, dispatch_uid=ACT)

    def end(self) -> None:
        """Record openings again that a transaction rolled back."""
        key_opening.disconnect(dispatch_uid=ACT)
        kept = EmergencyAccess.objects.in_bulk([opening.pk for opening in self._openings])
        for opening in self._openings:
            if opening.pk not in kept and User.objects.filter(pk=opening.owner_id).exists():
                emergencies.note_reading(opening.owner, **self._terms)

    def _note(self, owner: UUID, **event: Any) -> None:
        """Record the person once in half an hour; sealing the record opens their key as well."""
        if self._until.get(owner, timezone.now()) > timezone.now():
            return
        self._until[owner] = timezone.now() + emergencies.LASTS
        try:
            if person := User.objects.filter(pk=owner).first():
                self._openings.append(emergencies.note_reading(person, **self._terms))
        except BaseException:
            key_ring.forget(owner)
            del self._until[owner]
            raise
