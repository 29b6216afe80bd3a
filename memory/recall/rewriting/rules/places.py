"""A question about a country or a city that it names itself, in capitals or not."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import Exchange, Rewrite
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.text.embedding import likeness
from memory.text.words import terms

_OF_PLACE = re.compile(
    r"^\W*(?:(?:what|which)(?:['’]?s| is)\s+)?(?:the\s+)?[^\W\d_]{3,40} of "
    r"(?P<place>[^\W\d_]{3,40})\W*$",
    re.IGNORECASE,
)
# From which likeness on a word is one of them: "france" .96, "gdansk" .80, "tickets" .74.
PLACES, LIKE_A_PLACE = ("country", "city"), 0.79


def of_a_place(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Leave "capital of france" alone, if nothing was said of France."""
    match = _OF_PLACE.match(question.text)
    if match is None:
        return None
    place = set(terms(match["place"]))
    if any(place & (each.question.stems | each.answer.stems) for each in exchanges):
        return None
    is_place = max(likeness(match["place"].lower(), PLACES)) >= LIKE_A_PLACE
    return Rewrite(question.text, "stands_alone") if is_place else None
