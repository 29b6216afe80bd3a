"""Following: a question that changes the structured answer before it.

"And by price?" adds a criterion to a comparison, "without Ana" removes an item, "which is better
for an enterprise project?" ranks its items.
"""

import re
from collections.abc import Sequence

from chat.structures.definition import EarlierOutput, Question
from memory.text.words import terms, words

COMPARISON, RANKING = "comparison", "ranking"
# In English and Spanish.
ADDS = re.compile(
    r"^\W*(?:and|also|y|e|también)?,?\s*(?:by|on|regarding|in terms of|what about|how about"
    r"|por|según|en cuanto a|qué tal)\s+(?:the\s+|their\s+|el\s+|la\s+|su\s+)?"
    r"(?P<what>[^?.!]{2,80})\W*$",
    re.IGNORECASE,
)
LEAVES_OUT = re.compile(
    r"^\W*(?:and|y|now|ahora)?,?\s*(?:without|except|leave out|remove|drop|sin|excepto|salvo|quita"
    r"|elimina)\s+(?:a\s+)?(?P<what>[^?.!]{2,80})\W*$",
    re.IGNORECASE,
)
BETTER = re.compile(
    r"^\W*(?:which|who|cuál|quién)\b.{0,60}\b(?:better|best|mejor)\b", re.IGNORECASE
)
MOST_WORDS = 14


def follow_comparison(text: str, earlier: EarlierOutput | None) -> tuple[str, Question] | None:
    """Return the structure that the question makes of the comparison before it, and its frame."""
    if earlier is None or earlier.structure != COMPARISON or len(words(text)) > MOST_WORDS:
        return None
    items, criteria = earlier.names, list(earlier.columns[1:])
    if len(items) < 2:
        return None
    if found := LEAVES_OUT.match(text):
        left = remove_named(found["what"], items)
        return (COMPARISON, Question(text, [earlier], left, criteria)) if left != items else None
    if found := ADDS.match(text):
        return COMPARISON, Question(text, [earlier], items, [*criteria, found["what"].strip()])
    return (RANKING, Question(text, [earlier], items)) if BETTER.match(text) else None


def remove_named(names: str, items: Sequence[str]) -> list[str]:
    """Return the items without those that share a word with the names, unless that is all."""
    gone = set(terms(names))
    left = [item for item in items if gone.isdisjoint(terms(item))]
    return left if len(left) > 1 else list(items)
