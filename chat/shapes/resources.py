"""The shapes in which turns, citations and sources leave the house: API, events and exports
alike."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol
from uuid import UUID

from django.db.models import Max, Prefetch, QuerySet, prefetch_related_objects

from chat.shapes import citation_styles, failures
from citations.attribution.citing import Cited
from citations.models import Citation, Claim, Document, Source
from citations.session_focus.active import (
    ActiveDocument,
    ActiveSection,
    active_documents,
    active_sections,
)
from memory.models import RewriteSource, Session, Turn
from memory.recall.entities import Weighed, remembered
from memory.recall.rewriting import Rewrite
from memory.text.citation_markers import without_markers

Shape = dict[str, Any]
DRAWN_FROM = Prefetch(
    "rewrite_sources",
    RewriteSource.objects.select_related("source").only("turn", "source__position"),
)


def session_shape(session: Session) -> Shape:
    """Return a session as the API and exports show it."""
    return {
        "session_id": str(session.pk),
        "user_id": str(session.owner_id),
        "title": session.title,
        "metadata": session.metadata,
        "created_at": session.created_at.isoformat(),
        "last_activity": session.last_activity.isoformat(),
        "expires_at": session.expires_at.isoformat(),
        "own_lifetime": session.own_lifetime,
        "turn_count": session.turn_count,
        "context_tokens": session.context_tokens,
        "context_window": session.context_window,
        "strategy": session.strategy,
        "style": session.style or None,
        "length": session.length or None,
        "model": session.model or None,
        "temporary": session.temporary,
        "pinned": session.pinned,
        "archived": session.archived,
        "document_context": limit_shape(session),
    }


def limit_shape(session: Session) -> list[str] | None:
    """Return the documents that the session is limited to, without the deleted; or None."""
    limits = list(session.limited_to.all())
    return sorted(str(row.document_id) for row in limits if row.document_id) if limits else None


def with_citations(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """Load the turns with claims, citations, sources and passages: few queries, however many."""
    citations = Citation.objects.select_related("source__document", "passage").order_by("start")
    return turns.select_related("session").prefetch_related(
        Prefetch("citations", citations), "claims", DRAWN_FROM
    )


def turn_shape(turn: Turn, style: str = "") -> Shape:
    """Return a turn as the API shows it, in its own style or another; load it `with_citations`."""
    cited = Cited(list(turn.claims.all()), list(turn.citations.all()))
    return _shape(turn, cited, style or turn.style, drawn_from(turn))


def unstored_turn_shape(turn: Turn, cited: Cited) -> Shape:
    """Return the turn of a question that is not stored: what has no row has no id."""
    shape = _shape(turn, cited, turn.style, [])
    none = {"claim_id": None}
    citations = [each | none | {"citation_id": None} for each in shape["citations"]]
    claims = [each | none | {"citations": []} for each in shape["claims"]]
    ids = {"turn_id": None, "session_id": None, "position": None}
    return shape | ids | {"citations": citations, "claims": claims}


def drawn_text(turn: Turn) -> str:
    """Return the stored answer as people take it away: with the numbers that were added."""
    added = [row for row in turn.citations.all() if row.is_added]
    return citation_styles.with_added(
        turn.response, [(row.start, row.source.number) for row in added]
    )


def text_to_take(turn: Turn) -> str:
    """Return the answer in its style, with the notes that belong to it."""
    shape, text = turn_shape(turn), drawn_text(turn)
    below = citation_styles.footnotes(text, turn.style, shape["sources"], shape["citations"])
    return citation_styles.restyled(text, turn.style) + below


def _shape(turn: Turn, cited: Cited, style: str, positions: list[int]) -> Shape:
    places, rows = citation_styles.Places(turn.response, style), cited.citations
    of_claims: dict[UUID | None, Claim] = {claim.pk: claim for claim in cited.claims}
    sources = sources_shape(rows)
    citations = [citation_shape(turn, row, places, of_claims.get(row.claim_id)) for row in rows]
    below = citation_styles.footnotes(turn.response, style, sources, citations)
    return {
        "turn_id": str(turn.pk),
        "session_id": str(turn.session_id),
        "position": turn.position,
        "status": turn.status,
        "failure": failure_shape(turn.failure),
        "timestamp": turn.asked_at.isoformat(),
        "query": turn.query,
        "standalone_query": turn.standalone_query,
        "rewrite": rewrite_shape(turn, positions),
        "new_topic": turn.new_topic,
        "outcome": turn.outcome or None,
        "answerability": turn.answerability,
        "response": citation_styles.restyled(turn.response, style) + below,
        "reasoning": turn.reasoning or None,
        "style": style,
        "sources": sources,
        "citations": citations,
        "claims": [claim_shape(turn, claim, rows, places) for claim in cited.claims],
        "support": support_shape(cited.claims),
        "usage": {"prompt_tokens": turn.prompt_tokens, "response_tokens": turn.response_tokens},
        "model": turn.model,
        "rating": turn.rating,
        "feedback": turn.feedback,
    }


def drawn_from(turn: Turn) -> list[int]:
    """Return the positions of the turns whose words went into the turn's standalone question.

    One query, unless the turn was loaded `with_citations`.
    """
    prefetch_related_objects([turn], DRAWN_FROM)
    return sorted(row.source.position for row in turn.rewrite_sources.all())


def rewrite_shape(turn: Turn, positions: list[int]) -> Shape | None:
    """Return why the question was searched as it was; None as long as it has not been."""
    if turn.standalone_query is None or not turn.rewrite_reason:
        return None
    return {
        "rewriting": turn.rewriting,
        "changed": turn.standalone_query != turn.query,
        "reason": turn.rewrite_reason,
        "confidence": turn.rewrite_confidence,
        "drawn_from": positions,
    }


def failure_shape(code: str) -> Shape | None:
    return {"code": code, "message": failures.failure_message(code)} if code else None


def citation_shape(
    turn: Turn, citation: Citation, places: citation_styles.Places, claim: Claim | None
) -> Shape:
    """Return a citation: the claim it stands for, the quote that bears it, and how well."""
    document = citation.source.document
    span = (citation.claim_start, citation.start)
    if claim and span[0] > span[1]:  # its marker stands before what it is for
        span = (claim.start, claim.end)
    start, end = places.span(*span)
    return {
        "citation_id": str(citation.pk),
        "claim_id": str(citation.claim_id) if citation.claim_id else None,
        "number": citation.source.number,
        "added": citation.is_added,
        "text": without_markers(turn.response[slice(*span)]).strip(),
        "start": start,
        "end": end,
        "sources": [str(document.pk)] if document else [],
        "page": _page(citation),
        "quote": citation.quote,
        "passage_start": citation.passage_start,
        "passage_end": citation.passage_end,
        "relevance": citation.score,
        "supported": citation.is_supported,
    }


def _page(citation: Citation) -> int | None:
    return citation.passage.page if citation.passage else None


def claim_shape(
    turn: Turn, claim: Claim, citations: Iterable[Citation], places: citation_styles.Places
) -> Shape:
    """Return a statement of the answer, and whether what was offered bears it out."""
    start, end = places.span(claim.start, claim.end)
    own = [row for row in citations if row.claim_id == claim.pk]
    return {
        "claim_id": str(claim.pk),
        "text": without_markers(turn.response[claim.start : claim.end]).strip(),
        "start": start,
        "end": end,
        "state": claim.state,
        "score": claim.score,
        "numbers": sorted({row.source.number for row in own}),
        "citations": [str(row.pk) for row in own],
    }


def support_shape(claims: Sequence[Claim]) -> Shape:
    """Return how many statements an answer makes, and how many of them are supported."""
    states = [claim.state for claim in claims]
    return {"claims": len(states), "supported": states.count(Claim.State.SUPPORTED)}


def sources_shape(citations: Iterable[Citation]) -> list[Shape]:
    """Return each cited document once, by number, with its best citation's relevance."""
    best: dict[int, Shape] = {}
    for citation in citations:
        number = citation.source.number
        known = best.setdefault(number, source_shape(number, citation.source.document))
        known["relevance"] = max(known["relevance"], citation.score)
    return [best[number] for number in sorted(best)]


