"""Mixed conversations: people ask about several subjects in turn and come back to the first.

Public conversations are interleaved in runs of one to six questions. A run begins with a standalone
question: the first of its conversation, one whose rewrite adds nothing, or else its rewrite, if
that refers to nothing. A conversation is left only before such a question. The same seed gives the
same conversations.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from chat.evaluation.conversations import read_exchanges
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.words import extract_terms

Line = dict[str, Any]
TOGETHER = 4  # conversations in one
RUNS = (1, 1, 2, 3, 4, 5, 6)
# The key of a language model's rewrite, used where no person wrote one.
BY_MODEL = "mtrag_llm_rewrite"
NOT_A_FOLLOW_UP = ["N/A"]


class Move(StrEnum):
    """The effect of a question on the subject of the conversation."""

    FIRST = "first"
    GOES_ON = "goes_on"
    NEW = "new"
    RETURNS = "returns"


@dataclass(frozen=True)
class Step:
    """One question of a conversation, its answer, and its line if it has one."""

    query: str
    response: str
    line: Line | None
    # The standalone question, or empty if it isn't known.
    alone: str


@dataclass(frozen=True)
class MixedStep:
    """A step in a mixed conversation: its thread, its wording there, and its effect."""

    step: Step
    thread: int
    index: int
    query: str
    move: Move


@dataclass
class Thread:
    """A conversation in progress."""

    steps: Sequence[Step]
    told: int = 0

    @property
    def is_over(self) -> bool:
        return self.told == len(self.steps)

    @property
    def can_go_on(self) -> bool:
        """Whether its next question can be understood after another thread."""
        return not self.is_over and bool(self.steps[self.told].alone)


def read_threads(lines: Iterable[Line]) -> list[list[Step]]:
    """Return the steps of each conversation, from the line with the longest history."""
    conversations = defaultdict[tuple[str, str], list[Line]](list)
    for line in lines:
        # Some questions of MT-RAG-UN are appended to unrelated histories.
        follows = (line["meta"] or {}).get("multi_turn") != NOT_A_FOLLOW_UP
        if follows or not line["history"]:
            conversations[line["dataset"], str(line["conv_id"])].append(line)
    return [_read_steps(conversations[key]) for key in sorted(conversations)]


def _read_steps(lines: Sequence[Line]) -> list[Step]:
    longest = max(lines, key=lambda line: len(line["history"]))
    told = longest["history"]
    on_path = {
        sum(message["role"] == "user" for message in line["history"]): line
        for line in lines
        if line["history"] == told[: len(line["history"])]
    }
    before = [exchange for exchange in read_exchanges(told) if exchange.query]
    said = [*((each.query, each.response) for each in before), (longest["query"], "")]
    return [
        Step(
            query,
            response,
            on_path.get(at),
            _choose_standalone(query, on_path.get(at), is_first=not at),
        )
        for at, (query, response) in enumerate(said)
    ]


def _choose_standalone(query: str, line: Line | None, *, is_first: bool) -> str:
    if is_first:
        return query
    rewrite = (line["rewrite"] or (line["alt_rewrites"] or {}).get(BY_MODEL) or "") if line else ""
    adds_nothing = set(extract_terms(rewrite)) <= set(extract_terms(query))
    told = query if rewrite and adds_nothing else rewrite
    return "" if ReadQuestion(told).leans_back else told


def mix_conversations(told: Sequence[Sequence[Step]], seed: int) -> Iterator[list[MixedStep]]:
    """Yield conversations that are mixed from four each."""
    chance = random.Random(seed)  # noqa: S311 - no secret depends on it
    shuffled = chance.sample(told, len(told))
    for start in range(0, len(shuffled), TOGETHER):
        together = [Thread(steps) for steps in shuffled[start : start + TOGETHER]]
        asked: list[MixedStep] = []
        last: int | None = None
        while ready := [at for at, each in enumerate(together) if each.can_go_on and at != last]:
            last = chance.choice(ready)
            asked += _run(together[last], last, chance.choice(RUNS), is_first=not asked)
        yield asked


def _run(thread: Thread, number: int, length: int, *, is_first: bool) -> Iterator[MixedStep]:
    """Yield at least `length` of the thread's questions, until another thread can interrupt it."""
    move = Move.FIRST if is_first else Move.RETURNS if thread.told else Move.NEW
    while not thread.is_over and (length > 0 or not thread.can_go_on):
        step = thread.steps[thread.told]
        begins = move != Move.GOES_ON
        yield MixedStep(step, number, thread.told, step.alone if begins else step.query, move)
        thread.told, length, move = thread.told + 1, length - 1, Move.GOES_ON
