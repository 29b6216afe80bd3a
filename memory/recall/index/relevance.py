"""The relevance of each earlier message to a question: pure functions of indexed features.

A weighted sum combines the cosine with the question, BM25 over the words, and the scores of
neighbours in the same sitting. A long pause ends a sitting. Plain sums beat ranks and z-scores. The
sum goes through a logistic curve, so relevance lies between 0 and 1.

Two kinds of talk have weights of their own. People who talk with each other write short messages
that depend on earlier ones. Much of a message's relevance comes from its neighbours, from the words
of its sitting, and from names. To an assistant people write longer messages, each complete in
itself. Its answers are longer still and would outweigh the person's words, so each side has an
index of its own. Meaning has a greater weight where advice is asked for, because preferences are
worded unlike the question. There a message with a preference has a bonus, and in a short sitting,
whose messages share their meaning, the neighbours' words have no weight.

The constants were chosen on LoCoMo, BEAM and PrefEval with conversations held out, rounded by hand,
and lie on plateaus; some are an engine's own. The level was chosen on sessions that were mixed from
conversations of CAsT 2022, CANARD and MT-RAG. Of the turns on a question's topic .3 keeps 76, 95
and 47 %, of the others 1, 3 and 0.1 %.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.recall.index.matching import Matched, Scores
from memory.recall.index.messages import PAUSE, STRIDE, Cue, Messages, Side
from memory.recall.index.questions import RelevanceQuestion
from memory.text.embedding.e5 import E5
from memory.text.word_counts import hash_term
from memory.text.words import extract_terms, split_words

# Least contribution of cosines to a relevant message's score; the default without a vector.
NEAR_ENOUGH = 2.0

# Among people.
WORDS, SITTING_WORDS = 0.2, 0.33
SPEAKER = 2.5
ASKS, ANSWERS = -0.6, 0.3
TELLS_WHEN, CONCRETE = 2.0, 0.5

# With an assistant.
OWN_WORDS, NEAR_WORDS = 0.12, 0.1
ADVICE_WORDS = -0.08
NEIGHBOUR, PARTNER = 0.5, 0.6
# Of several sessions, a short sitting has one subject: its messages share the best cosine.
SITTING, SHORT = 3.5, 8
WISHES, WISHES_OF_WHAT_WAS = 1.9, 0.9
PREFERS = 0.3
SAYS_WHEN, OPENS = 0.3, 0.3
# Answers would outweigh the person's words, unless they are asked for.
ANSWER, WANTED_ANSWER = -3.0, 0.0


@dataclass(frozen=True)
class Weights:
    """Weights that depend on the distribution of an engine's cosines."""

    cosine: float
    beside: float
    date: float
    opens: float
    # The sum at which relevance is one half, among people and with an assistant.
    middle: float = 5.0
    level: float = 3.8


MINILM_S = Weights(cosine=5.0, beside=1.7, date=6.0, opens=0.6)
WEIGHTS = {E5.model: Weights(cosine=5.5, beside=1.6, date=4.0, opens=0.4, middle=5.2)}


def find_named_speakers(query: str, messages: Messages) -> list[str]:
    """Return the words of the question that name speakers of this conversation.

    Most messages have to begin with a name: elsewhere "Note:" is no speaker.
    """
    if not messages.are_of_people:
        return []
    speakers = set(np.unique(messages.speakers).tolist())
    return [word for word in dict.fromkeys(split_words(query)) if hash_term(word) in speakers]


