"""Of what was said of one subject at several times, the newest comes first.

Whoever asks how something is wants its newest value, and the old one is as near to the question.
What stands first changes places; and what was said again later in nearly the same words, of
another value perhaps, comes before what it repeats, if it isn't far behind.
"""

from collections.abc import Callable, Mapping, Sequence, Set

import numpy as np

from memory.recall.index.matching import Scores
from memory.recall.index.messages import Cue, Messages, Side
from memory.recall.index.questions import RelevanceQuestion
from memory.text.embedding import Vectors

# So many of the best are looked at, and so near to the first of them is one subject.
LOOKED_AT, ONE_SUBJECT = 5, 0.7
# So many are looked at for what was said again, and so near to each other is that; of a figure
# that is asked for it is said in words that differ more.
AMONG, SAID_AGAIN, FIGURE_AGAIN = 10, 1.1, 1.05


def newest_first(
    asked: RelevanceQuestion,
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
    first = sum(row in places for row in best[:LOOKED_AT])
    if not first:
        return scores
    figures = {row for row in places if asked.wants_figure and messages.cues[row] & Cue.COUNTS}
    ordered = _with_said_again(places, first, vectors, figures)
    changed = scores.copy()
    changed[ordered] = scores[places]
    subject = vectors[ordered[0]]
    slots = [row for row in ordered[:first] if float(vectors[row] @ subject) >= ONE_SUBJECT]
    # Rows are in the order in which they were said, of several sessions too.
    changed[sorted(slots, reverse=True)] = changed[slots]
    return changed


def _with_said_again(
    places: Sequence[int], first: int, vectors: Mapping[int, Vectors], figures: Set[int]
) -> list[int]:
    """Return the rows with what was said again, of those behind the first, before what it repeats.

    "My budget is 700 now" beside "my budget is 500": the question is as near to both. `figures` are
    the rows that may tell a figure which is asked for.
    """
    ordered = list(places[:first])
    for row in places[:first]:
        likeness = {
            other: float(vectors[row] @ vectors[other])
            for other in places[first:]
            if other > row and other not in ordered
        }
        again = max(likeness, key=lambda other: likeness[other], default=None)
        if again is not None:
            near = FIGURE_AGAIN if {row, again} <= figures else SAID_AGAIN
            if likeness[again] >= near:
                ordered.insert(ordered.index(row), again)
    return ordered + [row for row in places if row not in ordered]


def _best(scores: Scores) -> list[int]:
    """Return the rows that are looked at, the best first; of equals, the first that was said."""
    least = np.partition(scores, -AMONG)[-AMONG] if len(scores) > AMONG else 0
    rows = np.flatnonzero(scores >= least)
    best: list[int] = rows[np.argsort(-scores[rows], kind="stable")][:AMONG].tolist()
    return best
