"""How relevant everything is that was said in a session: the same for a turn and when measured."""

from memory.embedding import Vectors, embed_query, embedder
from memory.models import Session
from memory.recall.blocks import cosines, messages_of
from memory.recall.messages import Messages
from memory.recall.relevance import Scores, named_speakers, relevance, without_names


def scored(session: Session, query: str, vector: Vectors | None) -> tuple[Messages, Scores]:
    """Return what is kept of the session's messages, and how relevant each is to the question.

    `vector` is the question's; where it is None, words decide alone.
    """
    messages, engine = messages_of(session), embedder()
    if engine is None or vector is None:
        return messages, relevance(query, messages)
    # Messages are embedded without the names of their speakers; so the question is, too.
    if speakers := named_speakers(query, messages):
        vector = embed_query(without_names(query, speakers))
    if vector is None:
        return messages, relevance(query, messages)
    near = cosines(session, messages.numbers, vector, model=engine.model)
    return messages, relevance(query, messages, near)
