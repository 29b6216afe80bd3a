from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from memory.models import OperatorAct, User
from memory.people.sign_in.links import can_use, link_path
from memory.people.staff import operators
from memory.people.staff.operators import RecordedCommand


class Command(RecordedCommand):
    help = "Print a link that signs a person in once, within an hour, alone on the last line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--reason", default="", help="why; the person is shown it")
        parser.add_argument("--base-url", help="where people go, if not where it is served")

    def handle(self, *, username: str, base_url: str | None, reason: str, **options: Any) -> str:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account {username!r}.")
        if not user.is_active:
            raise CommandError(f"The account {username!r} is not active.")
        if not can_use(user):
            raise CommandError(
                "COMPLIANCE=strict lets nobody with a second factor in by a link: "
                "use manage.py changepassword."
            )
        with operators.report_refusals():
            operators.note(user, OperatorAct.What.LINK, reason=reason)
        return (base_url or get_served_address()).rstrip("/") + link_path(user)


def get_served_address() -> str:
    """Return the address that `serve` last wrote, or its default one."""
    try:
        return settings.ADDRESS_FILE.read_text()
    except OSError:
        return f"http://{settings.HOST}:{settings.PORT}"
