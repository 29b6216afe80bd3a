"""Tables: what is reckoned over one, and the row that has the most or the least of what is asked
for, wherever it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chat.quoting.tables.extremes import extreme_row, headers_of, superlative_of
from chat.quoting.tables.reading import Table, fields_of
from chat.quoting.tables.reckoning import reckoned
from chat.quoting.tables.reckoning.beyond import lacking, wants_more_than_a_row
from chat.quoting.tables.reckoning.nearness import with_near_columns
from chat.quoting.tables.reckoning.writing import TableAnswer
from citations.formats.blocks import CELLS
from citations.formats.reading import Note
from citations.models import Document, Passage
from citations.readers.file_failures import sentence
from citations.readers.kinds import CSV, JSON, ODS, XLS, XLSX
from citations.retrieval import Found, Scope, ranked_anew, with_passages
from citations.retrieval.fusing import Scores
from citations.retrieval.units import units_of
from memory.text.words import words

# The best passages, which tell the table that is meant; the passages of a document that is looked
# through: what is longer is no table that anybody would go through by eye.
TELL_THE_TABLE, LONGEST = 3, 60
# The best passages whose tables are reckoned with, if all of a question is understood of one; the
# passages of a sheet that is.
OF_TABLES, LONGEST_SHEET = 5, 400
# What heads rows that have the names of their columns in themselves.
RECORDS = ""
WORKBOOKS = frozenset([XLSX, XLS, ODS])
SHEETS = WORKBOOKS | {CSV, JSON}


def with_extreme(question: str, found: Sequence[Found], scope: Scope) -> list[Found]:
    """Return what was found with the passage that has the most or the least of what is asked for in
    the first place, if the best have a table.
    """
    if superlative_of(question) is None:
        return list(found)
    best_ones = (each.passage for each in found[:TELL_THE_TABLE])
    table = next((each for each in best_ones if headers_of(each)), None)
    if table is None:
        return list(found)
    whole = list(table.document.passages.order_by("position")[: LONGEST + 1])
    headers = set(headers_of(table))
    of_table = [each for each in whole if headers.intersection(headers_of(each))]
    row = extreme_row(question, of_table) if len(whole) <= LONGEST else None
    if row is None:
        return list(found)
    best = found[0]
    known = [each for each in found if each.passage.pk == row.passage.pk]
    [first] = known or with_passages(
        [Scores(row.passage.pk, best.score, best.fit, None, None, None)], scope
    )
    first = replace(first, fit=max(first.fit, best.fit), extreme=row.start)
    others = [each for each in found if each.passage.pk != row.passage.pk]
    return ranked_anew([first, *others])


@dataclass(frozen=True)
class FoundTable:
    """A table, what it stands under, whether it is a sheet, and its document's only one."""

    table: Table
    heading: str
    is_sheet: bool
    is_only: bool


class TablesFound:
    """The tables of what was found: each is read and put together once, whatever is asked of it."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._found = found[:OF_TABLES]
        self._passages: dict[object, list[Passage]] = {}
        self._made: dict[tuple[object, str | None, str], FoundTable | None] = {}

    def meant_by(self, question: str, *, best: int = OF_TABLES) -> Iterator[FoundTable]:
        """Yield the tables in so many of the best passages that the question may be about."""
        tried = set()
        for each in self._found[:best]:
            passage, document = each.passage, each.passage.document
            for header in headers_of(passage) or [RECORDS] * (document.media_type in SHEETS):
                heading = sheet_meant(question, passage, header, self._passages_of(document))
                place = (document.pk, heading, header)
                if place not in tried and (made := self._at(document, heading, header)):
                    yield made
                tried.add(place)

    def _at(self, document: Document, heading: str | None, header: str) -> FoundTable | None:
        place = (document.pk, heading, header)
        if place not in self._made:
            passages = self._passages_of(document)
            table, is_sheet = table_under(header, heading, passages), document.media_type in SHEETS
            is_only = not is_sheet and len(headings_above(header, passages)) == 1
            self._made[place] = (
                FoundTable(table, heading or "", is_sheet, is_only) if table else None
            )
        return self._made[place]

    def _passages_of(self, document: Document) -> list[Passage]:
        if document.pk not in self._passages:
            self._passages[document.pk] = passages_of_tables(document)
        return self._passages[document.pk]


def over_a_table(question: str, tables: TablesFound) -> TableAnswer | None:
    """Return what the question asks to be reckoned over a table of what was found: the one of which
    the least is guessed, that it calls by its heading, or that was found first.
    """
    asked = set(words(question))
    there = [
        (made.guessed, asked.isdisjoint(words(each.heading)), made)
        for each in tables.meant_by(question)
        if (made := reckoned(question, each.table, is_sheet=each.is_sheet, is_only=each.is_only))
    ]
    *_, best = min(there, key=lambda each: each[:2], default=(None,))
    return TableAnswer(best, question) if best else None


def about_a_column(question: str, tables: TablesFound) -> TableAnswer | None:
    """Return what is reckoned over the sheet that was found first, if the question means one of its
    columns in words that are only near its name.
    """
    for each in tables.meant_by(question, best=1):
        near = with_near_columns(question, each.table) if each.is_sheet else None
        if near and (made := reckoned(question, near, is_sheet=True)):
            return TableAnswer(made, question)
    return None


def rows_that_lack_it(question: str, tables: TablesFound) -> TableAnswer | None:
    """Return the rows of the sheet that was found first of which the question asks what no column
    is called by.
    """
    there = tables.meant_by(question, best=1)
    made = (lacking(question, each.table) for each in there if each.is_sheet)
    first = next(filter(None, made), None)
    return TableAnswer(first, question) if first else None


def wants_more_of_a_sheet(question: str, found: Sequence[Found]) -> bool:
    """Return whether the question wants of the sheet that was found first what no row of it
    tells.
    """
    if not found or found[0].passage.document.media_type not in SHEETS:
        return False
    best = found[0].passage
    names = [name for header in headers_of(best) for name in header.split(CELLS)]
    names = names or [name for unit in units_of(best) for name in fields_of(unit.of(best.text))]
    return bool(names) and wants_more_than_a_row(question, names)


def passages_of_tables(document: Document) -> list[Passage]:
    """Return the passages that tables are put together from; none, if they are too many or some of
    them were cut off.
    """
    if document.passage_count > LONGEST_SHEET or sentence(Note("cut_off")) in document.unread:
        return []
    return list(document.passages.order_by("position").select_related("document"))


def sheet_meant(
    question: str, passage: Passage, header: str, passages: Sequence[Passage]
) -> str | None:
    """Return the heading whose table is meant: that of the passage, unless other sheets have the
    same columns and the question calls none of them; then it is all of them, which is None.
    """
    if passage.document.media_type not in WORKBOOKS:
        return passage.heading
    sheets = headings_above(header, passages)
    if len(sheets) < 2:
        return passage.heading
    asked = set(words(question))
    called = [sheet for sheet in sheets if not asked.isdisjoint(words(sheet))]
    return next(iter(called), None) if len(called) < 2 else passage.heading


def headings_above(header: str, passages: Sequence[Passage]) -> set[str]:
    """Return under which headings the document has tables with this header, or records."""
    return {each.heading for each in passages if header in (headers_of(each) or [RECORDS])}


def table_under(header: str, heading: str | None, passages: Sequence[Passage]) -> Table | None:
    """Return the table that the passages under the heading have, unless it is too short."""
    own = [each for each in passages if heading in (None, each.heading)]
    if header == RECORDS:
        return Table.of_records(own, heading or "")
    return Table.of(own, header, heading or "")
