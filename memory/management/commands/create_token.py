from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from knox.settings import knox_settings

from memory.models import ApiToken, User


class Command(BaseCommand):
    help = "Make an API token for a person and print it alone on the last line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--days", type=int, help="how long it is valid (default: TOKEN_DAYS)")

    def handle(self, *, username: str, days: int | None, **options: Any) -> str:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {username!r}.")
        if days is not None and days < 1:
            raise CommandError("A token is valid for at least one day.")
        lifetime = timedelta(days=days) if days else knox_settings.TOKEN_TTL
        instance, token = ApiToken.objects.create(user, expiry=lifetime)
        self.stderr.write(
            f"A token of {username}, valid until {instance.expiry:%Y-%m-%d %H:%M} UTC. It is shown "
            "this once; only its hash is kept.\nSend it as: Authorization: Bearer TOKEN",
            style_func=str,
        )
        return str(token)
