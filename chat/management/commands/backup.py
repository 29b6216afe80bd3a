"""Back up a running installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from chat.installation.backups.making import PARTS, back_up
from chat.installation.backups.sealed_files import BackupError
from chat.installation.reasons import explain_errors
from memory.people.staff.operators import RecordedCommand
from memory.postgresql.roles import connect_owner


class Command(RecordedCommand):
    help = (
        "Make a backup of each part in the folder, sealed under BACKUP_KEY, and check it. Content "
        "and keys go by default; keep them apart: whoever has both and the master key reads all."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--part",
            action="append",
            choices=PARTS,
            help="only this one, several times for several; secrets are the files of master and "
            "certificate key",
        )

    def handle(self, *, folder: Path, part: list[str] | None, **options: Any) -> None:
        wanted = part or PARTS[:2]
        try:
            with explain_errors(), connect_owner():
                for name in (known for known in PARTS if known in wanted):
                    path = back_up(name, folder)
                    self.stdout.write(f"{path} ({path.stat().st_size:,} bytes), opened and whole.")
        except BackupError as error:
            raise CommandError(str(error)) from error
        if "secrets" not in wanted:
            self.stdout.write("The master key is not in them: keep it elsewhere (--part secrets).")
