from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.forgetting.restoring import reapply, returned
from memory.forgetting.scrubbing import Busy, scrub


class Command(BaseCommand):
    help = "After a restore: delete again what was erased since the backup, and overwrite it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only tell; fail if there is any")

    def handle(self, *, check: bool, **options: Any) -> None:
        found = returned()
        if not found:
            self.stdout.write("Nothing has come back that was erased.")
            return
        there = f"{len(found.people)} accounts, {len(found.rows)} rows, keys of {len(found.keys)}"
        if check:
            raise CommandError(f"Erased, and there again: {there}. Run this without --check.")
        done = reapply()
        self.stdout.write(f"Erased, and there again: {there}. They have been deleted.")
        if done.held:
            self.stdout.write(f"{done.held} rows are under a legal hold, and stay until its end.")
        try:
            scrub()
        except Busy:
            self.stderr.write("Their bytes could not be overwritten now: run `manage.py scrub`.")
