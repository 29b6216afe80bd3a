"""Logistic regression, and its figures held out by group."""

from collections.abc import Sequence

import numpy as np

RIDGE = 1.0
ROUNDS = 30


def fit_choice(
    questions: Sequence[tuple[np.ndarray, np.ndarray]], ridge: float = RIDGE
) -> np.ndarray:
    """Return the weights of a conditional logit: of each question's rows, some are right."""
    scale = np.vstack([rows for rows, _ in questions]).std(axis=0) + 1e-9
    weights = np.zeros(len(scale))
    usable = [(rows / scale, right) for rows, right in questions if right.any() and not right.all()]
    for _ in range(ROUNDS):
        gradient, hessian = -ridge * weights, ridge * np.eye(len(weights))
        for rows, right in usable:
            sums = rows @ weights
            odds = np.exp(sums - sums.max())
            among, inside = odds / odds.sum(), odds * right / ((odds * right).sum() + 1e-12)
            mean, mean_right = among @ rows, inside @ rows
            gradient += mean_right - mean
            hessian += (rows * among[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(hessian, gradient)
        weights += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-5:
            break
    return weights / scale


def fit_logistic(
    rows: np.ndarray, right: np.ndarray, weight: np.ndarray, ridge: float = RIDGE
) -> np.ndarray:
    """Return the weights of a logistic regression, its constant last."""
    scale = rows.std(axis=0) + 1e-9
    centre = rows.mean(axis=0)
    scaled = np.hstack([(rows - centre) / scale, np.ones((len(rows), 1))])
    penalty = ridge * np.eye(scaled.shape[1])
    penalty[-1, -1] = 0
    weights = np.zeros(scaled.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        gradient = scaled.T @ (weight * (right - chance)) - penalty @ weights
        hessian = (scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + penalty
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    own = weights[:-1] / scale
    return np.append(own, weights[-1] - own @ centre)


def folds(groups: Sequence[str], count: int = 5) -> list[np.ndarray]:
    """Return for each fold which of the rows are left out; a group is in one fold."""
    names = sorted(set(groups))
    rng = np.random.default_rng(35)
    place = dict(
        zip(rng.permutation(names).tolist(), (at % count for at in range(len(names))), strict=True)
    )
    return [np.array([place[group] == fold for group in groups]) for fold in range(count)]
