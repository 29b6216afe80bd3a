"""Citing: what may stand as [n] in an answer, and what an answer that cites it is bound to.

A prompt offers passages under local labels 1..k. While the answer streams, each marker with an
offered label becomes the number its document has in the session, and a marker with any other label
is taken out and counted (citations.attribution.streaming). Afterwards every statement is checked
against what was offered (citations.attribution.attributing), and what was found becomes rows.
"""

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from citations.attribution.offers import Marker, Offer
from citations.attribution.rows import Cited, cite, leave_out, store
from citations.attribution.streaming import Citing
from citations.models import Document, OfferedDocument, Passage, Source
from memory.models import Session, Turn

__all__ = [
    "Cited",
    "Citing",
    "Marker",
    "Offer",
    "begin_citing",
    "cite",
    "cite_afresh",
    "is_built_on_deleted",
    "leave_out",
    "note_named",
    "note_offered",
    "present",
    "store",
]


def begin_citing(session: Session, offers: Sequence[Offer]) -> Citing:
    """Start citing in the session, with the numbers that its documents have already."""
    sources = list(Source.objects.filter(session=session))
    return Citing(
        offers={offer.label: offer for offer in offers},
        numbers={source.document_id: source.number for source in sources if source.document_id},
        next_number=max((source.number for source in sources), default=0) + 1,
        source_ids={source.number: source.pk for source in sources},
    )


def cite_afresh(offers: Sequence[Offer]) -> Citing:
    """Start citing for an answer of no session, with numbers from 1."""
    return Citing(offers={offer.label: offer for offer in offers}, numbers={}, next_number=1)


def present(passages: Collection[Passage]) -> frozenset[int]:
    """Return the ids of the passages that still are, and keep their documents from going.

    The documents stay locked until the caller's transaction ends; removal takes the same lock.
    """
    if connection.features.has_select_for_update:  # else whoever writes is alone
        documents = sorted({passage.document_id for passage in passages})
        locked = Document.objects.filter(pk__in=documents).order_by("pk")
        list(locked.select_for_update(no_key=True).values_list("pk", flat=True))
    ids = [passage.pk for passage in passages]
    return frozenset(_there(ids))


def _there(passages: list[int]) -> QuerySet[Passage, int]:
    return Passage.objects.filter(pk__in=passages).order_by().values_list("pk", flat=True)


def note_offered(turn: Turn, offers: Iterable[Offer], still: Collection[int] | None = None) -> None:
    """Note the private documents that the turn's answer may be built on; inside a transaction.

    One that is gone already is noted as such. `still` are the passages that are there, if known.
    """
    private = [offer.passage for offer in offers if offer.passage.owner_id]
    if not private:
        return
    still = present(private) if still is None else still
    documents = {passage.document_id if passage.pk in still else None for passage in private}
    OfferedDocument.objects.bulk_create(
        [OfferedDocument(turn=turn, document_id=document) for document in documents],
        ignore_conflicts=True,
    )


def note_named(turn: Turn, documents: Collection[UUID]) -> bool:
    """Note the private documents that the answer names without citing them, as if offered to it.

    Call it inside a transaction, until whose end they stay. Tells whether all of them are there.
    """
    if not documents:
        return True
    rows = Document.objects.filter(pk__in=documents).order_by("pk")
    there = set(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    OfferedDocument.objects.bulk_create(
        [OfferedDocument(turn=turn, document_id=document) for document in there],
        ignore_conflicts=True,
    )
    return len(there) == len(documents)


def is_built_on_deleted(citing: Citing, still: Collection[int]) -> bool:
    """Return whether the answer is built on a document of the person's own that is gone by now.

    That is one it cites, or that was found to say what it says; of an answer without markers, any
    that was offered.
    """
    offers = [marker.offer for marker in citing.markers] or list(citing.offers.values())
    passages = [offer.passage for offer in [*offers, *citing.added]]
    return any(passage.owner_id and passage.pk not in still for passage in passages)