def drop_names(query: str, names: Sequence[str]) -> str:
    """Return the question without these names."""
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})(?:['’]s)?\b\s*", re.IGNORECASE)
    return named.sub("", query).strip() or query


@dataclass(frozen=True)
class Comparison:
    """A question beside messages, which are in order.

    `cosines` are those of the messages with the question by that model's engine, over its spread;
    NaN without a vector.
    """

    query: str
    messages: Messages
    cosines: Scores | None = None
    model: str = ""

    @cached_property
    def asked(self) -> RelevanceQuestion:
        return RelevanceQuestion(self.query)

    @cached_property
    def speakers(self) -> list[str]:
        return find_named_speakers(self.query, self.messages)

    @cached_property
    def wanted(self) -> list[str]:
        """The question's terms, without the names of speakers."""
        said = {term for name in self.speakers for term in extract_terms(name)}
        return [term for term in self.asked.terms if term not in said]

    @cached_property
    def matched(self) -> Matched:
        return Matched.match(self.wanted, self.messages)

    @cached_property
    def known(self) -> Scores | None:
        """The cosines, with the mean for missing ones; None if there are none at all."""
        if self.cosines is None or np.isnan(self.cosines).all():
            return None
        mean = float(np.nanmean(self.cosines))
        known: Scores = np.where(np.isnan(self.cosines), mean, self.cosines)
        return known

    def scores(self) -> Scores:
        """Return the relevance of each of the messages."""
        if not len(self.messages):
            return np.zeros(0)
        weights = WEIGHTS.get(self.model, MINILM_S)
        if self.messages.are_of_people:
            total = _score_between_people(self, weights) - weights.middle
        else:
            total = _score_with_assistant(self, weights) - weights.level
        result: Scores = 1 / (1 + np.exp(-total))
        return result


def _score_between_people(compared: Comparison, weights: Weights) -> Scores:
    asked, messages, matched = compared.asked, compared.messages, compared.matched
    sittings = _find_sittings(messages.seconds, messages.numbers)
    total = WORDS * matched.near(sittings) + SITTING_WORDS * matched.score_sittings(sittings)
    total += NEAR_ENOUGH if compared.known is None else _weigh_near_cosines(compared.known, weights)
    total += _weigh_cues(asked, messages)
    total[sittings] += weights.opens
    if len(compared.speakers) == 1:
        total += SPEAKER * (messages.speakers == hash_term(compared.speakers[0]))
    total += weights.date * _compute_date_share(asked, messages)
    return total


def _weigh_near_cosines(cosines: Scores, weights: Weights) -> Scores:
    """Weigh the cosines of each message and its neighbours; the ends use the mean."""
    mean = cosines.mean()
    before, after = np.append(mean, cosines[:-1]), np.append(cosines[1:], mean)
    return weights.cosine * cosines + weights.beside * (before + after)


def _weigh_cues(asked: RelevanceQuestion, messages: Messages) -> Scores:
    asks, when = messages.showing(Cue.ASKS), messages.showing(Cue.TELLS_TIME)
    total: Scores = ASKS * asks + CONCRETE * messages.showing(Cue.TELLS_TIME | Cue.COUNTS)
    total[1:] += ANSWERS * asks[:-1]
    if asked.wants_time:
        total += TELLS_WHEN * when
    return total


def _score_with_assistant(compared: Comparison, weights: Weights) -> Scores:
    asked, messages, cosines = compared.asked, compared.messages, compared.known
    sides = messages.numbers % len(Side)
    sharing = SITTING if messages.are_of_sessions else 0
    total = weights.date * _compute_date_share(asked, messages)
    answers = WANTED_ANSWER if asked.wants_answers else ANSWER
    own_words = OWN_WORDS + (ADVICE_WORDS if asked.wants_advice else 0)
    total += answers * (sides == Side.ANSWER) + _weigh_wording(asked, messages)
    for side in Side:
        rows = np.flatnonzero(sides == side)
        if len(rows):
            sittings = _find_sittings(messages.seconds[rows], messages.numbers[rows])
            matched = compared.matched.taken(rows)
            total[rows] += own_words * matched.alone() + _weigh_near_words(
                asked, matched, sittings, side
            )
            if cosines is not None:
                total[rows] += _weigh_side_cosines(cosines[rows], sittings, weights, sharing)
    if cosines is None:
        return total + NEAR_ENOUGH
    pairs = np.flatnonzero(np.diff(messages.positions) == 0)
    total[pairs] += PARTNER * cosines[pairs + 1]
    total[pairs + 1] += PARTNER * cosines[pairs]
    return total


def _weigh_wording(asked: RelevanceQuestion, messages: Messages) -> Scores:
    """Weigh the cues of messages by the kind of question."""
    wishes = WISHES_OF_WHAT_WAS if asked.wants_what_was else WISHES
    total: Scores = messages.showing(Cue.WISHES).astype(np.float64) * wishes
    if asked.wants_advice:
        total += PREFERS * messages.showing(Cue.PREFERS)
    if asked.wants_time:
        total += SAYS_WHEN * messages.showing(Cue.TELLS_TIME)
    return total


def _weigh_near_words(
    asked: RelevanceQuestion, matched: Matched, sittings: NDArray[np.int64], side: Side
) -> Scores:
    """Weigh the words of a message's neighbours; an answer is long enough without them."""
    total = np.zeros(len(matched.lengths))
    if side == Side.QUESTION:
        told = 1 - _compute_sitting_share(sittings, len(total)) if asked.wants_advice else 1
        total += NEAR_WORDS * told * matched.near(sittings)
    total[sittings] += OPENS
    return total


def _weigh_side_cosines(
    cosines: Scores, sittings: NDArray[np.int64], weights: Weights, sharing: float
) -> Scores:
    """Weigh the cosines of one side's messages, of their neighbours and of their sittings."""
    sizes = np.diff(np.append(sittings, len(cosines)))
    best = np.repeat(np.maximum.reduceat(cosines, sittings), sizes)
    shared = _compute_sitting_share(sittings, len(cosines))
    beside = np.zeros(len(cosines))
    beside[1:] = cosines[:-1]
    beside[sittings] = 0
    after = np.append(cosines[1:], 0)
    after[np.append(sittings[1:], len(cosines)) - 1] = 0
    near = np.maximum(np.maximum(beside, after), 0)
    total: Scores = weights.cosine * cosines + sharing * shared * (best - cosines)
    return total + NEIGHBOUR * near


def _compute_sitting_share(sittings: NDArray[np.int64], messages: int) -> Scores:
    """Return how much each message shares with its sitting: everything in a short one."""
    sizes = np.diff(np.append(sittings, messages))
    shared: Scores = np.repeat(np.minimum(1, SHORT / sizes), sizes)
    return shared


def _find_sittings(seconds: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first rows of sittings."""
    pauses = np.abs(np.diff(seconds)) > PAUSE
    others = np.diff(numbers // STRIDE) > 0
    return np.flatnonzero(np.concatenate([[True], pauses | others]))


def _compute_date_share(asked: RelevanceQuestion, messages: Messages) -> Scores:
    """Return the share of the question's date in the day of each message."""
    wanted = [("Y", asked.years), ("M", asked.months), ("D", asked.days)]
    parts = sum(len(values) for _, values in wanted)
    if not parts:
        return np.zeros(len(messages))
    days = messages.seconds.astype("datetime64[s]").astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    is_on = {
        "Y": days.astype("datetime64[Y]").astype(int) + 1970,
        "M": months.astype(int) % 12 + 1,
        "D": (days - months.astype("datetime64[D]")).astype(int) + 1,
    }
    hits = np.zeros(len(messages))
    for part, values in wanted:
        hits += np.isin(is_on[part], values)
    return hits / parts
