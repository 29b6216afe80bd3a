"""Train the selector of follow-ups' words; needs requirements-train.txt.

Run: `python -m tests.training rewriting FOLDER [--cross-validate HYP.jsonl]`.

Only sets with permissive licences are learned from: TREC CAsT 2019 to 2022 and TREC iKAT (MIT),
and MT-RAG (Apache-2.0), whose rewrites by a language model weigh half.
"""

import gzip
import hashlib
import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from chat.evaluation.conversations import Retold, read_exchanges
from chat.evaluation.mixing import Move, mix_conversations, read_threads
from memory.recall.rewriting import resolve
from memory.recall.rewriting.exchanges import Exchange, Rewrite, select_reachable
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.selection import choosing
from memory.recall.rewriting.selection.candidates import Matrix, describe
from memory.recall.rewriting.selection.choosing import ARTEFACT, NAMES, build_gate_row
from memory.recall.rewriting.selection.mentions import ReadConversation
from memory.text.trees import Forest
from memory.text.words import extract_terms

HUMAN = ("cast19", "cast20", "cast21", "cast22", "ikat24", "ikat25")
BY_MODEL = ("mtrag",)
HALF = 0.5
FOLDS = 5
COMMON = {
    "objective": "binary",
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    "num_threads": 1,
    "verbose": -1,
}
SELECTOR = COMMON | {
    "learning_rate": 0.08,
    "num_leaves": 15,
    "min_data_in_leaf": 20,
    "lambda_l2": 5,
}
GATE = COMMON | {
    "learning_rate": 0.05,
    "num_leaves": 6,
    "min_data_in_leaf": 15,
    "lambda_l2": 10,
}
GAP = GATE | {"num_leaves": 10}
TREES, GATE_TREES, GAP_TREES, SEEDS = 150, 120, 250, 2
# Weights of standalone questions: a person's rewrite in place of the question, and a question that
# begins a new subject in a mixed conversation.
SELF, ELSEWHERE = 0.3, 0.5
MIXED_SEEDS = (1, 2)


@dataclass
class Example:
    """A follow-up with the stems that its rewrite adds."""

    line: dict[str, Any]
    group: str
    weight: float
    conversation: ReadConversation
    rows: Matrix
    shared: list[float]
    wanted: NDArray[np.bool_]
    needs: bool
    probabilities: Matrix


def examples(folder: Path) -> list[Example]:
    """Read the follow-ups of the permissive sets in the folder."""
    found = [_example(line, 1.0) for name in HUMAN for line in read_lines(folder, name)]
    found += [_example(line, HALF) for name in BY_MODEL for line in read_lines(folder, name)]
    return [example for example in found if example is not None]


def read_lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for path in folder.glob(f"{name}.jsonl*"):
        opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)


def _example(line: dict[str, Any], weight: float) -> Example | None:
    target = line["rewrite"] or (line["alt_rewrites"] or {}).get("mtrag_llm_rewrite")
    before = select_reachable(read_exchanges(line["history"]))
    if not target or line["is_first"] or not before:
        return None
    return _asked(line, line["query"], before, target, weight)


def _asked(
    line: dict[str, Any], query: str, before: Sequence[Exchange], target: str, weight: float
) -> Example:
    conversation = ReadConversation.read(ReadQuestion(query), before)
    rows, shared = describe(conversation)
    added = set(extract_terms(target)) - set(extract_terms(query))
    stems = [candidate.stem for candidate in conversation.candidates]
    wanted = np.array([stem in added for stem in stems], dtype=bool)
    # Words that a model added and nobody said are paraphrase.
    needs = bool(wanted.any()) if weight == HALF else bool(added)
    nothing = np.zeros(len(stems), dtype=np.float32)
    return Example(line, _group(line), weight, conversation, rows, shared, wanted, needs, nothing)


