from argparse import ArgumentParser
from getpass import getpass, getuser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import transaction

from memory.models import OperatorAct, User
from memory.people.access import end_all_access
from memory.people.staff import operators
from memory.people.staff.operators import RecordedCommand

TRIES = 3


class Command(RecordedCommand):
    """Blocks Django's command of this name, which sets a password without any record."""

    help = "Set a person's password. What let them in until now ends, and they are told who did it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="by default the account named like yours")
        parser.add_argument("--reason", default="", help="why; the person is shown it")

    def handle(self, *, username: str | None, reason: str, **options: Any) -> str:
        username = username or getuser()
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account {username!r}.")
        with operators.report_refusals():
            operators.check_reason(user, OperatorAct.What.PASSWORD, reason)
        password = self._typed_twice(user)
        with transaction.atomic():
            operators.note(user, OperatorAct.What.PASSWORD, reason=reason)
            user.set_password(password)
            user.save(update_fields=["password"])
            end_all_access(user, actor=None)
        return f"The password of {username} is set; whatever let them in until now has ended."

    def _typed_twice(self, user: User) -> str:
        for _ in range(TRIES):
            password = getpass("New password: ")
            if password != getpass("Once more: "):
                self.stderr.write("These are two different ones.")
                continue
            try:
                validate_password(password, user)
            except ValidationError as error:
                self.stderr.write("\n".join(error.messages))
            else:
                return password
        raise CommandError("No password was set.")
