"""The attribution of an answer: its claims, citations and sources."""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypedDict

from django.db.models import Case, Exists, Max, OuterRef, Subquery, When

from chat.models import ContextPassage
from chat.shapes.citation_styles import Places
from chat.shapes.resources.vocabulary import End, Id, Start, shape
from citations.models import Citation, Claim, Document, Source
from memory.models import Session, Turn
from memory.text.citation_markers import strip_markers


class SourceAnswer(TypedDict):
    number: Annotated[int, "The session's number for the document, the n of [n]."]
    document_id: Annotated[Id | None, "Null if the document was removed."]
    title: str | None
    authors: list[str]
    year: int | None
    url: str | None
    earlier_version: Annotated[bool, "Whether a newer version has replaced the document since."]
    relevance: Annotated[float, "Of the citation that is borne out best, 0 to 1."]
    carried_over_from: Annotated[
        int | None, "The position of the turn whose sources the answer took it over from."
    ]


def source_shape(number: int, document: Document | None, relevance: float) -> SourceAnswer:
    """Return a source; only the number is left of a removed document."""
    return {
        "number": number,
        "document_id": str(document.pk) if document else None,
        "title": document.title if document else None,
        "authors": document.authors if document else [],
        "year": document.year if document else None,
        "url": (document.url or None) if document else None,
        "earlier_version": bool(document and document.status == Document.Status.REPLACED),
        "relevance": relevance,
        "carried_over_from": None,
    }


def sources_shape(citations: Iterable[Citation]) -> list[SourceAnswer]:
    """Return each cited document once, by number, with its best citation's relevance."""
    best: dict[int, SourceAnswer] = {}
    for citation in citations:
        number = citation.source.number
        known = best.setdefault(number, source_shape(number, citation.source.document, 0.0))
        known["relevance"] = max(known["relevance"], citation.score)
        known["carried_over_from"] = known["carried_over_from"] or read_carrier(citation)
    return [best[number] for number in sorted(best)]


def read_carrier(citation: Citation) -> int | None:
    """Return the turn found by `find_carrier`; None for an unstored citation."""
    return getattr(citation, "carried_over_from", None)


def find_carrier() -> Case:
    """Find the turn from whose sources a citation's passage was carried over, if any."""
    same = {"record__turn": OuterRef("turn"), "passage": OuterRef("passage")}
    carried = ContextPassage.objects.filter(**same, carried_over=True)
    earlier = Citation.objects.filter(
        source=OuterRef("source"), turn__position__lt=OuterRef("turn__position")
    )
    newest = earlier.order_by("-turn__position").values("turn__position")[:1]
    return Case(When(Exists(carried), then=Subquery(newest)))


def list_sources(session: Session) -> list[SourceAnswer]:
    """Return every source that the session has cited, by number: two queries."""
    citations = Citation.objects.filter(source__session=session).order_by().values_list("source")
    best = dict(citations.annotate(Max("score")))
    rows = Source.objects.filter(session=session).select_related("document").order_by("number")
    return [source_shape(row.number, row.document, best.get(row.pk, 0.0)) for row in rows]


class CitationBase(TypedDict):
    number: Annotated[int, "The n of [n]."]
    added: Annotated[
        bool,
        "Whether the product found the passage: `response` has no marker for it, and [n] would "
        "stand at `end`.",
    ]
    text: Annotated[str, "The words of the answer that the citation is for."]
    start: Start
    end: End
    sources: Annotated[list[Id], "Ids of documents."]
    page: int | None
    quote: Annotated[str, "The sentence of the document that says it."]
    passage_start: Annotated[int | None, "Where the quote begins in its passage."]
    passage_end: int | None
    relevance: Annotated[float, "How likely the passage says it, 0 to 1."]
    supported: Annotated[bool, "Whether that reaches CITATION_THRESHOLD."]


class CitationAnswer(CitationBase):
    citation_id: Id
    claim_id: Annotated[Id | None, "Null if it stands in what is no statement."]


class UnkeptCitationAnswer(CitationBase):
    """A citation that is not stored, so it has no id."""

    citation_id: None
    claim_id: None


def citation_shape(
    turn: Turn, citation: Citation, places: Places, claim: Claim | None
) -> CitationBase:
    """Return a citation: its claim, the supporting quote, and the support."""
    document = citation.source.document
    span = (citation.claim_start, citation.start)
    if claim and span[0] > span[1]:  # its marker stands before its claim
        span = (claim.start, claim.end)
    start, end = places.span(*span)
    return shape(
        CitationBase,
        citation,
        number=citation.source.number,
        added=citation.is_added,
        text=strip_markers(turn.response[slice(*span)]).strip(),
        start=start,
        end=end,
        sources=[str(document.pk)] if document else [],
        page=citation.passage.page if citation.passage else None,
        relevance=citation.score,
        supported=citation.is_supported,
    )


class ClaimBase(TypedDict):
    text: Annotated[str, "A statement of the answer."]
    start: Start
    end: End
    state: Annotated[
        str,
        Claim.State,
        "`supported`: by a passage it names, or found for it. `partly`: at least half. "
        "`elsewhere`: not by what it names, but by another passage. `unsupported`: it names a "
        "passage, and none says it. `uncited`: it names none, and none says it.",
    ]
    score: Annotated[float, "How likely what was offered says it, 0 to 1."]
    numbers: Annotated[list[int], "Of its sources, the n of [n]."]
    citations: list[Id]


class ClaimAnswer(ClaimBase):
    claim_id: Id


class UnkeptClaimAnswer(ClaimBase):
    """A claim that is not stored, so it has no id."""

    claim_id: None


def claim_shape(turn: Turn, claim: Claim, own: Sequence[Citation], places: Places) -> ClaimBase:
    """Return a statement of the answer, and whether the offered passages support it."""
    start, end = places.span(claim.start, claim.end)
    return {
        "text": strip_markers(turn.response[claim.start : claim.end]).strip(),
        "start": start,
        "end": end,
        "state": claim.state,
        "score": claim.score,
        "numbers": sorted({row.source.number for row in own}),
        "citations": [str(row.pk) for row in own],
    }


class SupportAnswer(TypedDict):
    claims: Annotated[int, "How many statements were checked."]
    supported: Annotated[int, "How many of them are supported."]


def support_shape(claims: Sequence[Claim]) -> SupportAnswer:
    """Return the number of an answer's statements, and of the supported ones."""
    states = [claim.state for claim in claims]
    return {"claims": len(states), "supported": states.count(Claim.State.SUPPORTED)}
