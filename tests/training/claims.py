"""Fit the weights that tell whether a passage supports a claim.

    python -m tests.training.claims FOLDER            # prints WEIGHTS, writes rarity.npz
    python -m tests.training.claims FOLDER --held-out # figures on topics it has not seen

FOLDER holds `citations_dev.jsonl.gz` and `docqa_docs_dev.jsonl.gz`. Learned from: the parts of
AttributionBench whose text is free and Factcheck-GPT, as people judged them, and small edits
(edits.py) of sentences from their passages and from PolicyQA and CovidQA. Share-alike sources only
measure.
"""

import gzip
import hashlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import django
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FREE = ("expertqa", "gensearch", "attributedqa", "lfqa", "attrscore", "begin", "factcheckgpt")
DOCUMENTS = ("policyqa", "covidqa")
LENGTHS, READ = (20, 60, 120, 250), 2_500  # words of a piece of a document, and of a document
FOLDS = 5
# Weight of an edit relative to a judged pair: a higher one detects more of the edits (.38 here),
# and fits the human judgements less.
EDITS_WEIGH = 0.3
RIDGE = 3.0


@dataclass(frozen=True)
class Pair:
    """A claim beside a passage, and whether that supports it."""

    source: str
    group: str
    claim: str
    passage: str
    supported: bool

    @property
    def fold(self) -> int:
        return int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % FOLDS


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def read_judged(folder: Path) -> list[Pair]:
    """Return the pairs that people judged."""
    return [
        Pair(row["source"], row["group"], row["claim"], row["passage"], row["supported"] is True)
        for row in read_lines(folder / "citations_dev.jsonl.gz")
    ]


def read_free(folder: Path, judged: Sequence[Pair]) -> dict[str, dict[str, str]]:
    """Return by source the passages that may be learned from, each with its group."""
    chance = random.Random(0)
    found: dict[str, dict[str, str]] = {}
    for pair in judged:
        if pair.source in FREE:
            found.setdefault(pair.source, {})[pair.passage] = pair.group
    for document in read_lines(folder / "docqa_docs_dev.jsonl.gz"):
        if document["source"] in DOCUMENTS:
            pieces = found.setdefault(document["source"], {})
            pieces |= dict.fromkeys(cut_document(document["text"], chance), document["doc_id"])
    return found


def cut_document(text: str, chance: random.Random) -> Iterator[str]:
    words = text.split(" ")
    at = 0
    while at < min(len(words), READ):
        length = chance.choice(LENGTHS)
        yield " ".join(words[at : at + length])
        at += 2 * length


def make_edits(free: dict[str, dict[str, str]]) -> Iterator[Pair]:
    """Yield claims made from the passages, as many true ones as false ones."""
    from tests.training import edits

    chance = random.Random(1)
    for source, passages in free.items():
        for passage, group in passages.items():
            others = chance.sample(list(passages), min(4, len(passages)))
            material = edits.Material(passage, others)
            for said in islice(edits.claims_of(passage, chance), 2):
                claim = edits.make_true(said, material, chance)
                yield Pair(source, group, claim, passage, True)
                if false := edits.make_false(claim, material, chance):
                    yield Pair(source, group, false, passage, False)


def measure(pairs: Sequence[Pair]) -> Floats:
    """Return the features of each pair, and a column of ones."""
    from citations.attribution.checking.alignment import align
    from citations.attribution.checking.features import NAMES, measure_pair
    from citations.attribution.checking.reading import LONGEST_CLAIM, read_text

    found = np.ones((len(pairs), len(NAMES) + 1))
    for at, pair in enumerate(pairs):
        claim, passage = read_text(pair.claim, LONGEST_CLAIM), read_text(pair.passage)
        if claim.tokens and passage.tokens:
            [[alike]] = align([claim], [passage])
            found[at, :-1] = measure_pair(claim, passage, alike)[0]
    return found


def weigh(judged: Sequence[Pair], edits: Sequence[Pair]) -> Floats:
    """Weigh true and false alike, and sources by the root of their size."""
    sides = Counter((pair.source, pair.supported) for pair in judged)
    weights = np.array([sides[pair.source, pair.supported] ** -0.5 for pair in judged])
    truths = Counter(pair.supported for pair in edits)
    made = np.array([len(edits) / 2 / truths[pair.supported] for pair in edits])
    share = EDITS_WEIGH * len(judged) / len(edits)
    return np.concatenate([weights / weights.mean(), made * share])


