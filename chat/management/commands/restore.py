"""Restore backups."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from chat.installation.backups.making import put_back, verify_file
from chat.installation.backups.sealed_files import BackupError
from chat.installation.reasons import explain_errors
from memory.people.staff.operators import RecordedCommand
from memory.postgresql.roles import connect_owner


class Command(RecordedCommand):
    help = (
        "Put back the parts that `backup` made, with the product stopped; what was erased since "
        "is erased again. Leave the keys as they are if they are there: they have the ledger."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+")
        parser.add_argument("--over", action="store_true", help="write over what is there")
        parser.add_argument("--anchors", type=Path, help="a file of the audit's anchors")
        parser.add_argument("--check", action="store_true", help="only open them to their end")

    def handle(self, *, files: list[Path], check: bool, **options: Any) -> None:
        restored = put_back(files, over=options["over"], anchors=options["anchors"])
        try:
            with explain_errors(), connect_owner():
                done = "whole" if check else "put back"
                for head in map(verify_file, files) if check else restored:
                    self.stdout.write(
                        f"{head.part} of {head.made_at}, version {head.version}: {done}."
                    )
        except BackupError as error:
            raise CommandError(str(error)) from error
