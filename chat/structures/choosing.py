"""The choice of a structure for a question, from its vector alone.

A softmax regression over the vector, trained on the examples of the structures and on questions
that want prose (tests.training.structures). Without weights for the engine or the structure, only
the person can choose it.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from memory.text.embedding import Embedded, Vectors, get_embedder

WEIGHTS = Path(__file__).parent / "weights.npz"
# The class of questions without a structure.
PROSE = "prose"
# Least probability to choose a structure. In cross-validation with e5, on 204 questions in English
# and Spanish, 42 of them traps: precision .99, recall .50, no trap chosen
# (`python -m tests.training structures --cross-validate`).
LEAST = 0.55


@cache
def load_weights() -> tuple[list[str], Mapping[str, Vectors]]:
    """Load the classes, and each engine's weights: a row a class, the constant last."""
    with np.load(WEIGHTS) as stored:
        engines = {name: stored[name] for name in stored.files if name != "classes"}
        return [str(each) for each in stored["classes"]], engines


def choose_structure(asked: Embedded) -> str:
    """Return the name of the structure for the question; empty for prose."""
    engine = get_embedder()
    classes, weights = load_weights()
    if engine is None or engine.model not in weights or (vector := asked.vector) is None:
        return ""
    probabilities = estimate_probabilities(weights[engine.model], vector)
    best = int(probabilities.argmax())
    is_sure = probabilities[best] >= LEAST and classes[best] != PROSE
    return classes[best] if is_sure else ""


def estimate_probabilities(weights: Vectors, vector: Vectors) -> Vectors:
    """Return the probability of each class."""
    sums = weights[:, :-1] @ vector + weights[:, -1]
    powers = np.exp(sums - sums.max())
    shares: Vectors = powers / powers.sum()
    return shares