def standing_alone(folder: Path) -> list[Example]:
    """Return questions that need nothing of what was said before them.

    A rewrite by a person after the same turns, and what begins a topic in mixed conversations.
    """
    found = []
    for line in (line for name in HUMAN for line in read_lines(folder, name)):
        before, query = select_reachable(read_exchanges(line["history"])), line["rewrite"]
        if before and query and not line["is_first"] and not ReadQuestion(query).has_pronoun:
            found.append(_asked(line, query, before, query, SELF))
    told = read_threads(line for name in HUMAN + BY_MODEL for line in read_lines(folder, name))
    for conversation in (each for seed in MIXED_SEEDS for each in mix_conversations(told, seed)):
        for at, asked in enumerate(conversation):
            if asked.step.line and asked.move in (Move.NEW, Move.RETURNS):
                last = conversation[at - 1].thread
                said = [each for each in conversation[:at] if each.thread == last]
                before = select_reachable(
                    [Exchange(each.query, each.step.response) for each in said]
                )
                found.append(_asked(asked.step.line, asked.query, before, asked.query, ELSEWHERE))
    return found


def _group(line: Mapping[str, Any]) -> str:
    return f"{line['dataset']}:{line['group'] or line['conv_id']}"


def fold(group: str) -> int:
    """Return the fold of a conversation."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS


def score_out_of_fold(learned: Sequence[Example], others: Sequence[Example] = ()) -> None:
    """Give each example the probabilities of a selector that has not seen its conversation.

    The others are no material to learn from.
    """
    for number in range(FOLDS):
        models = fit_selector([each for each in learned if fold(each.group) != number])
        for each in (*learned, *others):
            if fold(each.group) == number and len(each.rows):
                each.probabilities = predicted(models, each.rows)


def fit_selector(learned: Sequence[Example]) -> list[Any]:
    """Train the forest that scores candidates."""
    some = [each for each in learned if len(each.rows)]
    rows = np.vstack([each.rows for each in some])
    wanted = np.concatenate([each.wanted for each in some])
    weights = np.concatenate([np.full(len(each.rows), each.weight) for each in some])
    return _fit(SELECTOR, TREES, rows, wanted, weights)


def fit_gate(learned: Sequence[Example]) -> list[Any]:
    """Train the forest that tells whether a follow-up needs anything, on out-of-fold scores."""
    return _fit_needs(GATE, GATE_TREES, learned)


def fit_gap(learned: Sequence[Example], alone: Sequence[Example]) -> list[Any]:
    """Train the forest that tells whether any question needs something, in the same way."""
    return _fit_needs(GAP, GAP_TREES, [*learned, *alone])


def _fit_needs(parameters: Mapping[str, Any], trees: int, learned: Sequence[Example]) -> list[Any]:
    some = [each for each in learned if len(each.rows)]
    rows = np.vstack([build_gate_row(each.shared, each.probabilities) for each in some])
    needs = np.array([each.needs for each in some])
    return _fit(parameters, trees, rows, needs, np.array([each.weight for each in some]))


def _fit(
    parameters: Mapping[str, Any], trees: int, rows: Matrix, wanted: Any, weights: Any
) -> list[Any]:
    import lightgbm  # type: ignore[import-not-found,unused-ignore]

    return [
        lightgbm.train(
            {**parameters, "seed": seed}, lightgbm.Dataset(rows, wanted, weight=weights), trees
        )
        for seed in range(SEEDS)
    ]


def predicted(models: Sequence[Any], rows: Matrix) -> Matrix:
    """Return the probability of each row, as the stored arrays give it."""
    raw = np.mean([model.predict(rows, raw_score=True) for model in models], axis=0)
    found: Matrix = (1 / (1 + np.exp(-raw))).astype(np.float32)
    return found


def arrays(models: Sequence[Any], name: str) -> dict[str, NDArray[Any]]:
    """Return the models' trees as the arrays of a Forest."""
    nodes: list[tuple[int, float, int, int, float]] = []
    roots, depths = [], []
    for model in models:
        for tree in model.dump_model()["tree_info"]:
            roots.append(len(nodes))
            depths.append(_flatten(tree["tree_structure"], nodes))
    column, threshold, left, right, value = zip(*nodes, strict=True)
    return {
        f"{name}_column": np.array(column, dtype=np.int16),
        f"{name}_threshold": np.array(threshold, dtype=np.float32),
        f"{name}_left": np.array(left, dtype=np.int32),
        f"{name}_right": np.array(right, dtype=np.int32),
        f"{name}_value": np.array(value, dtype=np.float32),
        f"{name}_roots": np.array(roots, dtype=np.int32),
        f"{name}_size": np.array([max(depths), len(models)], dtype=np.int32),
    }


