"""A question about a place: one that it names itself, in capitals or not, or where "there" is."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import (
    LIKELY,
    LOOKED_BACK,
    REFERENCE_RESOLVED,
    Exchange,
    Rewrite,
)
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
# "Is there a lift?" says nothing of where.
_THERE = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )\b(?:over |in |up |down )?there\b"
    r"(?=\W*$|\s+(?:on|in|at|by|for|with|too|then|and|or)\b)"
    r"|\bdort\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?P<place>(?:in|at|to|from|on|near|inside|nach|aus)\s+(?:the\s+|a\s+|der\s+|dem\s+)?"
    r"(?!(?:general|total|average|which|what|case|it|that|this|\d)\b)[\w'’-]+(?:\s[\w'’-]+){0,2}?)"
    r"(?=\W*$|\s+(?:in|on|at|by|for|with|have|has|is|are|and|or|during|when|if)\b)",
    re.IGNORECASE,
)
_IN = {"to": "in", "from": "in", "nach": "in", "aus": "in"}


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


def there(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put the place of the newest question that names one where "there" stands, or "dort"."""
    match = _THERE.search(question.text)
    if match is None or question.has_pronoun or _PLACE.search(question.text):
        return None
    for exchange in reversed(exchanges[-LOOKED_BACK:]):
        if found := _PLACE.search(exchange.asked):
            preposition, name = found["place"].split(maxsplit=1)
            place = f"{_IN.get(preposition.lower(), preposition)} {name}"
            told = f"{question.text[: match.start()]}{place}{question.text[match.end() :]}"
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None
