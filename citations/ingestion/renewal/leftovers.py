"""Leftovers: what was kept of documents for a reason that is over.

Replaced passages stay for the answers that cite them, and files while KEEP_ORIGINALS is on. The
clean-up takes both, some at a time, each batch in a transaction of its own; what is held stays.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from citations.ingestion.renewal.exchanging import unused
from citations.library import EXCHANGE, REREAD
from citations.models import Document, OriginalFile, Passage
from memory.holds import held
from memory.jobs import Pulse
from memory.models import Job

# So many go in one transaction; files are large.
PASSAGES, FILES = 500, 10


def delete_unused(pulse: Pulse) -> None:
    """Delete the replaced passages that nothing points at any more."""
    _delete(unused(Passage.objects.all()).order_by("replaced_at"), PASSAGES, pulse)


def delete_unkept(pulse: Pulse) -> None:
    """Delete the files of documents where none is to be kept, but for those being read again."""
    if settings.KEEP_ORIGINALS:
        return
    about = Job.objects.unfinished().filter(subject=OuterRef("document"))
    reading = about.filter(kind__in=[REREAD, EXCHANGE])
    _delete(OriginalFile.objects.filter(~Exists(reading)).order_by("pk"), FILES, pulse)


def _delete(rows: "QuerySet[Any]", at_once: int, pulse: Pulse) -> None:
    """Delete the rows, but for those of documents that are held."""
    kept: set[UUID] = set()
    while found := list(rows.exclude(document__in=kept).values_list("pk", "document_id")[:at_once]):
        with transaction.atomic():
            kept |= _held({document for _pk, document in found})
            gone = [pk for pk, document in found if document not in kept]
            # Asked again: what points at one of them may have come meanwhile.
            rows.filter(pk__in=gone).delete()
        pulse()


def _held(ids: Collection[UUID]) -> set[UUID]:
    documents = Document.objects.filter(pk__in=ids).only("owner")
    return {document.pk for document in documents if held(document)}
