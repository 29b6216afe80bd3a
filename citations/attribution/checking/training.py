"""Train what tells whether a passage supports a claim; needs requirements-train.txt.

Learned from: the parts of AttributionBench whose text is free and Factcheck-GPT, as people judged
them, and small edits (edits.py) of what their passages and those of PolicyQA and CovidQA say. What
is share-alike or for measuring only is never learned from.
"""

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citations.attribution.checking import edits, rarity, scores_of
from citations.attribution.checking.alignment import Likenesses, Pair
from citations.attribution.checking.features import BETTER, NAMES, WORSE, signs_of
from citations.attribution.checking.likeness import Matrix
from citations.attribution.checking.numerals import is_number
from citations.attribution.checking.reading import LONGEST_CLAIM, read_text
from memory.recall.rewriting.selection.trees import Forest
from memory.recall.rewriting.training import arrays

FREE = (
    "expertqa", "gensearch", "attributedqa", "lfqa", "attrscore", "begin", "factcheckgpt",
)  # fmt: skip
DOCUMENTS = ("policyqa", "covidqa")
FOLDS, SEEDS = 5, 2
TREES, EDIT_TREES = 150, 250
COMMON = {
    "objective": "binary",
    "feature_fraction": 0.35,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    "num_threads": 2,
    "verbose": -1,
}
JUDGED = COMMON | {
    "learning_rate": 0.04,
    "num_leaves": 8,
    "min_data_in_leaf": 20,
    "lambda_l2": 10,
    # What covers more can't be worse: without this the trees learn the habits of each source.
    "monotone_constraints": [(name in BETTER) - (name in WORSE) for name in NAMES],
}
EDITED = COMMON | {
    "learning_rate": 0.06,
    "num_leaves": 16,
    "min_data_in_leaf": 20,
    "lambda_l2": 3,
}
LENGTHS = (20, 60, 120, 250)  # words of a piece of a document
READ = 2_500  # words of a document


@dataclass(frozen=True)
class JudgedPair:
    """A claim beside a passage, and whether that supports it."""

    source: str
    group: str
    claim: str
    passage: str
    question: str
    supported: bool
    kind: str = ""


