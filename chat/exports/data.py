"""A conversation as JSON, for programs: turns as the API shows them."""

from collections.abc import Iterator
from typing import TypedDict

from chat.exports.conversation import Wish, read_selected_turns
from chat.shapes.resources.attribution import SourceAnswer, list_sources
from chat.shapes.resources.memory import MemoryAnswer, memory_shape
from chat.shapes.resources.sessions import SessionAnswer, session_shape
from chat.shapes.resources.turns import TurnAnswer, turn_shape
from chat.shapes.resources.vocabulary import as_json
from memory.models import Session


class ExportAnswer(TypedDict):
    """A whole conversation as JSON."""

    session: SessionAnswer
    turns: list[TurnAnswer]
    sources: list[SourceAnswer]
    memory: MemoryAnswer


def write_json(session: Session, wish: Wish) -> Iterator[str]:
    """Write the conversation piece by piece."""
    yield f'{{"session":{as_json(session_shape(session))},"turns":['
    for number, turn in enumerate(read_selected_turns(session, wish.turns)):
        yield "," * bool(number) + as_json(turn_shape(turn, wish.style))
    beside = {"sources": list_sources(session), "memory": memory_shape(session)}
    yield f"],{as_json(beside)[1:]}\n"
