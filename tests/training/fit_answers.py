"""Fits the scorer and the answerability on what tests.training.answers collected.

Prints how many questions the quotation answers, by weights fitted without their documents.
"""

import json
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from chat.extractive.answerability import (
    ANSWER_NAMES,
    RETRIEVAL_NAMES,
    compute_answer_signs,
    compute_retrieval_signs,
)
from chat.extractive.scorer import NAMES, READ, WEIGHTS, ScoredUnit, compute_features
from chat.extractive.selection import select_stretches
from chat.extractive.units import ReadUnit, read_all
from citations.index.scope import Scope
from citations.retrieval import Found
from memory.text.words import extract_terms
from tests.examination.__main__ import holds
from tests.training.fitting import fit_choice, fit_logistic, folds

SOURCES = ("examination", "covidqa")
# PolicyQA only tells that questions limited to one document are about it, fits nothing else (what
# retrieval says of a policy doesn't tell right quotations from wrong ones: AUROC .54), and with it
# 59 of the examination's questions are right for 64. Where it limits, 3 is added to the log-odds.
LIMITED = 3.0
# A prior: "What is the Closing Date?" asks for its definition. Five questions of the sets have a
# unit that begins with all that they ask about, three of them rightly: too few to fit it.
DEFINES = 4.0
# The share of an answer's terms that a text must hold, and of a unit's that the answer must hold.
HELD, INSIDE, FEWEST = 0.8, 0.75, 4
# A question without its documents counts for less: there are as many as those with them.
WEIGHT_WITHOUT = 0.5


@dataclass
class Asked:
    """A question, the units of what was found for it, and which of them answer it."""

    line: dict[str, Any]
    group: str
    has_gold: bool
    found: list[Found]
    scope: Scope
    units: list[ReadUnit]
    near: np.ndarray
    features: np.ndarray
    answers: np.ndarray

    @property
    def question(self) -> str:
        return str(self.line["question"])

    @property
    def can_answer(self) -> np.ndarray:
        return np.array([unit.can_answer for unit in self.units])

    def is_answered_by(self, text: str) -> bool:
        return self.has_gold and is_answer(text, self.line)

    def scored(self, weights: np.ndarray) -> list[ScoredUnit]:
        scores = 1 / (1 + np.exp(-(self.features @ weights[:-1] + weights[-1])))
        held = self.features[:, NAMES.index("own")]
        return [ScoredUnit(*each) for each in zip(self.units, scores, self.near, held, strict=True)]


def is_answer(text: str, line: dict[str, Any]) -> bool:
    """Return whether the text holds a right answer."""
    if "must" in line:
        return bool(line["must"]) and holds(text, line)
    have = set(extract_terms(text))
    golds = [set(extract_terms(gold)) for gold in line["answers"]]
    return any(gold and len(gold & have) >= HELD * len(gold) for gold in golds)


def is_part(text: str, line: dict[str, Any]) -> bool:
    """Return whether the text is an answer, or a part of a long one."""
    own = set(extract_terms(text))
    golds = [] if "must" in line else [set(extract_terms(gold)) for gold in line["answers"]]
    inside = (len(gold & own) >= max(FEWEST, INSIDE * len(own)) for gold in golds)
    return is_answer(text, line) or any(inside)


def load_asked(store: Path, *, has_vectors: bool) -> list[Asked]:
    """Return the questions; without vectors as they would be found by words alone."""
    asked = []
    for source in SOURCES:
        path = store / f"{source}.pickle"
        rows = pickle.loads(path.read_bytes()) if path.exists() else []
        asked += [made for row in rows if (made := read_row(row, source, has_vectors=has_vectors))]
    return asked


def read_row(row: dict[str, Any], source: str, *, has_vectors: bool) -> Asked | None:
    line, found, near = row["line"], row["found"], row["cosines"]
    units = read_all(found)
    if not has_vectors:
        found = [by_words(each) for each in found if each.word_score]
        found.sort(key=lambda each: -each.fit)
    kept = {each.passage.pk: each for each in found[:READ]}
    at = [place for place, unit in enumerate(units) if unit.passage.pk in kept]
    units = [replace(units[place], found=kept[units[place].passage.pk]) for place in at]
    if not units:
        return None
    near = near[at] * has_vectors
    names, gold = row["names"], row["gold"]
    answers = [
        unit.can_answer and names[unit.passage.document_id] in gold and is_part(unit.text, line)
        for unit in units
    ]
    document = min(gold, default=line.get("document") or line.get("doc_id"))
    is_limited = line.get("scope") == "document"
    return Asked(
        line=line,
        group=f"{source}:{document}",
        has_gold=bool(gold),
        found=found,
        scope=Scope(documents=frozenset([found[0].passage.document_id]) if is_limited else None),
        units=units,
        near=near,
        features=compute_features(line["question"], line["question"], units, near),
        answers=np.array(answers),
    )


def by_words(found: Found) -> Found:
    return replace(found, fit=found.word_score or 0.0, vector_score=None)


