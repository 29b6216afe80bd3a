"""Common parts of all resource definitions, and the function that fills one in from a row."""

import json
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypedDict, TypeVar, get_args, get_type_hints
from uuid import UUID

Definition = TypeVar("Definition")
as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Format(str):
    """The format of a text, as JSON Schema names it."""

    __slots__ = ()


Id = Annotated[str, Format("uuid")]
Time = Annotated[str, Format("date-time")]
# Offsets of a span that clients look up in the text.
Start = Annotated[int, "Where it begins in `response`, in Unicode characters."]
End = Annotated[int, "And where it ends."]


class Paged(TypedDict):
    """A page of a list; each begins after a position in the order, so pages never shift."""

    next: Annotated[
        str | None,
        "The `cursor` of the next page; null at the end. Where words are looked for, a page may be "
        "short, or empty, and have a next one: a request looks through a limited number.",
    ]


class Failure(TypedDict):
    """The reason of a failure: a code for programs, a message for people."""

    code: str
    message: str


class TurnPlace(TypedDict):
    turn_id: Id
    session_id: Id
    position: int
    timestamp: Time


def shape(definition: type[Definition], row: object, **given: Any) -> Definition:
    """Return the fields of a definition, as given or from the row's attributes."""
    fields: dict[str, bool] = _read_fields(definition)  # type: ignore[arg-type]
    shaped: Any = {
        name: given[name]
        if name in given
        else _make_plain(getattr(row, name), is_nullable=is_nullable)
        for name, is_nullable in fields.items()
    }
    return shaped


def turn_place_shape(definition: type[Definition], turn: Any, **given: Any) -> Definition:
    """Return the fields of a definition that locates a turn."""
    place = {"turn_id": str(turn.pk), "timestamp": turn.asked_at.isoformat()}
    return shape(definition, turn, **place, **given)


def _make_plain(value: Any, *, is_nullable: bool) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return None if is_nullable and value == "" else value


@cache
def _read_fields(definition: Any) -> dict[str, bool]:
    """Return the names of the definition's fields, each with whether it may be null."""
    hints = get_type_hints(definition)
    return {name: NoneType in get_args(hint) for name, hint in hints.items()}
