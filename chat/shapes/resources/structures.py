"""The structured content of an answer: a table whose cells are claims, each with its state."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from chat.shapes.citation_styles import Places
from chat.shapes.resources.vocabulary import End, Start
from citations.models import Citation, Claim
from memory.models import Turn


class CellAnswer(TypedDict):
    text: str
    start: Start | None
    end: End | None
    state: Annotated[str | None, Claim.State, "Of what it states; null if it states nothing."]
    numbers: Annotated[list[int], "Of its sources, the n of [n]."]


class ColumnAnswer(TypedDict):
    key: Annotated[str, "For programs: the same in every language."]
    title: str


class StructuredAnswer(TypedDict):
    """The answer as a table; `response` is the same as Markdown."""

    version: Annotated[int, "Of the structure's columns."]
    structure: str
    columns: list[ColumnAnswer]
    overview: CellAnswer
    rows: list[list[CellAnswer]]
    conclusion: CellAnswer


def structured_shape(
    turn: Turn, claims: Sequence[Claim], citations: Sequence[Citation], places: Places
) -> StructuredAnswer | None:
    """Return the turn's structured content; None for prose, and if it can't be parsed."""
    stored: Any = turn.structured_output
    if not stored:
        return None
    by_start = {claim.start: claim for claim in claims}

    def cell(given: Any) -> CellAnswer:
        start, end = given["start"], given["end"]
        claim = by_start.get(start)
        span = (None, None) if start is None else places.span(start, end)
        own = [each for each in citations if claim is not None and each.claim_id == claim.pk]
        return {
            "text": str(given["text"]),
            "start": span[0],
            "end": span[1],
            "state": claim.state if claim else None,
            "numbers": sorted({each.source.number for each in own}),
        }

    try:
        return {
            "version": int(stored["version"]),
            "structure": str(stored["structure"]),
            "columns": [
                {"key": str(each["key"]), "title": str(each["title"])} for each in stored["columns"]
            ],
            "overview": cell(stored["overview"]),
            "rows": [[cell(each) for each in row] for row in stored["rows"]],
            "conclusion": cell(stored["conclusion"]),
        }
    except (KeyError, TypeError, ValueError):  # an imported package is untrusted
        return None
