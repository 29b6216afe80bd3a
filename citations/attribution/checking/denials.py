"""Denials: a claim that is near to a sentence of a passage and says the contrary of it."""

from collections.abc import Container, Sequence

from citations.attribution.checking.alignment import ALIKE, Pair, places_of_words
from citations.attribution.checking.likeness import Matrix
from citations.attribution.checking.opposites import OPPOSITES
from citations.attribution.checking.reading import Token

AROUND = 3  # tokens behind a negation that it may deny
# A sentence that has so much of a claim, and so much more than another, speaks of the same.
MOST_OF_IT, BY_MORE = 0.6, 0.02
SAME, BESIDE = 0.6, 2


def is_turned(pair: Pair, placed: Sequence[int], tokens: Sequence[Token]) -> bool:
    """Return whether a word is denied in the claim and not in the sentence, or the other way."""
    content = {id(token): at for token, at in zip(pair.content, placed, strict=True)}
    there = [content.get(id(token), -1) for token in pair.claim.tokens]
    where = {at: here for here, at in enumerate(there) if at >= 0}
    denied = _denied(pair.claim.tokens, set(where.values()))
    said = _denied(tokens, set(where))
    return bool({there[here] for here in denied} ^ said)


def is_reversed(pair: Pair) -> bool:
    """Return whether the sentence that says most of the rest of the claim has a word's opposite,
    while the word itself stands in another sentence, which speaks of something else.
    """
    opposed = [at for at, token in enumerate(pair.content) if OPPOSITES.get(token.key)]
    if not opposed:
        return False
    said = [{token.key for token in pair.passage.tokens[slice(*at)]} for at in pair.passage.bounds]
    for at in opposed:
        token = pair.content[at]
        against = [bool(OPPOSITES[token.key] & keys) and token.key not in keys for keys in said]
        if not any(against):
            continue
        held = _held_without(pair, at)
        borne = [held[here] for here, keys in enumerate(said) if token.key in keys]
        if borne and max(held[against]) >= max(MOST_OF_IT, max(borne) + BY_MORE):
            return True
    return False


def is_of_another(pair: Pair) -> bool:
    """Return whether the sentence that says the rest of the claim says it of another: it has
    another name where that of the claim should stand, which stands elsewhere in the passage.
    """
    claimed = {token.key for token in pair.content}
    for at, token in enumerate(pair.content):
        if not token.is_name or pair.covered.by_sentence[at].max() < ALIKE:
            continue
        held = _held_without(pair, at)
        best = int(held.argmax())
        if held[best] < SAME or pair.covered.by_sentence[at][best] >= ALIKE:
            continue
        first, last = pair.passage.bounds[best]
        placed = places_of_words(pair.covered.by_token[:, first:last])
        sentence = pair.passage.tokens[first:last]
        after = placed[at + 1] if at + 1 < len(placed) else -1
        there = sentence[max(0, after - BESIDE) : max(0, after)]
        if any(each.is_name and each.key not in claimed for each in there):
            return True
    return False


def _held_without(pair: Pair, at: int) -> Matrix:
    """Return which share of the claim, but for its word at the place, each sentence holds."""
    rest = pair.covered.weights.copy()
    rest[at] = 0
    held: Matrix = (rest @ pair.covered.by_sentence) / (float(rest.sum()) or 1.0)
    return held


def _denied(tokens: Sequence[Token], aligned: Container[int]) -> set[int]:
    """Return the aligned tokens that stand next behind a negation."""
    found = set()
    for at, token in enumerate(tokens):
        if token.negates:
            behind = range(at + 1, min(at + 1 + AROUND, len(tokens)))
            found.update([here for here in behind if here in aligned][:1])
    return found
