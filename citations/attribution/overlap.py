"""Overlap: how much of a claim's words a passage has, for citations that nothing has checked."""

import re

from memory.words import sentences, terms, words

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NUMBER_MISSING = 0.3


def support(claim: str, passage: str) -> tuple[str, float]:
    """Return the passage's sentence that says most of the claim, and how much of it is there.

    The score is the share of the claim's terms that the passage has. A figure in the claim which
    the passage doesn't have keeps the score at 0.3 at most: a wrong number is a wrong claim.
    """
    claimed = set(terms(claim))
    spans = [passage[start:end] for start, end in sentences(passage)]
    if not claimed or not spans:
        return (spans[0] if spans else ""), 0.0
    best = max(spans, key=lambda sentence: len(claimed.intersection(terms(sentence))))
    score = len(claimed.intersection(terms(passage))) / len(claimed)
    figures = set(NUMBER.findall(claim)) - set(NUMBER.findall(passage))
    if figures - set(words(passage)):
        score = min(score, NUMBER_MISSING)
    return best, round(score, 3)
