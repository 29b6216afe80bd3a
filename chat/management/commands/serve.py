"""Serve everything on one machine: the web servers and the workers under one supervisor."""

import os
import sys
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.translation import gettext

from config.programs import EVERY_ADDRESS, CannotServe
from config.supervisor import Service
from memory.forgetting.erasure import restoring
from memory.models import OperatorAct, User
from memory.people.sign_in.links import can_use, link_path
from memory.people.staff import operators


class Command(BaseCommand):
    help = "Start the web servers and the workers, and print the address and a sign-in link."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-link", action="store_true", help="print no sign-in link")

    def handle(self, *, no_link: bool, **options: Any) -> None:
        self.with_link = not no_link
        if restoring.forbids_start():  # after a restore, erased data must not be served
            call_command("reapply_erasures", stdout=self.stdout)
        connections.close_all()  # web processes open their own
        os.environ["ALLOWED_HOSTS"] = ",".join(self._allowed_hosts())
        service = Service(
            host=settings.HOST,
            port=settings.PORT,
            web_workers=settings.WEB_WORKERS,
            workers=settings.WORKERS,
            announce=self._announce,
        )
        try:
            service.run()
        except CannotServe as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Stopped.")

    def _allowed_hosts(self) -> list[str]:
        """Return ALLOWED_HOSTS and the address being served, which the health check requests."""
        if settings.HOST in EVERY_ADDRESS:
            self.stdout.write(
                f"HOST={settings.HOST} listens on every address of this machine. Browsers are "
                f"answered under these names only: {', '.join(settings.ALLOWED_HOSTS)}. "
                "Add others to ALLOWED_HOSTS."
            )
        host = EVERY_ADDRESS.get(settings.HOST, settings.HOST)
        return [*settings.ALLOWED_HOSTS, f"[{host}]" if ":" in host else host]

    def _announce(self, address: str) -> None:
        with suppress(OSError):  # a full disk; it is only a default for `sign_in_link`
            settings.ADDRESS_FILE.write_text(address)
        self.stdout.write(f"\nThroughline {settings.VERSION} is running at {address}")
        if self.with_link and (user := _find_superuser()) and can_use(user):
            operators.note(user, OperatorAct.What.LINK, reason=gettext("The server was started."))
            link = address.rstrip("/") + link_path(user)
            self.stdout.write(f"Sign in once with: {link}")
            # Another Python may lack the packages.
            own_python = min(os.path.relpath(sys.executable), sys.executable, key=len)
            another = f"{own_python} manage.py sign_in_link {user.username} --reason …"
            self.stdout.write(
                f"The link is for {user.username} and valid for an hour. Another one: {another}"
            )
        self.stdout.write("Stop it with Ctrl-C.\n")
        sys.stdout.flush()


def _find_superuser() -> User | None:
    try:
        superusers = User.objects.filter(is_superuser=True, is_active=True)
        return superusers.order_by("date_joined").first()
    finally:
        connections.close_all()  # those of this thread
