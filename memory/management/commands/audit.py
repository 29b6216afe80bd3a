from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from shutil import copy
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memory import audit
from memory.audit import export
from memory.audit.integrity import keeping
from memory.audit.integrity.anchors import read_anchors
from memory.audit.integrity.checking import check, read_one_state
from memory.people.staff.operators import RecordedCommand, get_operator

SCRIPT = Path(export.__file__).parent / "verify_audit.py"


class Command(RecordedCommand):
    help = (
        "Verify the audit log's chain, or export it as JSON lines with a script that verifies it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        verify = acts.add_parser("verify", help="name the first bad row")
        verify.add_argument("--since", type=datetime.fromisoformat, help="an ISO time")
        verify.add_argument("--anchors", type=Path, help="a file of anchors, one in a line")
        exported = acts.add_parser("export", help="write JSON lines and the verifying script")
        exported.add_argument("folder", type=Path)

    def handle(self, *, act: str, **options: Any) -> None:
        keeping.extend_and_anchor()
        if act == "verify":
            self._verify(options["since"], options["anchors"])
        else:
            self._export(options["folder"])

    def _verify(self, since: datetime | None, anchors: Path | None) -> None:
        if since is not None and timezone.is_naive(since):
            since = timezone.make_aware(since)
        try:
            kept = read_anchors(anchors) if anchors else list(keeping.read_local_anchors())
        except (OSError, ValueError) as error:
            raise CommandError(f"{anchors} can't be read as anchors.") from error
        report = check(since=since, anchors=kept)
        if report.faults:
            raise CommandError("\n".join(report.faults))
        self.stdout.write("\n".join(report.given_up), ending="\n" * bool(report.given_up))
        self.stdout.write(f"{report.events} events, {len(kept)} anchors: nothing was changed.")

    def _export(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        audit.record("audit.exported", actor=None, operator=get_operator())
        with read_one_state(), (folder / "audit.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(export.export())
        copy(SCRIPT, folder)
        self.stdout.write(f"{folder / 'audit.jsonl'}; check it: python3 {folder / SCRIPT.name} …")
