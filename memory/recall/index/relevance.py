"""How relevant each earlier message is to a question: pure functions of what is kept of them.

Weighed and added are: the cosine with the question, of the message and of those beside it; BM25
over its words and those beside it; BM25 over the words of its sitting, that is, of messages
without a long pause between them; whether the question names who says it, or when; whether it opens
a sitting, answers a question or is one; and whether it tells a time or a number, as a "when" needs.
Plain sums beat ranks and z-scores. The sum goes through a logistic curve, so relevance lies between
0 and 1.

The constants were chosen on LoCoMo (learned with conversations held out, then rounded by hand) and
lie on plateaus; some are an engine's own. The level was chosen on sessions that were mixed from six
conversations each of CAsT 2022, CANARD and MT-RAG: with multilingual-e5-small .3 keeps 60, 56 and
33 % of the turns on a question's topic, and 6, 6 and 1 % of the others.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.recall.index.messages import MONTHS, STRIDE, Cue, Messages
from memory.text.embedding.e5 import E5
from memory.text.word_counts import key
from memory.text.words import terms, words

Scores = NDArray[np.float64]

# What each part counts for.
WORDS, SITTING_WORDS = 0.2, 0.33
SPEAKER = 2.5
ASKS, ANSWERS = -0.6, 0.3
TELLS_WHEN, CONCRETE = 2.0, 0.5
# What cosines bring to relevant messages at the least; it stands in where there is no vector.
NEAR_ENOUGH = 2.0
# Words before and after a message count for it too, by so much.
BEFORE, AFTER = 0.5, 0.3
# BM25's constants: messages are short, sittings are long.
MESSAGE_SHAPE, SITTING_SHAPE = (1.2, 0.4), (1.2, 0.75)
# A session that has just begun can't say yet which words are rare in it.
FEWEST = 100
PAUSE = 3 * 3600  # seconds
# Of a long question, its rarest terms.
MAX_TERMS = 12

WHEN = re.compile(
    r"^\W*(?:when|how long|what (?:date|day|month|year|time))\b"
    r"|\b(?:which|what) (?:year|month|day|date)\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Weights:
    """What the parts count for that depend on how an engine's cosines lie."""

    cosine: float
    beside: float
    date: float
    opens: float
    # The sum at which relevance is one half.
    middle: float = 5.0


MINILM_S = Weights(cosine=5.0, beside=1.7, date=6.0, opens=0.6)
WEIGHTS = {E5.model: Weights(cosine=5.5, beside=1.6, date=4.0, opens=0.4, middle=5.2)}


@dataclass(frozen=True)
class Asked:
    """A question, as far as relevance looks at it."""

    query: str

    @cached_property
    def terms(self) -> list[str]:
        return list(dict.fromkeys(terms(self.query)))

    @cached_property
    def words(self) -> list[str]:
        return words(self.query)

    @property
    def wants_time(self) -> bool:
        return WHEN.search(self.query) is not None

    @property
    def months(self) -> list[int]:
        return [MONTHS.index(word) + 1 for word in self.words if word in MONTHS]

    @property
    def years(self) -> list[int]:
        return [int(word) for word in self.words if YEAR.fullmatch(word)]

    @property
    def days(self) -> list[int]:
        """Days of the month, if a month is named."""
        numbers = [int(word) for word in self.words if re.fullmatch(r"[0-3]?\d", word)]
        return [number for number in numbers if 1 <= number <= 31] if self.months else []


def named_speakers(query: str, messages: Messages) -> list[str]:
    """Return the words of the question that name who speaks in this conversation.

    Most messages have to begin with a name: elsewhere "Note:" is nobody.
    """
    if 2 * np.count_nonzero(messages.speakers) < len(messages):
        return []
    speakers = set(np.unique(messages.speakers).tolist())
    return [word for word in dict.fromkeys(words(query)) if key(word) in speakers]


