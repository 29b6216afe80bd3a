"""Outputs as Markdown, by the template of their structure, with the offsets of their texts.

Numbers in square brackets stay as they are: citing makes them citations, or removes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.template.loader import render_to_string

from chat.structures.definition import Structure
from chat.structures.outputs import Cell, Output
from memory.text.citation_markers import MARKER

SPLIT = "\0"


def escape_cell(text: str) -> str:
    """Return the text escaped so that it can't end a table's cell or begin another block."""
    line = " ".join(text.split()).replace("|", "\\|")
    return line.lstrip("#>") if line.startswith(("#", ">")) else line


def render_markdown(structure: Structure, output: Output, *, is_whole: bool = True) -> str:
    """Render the output; the rendering of a partial output is a prefix of the whole."""
    context = {
        "overview": escape_cell(output.overview),
        "columns": [escape_cell(column.title) for column in output.columns],
        "rows": [[escape_cell(cell.text) for cell in row] for row in output.table],
        "conclusion": escape_cell(output.conclusion) if is_whole else "",
    }
    text = render_to_string(structure.template, context)
    return text.strip() if is_whole else text.lstrip().rstrip("\n")


@dataclass(frozen=True)
class PlacedCell:
    """A text of the output and its span in the answer; -1 if it isn't found."""

    cell: Cell
    start: int = -1
    end: int = -1


def place_cells(output: Output, answer: str) -> Iterator[PlacedCell]:
    """Find the output's texts in the finished answer, in order."""
    at = 0
    for cell in output.cells:
        # Markers of passages have been renumbered or removed.
        parts = [part for part in MARKER.sub(SPLIT, escape_cell(cell.text)).split(SPLIT) if part]
        places, after = [], at
        for part in parts:
            start = answer.find(part, after)
            places.append(start)
            after = start + len(part)
        if not places or min(places) < 0:
            yield PlacedCell(cell)
        else:
            at = after
            yield PlacedCell(cell, places[0], at)
