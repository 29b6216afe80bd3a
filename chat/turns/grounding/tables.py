"""Tables: the row that has the most or the least of what is asked for, wherever it stands."""

from collections.abc import Sequence
from dataclasses import replace

from chat.quoting.extremes import extreme_row, headers_of, superlative_of
from citations.retrieval import Found, Scope, ranked_anew, with_passages
from citations.retrieval.fusing import Scores

# The best passages, which tell the table that is meant; the passages of a document that is looked
# through: what is longer is no table that anybody would go through by eye.
TELL_THE_TABLE, LONGEST = 3, 60


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
