"""The answerer that needs no language model: it quotes the best sentences, and cites them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
# What a kind of question is answered by: "What is X?" by the sentence that says what X means, more
# than by others that name X; "How many?" by one with a figure.
KINDS = [
    (
        re.compile(r"^\W*(what\s+(is|are|does|do)|define|who\s+is)\b", re.IGNORECASE),
        re.compile(r"^[^,.;:]{0,60}\b(means|(is|are) (a|an|the|one)|refers to)\b"),
    ),
    (
        re.compile(r"\bhow (high|low|many|much|long|large|big|often|old|likely)\b", re.IGNORECASE),
        re.compile(r"(?<!\w)\d|\b(two|three|four|five|six|seven|eight|nine|ten)\b"),
    ),
]
OF_THAT_KIND = 0.25
# A line of a bibliography names what is asked about and answers nothing.
BIBLIOGRAPHY = re.compile(r"(^|› )(sources|references|bibliography)$", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of an offered passage, and how well it answers."""

    label: int
    rank: int
    text: str
    heading: str
    score: float = 0.0


def quote(query: str, offers: Sequence[Offer], *, vector: Vectors | None) -> str:
    """Return an answer made of the offered passages' own sentences, each with its marker."""
    best = _best(query, offers, vector)
    if not best:
        return nothing_found()
    quotes = [f"“{_quotable(sentence.text)}” [{sentence.label}]" for sentence in best]
    return "\n\n".join(quotes)


def nothing_found() -> str:
    """Return what is said when the library holds nothing on a question."""
    return _("The library holds nothing on this question.")


def _quotable(text: str) -> str:
    """Return the sentence with its own bracketed numbers in round ones and no Markdown in it."""
    plain = BRACKETED_NUMBER.sub(r"(\1)", text).replace("**", "").replace("`", "")
    return plain.lstrip("-*#> ").replace('"', "'").strip()


def _best(query: str, offers: Sequence[Offer], vector: Vectors | None) -> list[Sentence]:
    candidates = [sentence for offer in offers for sentence in _sentences_of(offer)]
    asked = _weights(terms(query), candidates)
    scored = sorted(candidates, key=lambda sentence: -_overlap(sentence, asked))[:SHORTLIST]
    if not scored:
        return []
    words = 1.0 if vector is None else 0.5
    answers = [says for asks, says in KINDS if asks.search(query)]
    totals = [
        words * _overlap(sentence, asked)
        + near
        + (OF_THAT_KIND if any(says.search(sentence.text) for says in answers) else 0.0)
        - 0.02 * sentence.rank
        for sentence, near in zip(scored, _similarities(scored, vector), strict=True)
    ]
    order = sorted(range(len(scored)), key=lambda index: -totals[index])
    enough = [index for index in order if totals[index] >= GOOD_ENOUGH * totals[order[0]]]
    return [scored[index] for index in enough[:MAX_QUOTES]]


def _sentences_of(offer: Offer) -> list[Sentence]:
    text = offer.passage.text
    heading = offer.passage.heading
    return [
        Sentence(offer.label, offer.label - 1, text[start:end], heading)
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