def _flatten(node: Mapping[str, Any], nodes: list[tuple[int, float, int, int, float]]) -> int:
    """Append the node and what is below it; return its depth."""
    at = len(nodes)
    if "leaf_value" in node and "left_child" not in node:
        nodes.append((0, 0.0, at, at, node["leaf_value"]))
        return 0
    nodes.append((0, 0.0, at, at, 0.0))
    left = len(nodes)
    depth_left = _flatten(node["left_child"], nodes)
    right = len(nodes)
    depth_right = _flatten(node["right_child"], nodes)
    nodes[at] = (node["split_feature"], node["threshold"], left, right, 0.0)
    return 1 + max(depth_left, depth_right)


def write(learned: Sequence[Example], alone: Sequence[Example], path: Path) -> None:
    """Train on all examples and write the artefact; they have their out-of-fold scores."""
    np.savez_compressed(path, allow_pickle=False, **_forests(learned, alone))


def _forests(learned: Sequence[Example], alone: Sequence[Example]) -> dict[str, NDArray[Any]]:
    selector, gate, gap = fit_selector(learned), fit_gate(learned), fit_gap(learned, alone)
    return arrays(selector, "selector") | arrays(gate, "gate") | arrays(gap, "gap")


def held_out(
    learned: Sequence[Example], alone: Sequence[Example]
) -> Iterator[tuple[Example, Rewrite]]:
    """Yield the product's rewrite of each human-rewritten line by models of the other folds, and
    of each question that stands alone.

    The forests of needs learn from out-of-fold scores of the other folds' examples.
    """
    for number in range(FOLDS):
        others = [
            [each for each in some if fold(each.group) != number] for some in (learned, alone)
        ]
        stored = _forests(*others)
        learned_of_others = tuple(Forest.loaded(stored, name) for name in NAMES)
        with mock.patch.object(choosing, "load", return_value=learned_of_others):
            told = Retold(resolve)
            for each in learned:
                if fold(each.group) == number and each.weight == 1.0:
                    yield each, told.rewrite(each.line["query"], each.line["history"])
            for each in alone:
                if fold(each.group) == number:
                    said = [one.exchange for one in each.conversation.said]
                    yield each, resolve(each.conversation.question, said)


def main() -> None:
    """Train on the sets of a folder, or write rewrites by models of the other folds."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the sets, one file of JSON lines each")
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    parser.add_argument("--cross-validate", type=Path, metavar="HYP.jsonl")
    options = parser.parse_args()
    learned, alone = examples(options.folder), standing_alone(options.folder)
    print(f"{len(learned)} follow-ups, {len(alone)} questions that stand alone")
    score_out_of_fold(learned, alone)
    if options.cross_validate is None:
        write(learned, alone, options.out)
        return
    kept = []
    with options.cross_validate.open("w", encoding="utf-8") as file:
        for each, rewritten in held_out(learned, alone):
            if each.weight != 1.0:
                kept.append(rewritten.query == each.conversation.question.text)
                continue
            row = {name: each.line[name] for name in ("dataset", "conv_id", "turn_id")}
            row |= {"rewrite": rewritten.query, "reason": rewritten.reason}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"left exactly alone {sum(kept) / len(kept):.3f} of {len(kept)}")
