"""Train the forest of topics; needs requirements-train.txt.

Run: `python -m tests.training topics FOLDER [--cross-validate]`. It learns from the sets of the
selector (tests.training.rewriting), mixed as people mix them. Each question is seen by both
built-in engines and by words alone, so that one forest serves whatever there is.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chat.evaluation.mixing import Move, mix_conversations, read_threads
from memory.recall.rewriting import rewrite
from memory.recall.rewriting.exchanges import Exchange, select_reachable
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.selection.candidates import Matrix
from memory.recall.topics import ARTEFACT, LIMIT, LIMIT_BY_WORDS, Near, build_feature_row
from memory.text.citation_markers import strip_markers
from memory.text.embedding import BUILT_IN, Embedder, Vectors
from memory.text.words import extract_terms
from tests.training.rewriting import BY_MODEL, COMMON, HUMAN, arrays, fold, predicted, read_lines

SEEDS = (1, 2, 3)
TREES = 200
PARAMETERS = COMMON | {
    "feature_fraction": 0.5,
    "bagging_fraction": 1.0,
    "learning_rate": 0.05,
    "num_leaves": 8,
    "min_data_in_leaf": 60,
    "lambda_l2": 10,
}


@dataclass(frozen=True)
class Example:
    """A question in a mixed conversation, as each engine and words alone see it."""

    group: str  # its conversation's, for folds
    rows: tuple[Matrix, ...]
    leaves: bool


class Vectorised:
    """The vectors of texts by an engine, each made once."""

    def __init__(self, engine: Embedder) -> None:
        self.engine = engine
        self.known: dict[tuple[bool, str], Vectors | None] = {}

    def message(self, text: str) -> Vectors | None:
        return self._of(False, text)

    def question(self, text: str) -> Vectors | None:
        return self._of(True, text)

    def _of(self, asks: bool, text: str) -> Vectors | None:
        key = (asks, text)
        if key not in self.known:
            embed = self.engine.embed_queries if asks else self.engine.embed
            self.known[key] = embed([text])[0] if extract_terms(text) else None
        return self.known[key]


def examples(folder: Path) -> Iterator[Example]:
    """Yield the questions of mixed conversations that have something before them."""
    lines = [line for name in HUMAN + BY_MODEL for line in read_lines(folder, name)]
    told = read_threads(lines)
    engines = [Vectorised(kind()) for kind in BUILT_IN.values()]
    for seed in SEEDS:
        for conversation in mix_conversations(told, seed):
            said: list[tuple[int, Exchange]] = []
            for at, asked in enumerate(conversation, start=1):
                if said:
                    yield _example(ReadQuestion(asked.query), asked.move, said, engines)
                own = [exchange for thread, exchange in said if thread == asked.thread]
                searched = rewrite(ReadQuestion(asked.query), own).query
                response = asked.step.response
                said.append((asked.thread, Exchange(asked.query, response, at, searched)))


def _example(
    question: ReadQuestion,
    move: Move,
    said: Sequence[tuple[int, Exchange]],
    engines: Sequence[Vectorised],
) -> Example:
    newest = said[-1][0]
    topic = select_reachable([exchange for thread, exchange in said if thread == newest])
    others = [exchange for thread, exchange in said if thread != newest]
    query = question.text
    rows = [
        build_feature_row(
            question, topic, _near(topic, query), _near(others, query) if others else None
        )
    ]
    for engine in engines:
        elsewhere = _near(others, query, engine) if others else None
        rows.append(build_feature_row(question, topic, _near(topic, query, engine), elsewhere))
    leaves = move in (Move.NEW, Move.RETURNS)
    return Example(topic[0].query, tuple(rows), leaves)


def _near(exchanges: Sequence[Exchange], query: str, by: Vectorised | None = None) -> Near:
    positions = [exchange.position for exchange in exchanges]
    if by is None:
        return Near.compare(positions, {}, None, spread=1.0)
    pairs = {
        each.position: (by.message(each.searched), by.message(strip_markers(each.response)))
        for each in exchanges
    }
    return Near.compare(positions, pairs, by.question(query), spread=by.engine.spread)


def fit(learned: Sequence[Example]) -> list[Any]:
    """Train the forest on all views of the examples."""
    import lightgbm  # type: ignore[import-not-found,unused-ignore]

    rows = np.vstack([row for each in learned for row in each.rows])
    wanted = np.array([each.leaves for each in learned for _ in each.rows])
    return [lightgbm.train(PARAMETERS | {"seed": 0}, lightgbm.Dataset(rows, wanted), TREES)]


def write(learned: Sequence[Example], path: Path) -> None:
    """Train on all examples and write the artefact."""
    np.savez_compressed(path, allow_pickle=False, **arrays(fit(learned), "topics"))


def held_out(learned: Sequence[Example], folds: int = 5) -> tuple[Matrix, Matrix]:
    """Return, for each example and view, its probability by models that have not seen its
    conversation, and whether the topic was left."""
    found = np.zeros((len(learned), len(learned[0].rows)), dtype=np.float32)
    numbers = np.array([fold(each.group) for each in learned])
    for number in range(folds):
        models = fit([each for each, at in zip(learned, numbers, strict=True) if at != number])
        for row in np.flatnonzero(numbers == number).tolist():
            found[row] = predicted(models, np.vstack(learned[row].rows))
    return found, np.array([each.leaves for each in learned], dtype=np.float32)


def main() -> None:
    """Train on the sets of a folder, or print precision and recall by models of the other folds."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the sets, one file of JSON lines each")
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    parser.add_argument("--cross-validate", action="store_true")
    options = parser.parse_args()
    learned = list(examples(options.folder))
    print(f"{len(learned)} questions")
    if not options.cross_validate:
        write(learned, options.out)
        return
    found, leaves = held_out(learned)
    for view, name in enumerate(("words", *BUILT_IN)):
        told = found[:, view] > (LIMIT if view else LIMIT_BY_WORDS)
        right = float((told & (leaves > 0)).sum())
        precision, recall = right / max(told.sum(), 1), right / leaves.sum()
        print(f"{name}: precision {precision:.3f} recall {recall:.3f}")
