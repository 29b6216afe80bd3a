"""Make an installation ready to serve: safe to run again, and quick when there is nothing to do."""

from contextlib import suppress
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from chat.installation.reasons import said_plainly
from citations.ingestion.adding import load_sample_library
from citations.ingestion.renewal.reembedding import renew_what_changed
from memory.forgetting.erasure import restoring
from memory.jobs import run_due
from memory.models import User
from memory.sealing import MasterKeyError, rewrap_data_keys


class Command(BaseCommand):
    help = "Make the first start ready: migrate, load the sample library if it is empty."

    def handle(self, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        with said_plainly():
            self._prepare()

    def _prepare(self) -> None:
        # Nothing of an older version runs beside this, which could not read them any more.
        with suppress(MasterKeyError):  # of a key that is under a lost one, rotate_keys tells
            list(rewrap_data_keys())
        # A backup may have been put back: what was erased since must not be served.
        if restoring.must_reapply():
            call_command("reapply_erasures", stdout=self.stdout)
        if load_sample_library():
            self.stdout.write("Loading the sample library, which takes some seconds.")
            # Here and not in the worker: the first question must find all of it.
            run_due()
        renew_what_changed()
        if not User.objects.filter(is_superuser=True, is_active=True).exists():
            # No password that anyone could know: the sign-in link is the way in.
            User.objects.create_superuser("admin")
            self.stdout.write("Made the account `admin`, without a password.")
