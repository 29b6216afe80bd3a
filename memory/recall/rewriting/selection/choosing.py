"""Choice of the candidate words that a follow-up needs, by the trained model.

One forest predicts whether the question has a gap, another how likely it needs each candidate, the
third whether it needs any. The chosen words maximise the expected F measure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.selection.candidates import Matrix, describe
from memory.recall.rewriting.selection.mentions import OfferedWord, ReadConversation
from memory.text.trees import Forest

NAMES = ("selector", "gate", "gap")
ARTEFACT = Path(__file__).parent / "selector.npz"
MOST = 8
# Value of leaving a question alone that needs nothing; a need is worth one.
LEFT_ALONE = 0.45
# Weight of recall against precision; a reference has to be resolved.
BETA, BETA_OF_REFERENCE = 1.0, 1.25
SURE, UNSURE = 0.98, 0.35
LEAST_NEED = 0.15
# Least probability of a gap in a question without a pronoun.
GAP = 0.12
# How much higher it has to be where the question may be about another topic.
DOUBT = 2.0


@dataclass(frozen=True)
class Chosen:
    """The needed candidates, best first, with their probabilities."""

    conversation: ReadConversation
    candidates: list[OfferedWord]
    probabilities: list[float]
    # The probability that the question needs any words of earlier turns.
    need: float

    def drop_stems(self, stems: Collection[str]) -> "Chosen":
        """Return it without the candidates of these stems."""
        pairs = zip(self.candidates, self.probabilities, strict=True)
        others = [(word, weight) for word, weight in pairs if word.stem not in stems]
        words, weights = [word for word, _ in others], [weight for _, weight in others]
        return replace(self, candidates=words, probabilities=weights)


def choose(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    *,
    certain: Collection[str] = (),
    refers: bool = False,
    doubt: float = 0.0,
) -> Chosen:
    """Choose the words of the exchanges (oldest first) that the question needs.

    `certain` are stems that it needs regardless of the model.
    """
    selector, gate, gap = load()
    refers = refers or question.has_pronoun
    if not refers and not certain:  # a refused question is no subject without a reference to it
        exchanges = [each for each in exchanges if not each.is_refused]
    conversation = ReadConversation.read(question, exchanges)
    rows, shared = describe(conversation)
    if not len(rows) or (conversation.is_of_another_topic and not certain):
        return Chosen(conversation, [], [], 0.0)
    wanted = selector.probabilities(rows)
    row = build_gate_row(shared, wanted)
    has_gap = refers or bool(certain) or gap.probabilities(row)[0] >= GAP + DOUBT * doubt
    if not has_gap:
        return Chosen(conversation, [], [], 0.0)
    need = float(gate.probabilities(row)[0])
    is_certain = np.array([each.stem in certain for each in conversation.candidates])
    wanted = np.where(is_certain, np.maximum(wanted, SURE), wanted)
    need = max(need, SURE) if is_certain.any() else need
    taken = select_best_candidates(wanted, need, refers=refers)
    found = [conversation.candidates[at] for at in taken]
    return Chosen(conversation, found, [float(wanted[at]) for at in taken], need)


def build_gate_row(shared: Sequence[float], wanted: Matrix) -> Matrix:
    """Return the gate's row of features: the question's form and the best candidates."""
    top = np.zeros(4)
    ranked = -np.sort(-wanted)
    top[: min(4, len(ranked))] = ranked[:4]
    nothing = np.prod(1 - ranked[:15])
    told = [*top, wanted.sum(), nothing, ranked[:3].sum(), (wanted > 0.3).sum()]
    return np.array([[*shared, *told]], dtype=np.float32)


def select_best_candidates(wanted: Matrix, need: float, *, refers: bool) -> list[int]:
    """Return the most valuable candidates: their number maximises the expected F measure.

    For a question that stands alone, one added word is as good as none, so in doubt one is taken.
    """
    if need < LEAST_NEED:
        return []
    likely = np.minimum(wanted / max(need, UNSURE), SURE)
    order = np.argsort(-likely, kind="stable")[:MOST]
    square = (BETA_OF_REFERENCE if refers else BETA) ** 2
    right = np.cumsum(likely[order])
    sizes = np.arange(1, len(order) + 1)
    worth = need * (1 + square) * right / (sizes + square * likely.sum())
    worth[0] += (1 - need) * LEFT_ALONE
    most = int(np.argmax(worth))
    nothing = (1 - need) * LEFT_ALONE
    return order[: most + 1].tolist() if worth[most] > nothing else []


@cache
def load() -> tuple[Forest, Forest, Forest]:
    """Load the artefact, once."""
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        selector, gate, gap = (Forest.loaded(arrays, name) for name in NAMES)
    return selector, gate, gap