def sources_of(session: Session) -> list[Shape]:
    """Return every source that the session has cited, by number: two queries."""
    citations = Citation.objects.filter(source__session=session).order_by().values_list("source")
    best = dict(citations.annotate(Max("score")))
    rows = Source.objects.filter(session=session).select_related("document").order_by("number")
    return [
        source_shape(row.number, row.document) | {"relevance": best.get(row.pk, 0.0)}
        for row in rows
    ]


def source_shape(number: int, document: Document | None) -> Shape:
    """Return a source; of a document that was removed only the number is left."""
    return {
        "number": number,
        "document_id": str(document.pk) if document else None,
        "title": document.title if document else None,
        "authors": document.authors if document else [],
        "year": document.year if document else None,
        "url": (document.url or None) if document else None,
        "relevance": 0.0,
    }


class Ranked(Protocol):
    """A passage with its score: as it was just found, or as it was recorded."""

    @property
    def passage(self) -> Any: ...
    @property
    def score(self) -> float: ...


def opening_shape(rewrite: Rewrite, query: str, found: Iterable[Ranked]) -> Shape:
    """Return what is known before the answer: what was searched for, and what was found."""
    return {
        "standalone_query": rewrite.query,
        "changed": rewrite.query != query,
        "reason": rewrite.reason,
        "confidence": round(rewrite.confidence, 3),
        "drawn_from": list(rewrite.positions),
        "passages": [
            {
                "passage_id": ranked.passage.pk,
                "document_id": str(ranked.passage.document_id),
                "title": ranked.passage.document.title,
                "heading": ranked.passage.heading,
                "relevance": round(ranked.score, 3),
            }
            for ranked in found
        ],
    }


def memory_shape(session: Session) -> Shape:
    """Return what the session remembers: six queries, however much it is."""
    return {
        "session_id": str(session.pk),
        "entities": [entity_shape(each) for each in remembered(session)],
        "documents": [document_shape(each) for each in active_documents(session)],
        "sections": [section_shape(each) for each in active_sections(session)],
    }


def entity_shape(weighed: Weighed) -> Shape:
    """Return a thing that is remembered with the turn that its words come from."""
    row = weighed.entity
    return {
        "entity_id": str(row.pk),
        "kind": row.kind,
        "name": row.name,
        "snippet": row.snippet,
        "turn_id": str(row.turn_id) if row.turn_id else None,
        "last_position": row.position,
        "mentions": row.mentions,
        "weight": weighed.weight,
        "kept": row.is_kept,
    }


def document_shape(active: ActiveDocument) -> Shape:
    """Return a document that the session is about, and what the person said of it."""
    return {
        "document_id": str(active.document.pk),
        "title": active.document.title,
        "standing": active.standing or None,
        "last_position": active.position or None,
        "turns": active.turns,
    }


def section_shape(active: ActiveSection) -> Shape:
    return {
        "document_id": str(active.document.pk),
        "heading": active.heading,
        "last_position": active.position,
    }
