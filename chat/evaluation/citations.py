"""Citations: claims beside passages, and what the product says of each pair."""

from collections.abc import Iterable, Iterator

from django.conf import settings

from chat.evaluation.files import Line
from citations.attribution.checking import supports


def score_pairs(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield each pair's score, and whether the claim is told to be supported.

    Nothing of a line is looked at but `claim, passage, question`.
    """
    for line in lines:
        question = line.get("question") or ""
        score = supports([line["claim"]], [line["passage"]], question=question)[0][0].score
        yield {
            "id": line["id"],
            "score": score,
            "supported": score >= settings.CITATION_THRESHOLD,
        }
