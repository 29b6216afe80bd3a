"""Evaluation of citation checks: the support found for each claim in its passage."""

from collections.abc import Iterable, Iterator

from django.conf import settings

from chat.evaluation.files import Line
from citations.attribution.checking import check_claims


def score_pairs(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the score of each pair, and whether the claim counts as supported."""
    for line in lines:
        score = check_claims([line["claim"]], [line["passage"]])[0][0].score
        yield {
            "id": line["id"],
            "score": score,
            "supported": score >= settings.CITATION_THRESHOLD,
        }