def judged_lines(folder: Path) -> list[JudgedPair]:
    """Return all lines that people judged; those not in FREE are for measuring only."""
    return [
        JudgedPair(
            line["source"],
            line["group"],
            line["claim"],
            line["passage"],
            line.get("question") or "",
            line["supported"] is True,
        )
        for line in _lines(folder / "citations_dev.jsonl.gz")
    ]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def edited(folder: Path, lines: Sequence[JudgedPair], seed: int = 1) -> list[JudgedPair]:
    """Make claims from the passages of what is free, true ones and false ones."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    passages: dict[str, dict[str, tuple[str, list[str]]]] = {}
    for line in lines:
        if line.source in FREE:
            known = passages.setdefault(line.source, {})
            told = known.setdefault(line.passage, (line.group, []))[1]
            told.extend([line.claim] if line.supported else [])
    for document in _lines(folder / "docqa_docs_dev.jsonl.gz"):
        if document["source"] in DOCUMENTS:
            pieces = _pieces(document["text"], chance)
            known = passages.setdefault(document["source"], {})
            known.update({piece: (document["doc_id"], []) for piece in pieces})
    return [
        line
        for source, known in passages.items()
        for passage, (group, told) in known.items()
        for line in _edited(source, group, passage, told, list(known), chance)
    ]


def _pieces(text: str, chance: random.Random) -> Iterator[str]:
    words = text.split(" ")
    at = 0
    while at < min(len(words), READ):
        length = chance.choice(LENGTHS)
        yield " ".join(words[at : at + length])
        at += 2 * length


def _edited(
    source: str,
    group: str,
    passage: str,
    told: Sequence[str],
    others: Sequence[str],
    chance: random.Random,
) -> Iterator[JudgedPair]:
    material = edits.Material(passage, chance.sample(others, min(4, len(others))))
    said = list(islice(edits.claims_of(passage, chance), 2))
    for claim in (*said, *told[:2]):
        true = edits.made_true(claim, material, chance)
        yield JudgedPair(source, group, true, passage, "", True, "true")
        false = edits.made_false(edits.made_true(claim, material, chance), material, chance)
        if false is not None:
            yield JudgedPair(source, group, false[1], passage, "", False, false[0])


def sign_rows(lines: Sequence[JudgedPair], *, by_vectors: bool) -> Matrix:
    """Return the signs of each line."""
    found = np.zeros((len(lines), len(NAMES)), dtype=np.float32)
    for at, line in enumerate(lines):
        claim, passage = read_text(line.claim, LONGEST_CLAIM), read_text(line.passage)
        if claim.tokens and passage.tokens:
            alike = Likenesses.between([claim], [passage], by_vectors=by_vectors)[0]
            asked = frozenset(token.key for token in read_text(line.question).tokens)
            row, _ = signs_of(Pair.of(claim, passage, alike, asked))
            found[at] = [row[name] for name in NAMES]
    return found


def fold_of(line: JudgedPair) -> int:
    return int(hashlib.sha256(line.group.encode()).hexdigest(), 16) % FOLDS


def line_weights(lines: Sequence[JudgedPair]) -> NDArray[np.float64]:
    """Weigh true and false alike, and sources by the root of their size."""
    sides = [(line.source, line.supported) for line in lines]
    sizes = {side: sides.count(side) for side in set(sides)}
    found = np.array([sizes[side] ** -0.5 for side in sides])
    weighed: NDArray[np.float64] = found / found.mean()
    return weighed


def fit_forest(
    parameters: Mapping[str, Any], trees: int, lines: Sequence[JudgedPair], signs: Matrix
) -> list[Any]:
    """Train a forest on lines and their signs."""
    import lightgbm  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - only training needs it

    told = np.array([line.supported for line in lines], dtype=np.float32)
    if lines[0].kind:
        share = told.mean()
        weighed = np.where(told > 0, 0.5 / share, 0.5 / (1 - share))
    else:
        weighed = line_weights(lines)
    return [
        lightgbm.train(
            {**parameters, "seed": seed}, lightgbm.Dataset(signs, told, weight=weighed), trees
        )
        for seed in range(SEEDS)
    ]


def count_words(folder: Path, lines: Sequence[JudgedPair]) -> None:
    """Write how rare each word is in the texts that are free."""
    free = [text for line in lines if line.source in FREE for text in (line.claim, line.passage)]
    chance = random.Random(0)  # noqa: S311 - nothing secret
    for document in _lines(folder / "docqa_docs_dev.jsonl.gz"):
        if document["source"] in DOCUMENTS:
            free += _pieces(document["text"], chance)
    keys = ([token.key for token in read_text(text).tokens] for text in dict.fromkeys(free))
    rarity.write_rarity([key for key in said if not is_number(key)] for said in keys)


@dataclass(frozen=True)
class Signed:
    """Lines with their signs, with the vectors of words and without: one forest serves both."""

    lines: list[JudgedPair]
    with_vectors: Matrix
    without: Matrix

    @classmethod
    def of(cls, lines: Sequence[JudgedPair]) -> "Signed":
        return cls(
            list(lines), sign_rows(lines, by_vectors=True), sign_rows(lines, by_vectors=False)
        )

    def taken(self, chosen: Sequence[bool]) -> "Signed":
        at = np.flatnonzero(chosen)
        return Signed([self.lines[i] for i in at], self.with_vectors[at], self.without[at])

    def fit(self, parameters: Mapping[str, Any], trees: int) -> list[Any]:
        both = np.vstack([self.with_vectors, self.without])
        return fit_forest(parameters, trees, [*self.lines, *self.lines], both)


def trained(judged_by_people: Signed, made: Signed) -> dict[str, NDArray[Any]]:
    """Train both forests, as the arrays that are shipped; what isn't free is left out."""
    free = judged_by_people.taken([line.source in FREE for line in judged_by_people.lines])
    return arrays(free.fit(JUDGED, TREES), "judged") | arrays(
        made.fit(EDITED, EDIT_TREES), "edited"
    )


def write_artefacts(folder: Path, path: Path) -> None:
    """Count words in all that is free, train on it, and write the artefacts."""
    lines = judged_lines(folder)
    count_words(folder, lines)
    stored = trained(Signed.of(lines), Signed.of(edited(folder, lines)))
    np.savez_compressed(path, allow_pickle=False, **stored)


def held_out_scores(folder: Path) -> Iterator[tuple[JudgedPair, float, float]]:
    """Yield each judged line with its scores, with vectors and without, by forests that have not
    seen its topic; of sources that are not free they have seen nothing."""
    lines = judged_lines(folder)
    told, made = Signed.of(lines), Signed.of(edited(folder, lines))
    for number in range(FOLDS):
        seen = [fold_of(line) != number for line in told.lines]
        stored = trained(
            told.taken(seen), made.taken([fold_of(line) != number for line in made.lines])
        )
        both = Forest.loaded(stored, "judged"), Forest.loaded(stored, "edited")
        left = told.taken([not known for known in seen])
        by_vectors, by_words = (scores_of(x, both) for x in (left.with_vectors, left.without))
        yield from zip(left.lines, by_vectors.tolist(), by_words.tolist(), strict=True)
