"""Leftovers: replaced passages that nothing cites any more.

The clean-up takes some at a time, each batch in a transaction of its own; what is held stays.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction

from citations.ingestion.renewal.exchanging import unused
from citations.models import Document, Passage
from memory.holds import held
from memory.jobs import Pulse

PASSAGES = 500  # in one transaction


def delete_unused(pulse: Pulse) -> None:
    """Delete the replaced passages that nothing cites, but for those of held documents.

    Each row is looked at once: most replaced passages stay cited for good.
    """
    rows = Passage.objects.filter(replaced_at__isnull=False)
    after = rows.order_by("pk")
    while found := list(after.values_list("pk", "document_id")[:PASSAGES]):
        with transaction.atomic():
            kept = _held({document for _pk, document in found})
            free = [pk for pk, document in found if document not in kept]
            unused(rows.filter(pk__in=free)).delete()
        after = rows.filter(pk__gt=found[-1][0]).order_by("pk")
        pulse()


def _held(ids: Collection[UUID]) -> set[UUID]:
    documents = Document.objects.filter(pk__in=ids).only("owner")
    return {document.pk for document in documents if held(document)}
