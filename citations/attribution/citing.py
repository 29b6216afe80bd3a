"""Citing: the citations [n] of an answer and their storage.

A prompt offers passages under local labels 1..k. While the answer streams, the labels become the
session's numbers (streaming). Then each statement is checked (attributing) and stored.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db import connection

from citations.attribution.offers import Judged, Marker, Offer, Reference
from citations.attribution.statements.lines import find_best_sentence
from citations.attribution.streaming import Citing
from citations.models import Citation, Claim, Document, OfferedDocument, Passage, Source
from memory.models import Session, Turn
from memory.text.citation_markers import strip_markers

# Maximum number of characters before an unclaimed marker that are compared with its passage.
LOOKED_AT = 500


@dataclass(frozen=True)
class Cited:
    """The claims of an answer, and its citations in order of their position."""

    claims: list[Claim] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)


def cite(turn: Turn, citing: Citing) -> Cited:
    """Return the turn's claims and citations as rows, unsaved."""
    cited = Cited()
    for judged in citing.judged:
        claim = _claim(turn, judged)
        cited.claims.append(claim)
        for each in judged.references:
            if each.marker is not None:
                cited.citations.append(_make_citation(turn, each, claim, each.marker.number))
            elif citing.has_room(each.offer):
                cited.citations.append(_make_citation(turn, each, claim, citing.add(each.offer)))
    claimed = {citation.start for citation in cited.citations if not citation.is_added}
    for marker in citing.markers:
        if marker.start not in claimed:
            cited.citations.append(_make_unclaimed_citation(turn, citing.text, marker))
    cited.citations.sort(key=lambda citation: citation.start)
    return cited


def _claim(turn: Turn, judged: Judged) -> Claim:
    return Claim(
        turn=turn,
        owner_id=turn.owner_id,
        start=judged.start,
        end=judged.end,
        state=judged.state,
        score=judged.score,
        method=judged.method,
        version=judged.version,
    )


def _make_citation(turn: Turn, reference: Reference, claim: Claim, number: int) -> Citation:
    text, support = reference.offer.passage.text, reference.support
    quote = shorten_quote(text[support.start : support.end])
    return Citation(
        turn=turn,
        owner_id=turn.owner_id,
        source=Source(number=number, document_id=reference.offer.document_id),
        passage=reference.offer.passage,
        claim=claim,
        is_added=reference.marker is None,
        start=reference.start,
        claim_start=reference.claim_start,
        quote=quote,
        passage_start=support.start,
        passage_end=support.start + len(quote),
        score=support.score,
    )


def _make_unclaimed_citation(turn: Turn, text: str, marker: Marker) -> Citation:
    """Return the citation of a marker outside all claims, or in an unchecked answer."""
    begin = max(text.rfind("\n", 0, marker.start) + 1, marker.start - LOOKED_AT)
    sentence, score = find_best_sentence(
        strip_markers(text[begin : marker.start]), marker.offer.passage.text
    )
    return Citation(
        turn=turn,
        owner_id=turn.owner_id,
        source=Source(number=marker.number, document_id=marker.offer.document_id),
        passage=marker.offer.passage,
        start=marker.start,
        claim_start=begin,
        quote=shorten_quote(sentence),
        score=score,
    )


def shorten_quote(text: str) -> str:
    """Return the text, cut to the most words that a quote may have."""
    ends = [found.end() for found in re.finditer(r"\S+", text)]
    most = settings.SNIPPET_LENGTH if settings.INCLUDE_SNIPPETS else 0
    return text if len(ends) <= most else text[: ends[most - 1] if most else 0]


def leave_out(cited: Cited, still: Collection[int]) -> None:
    """Unlink passages deleted meanwhile: their citations keep the number and the quote."""
    for citation in cited.citations:
        if citation.passage_id not in still:
            citation.passage = None
            citation.source.document = None


def store(turn: Turn, citing: Citing, cited: Cited, still: Collection[int]) -> None:
    """Write the session's new sources, the claims and the citations; inside a transaction."""
    leave_out(cited, still)
    sources = [each.source for each in cited.citations]
    # Of two with the same number, keep the one that still has its document.
    sources.sort(key=lambda source: source.document_id is not None)
    numbered = {source.number: source for source in sources}
    for number, source in numbered.items():
        source.session_id, source.owner_id = turn.session_id, turn.owner_id
        if number in citing.source_ids:
            source.pk = citing.source_ids[number]
    Source.objects.bulk_create(
        [each for number, each in numbered.items() if number not in citing.source_ids]
    )
    for citation in cited.citations:
        citation.source = numbered[citation.source.number]
    Claim.objects.bulk_create(cited.claims)
    Citation.objects.bulk_create(cited.citations)


def begin_citing(session: Session, offers: Sequence[Offer]) -> Citing:
    """Start citing in the session, with the existing numbers of its documents."""
    sources = list(Source.objects.filter(session=session))
    return Citing(
        offers={offer.label: offer for offer in offers},
        numbers={source.document_id: source.number for source in sources if source.document_id},
        next_number=max((source.number for source in sources), default=0) + 1,
        source_ids={source.number: source.pk for source in sources},
    )


def cite_afresh(offers: Sequence[Offer]) -> Citing:
    """Start citing for an answer outside any session, with numbers from 1."""
    return Citing(offers={offer.label: offer for offer in offers}, numbers={}, next_number=1)


def present(passages: Collection[Passage]) -> frozenset[int]:
    """Return the ids of the passages that still exist, and lock their documents."""
    if connection.features.has_select_for_update:  # SQLite has one writer at a time
        documents = sorted({passage.document_id for passage in passages})
        locked = Document.objects.filter(pk__in=documents).order_by("pk")
        list(locked.select_for_update(no_key=True).values_list("pk", flat=True))
    there = Passage.objects.filter(pk__in=[passage.pk for passage in passages]).order_by()
    return frozenset(there.values_list("pk", flat=True))


def note_offered(turn: Turn, offers: Iterable[Offer], still: Collection[int] | None = None) -> None:
    """Note the private documents that the turn's answer may be built on; inside a transaction."""
    private = [offer.passage for offer in offers if offer.passage.owner_id]
    if not private:
        return
    still = present(private) if still is None else still
    documents = {passage.document_id if passage.pk in still else None for passage in private}
    _note_documents(turn, documents)


def _note_documents(turn: Turn, documents: Iterable[UUID | None]) -> None:
    rows = [OfferedDocument(turn=turn, document_id=document) for document in documents]
    OfferedDocument.objects.bulk_create(rows, ignore_conflicts=True)


def note_named(turn: Turn, documents: Collection[UUID]) -> bool:
    """Note private documents that the answer names without citing; return whether all exist."""
    if not documents:
        return True
    rows = Document.objects.filter(pk__in=documents).order_by("pk")
    there = set(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    _note_documents(turn, there)
    return len(there) == len(documents)


def is_built_on_deleted(citing: Citing, still: Collection[int]) -> bool:
    """Return whether a cited private document, or without markers an offered one, was deleted."""
    offers = [marker.offer for marker in citing.markers] or list(citing.offers.values())
    passages = [offer.passage for offer in [*offers, *citing.added]]
    return any(passage.owner_id and passage.pk not in still for passage in passages)
