"""Fit the choice of structures: `python -m tests.training structures [--cross-validate]`.

Learns from the examples that the structures declare, from structures_prose.toml and from
structures.toml. Prints the confusion over structures.toml by models that haven't seen the question.
"""

import sys
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chat.structures.choosing import LEAST, PROSE, WEIGHTS
from chat.structures.registry import load_structures
from memory.text.embedding import BUILT_IN

QUESTIONS = Path(__file__).parent / "structures.toml"
WANTING_PROSE = Path(__file__).parent / "structures_prose.toml"
FOLDS, STEPS, RATE, PENALTY = 5, 400, 4.0, 0.1
Floats = NDArray[np.float64]


def read_questions() -> list[tuple[str, str]]:
    """Read the held-out questions, each with the structure that it wants."""
    by_name = tomllib.loads(QUESTIONS.read_text())
    return [(question, name) for name, questions in by_name.items() for question in questions]


def read_examples() -> list[tuple[str, str]]:
    """Read the examples of all structures, and those that want prose."""
    declared = [
        (question, each.name)
        for each in load_structures().values()
        for questions in each.examples.values()
        for question in questions
    ]
    wanting_prose = tomllib.loads(WANTING_PROSE.read_text())["examples"]
    return [*declared, *((question, PROSE) for question in wanting_prose)]


def fit(vectors: Floats, classes: NDArray[np.int64], count: int) -> Floats:
    """Fit a softmax regression by gradient descent."""
    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    wanted, weights = np.eye(count)[classes], np.zeros((rows.shape[1], count))
    for _ in range(STEPS):
        error = probabilities(rows @ weights) - wanted
        weights -= RATE * (rows.T @ error + PENALTY * weights) / len(rows)
    return weights.T


def probabilities(sums: Floats) -> Floats:
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def cross_validate(vectors: Floats, classes: NDArray[np.int64], count: int) -> Floats:
    """Return the probabilities of each question by models that haven't seen it."""
    folds = np.random.default_rng(0).integers(0, FOLDS, len(vectors))
    rows, found = np.hstack([vectors, np.ones((len(vectors), 1))]), np.zeros((len(vectors), count))
    for fold in range(FOLDS):
        weights = fit(vectors[folds != fold], classes[folds != fold], count)
        found[folds == fold] = probabilities(rows[folds == fold] @ weights.T)
    return found


def report(name: str, labels: list[str], wanted: list[str], found: Floats) -> None:
    """Print precision, recall, traps taken, and the confusion."""
    best = found.argmax(axis=1)
    sure = found.max(axis=1) >= LEAST
    told = [labels[at] if is_sure else PROSE for at, is_sure in zip(best, sure, strict=True)]
    pairs = Counter(zip(wanted, told, strict=True))
    right = sum(count for (one, other), count in pairs.items() if one == other != PROSE)
    chosen = sum(count for (_, other), count in pairs.items() if other != PROSE)
    asked, traps = sum(one != PROSE for one in wanted), wanted.count(PROSE)
    taken = sum(count for (one, other), count in pairs.items() if one == PROSE != other)
    print(
        f"{name}: precision {right / chosen:.2f}, recall {right / asked:.2f}, traps {taken}/{traps}"
    )
    for (one, other), count in sorted(pairs.items()):
        print(f"  {one:16} -> {other:16} {count}")


def main() -> None:
    examples, held_out = read_examples(), read_questions()
    labels = sorted({name for _, name in examples})
    everything = [*examples, *held_out]
    classes = np.array([labels.index(name) for _, name in everything])
    stored: dict[str, NDArray[np.float16]] = {}
    for name, kind in BUILT_IN.items():
        engine = kind()
        vectors = np.asarray(engine.embed_queries([text for text, _ in everything]), dtype=float)
        found = cross_validate(vectors, classes, len(labels))
        report(name, labels, [each for _, each in held_out], found[len(examples) :])
        stored[engine.model] = fit(vectors, classes, len(labels)).astype(np.float16)
    if "--cross-validate" not in sys.argv:
        np.savez_compressed(WEIGHTS, classes=np.array(labels), **stored)  # type: ignore[arg-type]
