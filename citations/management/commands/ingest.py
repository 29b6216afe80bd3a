"""Add files to the library."""

import time
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from citations.formats.kinds import BY_SUFFIX
from citations.ingestion.adding import add_document
from citations.ingestion.pacing import INGEST
from citations.library import EXCHANGE, REREAD
from citations.models import Document
from citations.readers import Unreadable, file_failures
from memory import jobs
from memory.models import Job, User
from memory.people.staff.operators import RecordedCommand

POLL = 0.2  # seconds between two queries for a job that a worker has


class Command(RecordedCommand):
    help = "Add files to the shared library, or to one person's documents. Doing it twice is safe."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--owner", metavar="USERNAME", help="keep them for this person")
        parser.add_argument(
            "--background", action="store_true", help="leave reading and embedding to the worker"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = find_person(options["owner"])
        documents, refused = [], []
        for path in tqdm(list_files(options["paths"]), desc="Adding", unit="file"):
            try:
                data = path.read_bytes()
                documents.append(add_document(data, file_name=path.name, owner=owner))
            except (Unreadable, OSError) as error:
                refused.append(f"{path}: {error}")
        if not options["background"]:
            refused += ingest_all(documents)
        for line in refused:
            self.stderr.write(line)
        if refused:
            raise CommandError(f"{len(refused)} of {len(documents) + len(refused)} files failed.")
        self.stdout.write(f"{len({document.pk for document in documents})} documents.")


def find_person(username: str | None) -> User | None:
    if username is None:
        return None
    try:
        return User.objects.get(username=username)
    except User.DoesNotExist as error:
        raise CommandError(f"There is no {username}.") from error


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files themselves, and the supported ones in folders."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inside:
            suffix = Path(file.name).suffix.lower()
            if file == path or (suffix in BY_SUFFIX and file.is_file()):
                found[file] = None
    return list(found)


def ingest_all(documents: Iterable[Document]) -> list[str]:
    """Do the documents' jobs here, or wait for their worker; return the failures."""
    failed = []
    for document in tqdm(documents, desc="Ingesting", unit="document"):
        while (job := find_unfinished_job(document)) is not None:
            if not jobs.run(job.pk):
                time.sleep(POLL)
        document.refresh_from_db(fields=["status", "failure", "rereading_failure"])
        code = document.failure or document.rereading_failure
        if document.status != Document.Status.READY or code:
            why = file_failures.get_failure_sentence(code or "gave_up")
            failed.append(f"{document.file_name}: {why}")
    return failed


def find_unfinished_job(document: Document) -> Job | None:
    kinds = [INGEST, REREAD, EXCHANGE]
    return Job.objects.unfinished().filter(kind__in=kinds, subject=document.pk).first()
