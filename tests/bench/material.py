"""Material of the benchmark: sessions, passages and vectors, made quickly and reproducibly."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from django.db import transaction

from citations import index
from citations.ingestion.chunking import Piece
from citations.ingestion.preparing import make_passage, seal_passages, write_passages
from citations.models import Citation, Document, Source
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User, VectorBlock, WordBlock
from memory.recall.index.blocks import write
from memory.recall.index.messages import VERSION, Message, Messages, Side
from memory.text.embedding import Vectors, get_embedder, scale_to_unit
from memory.text.token_counting import count_tokens
from memory.text.vectors import BLOCK, Block
from memory.text.words import find_sentences

SAMPLE = Path(index.__file__).parent.parent / "sample"
numbers = np.random.default_rng(7)
choices = random.Random(7)


def material() -> list[str]:
    """Return the sentences of the sample library."""
    texts = [path.read_text() for path in sorted(SAMPLE.glob("*.md"))]
    return [text[start:end] for text in texts for start, end in find_sentences(text)]


SENTENCES = material()


def prose(count: int) -> str:
    """Return some sentences in another order each time."""
    return " ".join(choices.choices(SENTENCES, k=count))


def vectors(count: int) -> Vectors:
    """Return unit vectors: what they say doesn't matter to how long it takes to compare them."""
    return scale_to_unit(numbers.standard_normal((count, 384)).astype(np.float32))


def session_of(owner: User, size: int) -> Session:
    """Make a session with so many answered turns and their vectors, as turns leave them behind."""
    session = create_session(owner)
    for first in range(1, size + 1, BLOCK // 2):
        positions = range(first, min(first + BLOCK // 2, size + 1))
        with transaction.atomic():
            turns = Turn.objects.bulk_create(_turn(session, position) for position in positions)
            _blocks_of(turns)
    Session.objects.filter(pk=session.pk).update(last_position=size, turn_count=size)
    session.refresh_from_db()
    return session


def cite_documents(session: Session, count: int) -> None:
    """Have each turn cite three of so many documents of the session's person."""
    documents = [
        Document(
            owner_id=session.owner_id,
            title=prose(1)[:80],
            authors=["Ames, Ann", "Bell, Bo", "Cole, Cy"],
            year=1990 + number % 30,
            checksum=f"cited-{number}",
            status=Document.Status.READY,
            csl={"type": "article-journal", "container-title": "Nature", "volume": str(number)},
        )
        for number in range(count)
    ]
    with transaction.atomic():
        Document.objects.bulk_create(documents)
        sources = Source.objects.bulk_create(
            Source(session=session, owner_id=session.owner_id, document=document, number=number)
            for number, document in enumerate(documents, 1)
        )
        Citation.objects.bulk_create(
            Citation(
                turn=turn,
                owner_id=session.owner_id,
                source=sources[(turn.position * 3 + place) % count],
                start=place,
                claim_start=0,
                quote=prose(1),
                score=0.9,
            )
            for turn in session.turns.all()
            for place in range(3)
        )


def _blocks_of(turns: list[Turn]) -> None:
    """Store the vectors and words of the turns, as their jobs would."""
    messages = [
        Message(turn.position, side, text, turn.asked_at)
        for turn in turns
        for side, text in zip(Side, (turn.query, turn.response), strict=True)
    ]
    places = [[message.position, message.side] for message in messages]
    common = {
        "session": turns[0].session,
        "owner_id": turns[0].owner_id,
        "number": turns[0].position // (BLOCK // 2) + 1,
    }
    write(
        VectorBlock(model=_model(), dimensions=384, **common),
        Block.quantise(places, vectors(len(messages))),
    )
    write(WordBlock(version=VERSION, **common), Messages.build(messages))


def _turn(session: Session, position: int) -> Turn:
    query, response = prose(1), prose(3)
    return Turn(
        session=session,
        owner_id=session.owner_id,
        position=position,
        status=Turn.Status.COMPLETE,
        query=query,
        query_tokens=count_tokens(query),
        response=response,
        response_tokens=count_tokens(response),
        recalled_tokens=count_tokens(response),
        outcome=Turn.Outcome.ANSWERED,
        topic=1,
    )


def library_of(size: int) -> None:
    """Add so many passages to the shared library, in documents of 50."""
    for chunk in _chunks(range(size), 50):
        with transaction.atomic():
            document = Document.objects.create(
                title=prose(1)[:60],
                authors=[],
                media_type="text/plain",
                checksum=f"bench-{numbers.integers(1 << 60)}",
                status=Document.Status.READY,
            )
            pieces = [Piece("", prose(4), None) for _ in chunk]
            cut = [make_passage(document, position, piece) for position, piece in enumerate(pieces)]
            seal_passages(cut)
            passages = write_passages(cut)
            index.add(document, passages)
            index.add_vectors(document, passages, vectors(len(chunk)), model=_model())


def _model() -> str:
    engine = get_embedder()
    assert engine
    return engine.model


def _chunks(items: range, size: int) -> Iterator[list[int]]:
    remaining = iter(items)
    while chunk := list(itertools.islice(remaining, size)):
        yield chunk
