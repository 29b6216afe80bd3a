"""What can be asked of a table whose first column names its rows: a cell, and who has the most."""

from collections.abc import Iterator, Sequence

from citations.formats.blocks import CELLS, BlockKind
from citations.ingestion.chunking import Piece
from citations.ingestion.profiling.question_forms import (
    CELL_NAME,
    COLUMN,
    FIRST_NAME,
    LAST_NAME,
    MOST_OF,
    OF_A_CELL,
    PLAIN,
    WHO_MOST,
    Suggestion,
)

FEW_ROWS = 3


def suggest_sheet_questions(pieces: Sequence[Piece], language: str) -> Iterator[Suggestion]:
    """Yield what can be asked of a table whose first column names its rows: a cell, the most."""
    language = language or "en"  # names and figures are of no language
    rows = [
        (kind, piece.text[start:end].split(CELLS))
        for piece in pieces[:1]
        for start, end, kind in piece.layout
        if kind in (BlockKind.HEADER, BlockKind.ROW)
    ]
    head = next((cells for kind, cells in rows if kind == BlockKind.HEADER), [])
    columns = [each.strip() for each in head]
    told = [cells for kind, cells in rows if kind == BlockKind.ROW and len(cells) == len(head)]
    is_of_people = names_people(columns)
    if is_of_people:  # "Cesar A. | Aguilar" is one
        order = 1 if FIRST_NAME.fullmatch(columns[0]) else -1
        columns = columns[1:]
        told = [[" ".join(map(str.strip, cells[:2][::order])), *cells[2:]] for cells in told]
    if language not in OF_A_CELL or not told or not all(map(COLUMN.fullmatch, columns[:2])):
        return
    for cells in told[:FEW_ROWS]:
        name, *values = (each.strip() for each in cells)
        if not CELL_NAME.fullmatch(name):
            return
        named = zip(columns[1:], values, strict=True)
        column = next((each for each, value in named if CELL_NAME.fullmatch(value)), "")
        if column and COLUMN.fullmatch(column):
            text = OF_A_CELL[language].format(column=plain(column), name=name)
            yield Suggestion(text, name, 2.0, "cell")
    figured = [
        column
        for at, column in enumerate(columns)
        if at and COLUMN.fullmatch(column) and all(PLAIN.fullmatch(row[at].strip()) for row in told)
    ]
    if language in MOST_OF:
        for column in figured[:1]:
            form = WHO_MOST if is_of_people else MOST_OF[language]
            text = form.format(kind=plain(columns[0]), column=plain(column))
            yield Suggestion(text, column, 1.9, "most")


def names_people(columns: Sequence[str]) -> bool:
    """Return whether the first two columns are somebody's names."""
    names = columns[:2]
    return len(names) == 2 and any(
        one.fullmatch(names[0]) and other.fullmatch(names[1])
        for one, other in ((FIRST_NAME, LAST_NAME), (LAST_NAME, FIRST_NAME))
    )


def plain(column: str) -> str:
    """Return the name of a column as it is said: "calling_code" is a calling code."""
    return column.replace("_", " ")