def fit_scorer(asked: Sequence[Asked]) -> np.ndarray:
    """Return weights of a choice among a question's units, with a constant that calibrates it."""
    usable = [each for each in asked if each.has_gold]
    fitted = [at for at, name in enumerate(NAMES) if name != "defines"]
    own = np.full(len(NAMES), DEFINES)
    rows = [
        (each.features[each.can_answer][:, fitted], each.answers[each.can_answer])
        for each in usable
    ]
    own[fitted] = fit_choice(rows, 3.0)
    best = []
    for each in usable:
        sums = np.where(each.can_answer, each.features @ own, -np.inf)
        best.append((sums.max(), each.answers[sums.argmax()]))
    sums, right = np.array(best).T
    return np.append(own, np.log(right.mean() / (1 - right.mean())) - sums.mean())


def signs_of(each: Asked, weights: np.ndarray) -> tuple[list[float], bool]:
    scored = each.scored(weights)
    text = "\n".join(stretch.text for stretch in select_stretches(scored))
    signs = compute_retrieval_signs(each.question, each.found, each.scope)
    return [*signs, *compute_answer_signs(each.question, scored)], each.is_answered_by(text)


def in_passages(each: Asked) -> bool:
    passages = {unit.passage.pk: unit.passage.text for unit in each.units}
    return each.is_answered_by("\n".join(passages.values()))


def fit_all(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Return the weights of the three models."""
    scorer = fit_scorer(asked)
    signs = [signs_of(each, scorer) for each in asked]
    rows, right = np.array([row for row, _ in signs]), np.array([is_right for _, is_right in signs])
    weight = np.array([1.0 if each.has_gold else WEIGHT_WITHOUT for each in asked])
    count = len(RETRIEVAL_NAMES)
    there = np.array([in_passages(each) for each in asked])
    return {
        "scorer": named(NAMES, scorer),
        "answerability": named(ANSWER_NAMES, fit_logistic(rows, right, weight))
        | {"limited": LIMITED},
        "retrieval": named(RETRIEVAL_NAMES, fit_logistic(rows[:, :count], there, weight))
        | {"limited": LIMITED},
    }


def named(names: Sequence[str], weights: np.ndarray) -> dict[str, float]:
    return {
        name: round(float(weight), 4)
        for name, weight in zip((*names, "constant"), weights, strict=True)
    }


def figures(asked: Sequence[Asked]) -> None:
    """Print what weights come to on documents that they weren't fitted on."""
    groups = [each.group for each in asked]
    told: dict[str, list[tuple[bool, bool, float, bool, float, int]]] = {}
    for left_out in folds(groups):
        rest = [each for each, is_out in zip(asked, left_out, strict=True) if not is_out]
        fitted = fit_all(rest)
        scorer = np.array(list(fitted["scorer"].values()))
        answer = np.array(list(fitted["answerability"].values()))
        retrieval = np.array(list(fitted["retrieval"].values()))
        for each, is_out in zip(asked, left_out, strict=True):
            if is_out:
                signs, is_right = signs_of(each, scorer)
                chance = expit(np.dot(answer[:-1], signs) + answer[-1])
                fit = expit(np.dot(retrieval[:-1], signs[: len(RETRIEVAL_NAMES)]) + retrieval[-1])
                words = sum(s.words for s in select_stretches(each.scored(scorer)))
                row = (each.has_gold, is_right, chance, in_passages(each), fit, words)
                told.setdefault(each.group.split(":")[0], []).append(row)
    for source, rows in told.items():
        gold, right, chances, there, fits, sizes = (
            np.array(column) for column in zip(*rows, strict=True)
        )
        sure = chances >= 0.5
        print(
            f"{source:12} asked {gold.sum()} right {right.sum()} told {(right & sure).sum()}"
            f" wrong told {(gold & ~right & sure).sum()}"
            f" declined {(gold & (chances < 0.05)).sum()}"
            f" | absent {(~gold).sum()} told {(~gold & sure).sum()}"
            f" declined {(~gold & (chances < 0.05)).sum()}"
            f" | words {sizes[gold & sure].mean():.0f}"
            f" | auroc {auroc(chances[right], chances[~right]):.3f}"
            f" of retrieval {auroc(fits[there], fits[~there]):.3f}"
            f" asked below .05 {(gold & (fits < 0.05)).sum()},"
            f" absent below {(~gold & (fits < 0.05)).sum()}"
        )


def expit(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def auroc(right: np.ndarray, wrong: np.ndarray) -> float:
    """Return how often a right one is above a wrong one."""
    return float((right[:, None] > wrong[None, :]).mean()) if len(right) and len(wrong) else 0.0


def fit(store: Path) -> None:
    fitted = {}
    for name, has_vectors in (("vectors", True), ("words", False)):
        asked = load_asked(store, has_vectors=has_vectors)
        print(name)
        figures(asked)
        fitted[name] = fit_all(asked)
    WEIGHTS.write_text(json.dumps(fitted, indent=1) + "\n")
