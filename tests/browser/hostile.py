"""Conversations and documents of which every word is hostile, in the database of a real server."""

import json
from hashlib import sha256

from citations.models import Citation, Claim, Document, Passage, Source
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from tests.chat.payloads import PAYLOADS


def print_places(username: str, first: int, last: int) -> None:
    """Make a turn of each of these payloads; print the addresses of pages that show them."""
    owner = User.objects.get(username=username)
    payloads = [payload.replace("\x00", "") for payload in PAYLOADS[first:last]]
    session = create_session(owner, title=payloads[0])
    documents = [_document(session, payload) for payload in payloads]
    turns = [
        _turn(session, position, payload, documents[position - 1])
        for position, payload in enumerate(payloads, start=1)
    ]
    Session.objects.filter(pk=session.pk).update(turn_count=len(turns), last_position=len(turns))
    place = f"/conversations/{session.pk}"
    citation = Citation.objects.filter(turn=turns[0]).get()
    documents_of_all = [f"/library/{document.pk}" for document in documents]
    places = [place, f"{place}/sources", f"{place}/delete", f"{place}/turns/{turns[0].pk}/context"]
    print(json.dumps([*places, f"/citations/{citation.pk}", "/library", *documents_of_all]))


def _document(session: Session, payload: str) -> Document:
    document = Document.objects.create(
        owner=session.owner,
        title=payload,
        authors=[payload],
        url="javascript:alert(1)",
        file_name=payload.replace("/", "_")[:200],
        media_type="text/html",
        checksum=sha256(f"{session.pk} {payload}".encode()).hexdigest(),
        status="ready",
        passage_count=1,
        size=4096,
    )
    Passage.objects.create(
        document=document, owner=session.owner, position=0, heading=payload, text=payload, tokens=60
    )
    return document


def _turn(session: Session, position: int, payload: str, document: Document) -> Turn:
    response = f"It says {payload}\n\nAnd so [1]."
    turn = Turn.objects.create(
        session=session,
        owner=session.owner,
        position=position,
        query=payload,
        query_tokens=5,
        standalone_query=f"What is {payload}?",
        rewriting="automatic",
        response=response,
        style="inline",
        status="complete",
    )
    source = Source.objects.create(session=session, document=document, number=position)
    Citation.objects.create(
        turn=turn,
        owner=session.owner,
        source=source,
        passage=document.passages.get(),
        start=response.rindex("[1]"),
        claim_start=0,
        quote=payload,
        score=0.9,
    )
    Claim.objects.create(
        turn=turn,
        owner=session.owner,
        start=0,
        end=len(response) - 5,
        state=Claim.State.values[position % len(Claim.State)],
        score=0.5,
        method="overlap",
        version="1",
    )
    return turn
