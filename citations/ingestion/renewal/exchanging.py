"""Exchanging: a newer reading replaces a document's reading in one transaction.

A passage with the same text at the same place is kept: its key, its vectors and its citations. Any
other is replaced: searches no longer find it, and it stays for the answers that cite it or are
being written with it. Replaced passages without references are deleted a day later.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import SET_NULL, Exists, F, ManyToOneRel, Max, OuterRef, QuerySet
from django.utils import timezone

from citations import index
from citations.formats.reading import READING_VERSION
from citations.ingestion.preparing import (
    Cut,
    ask_for_the_rest,
    make_findable,
    seal_fields,
    write_passages,
    write_profile,
)
from citations.models import Document, Passage, UnitVectors
from memory.holds import is_held
from memory.jobs import AuditClass, Lease, Pulse, WorkClass, enqueue, job, register_kind
from memory.tasks import cleans_up

DELETE_REPLACED = register_kind("delete_replaced", WorkClass.BULK, AuditClass.DERIVED)
# Longer than any answer takes to be written with the passages it was offered.
LATER = timedelta(days=1)
# First position of replaced passages, and offset of passages while they change places.
REPLACED, AWAY = 1_000_000_000, 1_500_000_000
BATCH = 200
MOVE = """
UPDATE citations_passage SET position = %s, heading = %s, text = %s, layout = %s WHERE id = %s
"""


@dataclass(frozen=True)
class Difference:
    """The difference between a document's new reading and its stored one."""

    # The new reading in order: kept passages are the stored rows, with their old positions.
    passages: list[Passage]
    replaced: list[Passage]

    @property
    def new(self) -> list[Passage]:
        return [row for row in self.passages if row._state.adding]

    @property
    def changed(self) -> int:
        """The number of passages that differ."""
        return max(len(self.new), len(self.replaced))

    @property
    def is_any(self) -> bool:
        return bool(self.changed) or any(row.position != at for at, row in enumerate(self.passages))


def compare_passages(before: Sequence[Passage], now: Sequence[Passage]) -> Difference:
    """Compare the stored passages with those of the new reading."""
    stored = defaultdict[Hashable, deque[Passage]](deque)
    for row in before:
        stored[_make_passage_key(row)].append(row)
    passages = [same.popleft() if (same := stored[_make_passage_key(row)]) else row for row in now]
    return Difference(passages, [row for rows in stored.values() for row in rows])


def _make_passage_key(row: Passage) -> Hashable:
    """Return a passage's content and headings, which identify it at another position."""
    return row.page, row.heading, row.text, tuple(map(tuple, row.layout))


def exchange(current: Document, found: Difference, cut: Cut, *, title: str) -> None:
    """Replace the reading of the locked document, in the transaction that ends the job.

    The document keeps this title, even if its texts were made under another.
    """
    current.parts, current.unread = cut.parts, []
    current.passage_count = len(found.passages)
    current.passages_changed, current.rereading_failure = found.changed, ""
    current.reading = READING_VERSION
    profiled = write_profile(current, cut, keeps_title=True)
    current.title = title
    told = ["parts", "unread", "passage_count", "passages_changed", "rereading_failure", "reading"]
    current.save(update_fields=[*told, *profiled])
    if not found.is_any:
        ask_for_the_rest(current, cut.title)
        return
    index.remove(current)
    _replace(current, found.replaced)
    _put_in_place(found)
    make_findable(current, found.passages, cut)
    if found.replaced:
        enqueue(DELETE_REPLACED, current.pk, owner=current.owner_id, delay=LATER)


def _replace(current: Document, replaced: Sequence[Passage]) -> None:
    last = current.all_passages.aggregate(last=Max("position"))["last"] or 0
    first, now = max(REPLACED, last + 1), timezone.now()
    _move(replaced, range(first, first + len(replaced)))
    ids = [row.pk for row in replaced]
    for start in range(0, len(ids), BATCH):
        some = ids[start : start + BATCH]
        Passage.objects.filter(pk__in=some).update(replaced_at=now)
        UnitVectors.objects.filter(passage__in=some).delete()


def _put_in_place(found: Difference) -> None:
    """Give each passage its position; no two share one at any moment."""
    every = enumerate(found.passages)
    moved = [(at, row) for at, row in every if not row._state.adding and row.position != at]
    for start in range(0, len(moved), BATCH):
        some = Passage.objects.filter(pk__in=[row.pk for _, row in moved[start : start + BATCH]])
        some.update(position=AWAY + F("position"))
    _move([row for _, row in moved], [at for at, _ in moved])
    new = found.new
    for row in new:
        row.pk = None  # the database assigns a key in place of the temporary one
    write_passages(new)


def _move(rows: Sequence[Passage], positions: Sequence[int]) -> None:
    """Move the passages and seal them anew, since their seals contain their positions."""
    values: list[list[Any]] = []
    for row, position in zip(rows, positions, strict=True):
        there = copy(row)
        there.position = position
        values.append([position, *map(bytes, seal_fields(there, row)), row.pk])
    with connection.cursor() as cursor:  # bulk_update() takes ten times as long
        cursor.executemany(MOVE, values)


# --- Clean-up -------------------------------------------------------------------------------------


@job(DELETE_REPLACED)
def delete_replaced(lease: Lease) -> None:
    """Do the job: delete replaced passages without references; under a legal hold, later."""
    document = Document.objects.defer("file").filter(pk=lease.subject).first()
    with lease.finishing():
        if document is None:
            return
        if is_held(document):
            enqueue(DELETE_REPLACED, document.pk, owner=document.owner_id, delay=LATER)
        else:
            select_unused_passages(document.all_passages.all()).delete()


def select_unused_passages(rows: QuerySet[Passage]) -> QuerySet[Passage]:
    """Return replaced passages that no citation and no record of a prompt refers to."""
    rows = rows.filter(replaced_at__lte=timezone.now() - LATER)
    for field in list_outliving_references():
        theirs = field.model._base_manager.filter(**{field.name: OuterRef("pk")})
        rows = rows.filter(~Exists(theirs))
    return rows


def list_outliving_references() -> list[Any]:
    """Return the foreign keys to passages of rows that outlive them, in all packages."""
    relations = Passage._meta.get_fields(include_hidden=True)
    keys = [each.field for each in relations if isinstance(each, ManyToOneRel)]
    return [key for key in keys if key.remote_field.on_delete is SET_NULL]


PASSAGES = 500  # in one transaction


@cleans_up("replaced passages")
def delete_unused(pulse: Pulse) -> None:
    """Delete replaced passages without references, except those of held documents.

    Each row is visited once: most replaced passages stay cited for good.
    """
    rows = Passage.objects.filter(replaced_at__isnull=False)
    after = rows.order_by("pk")
    while found := list(after.values_list("pk", "document_id")[:PASSAGES]):
        with transaction.atomic():
            kept = _find_held_documents({document for _pk, document in found})
            free = [pk for pk, document in found if document not in kept]
            select_unused_passages(rows.filter(pk__in=free)).delete()
        after = rows.filter(pk__gt=found[-1][0]).order_by("pk")
        pulse()


def _find_held_documents(ids: Collection[UUID]) -> set[UUID]:
    documents = Document.objects.filter(pk__in=ids).only("owner")
    return {document.pk for document in documents if is_held(document)}
