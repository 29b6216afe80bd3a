"""The answerer that needs no language model: it quotes the best sentences, and cites them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.utils.translation import gettext as _

from chat.prompts import BRACKETED_NUMBER
from citations.citing import Offer
from memory.embedding import EmbeddingError, Vectors, embedder
from memory.words import sentences, terms

MODEL = "quoting"
MAX_QUOTES = 3
# Sentences that reach the comparison by meaning; embedding one costs some milliseconds.
SHORTLIST = 10
# A further sentence must be nearly as good as the best one.
GOOD_ENOUGH = 0.75
MIN_WORDS = 4
# A comparison takes the best sentence of each document, as long as it is nearly half as good.
COMPARES = re.compile(
    r"\b(compar\w+|versus|vs|differen\w+|better|best|worse|worst|mejor|peor)\b", re.IGNORECASE
)
GOOD_ENOUGH_TO_COMPARE = 0.45
# What a kind of question is answered by: "What is X?" by the sentence that says what X means, more
# than by others that name X; "How many?" by one with a figure; "Who?" by one with a name; "Why?" by
# one with a reason. Each adds so much to such a sentence's score.
KINDS = [
    (
        re.compile(
            r"^\W*(what\s+(is|are|does|do)|define|who\s+is\s+(?-i:[A-ZÀ-Þ]))\b", re.IGNORECASE
        ),
        re.compile(r"^[^,.;:]{0,60}\b(means|(is|are) (a|an|the|one)|refers to)\b"),
        0.25,
    ),
    (
        re.compile(r"\bhow (high|low|many|much|long|large|big|often|old|likely)\b", re.IGNORECASE),
        re.compile(r"(?<!\w)\d|\b(two|three|four|five|six|seven|eight|nine|ten)\b"),
        0.25,
    ),
    (
        re.compile(r"^\W*(and |so |but )?(who|whom|qui[eé]n(es)?)\b", re.IGNORECASE),
        re.compile(r"\b[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ][\w'’-]+"),
        0.4,
    ),
    (
        re.compile(r"^\W*(and |but )?(why|how come|por qué)\b", re.IGNORECASE),
        re.compile(
            r"\b(because|since|so that|in order to|due to|therefore|porque)\b", re.IGNORECASE
        ),
        0.4,
    ),
]
# A line of a bibliography names what is asked about and answers nothing.
BIBLIOGRAPHY = re.compile(r"(^|› )(sources|references|bibliography)$", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of an offered passage, and how well it answers."""

    label: int
    document: UUID
    rank: int
    text: str
    heading: str
    score: float = 0.0


def quote(
    query: str,
    offers: Sequence[Offer],
    *,
    vector: Vectors | None,
    typed: str = "",
    said: Sequence[str] | None = None,
) -> str:
    """Return an answer made of the offered passages' own sentences, each with its marker.

    The question as `typed` may tell what kind of sentence answers it. For a question that asks for
    more, `said` are the answers before, whose sentences aren't quoted again.
    """
    best = _best(query, offers, vector, typed, "\n".join(said or ()))
    if not best:
        return nothing_found() if said is None else nothing_more()
    quotes = [f"“{_quotable(sentence.text)}” [{sentence.label}]" for sentence in best]
    return "\n\n".join(quotes)


def nothing_found() -> str:
    """Return what is said when the library holds nothing on a question."""
    return _("The library holds nothing on this question.")


def nothing_more() -> str:
    """Return what is said when all that the library holds on a question was quoted before."""
    return _("The library holds nothing more on this question.")


def _quotable(text: str) -> str:
    """Return the sentence with its own bracketed numbers in round ones and no Markdown in it."""
    plain = BRACKETED_NUMBER.sub(r"(\1)", text).replace("**", "").replace("`", "")
    return plain.lstrip("-*#> ").replace('"', "'").strip()


def _best(
    query: str, offers: Sequence[Offer], vector: Vectors | None, typed: str, said: str
) -> list[Sentence]:
    every = (sentence for offer in offers for sentence in _sentences_of(offer))
    candidates = [sentence for sentence in every if _quotable(sentence.text) not in said]
    asked = _weights(terms(query), candidates)
    kinds = [
        (says, bonus)
        for asks, says, bonus in KINDS
        if asks.search(query) or (typed and asks.search(typed))
    ]
    ranked = sorted(
        candidates, key=lambda sentence: -_overlap(sentence, asked) - _of_kind(sentence, kinds)
    )
    compares = COMPARES.search(query)
    scored = (_in_turn(ranked) if compares else ranked)[:SHORTLIST]
    if not scored:
        return []
    words = 1.0 if vector is None else 0.5
    totals = [
        words * _overlap(sentence, asked) + near + _of_kind(sentence, kinds) - 0.02 * sentence.rank
        for sentence, near in zip(scored, _similarities(scored, vector), strict=True)
    ]
    order = sorted(range(len(scored)), key=lambda index: -totals[index])
    bar = GOOD_ENOUGH_TO_COMPARE if compares else GOOD_ENOUGH
    enough = [scored[index] for index in order if totals[index] >= bar * totals[order[0]]]
    return (_one_a_document(enough) if compares else enough)[:MAX_QUOTES]


def _in_turn(ranked: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences so that each document has its best one first, then its second, ..."""
    seen: Counter[UUID] = Counter()
    places = []
    for sentence in ranked:
        places.append(seen[sentence.document])
        seen[sentence.document] += 1
    return [ranked[index] for index in sorted(range(len(ranked)), key=places.__getitem__)]


def _one_a_document(best: Sequence[Sentence]) -> list[Sentence]:
    """Return the first sentence of each document, or all if there is but one document."""
    first: dict[UUID, Sentence] = {}
    for sentence in best:
        first.setdefault(sentence.document, sentence)
    return list(first.values()) if len(first) > 1 else list(best)


def _of_kind(sentence: Sentence, kinds: Sequence[tuple[re.Pattern[str], float]]) -> float:
    return max((bonus for says, bonus in kinds if says.search(sentence.text)), default=0.0)


def _sentences_of(offer: Offer) -> list[Sentence]:
    text = offer.passage.text
    heading = offer.passage.heading
    return [
        Sentence(offer.label, offer.document_id, offer.label - 1, text[start:end], heading)
        for start, end in sentences(text)
        if len(text[start:end].split()) >= MIN_WORDS and not BIBLIOGRAPHY.search(heading)
    ]


def _weights(asked: Sequence[str], candidates: Sequence[Sentence]) -> dict[str, float]:
    """Return a weight for each term of the question: the rarer in the passages, the heavier."""
    held = [set(terms(sentence.text)) for sentence in candidates]
    counts = {term: sum(term in words for words in held) for term in set(asked)}
    raw = {term: float(np.log(1 + len(held) / (1 + count))) for term, count in counts.items()}
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def _overlap(sentence: Sentence, asked: dict[str, float]) -> float:
    """Return the weighted share of the question in the sentence; its heading counts half."""
    own, above = set(terms(sentence.text)), set(terms(sentence.heading))
    return sum(
        weight * (1.0 if term in own else 0.5 if term in above else 0.0)
        for term, weight in asked.items()
    )


def _similarities(shortlist: Sequence[Sentence], vector: Vectors | None) -> list[float]:
    engine = embedder()
    if vector is None or engine is None:
        return [0.0] * len(shortlist)
    try:
        vectors = engine.embed([f"{sentence.heading}. {sentence.text}" for sentence in shortlist])
    except EmbeddingError:
        return [0.0] * len(shortlist)
    similarities: list[float] = (vectors @ vector).tolist()
    return similarities
