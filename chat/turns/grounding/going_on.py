"""Going on: a list, a table or code that begins in one passage and goes on in the one behind it."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q, QuerySet

from chat.quoting.spans.going_on import goes_on_in, may_go_on
from citations.models import Passage
from citations.retrieval import Found, Scope, ranked_anew

# Of so many of the best passages what goes on behind them is looked up, in one query.
LOOKED_BEHIND = 5


def with_what_goes_on(found: Sequence[Found], scope: Scope) -> list[Found]:
    """Return what was found, and behind it, wanted however they fit, the passages in which the ends
    of the best go on.
    """
    ends = [each.passage for each in found[:LOOKED_BEHIND] if may_go_on(each.passage)]
    if not ends:
        return list(found)
    places = [end.document_id for end in ends], [end.position + 1 for end in ends]
    rows = _at(scope.owner, scope.documents, *places)
    by_place = {(row.document_id, row.position): row for row in rows}
    pairs = ((end, by_place.get((end.document_id, end.position + 1))) for end in ends)
    going_on = {row.pk: row for end, row in pairs if row and goes_on_in(end, row)}
    marked = [replace(each, goes_on=each.passage.pk in going_on) for each in found]
    known = {each.passage.pk for each in found}
    least = min(found, key=lambda each: each.fit)
    added = [
        replace(least, passage=row, word_score=None, known_word_score=None, vector_score=None)
        for pk, row in going_on.items()
        if pk not in known
    ]
    return ranked_anew([*marked, *(replace(each, goes_on=True) for each in added)])


def _at(
    owner: UUID | None, documents: frozenset[UUID] | None, of: list[UUID], positions: list[int]
) -> QuerySet[Passage]:
    places = Q()
    for document, position in zip(of, positions, strict=True):
        places |= Q(document_id=document, position=position)
    rows = Passage.objects.filter(Scope(owner, documents).readable, places, replaced_at=None)
    return rows.select_related("document")
