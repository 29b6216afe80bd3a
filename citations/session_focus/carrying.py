"""Carrying over: "show me more" goes to the sources of the answer before.

Neighbours of the passages that it cites come first, then other passages of those documents on the
subject, and last the quoted passages.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from citations.index.scope import Scope
from citations.retrieval import Found
from citations.session_focus.active import Use

# Maximum number of passages from the answer's sources, which leaves places for others.
MOST = 6
LOOKED_AT = 50
# Minimum score of a passage that is no neighbour of a cited one.
FITS = 0.18


# Finds the best passages for the present question in a scope, up to a limit.
FocusedSearch = Callable[[Scope, int], list[Found]]


def find_carried_passages(search: FocusedSearch, scope: Scope, uses: Sequence[Use]) -> list[Found]:
    """Return passages of the newest answer's sources, those not yet quoted first."""
    newest = max((use.position for use in uses), default=0)
    sources = frozenset(use.document for use in uses if use.position == newest)
    if scope.documents is not None:
        sources &= scope.documents
    if not sources:
        return []
    quoted = {use.passage for use in uses}
    beside = {
        (use.document, use.place + step)
        for use in uses
        for step in (-1, 1)
        if use.position == newest and use.place is not None
    }
    found = search(replace(scope, documents=sources), LOOKED_AT)

    def group(each: Found) -> int:
        passage = each.passage
        if passage.pk in quoted:
            return 2
        return 0 if (passage.document_id, passage.position) in beside else 1

    kept = [each for each in found if group(each) != 1 or each.score >= FITS]
    ordered = sorted(kept, key=lambda each: (group(each), each.rank))
    return [replace(each, carried_over=True) for each in ordered[:MOST]]
