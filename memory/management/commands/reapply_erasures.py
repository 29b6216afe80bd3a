from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memory.forgetting.erasure.restoring import find_returned_data, reapply
from memory.forgetting.erasure.scrubbing import Busy, scrub
from memory.people.staff.operators import RecordedCommand


class Command(RecordedCommand):
    help = "After a restore: delete again what was erased since the backup, and overwrite it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only tell; fail if there is any")

    def handle(self, *, check: bool, **options: Any) -> None:
        found = find_returned_data()
        if check and found:
            raise CommandError(f"Erased, and there again: {found}. Run this without --check.")
        if not found:
            self.stdout.write("Nothing has come back that was erased.")
            self._tell_held(len(found.waiting))
            return
        held = reapply()
        self.stdout.write(f"Erased, and there again: {found}. They have been deleted.")
        self._tell_held(held)
        try:
            scrub()
        except Busy:
            self.stderr.write("Their bytes could not be overwritten now: run `manage.py scrub`.")

    def _tell_held(self, number: int) -> None:
        if number:
            self.stdout.write(f"{number} rows are under a legal hold, and stay until its end.")
