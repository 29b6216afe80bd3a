"""Make an installation ready to serve: safe to run again, and quick when there is nothing to do."""

import hashlib
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand

from chat.llm import profiles
from citations.ingestion.adding import load_sample_library
from citations.ingestion.renewal import renew_if_changed
from memory.forgetting.erasure import restoring
from memory.jobs import run_due
from memory.models import User
from memory.people.roles import ensure_roles


class Command(BaseCommand):
    help = "Migrate both databases, collect static files, load the sample library if it is empty."

    def handle(self, **options: Any) -> None:
        for alias in settings.DATABASES:
            call_command("migrate", database=alias, interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        ensure_roles()
        profiles.ensure()
        # A backup may have been put back: what was erased since must not be served.
        if restoring.must_reapply():
            call_command("reapply_erasures", stdout=self.stdout)
        self._collect_static_files()
        if load_sample_library():
            self.stdout.write("Loading the sample library, which takes some seconds.")
            # Here and not in the worker: the first question must find all of it.
            run_due()
        renew_if_changed()
        if not User.objects.filter(is_superuser=True, is_active=True).exists():
            # No password that anyone could know: the sign-in link is the way in.
            User.objects.create_superuser("admin")
            self.stdout.write("Made the account `admin`, without a password.")

    def _collect_static_files(self) -> None:
        """Collect them if any has changed: compressing them all takes seconds."""
        stamp = settings.DATA_DIR / "static.stamp"
        digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
        for finder in get_finders():
            for path, storage in finder.list([]):
                digest.update(f"{path} {storage.get_modified_time(path)}\n".encode())
        state = digest.hexdigest()
        if stamp.exists() and stamp.read_text() == state:
            return
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(state)
