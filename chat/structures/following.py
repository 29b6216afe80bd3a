"""Follow-up questions about the comparison or ranking of an earlier turn.

"And by price?" adds a criterion and "without Ana" removes an item. "Which is better for an
enterprise project?" ranks the items, and "why not Ana?" asks about one. In English and Spanish.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.structures.definition import EarlierOutput, Question
from memory.text.words import extract_terms, split_words

COMPARISON, RANKING = "comparison", "ranking"
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
WHY_NOT = re.compile(
    r"^\W*(?:and|but|y|pero)?,?\s*(?:why not|por qué no)\s+(?:a\s+)?(?P<what>[^?.!]{2,80})\W*$",
    re.IGNORECASE,
)
# With an optional noun: "which candidate is better".
BETTER = re.compile(
    r"^\W*(?:and|y)?\W*(?:which|who|cuál|quién)(?:\s+(?:one|of\s+\w+|de\s+\w+))?(?P<noun>\s+\w+)?\s+"
    r"(?:is|are|would be|es|son|sería|serían)\s+(?:the\s+|el\s+|la\s+)?(?:better|best|mejor)\b"
    r"(?:\s+(?:for|at|in|para|en)\s+(?:an?\s+|the\s+|una?\s+|el\s+|la\s+)?(?P<what>[^?.!]{2,80}))?",
    re.IGNORECASE,
)
MOST_WORDS = 14


@dataclass(frozen=True)
class FollowUp:
    """The request of a question about an earlier output; prose if `structure` is empty."""

    structure: str
    question: Question
    # The text to retrieve by.
    query: str


def read_follow_up(text: str, earlier: EarlierOutput, *, is_new_topic: bool) -> FollowUp | None:
    """Parse a question about the earlier output; None if it stands alone."""
    items, kind = earlier.names, earlier.structure
    if kind not in (COMPARISON, RANKING) or len(items) < 2 or len(split_words(text)) > MOST_WORDS:
        return None
    criteria = list(earlier.columns[1:]) if kind == COMPARISON else []
    history = [earlier]
    if found := LEAVES_OUT.match(text):
        left = remove_named(found["what"], items)
        wanted = Question(earlier.asked or text, history, left, criteria)
        form = kind if len(left) > 1 else ""  # a single item is described in prose
        return FollowUp(form, wanted, join_frame(left, criteria)) if left != items else None
    if found := WHY_NOT.match(text):
        name = find_named(found["what"], items) or found["what"].strip()
        query = join_frame([name], criteria or [earlier.asked])
        return FollowUp("", Question(text, history), query)
    if found := BETTER.match(text):
        criteria = read_criteria(text) or criteria
        query = f"{text.strip().rstrip('?')}: {', '.join(items)}?"
        is_other = is_new_topic and found["noun"]
        wanted = Question(query, history, items, criteria)
        return None if is_other else FollowUp(RANKING, wanted, query)
    if found := ADDS.match(text):
        what = found["what"].strip()
        known = {each.casefold() for each in criteria}
        criteria += [what] if what.casefold() not in known else []
        query = join_frame(items, criteria)
        return FollowUp(kind, Question(query, history, items, criteria), query)
    return None


def read_criteria(text: str) -> list[str]:
    """Parse the criteria after "better for"."""
    found = BETTER.match(text)
    what = found["what"] if found else None
    return [what.strip()] if what and extract_terms(what) else []


def join_frame(items: Sequence[str], criteria: Sequence[str]) -> str:
    """Join the items and criteria into a query."""
    return ": ".join(filter(None, [", ".join(items), ", ".join(criteria)]))


def remove_named(names: str, items: Sequence[str]) -> list[str]:
    """Return the items without those that share a word with the names, or all if none remains."""
    gone = set(extract_terms(names))
    left = [item for item in items if gone.isdisjoint(extract_terms(item))]
    return left or list(items)


def find_named(names: str, items: Sequence[str]) -> str:
    """Return the only item that shares a word with the names."""
    wanted = set(extract_terms(names))
    found = [item for item in items if not wanted.isdisjoint(extract_terms(item))]
    return found[0] if len(found) == 1 else ""
