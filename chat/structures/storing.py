"""Storing: an output as it is sealed with its turn, and read again by later questions.

{"version": 1, "structure": NAME, "columns": [{"key", "title"}], "overview": CELL, "rows": [[CELL]],
"conclusion": CELL}, where a CELL is {"text", "start", "end"}: its words without the numbers of
citations, and where it stands in the answer (null where it is no claim, or not to be found).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from chat.structures.definition import EarlierOutput, Structure
from chat.structures.outputs import Output, read_text
from chat.structures.rendering import PlacedCell, place_cells
from memory.text.citation_markers import strip_markers


def make_stored(structure: Structure, output: Output, answer: str) -> dict[str, Any]:
    """Make the JSON of an output whose rendering, with the session's numbers, is the answer."""
    cells = map(_cell, place_cells(output, answer))
    return {
        "version": structure.version,
        "structure": structure.name,
        "columns": [{"key": each.key, "title": each.title} for each in output.columns],
        "overview": next(cells),
        "rows": [[next(cells) for _ in row] for row in output.table],
        "conclusion": next(cells),
    }


def _cell(placed: PlacedCell) -> dict[str, Any]:
    is_placed = placed.cell.is_claim and placed.start >= 0
    place = (
        {"start": placed.start, "end": placed.end} if is_placed else {"start": None, "end": None}
    )
    return {"text": strip_markers(placed.cell.text).strip(), **place}


def read_earlier(stored: Any, asked: str = "", position: int = 0) -> EarlierOutput | None:
    """Read what was stored with an earlier turn; a package may have brought anything."""
    if not isinstance(stored, Mapping) or not isinstance(stored.get("rows"), list):
        return None
    titles = _texts(stored.get("columns"), "title")
    rows = [list(_texts(row, "text")) for row in stored["rows"]]
    return EarlierOutput(read_text(stored.get("structure")), list(titles), rows, asked, position)


def _texts(members: Any, name: str) -> Iterator[str]:
    for each in members if isinstance(members, list) else ():
        yield read_text(each.get(name) if isinstance(each, Mapping) else each)
