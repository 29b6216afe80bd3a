"""Of what was said of one subject at several times, the newest comes first.

Whoever asks how something is wants its newest value, and the old one is as near to the question.
Only what already stands first changes places, so nothing is found or lost by it.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from memory.recall.index.matching import Scores
from memory.recall.index.messages import Messages, Side
from memory.recall.index.questions import Asked
from memory.text.embedding import Vectors

# So many of the best are looked at, and so near to the first of them is one subject.
LOOKED_AT, ONE_SUBJECT = 5, 0.7


def newest_first(
    asked: Asked,
    messages: Messages,
    scores: Scores,
    near: Callable[[Sequence[int]], Mapping[int, Vectors]],
) -> Scores:
    """Return the scores, changed among those of the best that a person said of one subject.

    `near` gives vectors by their row, over the root of their engine's spread.
    """
    if messages.are_of_people or not asked.wants_what_is:
        return scores
    best = _best(scores)
    vectors = near(best)
    said = messages.numbers % len(Side) == Side.QUESTION
    places = [row for row in best if row in vectors and said[row]]
    if not places:
        return scores
    subject = vectors[places[0]]
    slots = [row for row in places if float(vectors[row] @ subject) >= ONE_SUBJECT]
    changed = scores.copy()
    # Rows are in the order in which they were said, of several sessions too.
    changed[sorted(slots, reverse=True)] = scores[slots]
    return changed


def _best(scores: Scores) -> list[int]:
    """Return the rows that are looked at, the best first; of equals, the first that was said."""
    least = np.partition(scores, -LOOKED_AT)[-LOOKED_AT] if len(scores) > LOOKED_AT else 0
    rows = np.flatnonzero(scores >= least)
    best: list[int] = rows[np.argsort(-scores[rows], kind="stable")][:LOOKED_AT].tolist()
    return best
