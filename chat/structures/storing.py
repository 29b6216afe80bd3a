"""The stored form of an output, sealed with its turn and read by later questions.

{"version": 1, "structure": NAME, "columns": [{"key", "title"}], "overview": CELL, "rows": [[CELL]],
"conclusion": CELL}, where a CELL is {"text", "start", "end"}: its words without citation numbers,
and its offsets in the answer (null if it is no claim, or wasn't found).
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from chat.structures.definition import EarlierOutput, Structure
from chat.structures.outputs import Cell, Output, read_text
from chat.structures.rendering import PlacedCell, place_cells
from memory.text.citation_markers import strip_markers


def make_table(structure: Structure, output: Output) -> dict[str, Any]:
    """Make the table of an output as streamed to readers."""
    return {
        "structure": structure.name,
        "version": structure.version,
        "columns": [{"key": each.key, "title": each.title} for each in output.columns],
        "rows": [[_strip_cell(cell) for cell in row] for row in output.table],
    }


def make_stored(structure: Structure, output: Output, answer: str) -> dict[str, Any]:
    """Make the JSON of an output whose rendering, with the session's numbers, is the answer."""
    cells = map(_store_cell, place_cells(output, answer))
    return make_table(structure, output) | {
        "overview": next(cells),
        "rows": [[next(cells) for _ in row] for row in output.table],
        "conclusion": next(cells),
    }


def _store_cell(placed: PlacedCell) -> dict[str, Any]:
    is_placed = placed.cell.is_claim and placed.start >= 0
    place = (
        {"start": placed.start, "end": placed.end} if is_placed else {"start": None, "end": None}
    )
    return {"text": _strip_cell(placed.cell), **place}


def _strip_cell(cell: Cell) -> str:
    return strip_markers(cell.text).strip()


def list_kept_cells(stored: Mapping[str, Any]) -> list[PlacedCell]:
    """List the claims among the stored cells, with their spans."""
    cells = [stored["overview"], *chain.from_iterable(stored["rows"]), stored["conclusion"]]
    return [
        PlacedCell(Cell(str(each["text"]), is_claim=True), int(each["start"]), int(each["end"]))
        for each in cells
        if each["start"] is not None
    ]


def read_earlier(stored: Any, asked: str = "", position: int = 0) -> EarlierOutput | None:
    """Parse the stored output of an earlier turn, which is untrusted after an import."""
    if not isinstance(stored, Mapping) or not isinstance(stored.get("rows"), list):
        return None
    titles = _read_texts(stored.get("columns"), "title")
    rows = [list(_read_texts(row, "text")) for row in stored["rows"]]
    return EarlierOutput(read_text(stored.get("structure")), list(titles), rows, asked, position)


def _read_texts(members: Any, name: str) -> Iterator[str]:
    for each in members if isinstance(members, list) else ():
        yield read_text(each.get(name) if isinstance(each, Mapping) else each)
