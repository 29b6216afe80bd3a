"""The events of an answer's stream, and the content of each.

chat.streams.snapshots makes them and defines their order.
"""

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired, Protocol, TypedDict

from chat.shapes.resources.attribution import (
    CitationAnswer,
    ClaimAnswer,
    SupportAnswer,
    UnkeptCitationAnswer,
    UnkeptClaimAnswer,
)
from chat.shapes.resources.steps import StepAnswer
from chat.shapes.resources.structures import ColumnAnswer
from chat.shapes.resources.turns import QueryAnswer, TurnAnswer
from chat.shapes.resources.vocabulary import Id
from memory.models import Turn
from memory.recall.rewriting.exchanges import Rewrite


class Begun(TypedDict):
    """An attempt begins: earlier text is to be forgotten. Its ids are null if nobody stores it."""

    turn_id: Id | None
    session_id: Id | None
    position: int | None
    attempt: int
    resumed: Annotated[bool, "Whether it began by itself, as the process before it ended."]
    status: Annotated[str, Turn.Status]
    query: str
    documents: Annotated[int | None, "In how many is searched."]


class Waiting(TypedDict):
    """Others are answered first; sent whenever the place in the queue changes."""

    before: Annotated[int, "How many are begun before it."]


class Rewritten(TypedDict):
    """What is searched for, and why that."""

    standalone_query: str
    changed: bool
    reason: str
    confidence: float
    drawn_from: Annotated[list[int], "Positions of the turns whose words went into it."]


class FoundPassage(TypedDict):
    passage_id: int
    document_id: Id
    title: str
    heading: str
    relevance: float


class Found(TypedDict):
    """What was found before anything is answered."""

    passages: list[FoundPassage]


class Delta(TypedDict):
    """More of the text; all of them together are the response."""

    text: str


class StructuredRows(TypedDict):
    """More rows of a structured answer: `structured_output` of the finished turn has them all."""

    structure: str
    version: Annotated[int, "Of the structure's columns."]
    columns: list[ColumnAnswer]
    first: Annotated[int, "Of all rows, the one that `rows` begins with, from 0."]
    rows: Annotated[list[list[str]], "The texts of the cells, without the numbers of sources."]


class Attribution(TypedDict):
    """What the finished answer says of its sources."""

    citations: list[CitationAnswer]
    claims: list[ClaimAnswer]
    support: SupportAnswer


class QueryAttribution(TypedDict):
    """What an answer that nobody stores says of its sources."""

    citations: list[CitationAnswer | UnkeptCitationAnswer]
    claims: list[ClaimAnswer | UnkeptClaimAnswer]
    support: SupportAnswer


class Refused(TypedDict):
    """What the answer would have been to a question that isn't taken, had no stream begun."""

    status: NotRequired[Annotated[int, "Of the answer: the question isn't stored."]]
    retry_after: NotRequired[Annotated[int, "In how many seconds to ask again."]]


class Failed(Refused):
    """The answer failed, and the question is kept; or it isn't taken, or not to be read now."""

    code: Annotated[str, "`not_found` if the turn or the right to read it is gone."]
    message: str
    turn: Annotated[TurnAnswer | None, "Null if it may not be read any more."]


class QueryFailed(Refused):
    """The answer failed, to a question that may be nowhere."""

    code: str
    message: str
    turn: TurnAnswer | QueryAnswer | None


# What each event carries, by its name: of a turn, and of a question that nobody may store.
TURN_EVENTS: dict[str, Any] = {
    "turn": Begun,
    "waiting": Waiting,
    "step": StepAnswer,
    "rewrite": Rewritten,
    "passages": Found,
    "delta": Delta,
    "structure": StructuredRows,
    "citations": Attribution,
    "done": TurnAnswer,
    "error": Failed,
}
QUERY_EVENTS: dict[str, Any] = TURN_EVENTS | {
    "citations": QueryAttribution,
    "done": TurnAnswer | QueryAnswer,
    "error": QueryFailed,
}


class OpeningShape(Rewritten, Found):
    """What is known before the answer."""


class Ranked(Protocol):
    """A passage with its score: as it was just found, or as it was recorded."""

    @property
    def passage(self) -> Any: ...
    @property
    def score(self) -> float: ...


def opening_shape(rewrite: Rewrite, query: str, found: Iterable[Ranked]) -> OpeningShape:
    """Return the search and its passages, which are known before the answer."""
    return {
        "standalone_query": rewrite.query,
        "changed": rewrite.query != query,
        "reason": rewrite.reason,
        "confidence": round(rewrite.confidence, 3),
        "drawn_from": list(rewrite.positions),
        "passages": [
            {
                "passage_id": ranked.passage.pk,
                "document_id": str(ranked.passage.document_id),
                "title": ranked.passage.document.title,
                "heading": ranked.passage.heading,
                "relevance": round(ranked.score, 3),
            }
            for ranked in found
        ],
    }
