"""The job that makes a package: one zip with data for programs, pages for people, and files.

The zip is streamed into sealed parts (memory.personal_data.packages) and is never a file on disk. A
deletion during the job deletes the package too.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from chat.packages import data, files, pages
from chat.packages.progress import Progress
from memory.jobs import Lease, job
from memory.models import ExportPackage, Session, Turn
from memory.personal_data import packages
from memory.personal_data.packages import NotWanted, Sink

log = logging.getLogger(__name__)


@job(packages.MAKE, gave_up=packages.fail)
def make_package(lease: Lease) -> None:
    """Make the package and let it be downloaded, unless it was discarded meanwhile."""
    package = packages.begin_making(lease.subject, lease.pulse)
    if package is None:
        with lease.finishing():
            return
    try:
        sink, digest = _make_file(package, lease)
    except NotWanted:
        log.info("package_discarded", extra={"package": str(package.pk)})
        with lease.finishing():
            return
    with lease.finishing():
        packages.end_making(package, size=sink.size, digest=digest)


def _make_file(package: ExportPackage, lease: Lease) -> tuple[Sink, str]:
    person = package.owner
    sessions = Session.objects.visible(person)
    # Each turn is written twice: as data and on a page.
    turns = Turn.objects.filter(owner=person, session__in=sessions)
    progress = Progress(lease, total=2 * turns.count() + 1)
    sink = Sink(package, progress.hold)
    language = person.language or settings.LANGUAGE_CODE
    with (
        translation.override(language),
        timezone.override(UTC),
        ZipFile(sink, "w", ZIP_DEFLATED) as archive,
    ):
        with _entry(archive, "data.json") as entry:
            digest = data.write_data(entry, person, progress)
        with _entry(archive, "schema.json") as entry:
            data.write_schema(entry)
        for name, lines in pages.write_pages(person, progress):
            with _entry(archive, name) as entry:
                entry.writelines(line.encode() for line in lines)
        for name, lines in files.write_files(person):
            with _entry(archive, name) as entry:
                entry.writelines(line.encode() for line in lines)
        with _entry(archive, "README.txt") as entry:
            entry.write(render_to_string("packages/README.txt", {"digest": digest}).encode())
    sink.finish()
    return sink, digest


@contextmanager
def _entry(archive: ZipFile, name: str) -> Iterator[IO[bytes]]:
    with archive.open(name, "w", force_zip64=True) as entry:
        yield entry
