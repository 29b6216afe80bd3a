from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError

from memory.models import OperatorAct, Scope, User
from memory.people.api_tokens import MAX_NAME_LENGTH, free_name, get_default_lifetime, issue
from memory.people.staff import operators
from memory.people.staff.operators import RecordedCommand


class Command(RecordedCommand):
    help = "Make an API token for a person and print it alone on the last line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--days", type=int, help="how long it is valid (default: TOKEN_DAYS)")
        parser.add_argument("--reason", default="", help="why; the person is shown it")
        parser.add_argument(
            "--name", default="", help="what the person will know it by (default: the reason)"
        )
        parser.add_argument(
            "--scope",
            choices=Scope.values,
            default=Scope.WRITE.value,
            help="read: only look; write: all of one's own; admin: the shared library too",
        )

    def handle(
        self,
        *,
        username: str,
        days: int | None,
        name: str,
        scope: str,
        reason: str,
        **options: Any,
    ) -> str:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {username!r}.")
        if days is not None and days < 1:
            raise CommandError("A token is valid for at least one day.")
        if len(name) > MAX_NAME_LENGTH:
            raise CommandError(f"A name has at most {MAX_NAME_LENGTH} characters.")
        if scope == Scope.ADMIN and not user.keeps_library:
            raise CommandError("A token that administers is for staff with the role Library.")
        with operators.report_refusals():
            operators.note(user, OperatorAct.What.TOKEN, reason=reason)
        lifetime = timedelta(days=days) if days else get_default_lifetime()
        name = name or free_name(user, " ".join(reason.split()) or "Made by command")
        row, token = issue(user, lifetime=lifetime, scope=Scope(scope), name=name)
        self.stderr.write(
            f"A token of {username}, valid until {row.expiry:%Y-%m-%d %H:%M} UTC. It is shown "
            "this once; only its hash is kept.\nSend it as: Authorization: Bearer TOKEN",
            style_func=str,
        )
        return token
