"""A conversation as JSON, for programs: turns as the API shows them."""

import json
from collections.abc import Iterator
from typing import Any, TypedDict

from chat.exports.conversation import Wish, selected_turns
from chat.shapes.resources.attribution import SourceAnswer, list_sources
from chat.shapes.resources.memory import MemoryAnswer, memory_shape
from chat.shapes.resources.sessions import SessionAnswer, session_shape
from chat.shapes.resources.turns import TurnAnswer, turn_shape
from memory.models import Session


class ExportAnswer(TypedDict):
    """A conversation as a whole, as JSON."""

    session: SessionAnswer
    turns: list[TurnAnswer]
    sources: list[SourceAnswer]
    memory: MemoryAnswer


def write_json(session: Session, wish: Wish) -> Iterator[str]:
    """Write the conversation piece by piece."""
    yield f'{{"session":{_dumped(session_shape(session))},"turns":['
    for number, turn in enumerate(selected_turns(session, wish.turns)):
        yield "," * bool(number) + _dumped(turn_shape(turn, wish.style))
    beside = {"sources": list_sources(session), "memory": memory_shape(session)}
    yield f"],{_dumped(beside)[1:]}\n"


def _dumped(shape: Any) -> str:
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
