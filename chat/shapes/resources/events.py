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
    """An attempt begins: drop earlier text. Its ids are null if the turn is not stored."""

    turn_id: Id | None
    session_id: Id | None
    position: int | None
    attempt: int
    resumed: Annotated[bool, "Whether it began by itself, as the process before it ended."]
    status: Annotated[str, Turn.Status]
    query: str
    documents: Annotated[int | None, "In how many is searched."]


class Waiting(TypedDict):
    """Other questions are answered first; sent whenever the place in the queue changes."""

    before: Annotated[int, "How many are begun before it."]


class Rewritten(TypedDict):
    """The query of the search, and the reason of the rewrite."""

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
    """The retrieved passages, before the answer begins."""

    passages: list[FoundPassage]


class Delta(TypedDict):
    """More of the text; all deltas together are the response."""

    text: str


class StructuredRows(TypedDict):
    """More rows of a structured answer: `structured_output` of the finished turn has them all."""

    structure: str
    version: Annotated[int, "Of the structure's columns."]
    columns: list[ColumnAnswer]
    first: Annotated[int, "Of all rows, the one that `rows` begins with, from 0."]
    rows: Annotated[list[list[str]], "The texts of the cells, without the numbers of sources."]


class Attribution(TypedDict):
    """The citations and claims of the finished answer."""

    citations: list[CitationAnswer]
    claims: list[ClaimAnswer]
    support: SupportAnswer


class QueryAttribution(TypedDict):
    """The citations and claims of an answer that is not stored."""

    citations: list[CitationAnswer | UnkeptCitationAnswer]
    claims: list[ClaimAnswer | UnkeptClaimAnswer]
    support: SupportAnswer


class Refused(TypedDict):
    """The status and headers that a rejection would have had without a stream."""

    status: NotRequired[Annotated[int, "Of the answer: the question isn't stored."]]
    retry_after: NotRequired[Annotated[int, "In how many seconds to ask again."]]


class Failed(Refused):
    """The answer failed and the question is kept; or it is rejected, or unreadable now."""

    code: Annotated[str, "`not_found` if the turn or the right to read it is gone."]
    message: str
    turn: Annotated[TurnAnswer | None, "Null if it may not be read any more."]


class QueryFailed(Refused):
    """The answer failed; its question may not be stored."""

    code: str
    message: str
    turn: TurnAnswer | QueryAnswer | None


# The content of each event by name: of turns, and of questions that are not stored.
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
    """The rewrite and the passages, known before the answer."""


class Ranked(Protocol):
    """A passage with its score, as retrieved or as recorded."""

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
