"""Tables: what is reckoned over one, and the row that has the most or the least of what is asked
for, wherever it stands.
"""

from collections.abc import Sequence
from dataclasses import replace

from chat.quoting.tables.extremes import extreme_row, headers_of, superlative_of
from chat.quoting.tables.reading import Table
from chat.quoting.tables.reckoning import Reckoned, reckoned
from chat.quoting.tables.writing import TableAnswer
from citations.formats.reading import Note
from citations.models import Passage
from citations.readers.file_failures import sentence
from citations.readers.kinds import CSV, ODS, XLSX
from citations.retrieval import Found, Scope, ranked_anew, with_passages
from citations.retrieval.fusing import Scores

# The best passages, which tell the table that is meant; the passages of a document that is looked
# through: what is longer is no table that anybody would go through by eye.
TELL_THE_TABLE, LONGEST = 3, 60
# The best passages whose tables are reckoned with, if all of a question is understood of one; the
# passages of a sheet that is.
OF_TABLES, LONGEST_SHEET = 5, 400
# What heads rows that have the names of their columns in themselves.
RECORDS = ""
SHEETS = frozenset([CSV, XLSX, ODS])


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


def over_a_table(question: str, found: Sequence[Found]) -> TableAnswer | None:
    """Return what the question asks to be reckoned over a table of what was found: the one of which
    the least is guessed, or that was found first.
    """
    made: list[Reckoned] = []
    tried: set[tuple[object, str, str]] = set()
    for each in found[:OF_TABLES]:
        passage = each.passage
        is_sheet = passage.document.media_type in SHEETS
        for header in headers_of(passage) or [RECORDS] * is_sheet:
            place = (passage.document_id, passage.heading, header)
            table = whole_table(passage, header) if place not in tried else None
            tried.add(place)
            if table and (found_there := reckoned(question, table, is_sheet=is_sheet)):
                made.append(found_there)
    best = min(made, key=lambda each: each.guessed, default=None)
    return TableAnswer(best, question) if best else None


def whole_table(passage: Passage, header: str) -> Table | None:
    """Return the table that the passage has a part of, unless it is too long or was cut off."""
    document = passage.document
    if document.passage_count > LONGEST_SHEET or sentence(Note("cut_off")) in document.unread:
        return None
    rows = document.passages.order_by("position").select_related("document")
    if header == RECORDS:
        return Table.of_records(passage, rows)
    return Table.of(passage, header, rows)
