"""Signs: what tells whether a passage bears a claim out, as one row of numbers.

No sign knows a word by name: all are shares, counts and likenesses, so that what is learned from
one kind of text holds for others.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citations.attribution.checking.alignment import ALIKE, Pair, instead, places_of_words
from citations.attribution.checking.denials import is_of_another, is_reversed, is_turned
from citations.attribution.checking.likeness import Matrix
from citations.attribution.checking.numerals import is_number
from citations.attribution.checking.opposites import (
    BINDING,
    OPPOSITES,
    PERMITTING,
    SWEEPING,
    VAGUE,
)
from citations.attribution.checking.reading import Token

UNPLACED = 99.0
EXACT = 0.99
# Of one word; a sentence of nothing else would take for ever.
MOST_PLACES = 8
# From which share of a claim in two sentences on doubts weigh, and by how much more they weigh
# most: a denial is looked for in a pair as near as that.
NEAR, NEARER = 0.6, 0.2
AROUND = 3  # tokens beside the aligned words where a negation counts

Row = dict[str, float]

# The columns of a row. What grows with support, what falls with it, and what only tells how to
# read the others: trees may use a sign of the first two in its own direction only.
BETTER = """anywhere exactly by_one by_one_exactly by_two by_three least_alike first_half last_half
    last_half_here last_word new names_share words_share beside pairs threes run""".split()
WORSE = """missing_most missing_words missing_here missing_here_words numbers_missing
    numbers_missing_here names_missing names_missing_here backwards names_backwards exchanged
    exchanged_most exchanged_names exchanged_numbers opposites other_numbers negations_differ
    negated_only_here negated_only_there sweeping contrary binding""".split()
NEUTRAL = """numbers numbers_said names said_elsewhere sentence_words spread sweeping_there vague
    vague_there permitting claim_words claim_weight passage_words sentences""".split()
NAMES = (*BETTER, *WORSE, *NEUTRAL)


def signs_of(pair: Pair) -> tuple[Row, tuple[int, int]]:
    """Return the signs of a pair, and the span of sentences that they speak of."""
    row: Row = {}
    best, held = pair.covered.window(1)
    best_of_two, held_by_two = pair.covered.window(2)
    whole = pair.covered.by_sentence.max(axis=1)
    row |= coverage(pair, whole, held, held_by_two)
    row |= numbers_and_names(pair, whole, held_by_two)
    last = best
    # A second sentence is taken where it adds what the best one lacks.
    if row["by_two"] - row["by_one"] > 0.15:
        best, last = best_of_two, min(best_of_two + 1, len(pair.passage.bounds) - 1)
    first_token, last_token = pair.passage.bounds[best][0], pair.passage.bounds[last][1]
    is_near = row["by_two"] >= NEAR + NEARER
    row |= aligned(pair, first_token, last_token, is_near=is_near)
    row |= sizes(pair)
    span = (pair.passage.sentences[best][0], pair.passage.sentences[last][1])
    return row, span


def coverage(pair: Pair, whole: Matrix, held: Matrix, held_by_two: Matrix) -> Row:
    """Tell how much of the claim, weighted by rarity, is anywhere, in one sentence, in two."""
    weights = pair.covered.weights
    total = float(weights.sum()) or 1.0
    exact = whole >= EXACT
    _, held_by_three = pair.covered.window(3)
    missing = weights * (1 - whole)
    late = np.arange(len(weights)) >= len(weights) / 2
    new = np.array([token.key not in pair.asked for token in pair.content])
    return {
        "anywhere": float(weights @ whole) / total,
        "exactly": float(weights @ exact) / total,
        "by_one": float(weights @ held) / total,
        "by_one_exactly": float(weights @ (held >= EXACT)) / total,
        "by_two": float(weights @ held_by_two) / total,
        "by_three": float(weights @ held_by_three) / total,
        "missing_most": float(missing.max()),
        "missing_words": float((whole < ALIKE).sum()),
        "missing_here": float((weights * (held_by_two < ALIKE)).max()),
        "missing_here_words": float((held_by_two < ALIKE).sum()),
        "least_alike": float(whole.min()),
        # A claim names its subject first and says of it last: there it is wrong most often.
        "first_half": _share(weights, whole, ~late),
        "last_half": _share(weights, whole, late),
        "last_half_here": _share(weights, held_by_two, late),
        "last_word": float(whole[-1]),
        # What the question didn't say already.
        "new": _share(weights, whole, new),
    }


def _share(weights: Matrix, held: Matrix, chosen: NDArray[np.bool_]) -> float:
    total = float(weights[chosen].sum())
    return float(weights[chosen] @ held[chosen]) / total if total else 1.0


def numbers_and_names(pair: Pair, whole: Matrix, held: Matrix) -> Row:
    """Tell which numbers and names of the claim are missing, in the passage and near the rest."""
    anywhere, here = whole.tolist(), held.tolist()
    number = [at for at, token in enumerate(pair.content) if is_number(token.key)]
    name = [at for at, token in enumerate(pair.content) if token.is_name]
    words = set(range(len(pair.content))).difference(name)
    names_there = sum(anywhere[at] >= ALIKE for at in name)
    words_there = sum(anywhere[at] >= ALIKE for at in words)
    return {
        "numbers": float(len(number)),
        "numbers_missing": float(sum(anywhere[at] < EXACT for at in number)),
        "numbers_missing_here": float(sum(here[at] < EXACT for at in number)),
        "numbers_said": float(min(sum(is_number(token.key) for token in pair.passage.tokens), 9)),
        "names": float(len(name)),
        "names_missing": float(len(name) - names_there),
        "names_missing_here": float(sum(here[at] < ALIKE for at in name)),
        "names_share": names_there / len(name) if name else 1.0,
        "words_share": words_there / max(len(words), 1),
    }


def aligned(pair: Pair, first: int, last: int, *, is_near: bool) -> Row:
    """Tell how the claim lies along the sentence that it is most like: order, gaps, exchanges."""
    tokens = pair.passage.tokens[first:last]
    placed = places_of_words(pair.covered.by_token[:, first:last])
    used = [at for at in placed if at >= 0]
    taken = set(used)
    free = [token.weight > 0 and at not in taken for at, token in enumerate(tokens)]
    content = sum(token.weight for token in tokens) or 1.0
    row = {
        "said_elsewhere": sum(tokens[at].weight for at in taken) / content,
        "sentence_words": float(len(tokens)),
    }
    row |= order(placed, pair.content)
    row |= exchanged_words(pair, tokens, placed, free)
    low, high = (min(used), max(used) + 1) if used else (0, len(tokens))
    near = tokens[max(0, low - AROUND) : high + AROUND]
    # No sign for the trees, which saw too few: whoever reads the row asks for it.
    row["turned"] = float(
        is_near and (is_turned(pair, placed, tokens) or is_reversed(pair) or is_of_another(pair))
    )
    return row | turns(pair.claim.tokens, near, tokens) | word_runs(pair, first, last)


def order(placed: Sequence[int], content: Sequence[Token]) -> Row:
    """Return whether the words stand in the same order and as near one another."""
    steps = [b - a for a, b in pairwise(placed) if a >= 0 and b >= 0]
    named = [at for at, token in zip(placed, content, strict=True) if at >= 0 and token.is_name]
    backwards = sum(b < a for a, b in pairwise(named))
    together = max(len(placed) - 1, 1)
    used = [at for at in placed if at >= 0]
    return {
        "backwards": sum(step < 0 for step in steps) / max(len(steps), 1),
        "beside": sum(0 < step <= 3 for step in steps) / together,
        "names_backwards": float(backwards),
        "spread": (max(used) - min(used) + 1) / len(used) if used else UNPLACED,
    }


def exchanged_words(
    pair: Pair, tokens: Sequence[Token], placed: Sequence[int], free: Sequence[bool]
) -> Row:
    """Tell what stands in the sentence where a word of the claim is missing from it.

    One word in the place of another is how a sentence is falsified; a word that is merely missing
    may be said in another way.
    """
    row = dict.fromkeys(
        ("exchanged", "exchanged_most", "exchanged_names", "exchanged_numbers", "opposites"), 0.0
    )
    said = {token.key for token in tokens}
    unused = {token.key for token, is_free in zip(tokens, free, strict=True) if is_free}
    for at, token in enumerate(pair.content):
        if placed[at] >= 0:
            continue
        row["opposites"] += bool(OPPOSITES.get(token.key, frozenset()) & said)
        there = [tokens[here] for here in instead(at, placed, free)]
        if not there:
            continue
        kinds = [other for other in there if _kind(other) == _kind(token)]
        row["exchanged"] += bool(kinds)
        row["exchanged_most"] = max(row["exchanged_most"], token.weight if kinds else 0.0)
        row["exchanged_names"] += token.is_name and bool(kinds)
        row["exchanged_numbers"] += is_number(token.key) and bool(kinds)
    numbers = {token.key for token in pair.content if is_number(token.key)}
    others = {key for key in unused if is_number(key)}
    row["other_numbers"] = float(bool(numbers - said) and bool(others - numbers))
    return row


def _kind(token: Token) -> str:
    if is_number(token.key):
        return token.key[0]
    return "name" if token.is_name else "word"


def turns(claim: Sequence[Token], near: Sequence[Token], sentence: Sequence[Token]) -> Row:
    """Tell which small words turn the claim and not the sentence, or the sentence and not it."""
    claimed, said = _words(claim), _words(sentence)
    negated = sum(token.negates for token in claim)
    denied = sum(token.negates for token in near)
    sweeping = (claimed & SWEEPING) - said
    beside = {token.key for token in near}
    contrary = sum(
        bool(OPPOSITES.get(token.key, frozenset()) & beside)
        for token in claim
        if token.word not in said
    )
    return {
        "negated_only_here": float(negated > denied),
        "negated_only_there": float(denied > negated),
        "negations_differ": float((negated - denied) % 2),
        "sweeping": float(len(sweeping)),
        "sweeping_there": float(len((said & SWEEPING) - claimed)),
        "vague": float(len((claimed & VAGUE) - said)),
        "vague_there": float(len((said & VAGUE) - claimed)),
        "contrary": float(contrary),
        "binding": float(bool(claimed & BINDING and said & PERMITTING and not said & BINDING)),
        "permitting": float(bool(claimed & PERMITTING and said & BINDING)),
    }


def _words(tokens: Iterable[Token]) -> set[str]:
    return {token.word for token in tokens}


def word_runs(pair: Pair, first: int, last: int) -> Row:
    """Tell how much of the claim is there word for word, function words too."""
    claimed = [token.key for token in pair.claim.tokens]
    said = [token.key for token in pair.passage.tokens[first:last]]
    pairs = set(pairwise(claimed))
    threes = set(zip(claimed, claimed[1:], claimed[2:], strict=False))
    said_pairs = set(pairwise(said))
    said_threes = set(zip(said, said[1:], said[2:], strict=False))
    return {
        "pairs": len(pairs & said_pairs) / max(len(pairs), 1),
        "threes": len(threes & said_threes) / max(len(threes), 1),
        "run": longest_run(claimed, said) / max(len(claimed), 1),
    }


def longest_run(claimed: Sequence[str], said: Sequence[str]) -> int:
    """Return how many words in a row the two have in common at most."""
    where: dict[str, list[int]] = {}
    for at, key in enumerate(said):
        if len(where.setdefault(key, [])) < MOST_PLACES:
            where[key].append(at)
    best, before = 0, dict[int, int]()
    for key in claimed:
        now = {at: before.get(at - 1, 0) + 1 for at in where.get(key, ())}
        best = max(best, max(now.values(), default=0))
        before = now
    return best


def sizes(pair: Pair) -> Row:
    """Tell how much is claimed, and in how much it was looked for."""
    return {
        "claim_words": float(len(pair.claim.tokens)),
        "claim_weight": float(pair.covered.weights.sum()),
        "passage_words": float(len(pair.passage.tokens)),
        "sentences": float(len(pair.passage.bounds)),
    }
