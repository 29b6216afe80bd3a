"""Make an installation ready to serve: safe to run again, and quick when there is nothing to do."""

from contextlib import suppress
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from chat.installation.reasons import explain_errors
from citations.ingestion.adding import load_sample_library
from citations.ingestion.renewal.reembedding import renew_if_changed
from citations.models import Document
from memory.forgetting.erasure import restoring
from memory.jobs import run_due
from memory.models import User
from memory.sealing import MasterKeyError, rewrap_data_keys


class Command(BaseCommand):
    help = "Make the first start ready: migrate, load the sample library if it is empty."

    def handle(self, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        with explain_errors():
            self._prepare()

    def _prepare(self) -> None:
        # No older version, which could not read the rotated keys, runs beside this.
        with suppress(MasterKeyError):  # rotate_keys reports keys under a lost master key
            list(rewrap_data_keys())
        # After a restore, data erased since the backup must not be served.
        if restoring.must_reapply():
            call_command("reapply_erasures", stdout=self.stdout)
        if added := load_sample_library():
            self._read(len(added))
        renew_if_changed()
        if not User.objects.filter(is_superuser=True, is_active=True).exists():
            # Without a password: the sign-in link is used.
            User.objects.create_superuser("admin")
            self.stdout.write("Made the account `admin`, without a password.")

    def _read(self, number: int) -> None:
        """Read the sample library here, not in a worker, so that the first question finds it."""
        self.stdout.write(
            f"Loading the sample library, {number} documents: some seconds, or minutes where much "
            "else is done."
        )
        read = Document.objects.shared().filter(status=Document.Status.READY)
        told = 0
        while told < number and run_due(limit=1):
            if (now := read.count()) > told:
                told = now
                self.stdout.write(f"{told} of {number} are loaded.")
        run_due()
