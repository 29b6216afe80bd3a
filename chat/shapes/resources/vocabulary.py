"""What all definitions of resources are made of."""

from typing import Annotated, TypedDict


class Format(str):
    """What a text is, in JSON Schema's words."""

    __slots__ = ()


Id = Annotated[str, Format("uuid")]
Time = Annotated[str, Format("date-time")]
# Where a stretch of a text begins and ends, of those that a client has to find there.
Start = Annotated[int, "Where it begins in `response`, in Unicode characters."]
End = Annotated[int, "And where it ends."]


class Paged(TypedDict):
    """Part of a list; each page begins behind a place in the order, so pages never shift."""

    next: Annotated[
        str | None,
        "The `cursor` of the next page; null at the end. Where words are looked for, a page may be "
        "short, or empty, and have a next one: a request looks through a limited number.",
    ]


class Failure(TypedDict):
    """Why something failed: for programs, and for people."""

    code: str
    message: str
