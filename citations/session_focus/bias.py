"""Bias: the active documents of a session rank higher; none is hidden.

A document that the last answers cite ranks a little higher, less with every turn that doesn't cite
it. One that the person prefers ranks higher, one they hold back lower; one they require has at
least one passage among the results. The `score` stays unbiased, since answerability is decided by
it. Only the ranks change, and each factor is stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.conf import settings

from citations.index.scope import Scope
from citations.retrieval import FOUND, Found, rank_anew
from citations.session_focus.active import Standing, Use, list_uses
from citations.session_focus.carrying import FocusedSearch, find_carried_passages
from memory.models import Session

# Turns in which the default factor's distance from 1 halves.
HALF_LIFE = 3.0
SAID: dict[str, float] = {Standing.BOOSTED: 1.6, Standing.MUTED: 0.4}
# Times the limit of passages that are retrieved, so that others can move up.
WIDER = 3
# Minimum score of a required document's passage.
FITS_AT_ALL = 0.02


@dataclass(frozen=True)
class Leaning:
    """A session's bias: a factor for each document, and the citations of its last answers."""

    factors: Mapping[UUID, float] = field(default_factory=dict)
    required: frozenset[UUID] = frozenset()
    uses: Sequence[Use] = ()


def get_leaning(
    session: Session,
    before: int,
    said: Mapping[UUID, str],
    *,
    since: int | None = None,
    new_topic: bool = False,
) -> Leaning:
    """Return the session's bias at a position; a new topic keeps the standings alone.

    `said` are the documents' standings, `since` is the position at which the topic began.
    """
    used = [] if new_topic or before == 1 else list_uses(session, before, since)
    last = {use.document: use.position for use in sorted(used, key=lambda use: use.position)}
    factors = {
        document: compute_recency_factor(before - position) for document, position in last.items()
    }
    factors |= {pk: SAID[how] for pk, how in said.items() if how in SAID}
    required = {pk for pk, how in said.items() if how == Standing.REQUIRED}
    return Leaning(factors, frozenset(required), used)


def compute_recency_factor(distance: int) -> float:
    """Return the factor of a document by the number of turns since its last citation."""
    return round(1 + (settings.DOCUMENT_BIAS - 1) * 0.5 ** ((distance - 1) / HALF_LIFE), 4)


def find_biased_passages(
    search: FocusedSearch, scope: Scope, leaning: Leaning, *, more: bool = False, limit: int = FOUND
) -> list[Found]:
    """Find passages and rank them by score and bias.

    With `more`, the question asks for more of the answer before: its sources come first.
    """
    if not leaning.factors and not leaning.required:
        return search(scope, limit)
    first = find_carried_passages(search, scope, leaning.uses) if more else []
    found = _drop_repeats([*first, *apply_bias(search(scope, WIDER * limit), leaning.factors)])
    last = _find_required(search, scope, leaning, found[:limit])[:limit]
    return rank_anew(_drop_repeats([*found[: limit - len(last)], *last]))


def apply_bias(found: Sequence[Found], factors: Mapping[UUID, float]) -> list[Found]:
    """Return the passages reordered by bias, each with the factor of its document."""
    marked = [replace(each, bias=factors.get(each.passage.document_id, 1.0)) for each in found]
    return sorted(marked, key=lambda each: (-bias_score(each.score, each.bias), each.rank))


def bias_score(score: float, factor: float) -> float:
    """Return the biased score: about the factor's multiple, but at most 1."""
    return float(1 - (1 - score) ** factor)


def _find_required(
    search: FocusedSearch, scope: Scope, leaning: Leaning, there: Sequence[Found]
) -> list[Found]:
    """Return the best passage of each required document that has none yet."""
    missing = leaning.required - {each.passage.document_id for each in there}
    if scope.documents is not None:
        missing &= scope.documents
    best = [search(replace(scope, documents=frozenset({pk})), 1) for pk in sorted(missing)]
    return [
        replace(
            found[0],
            bias=leaning.factors.get(found[0].passage.document_id, 1.0),
            is_required=True,
        )
        for found in best
        if found and found[0].score >= FITS_AT_ALL
    ]


def _drop_repeats(found: Iterable[Found]) -> list[Found]:
    """Return the passages in order, each where it comes first."""
    once: dict[int, Found] = {}
    for each in found:
        once.setdefault(each.passage.pk, each)
    return list(once.values())
