"""Request a rereading of all documents that an older version has read."""

from argparse import ArgumentParser
from typing import Any

from citations.ingestion.renewal.rereading import ask_for_each, select_documents_to_reread
from citations.models import Document
from memory.people.staff.operators import RecordedCommand

BATCH = 100


class Command(RecordedCommand):
    help = (
        "Ask the workers to read again what an older version has read, each person's documents in "
        "their turn. Doing it twice is safe."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        older, kept = Document.objects.outdated().count(), select_documents_to_reread().count()
        if not options["dry_run"]:
            ask_for_all()
        verb = "would be read again" if options["dry_run"] else "will be read again"
        self.stdout.write(f"{kept} documents {verb}.")
        if older > kept:
            self.stdout.write(
                f"{older - kept} stay as they are: their files were not kept. Add them again."
            )


def ask_for_all() -> None:
    """Request each rereading, in batches by key, so that it can be stopped anywhere."""
    rows = select_documents_to_reread().only("pk").order_by("pk")
    batch = list(rows[:BATCH])
    while batch:
        ask_for_each(batch)
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:BATCH])
