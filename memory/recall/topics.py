"""Topics: whether a question has to do with what was talked about before it.

A logistic curve over its nearness to the last turns, the words it shares with them, whether it
points back, and how much it says by itself. It was fitted on CAsT, iKAT and MT-RAG, where the
first question of one conversation was put after the turns of another. Held out by conversation,
it finds .75 of the new topics, and .95 of what it takes for one are; of the follow-ups that need
their conversation it takes 2 % for one. Told too late, an old topic lingers for a while; told
too early, a conversation forgets what it is about: so the limit is high.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Subquery

from memory.embedding import Vectors, embedder
from memory.models import Session, Turn
from memory.models.conversations import Rewriting
from memory.recall.rewriting import Exchange, Rewrite
from memory.words import content_words, terms, words

# Compared with the question: so many turns before it.
LAST_TURNS = 3
MOST_WORDS, FEW_WORDS = 8, 3
# Weighed by the curves below, so it is not the list of memory.recall.rewriting.language.questions.
REFERENCES = frozenset(
    """it its they them their theirs he him his she her hers this that these those one ones same
    both either neither former latter else other another there such""".split()
)
CONTINUES = re.compile(
    r"^\W*(and|but|so|then|also|or|what about|how about|what if|tell me more|show me more|why"
    r"|how so|explain further|more|compare|ok|okay|hmm|yes|no)\b",
    re.IGNORECASE,
)
# What was put into a question for one of these reasons may be of another topic.
GUESSED = frozenset(["topic_carried", "nothing_to_carry"])
TurnVectors = Mapping[int, tuple[Vectors | None, Vectors | None]]


@dataclass(frozen=True)
class Curve:
    """What each sign of a new topic weighs, and from which probability on it is one."""

    start: float
    nearness: float
    shared: float
    points_back: float
    word: float
    few: float
    limit: float

    def passes(self, query: str, *, nearness: float, shared: float) -> bool:
        count = len(content_words(query))
        fit = self.start + self.nearness * nearness + self.shared * shared
        fit += self.points_back * points_back(query) + self.word * min(count, MOST_WORDS)
        fit += self.few * (count < FEW_WORDS)
        return 1 / (1 + math.exp(-fit)) > self.limit


WITH_VECTORS = Curve(2.32, -13.11, -3.25, -1.9, 0.46, -1.04, limit=0.8)
BY_WORDS = Curve(0.05, 0.0, -7.78, -1.63, 0.43, -1.08, limit=0.88)


def changed(
    query: str,
    rewrite: Rewrite,
    exchanges: Sequence[Exchange],
    *,
    vector: Vectors | None = None,
    vectors: Callable[[Collection[int]], TurnVectors] | None = None,
) -> bool:
    """Tell whether the question begins a new topic, given the exchanges before it.

    `vector` is the question's as it was typed; `vectors` reads those of turns by their positions,
    if that is needed. Where the newest turn has none yet, words decide alone.
    """
    recent = exchanges[-LAST_TURNS:]
    if not recent or not terms(query) or not _may_stand_alone(query, rewrite):
        return False
    shared = _shared(query, recent)
    known = vectors([each.position for each in recent]) if vectors and vector is not None else {}
    sides = [side for each in recent for side in _given(known, each.position)]
    engine = embedder()
    if vector is None or engine is None or not _given(known, recent[-1].position):
        return BY_WORDS.passes(query, nearness=0.0, shared=shared)
    nearness = max(float(side @ vector) for side in sides) / engine.spread
    return WITH_VECTORS.passes(query, nearness=nearness, shared=shared)


def points_back(query: str) -> bool:
    """Tell whether the question has a word that may stand for something before it."""
    return bool(CONTINUES.match(query)) or not REFERENCES.isdisjoint(words(query))


def topic_since(session: Session, before: int) -> Subquery:
    """Return, as part of a query, where the topic changed last before the position."""
    changes = Turn.objects.filter(session=session, new_topic=True, position__lt=before)
    return Subquery(changes.order_by("-position").values("position")[:1])


def _may_stand_alone(query: str, rewrite: Rewrite) -> bool:
    """Tell whether nothing was put into the question that it certainly asked for."""
    if rewrite.reason == Rewriting.AS_TYPED:  # by wish, which tells nothing
        return False
    return rewrite.reason in GUESSED or set(terms(query)).issuperset(terms(rewrite.query))


def _shared(query: str, recent: Sequence[Exchange]) -> float:
    own = set(terms(query))
    said = {term for each in recent for term in terms(f"{each.query} {each.response}")}
    return len(own & said) / len(own)


def _given(known: TurnVectors, position: int) -> list[Vectors]:
    return [side for side in known.get(position, ()) if side is not None]
