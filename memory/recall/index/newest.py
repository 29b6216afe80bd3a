"""Of what was said of one subject at several times, the newest comes first.

Whoever asks how something is wants its newest value, and the old one is as near to the question.
Only what already stands first changes places, so nothing is found or lost by it.
"""

from collections.abc import Mapping

import numpy as np

from memory.recall.index.matching import Scores
from memory.recall.index.messages import Messages
from memory.recall.index.questions import Asked
from memory.text.embedding import Vectors

# So many of the best are looked at, and so near to the first of them is one subject.
LOOKED_AT, ONE_SUBJECT = 5, 0.7


def first(scores: Scores) -> list[int]:
    """Return the rows that are looked at, the best first."""
    best: list[int] = np.argsort(-scores, kind="stable")[:LOOKED_AT].tolist()
    return best


def newest_first(
    asked: Asked, messages: Messages, scores: Scores, near: Mapping[int, Vectors]
) -> Scores:
    """Return the scores, changed among those of the best that are about one subject.

    `near` are the vectors of the best by their row, over the root of their engine's spread.
    """
    if not asked.wants_what_is or messages.are_of_people:
        return scores
    places = [row for row in first(scores) if row in near]
    if not places:
        return scores
    subject = near[places[0]]
    slots = [row for row in places if float(near[row] @ subject) >= ONE_SUBJECT]
    changed = scores.copy()
    # Rows are in the order in which they were said, of several sessions too.
    changed[sorted(slots, reverse=True)] = scores[slots]
    return changed
