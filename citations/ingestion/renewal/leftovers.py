"""Leftovers: what was kept of documents for a reason that is over.

Replaced passages stay for the answers that cite them, and files while KEEP_ORIGINALS is on. The
clean-up takes both, some at a time, each batch in a transaction of its own; what is held stays.
"""

from collections.abc import Callable, Collection
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
    _delete(Passage.objects.filter(replaced_at__isnull=False), unused, PASSAGES, pulse)


def delete_unkept(pulse: Pulse) -> None:
    """Delete the files of documents where none is to be kept, but for those being read again."""
    if not settings.KEEP_ORIGINALS:
        _delete(OriginalFile.objects.all(), _not_read_again, FILES, pulse)


def _not_read_again(rows: "QuerySet[OriginalFile]") -> "QuerySet[OriginalFile]":
    about = Job.objects.unfinished().filter(subject=OuterRef("document"))
    return rows.filter(~Exists(about.filter(kind__in=[REREAD, EXCHANGE])))


def _delete(
    rows: "QuerySet[Any]",
    unwanted: "Callable[[QuerySet[Any]], QuerySet[Any]]",
    at_once: int,
    pulse: Pulse,
) -> None:
    """Delete those of the rows that are unwanted, but for those of documents that are held.

    Each row is looked at once: most replaced passages stay cited for good.
    """
    after = rows.order_by("pk")
    while found := list(after.values_list("pk", "document_id")[:at_once]):
        with transaction.atomic():
            kept = _held({document for _pk, document in found})
            free = [pk for pk, document in found if document not in kept]
            unwanted(rows.filter(pk__in=free)).delete()
        after = rows.filter(pk__gt=found[-1][0]).order_by("pk")
        pulse()


def _held(ids: Collection[UUID]) -> set[UUID]:
    documents = Document.objects.filter(pk__in=ids).only("owner")
    return {document.pk for document in documents if held(document)}