def fit(features: Floats, supported: Floats, weights: Floats) -> Floats:
    """Return the weights of a logistic regression with a ridge, by Newton's method."""
    scale = features.std(axis=0)
    scale[-1] = 1
    rows = features / scale
    found, ridge = np.zeros(rows.shape[1]), RIDGE * np.eye(rows.shape[1])
    ridge[-1, -1] = 0
    for _ in range(30):
        odds = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (odds - supported)) + ridge @ found
        bend = (rows * (weights * odds * (1 - odds))[:, None]).T @ rows + ridge
        found -= np.linalg.solve(bend, slope)
    return found / scale


def fit_pairs(pairs: tuple[Sequence[Pair], Floats], edits: tuple[Sequence[Pair], Floats]) -> Floats:
    supported = np.array([pair.supported for pair in (*pairs[0], *edits[0])], dtype=float)
    return fit(np.vstack([pairs[1], edits[1]]), supported, weigh(pairs[0], edits[0]))


def take(pairs: Sequence[Pair], rows: Floats, is_taken: Iterable[bool]) -> Any:
    at = np.flatnonzero(list(is_taken))
    return [pairs[each] for each in at], rows[at]


def print_held_out(judged: Any, edits: Any) -> None:
    """Print AUROC, balanced accuracy by source, and the shares of edits that are told."""
    odds, of_edits = np.zeros(len(judged[0])), np.zeros(len(edits[0]))
    for fold in range(FOLDS):
        seen = take(*judged, (each.fold != fold and each.source in FREE for each in judged[0]))
        weights = fit_pairs(seen, take(*edits, (each.fold != fold for each in edits[0])))
        for pairs, rows, into in ((*judged, odds), (*edits, of_edits)):
            left = np.array([each.fold == fold for each in pairs])
            into[left] = rows[left] @ weights
    true = np.array([each.supported for each in judged[0]])
    source = np.array([each.source for each in judged[0]])
    accuracies = []
    for name in sorted(set(source)):
        ours = source == name
        accuracy = balanced_accuracy(odds[ours], true[ours])
        print(f"{name:14} AUROC {auroc(odds[ours], true[ours]):.3f} bal_acc {accuracy:.3f}")
        accuracies += [accuracy] if ours.sum() >= 60 else []
    print(f"{'all':14} AUROC {auroc(odds, true):.3f} macro bal_acc {np.mean(accuracies):.3f}")
    made = np.array([each.supported for each in edits[0]])
    print(f"edits: {(of_edits[~made] < 0).mean():.2f} of the false told, ", end="")
    print(f"{(of_edits[made] > 0).mean():.2f} of the true let pass")


def balanced_accuracy(odds: Floats, true: NDArray[np.bool_]) -> float:
    return float((odds[true] > 0).mean() + (odds[~true] <= 0).mean()) / 2


def auroc(odds: Floats, true: NDArray[np.bool_]) -> float:
    above = odds[true][:, None] - odds[~true][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def write_rarity(judged: Sequence[Pair], free: dict[str, dict[str, str]]) -> None:
    """Count in how many of the free texts each stem is, and keep those in two or more."""
    from citations.attribution.checking.numerals import is_number
    from citations.attribution.checking.reading import RARITIES, read_text

    texts = {pair.claim for pair in judged if pair.source in FREE}.union(*free.values())
    counts: Counter[str] = Counter()
    for text in texts:
        keys = {token.key for token in read_text(text).tokens}
        counts.update(key for key in keys if not is_number(key))
    kept = sorted(stem for stem, count in counts.items() if count > 1)
    total = np.log(len(texts))
    rarities = [(total - np.log(counts[stem])) / total for stem in kept]
    np.savez_compressed(
        RARITIES,
        stems=np.frombuffer(" ".join(kept).encode(), dtype=np.uint8),
        rarities=np.rint(np.array(rarities) * 255).astype(np.uint8),
    )


def main(folder: str, *options: str) -> None:
    path = Path(folder)
    judged = read_judged(path)
    free = read_free(path, judged)
    if not options:
        write_rarity(judged, free)
    edits = list(make_edits(free))
    told, made = (judged, measure(judged)), (edits, measure(edits))
    if options:
        print_held_out(told, made)
    else:
        weights = fit_pairs(take(*told, (each.source in FREE for each in judged)), made)
        print(f"WEIGHTS = ({', '.join(f'{weight:.3f}' for weight in weights)})")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main(*sys.argv[1:])
