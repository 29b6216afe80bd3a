"""How relevant everything is that was said in a session: the same for a turn and when measured."""

from memory.models import Session
from memory.recall.index.blocks import cosines, messages_of
from memory.recall.index.messages import Messages
from memory.recall.index.relevance import Scores, named_speakers, relevance, without_names
from memory.text.embedding import Embedded, embedder


def scored(session: Session, asked: Embedded) -> tuple[Messages, Scores]:
    """Return what is kept of the session's messages, and how relevant each is to the question.

    Without an engine, words decide alone.
    """
    messages, query = messages_of(session), asked.text
    engine = embedder()
    if engine is None or not len(messages):
        return messages, relevance(query, messages)
    # Messages are embedded without the names of their speakers; so the question is, too.
    if speakers := named_speakers(query, messages):
        asked = Embedded(without_names(query, speakers))
    near = cosines(session, messages.numbers, asked)
    return messages, relevance(query, messages, near, model=engine.model)
