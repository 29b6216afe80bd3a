"""How relevant everything is that was said: the same for a turn, across sessions and measured."""

from collections.abc import Sequence
from uuid import UUID

from memory.recall.index.reading import Heard, cosines, heard
from memory.recall.index.relevance import Scores, named_speakers, relevance, without_names
from memory.text.embedding import Embedded, embedder


def scored(sessions: Sequence[UUID], asked: Embedded) -> tuple[Heard, Scores]:
    """Return what is kept of the sessions' messages, and how relevant each is to the question.

    The sessions are in order. Without an engine, words decide alone.
    """
    found = heard(sessions)
    messages, query = found.messages, asked.text
    engine = embedder()
    if engine is None or not len(messages):
        return found, relevance(query, messages)
    # Messages are embedded without the names of their speakers; so the question is, too.
    if speakers := named_speakers(query, messages):
        asked = Embedded(without_names(query, speakers))
    near = cosines(sessions, messages.numbers, asked)
    return found, relevance(query, messages, near, model=engine.model)
