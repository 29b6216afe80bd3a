from typing import Any

from django.core.management.base import CommandError

from memory.forgetting.erasure.scrubbing import Busy, scrub
from memory.people.staff.operators import RecordedCommand


class Command(RecordedCommand):
    help = "Overwrite or drop what the databases keep of deleted rows; people can go on working."

    def handle(self, **options: Any) -> None:
        try:
            done = scrub()
        except Busy as busy:
            raise CommandError(
                f"The database {str(busy)!r} is being written to or read all the time, so it can't "
                "be rewritten now. Nothing has changed. Run this again when it is quieter."
            ) from busy
        self.stdout.write("\n".join(done))
        if any("left_to_time" in step for step in done):
            self.stdout.write(
                "PostgreSQL's log may not be turned over by this role: what was deleted is in it "
                "until its segments are used again. docs/erasure.md names the grants."
            )
