import json
import zlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.core.management.base import CommandError

from citations.ingestion.pacing import INGEST
from citations.library import RETITLE
from citations.models import Document
from memory.jobs import enqueue
from memory.models import Turn
from memory.people.staff.operators import RecordedCommand
from memory.personal_data.importing import Unfit, compute_digest, take_in
from memory.recall.index.indexing import embed_later

MEGABYTE = 1_000_000
UNREADABLE = (OSError, BadZipFile, KeyError, ValueError, RuntimeError, EOFError, zlib.error)


class Command(RecordedCommand):
    help = "Take in a person's package: their account, conversations, documents and decisions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("package", type=Path)
        parser.add_argument("--username", default="", help="if it is to have another name here")
        parser.add_argument(
            "--most", type=int, default=200, help="megabytes that its data may have, unpacked (200)"
        )

    def handle(self, *, package: Path, username: str, most: int, **options: Any) -> str:
        try:
            person = take_in(_unpack_data(package, most), username=username)
        except Unfit as unfit:
            raise CommandError(str(unfit)) from unfit
        # Enqueue jobs for data that packages lack: indexes and vectors.
        for document in Document.objects.filter(owner=person).only("pk", "status"):
            is_ready = document.status == Document.Status.READY
            enqueue(RETITLE if is_ready else INGEST, document.pk, owner=person.pk)
        turns = Turn.objects.remembered().filter(owner=person).only("pk")
        for turn in turns.iterator(chunk_size=500):
            embed_later(turn)
        self.stderr.write(
            f"{person.username} is here, without a password: `manage.py sign_in_link "
            f"{person.username}` lets them in. The digest is that of the package.",
            style_func=str,
        )
        return compute_digest(person)


def _unpack_data(package: Path, most: int) -> dict[str, Any]:
    """Return the package's data, unpacked up to a limit in megabytes."""
    try:
        with ZipFile(package) as archive, archive.open("data.json") as entry:
            size = archive.getinfo("data.json").file_size
            text = entry.read(most * MEGABYTE + 1) if size <= most * MEGABYTE else None
        if text is None or len(text) > most * MEGABYTE:
            raise CommandError(f"data.json in {package} is too large: --most takes more megabytes.")
        data: dict[str, Any] = json.loads(text)
    except UNREADABLE as error:
        raise CommandError(f"{package} can't be read as a package.") from error
    if not isinstance(data, dict):
        raise CommandError(f"{package} can't be read as a package.")
    return data
