"""`data.json`: every row of the person, streamed, and a digest of the transferable part."""

import json
from collections.abc import Iterable, Iterator
from typing import IO

from django.db.models import Exists, OuterRef
from django.utils import timezone

from chat.packages.progress import Progress
from chat.shapes.resources.vocabulary import as_json
from citations.models import Document, Source
from memory.models import Session, Turn, User
from memory.personal_data.consent import TEXTS
from memory.personal_data.package_schema import build_package_schema
from memory.personal_data.rows import (
    FORMAT,
    VERSION,
    Belongings,
    Row,
    Table,
    audit_lines,
    list_tables,
)


def write_data(entry: IO[bytes], person: User, progress: Progress) -> str:
    """Write the person's data as JSON and return its digest."""
    belongings = Belongings(person)
    for piece in _write_pieces(belongings, person, progress):
        entry.write(piece.encode())
    return belongings.digest()


def write_schema(entry: IO[bytes]) -> None:
    """Write the JSON Schema of the data."""
    entry.write(json.dumps(build_package_schema(), indent=1).encode())


def _write_pieces(belongings: Belongings, person: User, progress: Progress) -> Iterator[str]:
    head = {"format": FORMAT, "version": VERSION, "made_at": timezone.now().isoformat()}
    yield as_json(head)[:-1]
    # Rows come after those they refer to; portable rows refer to portable ones only.
    yield ',"tables":{'
    yield from _write_tables(belongings, progress, is_portable=True)
    yield '},"about_you":{'
    yield from _write_tables(belongings, progress, is_portable=False)
    yield f'}},"shared_documents":{as_json(list_shared_documents(person))}'
    yield f',"consent_texts":{as_json(TEXTS)},"audit":['
    yield from _write_list(audit_lines(person, belongings.ids()))
    yield f'],"digest":{as_json(belongings.digest())}}}\n'


def _write_tables(
    belongings: Belongings, progress: Progress, *, is_portable: bool
) -> Iterator[str]:
    chosen = [table for table in list_tables() if table.is_portable is is_portable]
    for number, table in enumerate(chosen):
        yield f"{',' * bool(number)}{as_json(table.name)}:["
        yield from _write_list(_count_rows(belongings.rows(table), table, progress))
        yield "]"


def _count_rows(rows: Iterator[Row], table: Table, progress: Progress) -> Iterator[Row]:
    return progress.counted(rows) if table.model is Turn else rows


def _write_list(rows: Iterable[Row]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield ",\n" * bool(number) + as_json(row)


def list_shared_documents(person: User) -> list[Row]:
    """Return the shared documents that the person's conversations cite."""
    sessions = Session.objects.visible(person)
    is_cited = Source.objects.filter(
        document=OuterRef("pk"), session__in=sessions, owner_id=person.pk
    )
    cited = Document.objects.shared().filter(Exists(is_cited))
    return [
        {
            "id": str(document.pk),
            "title": document.title,
            "authors": document.authors,
            "year": document.year,
            "url": document.url or None,
        }
        for document in cited.order_by("pk").defer("file")
    ]