def without_names(query: str, names: Sequence[str]) -> str:
    """Return the question without these names."""
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})(?:['’]s)?\b\s*", re.IGNORECASE)
    return named.sub("", query).strip() or query


def relevance(
    query: str, messages: Messages, cosines: Scores | None = None, *, model: str = ""
) -> Scores:
    """Return how relevant each of the messages is, which are in order.

    `cosines` are theirs with the question by the engine of that model, over its spread; NaN where
    a message has no vector.
    """
    if not len(messages):
        return np.zeros(0)
    asked, weights = Asked(query), WEIGHTS.get(model, MINILM_S)
    sittings = _sittings(messages)
    speakers = named_speakers(query, messages)
    said = {term for name in speakers for term in terms(name)}
    matched = _Matched.of([term for term in asked.terms if term not in said], messages)
    total = WORDS * matched.near(sittings) + SITTING_WORDS * matched.in_sittings(sittings)
    total += _near(np.full(len(messages), np.nan) if cosines is None else cosines, weights)
    total += _cued(asked, messages)
    total[sittings] += weights.opens
    if len(speakers) == 1:
        total += SPEAKER * (messages.speakers == key(speakers[0]))
    total += weights.date * _dated(asked, messages)
    result: Scores = 1 / (1 + np.exp(weights.middle - total))
    return result


def _sittings(messages: Messages) -> NDArray[np.int64]:
    """Return the rows with which sittings begin."""
    pauses = np.abs(np.diff(messages.seconds)) > PAUSE
    others = np.diff(messages.numbers // STRIDE) > 0
    return np.flatnonzero(np.concatenate([[True], pauses | others]))


def _near(cosines: Scores, weights: Weights) -> Scores:
    if np.isnan(cosines).all():
        return np.full(len(cosines), NEAR_ENOUGH)
    known = np.where(np.isnan(cosines), np.nanmean(cosines), cosines)
    return weights.cosine * known + weights.beside * _beside(known)


def _beside(values: Scores) -> Scores:
    """Return the sum of the values before and after each; at the ends, the mean stands in."""
    mean = values.mean()
    return np.concatenate([[mean], values[:-1]]) + np.concatenate([values[1:], [mean]])


def _cued(asked: Asked, messages: Messages) -> Scores:
    asks = (messages.cues & Cue.ASKS) > 0
    when = (messages.cues & Cue.TELLS_TIME) > 0
    concrete = when | ((messages.cues & Cue.COUNTS) > 0)
    total: Scores = ASKS * asks + CONCRETE * concrete
    total[1:] += ANSWERS * asks[:-1]
    if asked.wants_time:
        total += TELLS_WHEN * when
    return total


def _dated(asked: Asked, messages: Messages) -> Scores:
    """Return which share of the question's date is the day of each message."""
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


@dataclass(frozen=True)
class _Matched:
    """How often each of the question's terms stands in each message."""

    counts: NDArray[np.float32]  # (terms, messages)
    lengths: NDArray[np.float32]

    @classmethod
    def of(cls, wanted: Sequence[str], messages: Messages) -> "_Matched":
        entries = [messages.words.entries(term) for term in wanted]
        held = sorted(
            (entry for entry in entries if len(entry[0])), key=lambda found: len(found[0])
        )
        counts = np.zeros((len(held[:MAX_TERMS]), len(messages)), np.float32)
        for row, (places, often) in zip(counts, held, strict=False):
            row[places] = often
        return cls(counts, messages.words.lengths.astype(np.float32))

    def near(self, sittings: NDArray[np.int64]) -> Scores:
        """Return BM25 over the words of each message and those beside it in its sitting."""
        texts = max(len(self.lengths), FEWEST)
        rarities = [_rarity(int(np.count_nonzero(row)), texts) for row in self.counts]
        counts = (_spread(row, sittings) for row in self.counts)
        return _bm25(counts, rarities, _spread(self.lengths, sittings), MESSAGE_SHAPE)

    def in_sittings(self, sittings: NDArray[np.int64]) -> Scores:
        """Return, for each message, BM25 over the words of its whole sitting."""
        counts = np.add.reduceat(self.counts, sittings, axis=1)
        rarities = [_rarity(int(np.count_nonzero(row)), row.size) for row in counts]
        lengths = np.add.reduceat(self.lengths, sittings)
        sizes = np.diff(np.append(sittings, len(self.lengths)))
        return np.repeat(_bm25(iter(counts), rarities, lengths, SITTING_SHAPE), sizes)


def _spread(values: NDArray[np.float32], sittings: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the values with shares of those before and after, within the sitting."""
    spread = values.copy()
    spread[1:] += np.float32(BEFORE) * values[:-1]
    spread[:-1] += np.float32(AFTER) * values[1:]
    first = sittings[1:]
    spread[first] -= np.float32(BEFORE) * values[first - 1]
    spread[first - 1] -= np.float32(AFTER) * values[first]
    return spread


def _bm25(
    counts: Iterator[NDArray[np.float32]],
    rarities: Sequence[float],
    lengths: NDArray[np.float32],
    shape: tuple[float, float],
) -> Scores:
    k1, b = shape
    long = (k1 * (1 - b + b * lengths / max(float(lengths.mean()), 1.0))).astype(np.float32)
    total = np.zeros(len(lengths))
    for row, rarity in zip(counts, rarities, strict=True):
        total += np.float32(rarity * (k1 + 1)) * row / (row + long)
    return total


def _rarity(held_by: int, texts: int) -> float:
    return math.log(1 + (texts - held_by + 0.5) / (held_by + 0.5))
