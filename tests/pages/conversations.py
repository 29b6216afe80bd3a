"""Conversations as the tests of the pages need them: stored, without a pipeline to wait for."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from citations.models import Citation, Document, Passage, Source
from memory.models import Session, Turn

HTMX = {"HX-Request": "true"}
STREAM = {"Accept": "text/event-stream"}
MISSING = "01999999-0000-7000-8000-000000000000"
QUESTION = "What is the Determination Date?"


def page(name: str, *ids: object) -> str:
    return reverse(f"chat:{name}", args=ids)


def text(response: HttpResponse) -> str:
    return response.content.decode()


def passage_of_a_document() -> Passage:
    """Store a shared document with one passage."""
    document = Document.objects.create(
        title="Agreement <1>",
        authors=["Ames, A.", "Bell, B.", "Cole, C.", "Dunn, D."],
        year=2026,
        url="https://example.org/agreement",
        media_type="text/markdown",
        checksum="0" * 64,
        status=Document.Status.READY,
    )
    words = "Before. It is the fifteenth day. After."
    return Passage.objects.create(
        document=document, position=0, heading="Dates", text=words, tokens=9
    )


def turn_of(session: Session, passage: Passage | None = None, **fields: Any) -> Turn:
    """Store a finished turn, which cites the passage if there is one."""
    position = session.turns.count() + 1
    values = {"query": QUESTION, "response": "The fifteenth [1].", "status": "complete"} | fields
    turn = Turn.objects.create(
        session=session, owner=session.owner, position=position, query_tokens=5, **values
    )
    if passage:
        _cite(turn, passage)
    return turn


def _cite(turn: Turn, passage: Passage) -> None:
    source, _ = Source.objects.get_or_create(
        session=turn.session, document=passage.document, defaults={"number": 1}
    )
    Citation.objects.create(
        turn=turn,
        owner=turn.owner,
        source=source,
        passage=passage,
        start=turn.response.index("[1]"),
        claim_start=0,
        quote="It is the fifteenth day.",
        score=0.9,
    )
