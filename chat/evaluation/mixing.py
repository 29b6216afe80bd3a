"""Mixed conversations: people ask of one thing and of another, and come back to the first.

Public conversations are told in turn, in runs of one to six questions. A run begins with a question
that can be understood by itself, as a person would ask it there: the first of its conversation, one
whose rewrite adds nothing, or else the rewrite, if it points at nothing. Before any other question
a conversation isn't left. The same seed gives the same conversations.
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
# A rewrite by a language model stands in where no person wrote one.
BY_MODEL = "mtrag_llm_rewrite"
NOT_A_FOLLOW_UP = ["N/A"]


class Move(StrEnum):
    """What a question does to the subject of the conversation."""

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
    # The question as it can be understood by itself, or nothing if that isn't known.
    alone: str


@dataclass(frozen=True)
class MixedStep:
    """A step where it was asked: of which conversation, in what words, and what that changed."""

    step: Step
    thread: int
    index: int
    query: str
    move: Move


@dataclass
class Thread:
    """A conversation that is being told."""

    steps: Sequence[Step]
    told: int = 0

    @property
    def is_over(self) -> bool:
        return self.told == len(self.steps)

    @property
    def can_go_on(self) -> bool:
        """Whether its next question would be understood after something else."""
        return not self.is_over and bool(self.steps[self.told].alone)


def read_threads(lines: Iterable[Line]) -> list[list[Step]]:
    """Return each conversation as its longest line tells it."""
    conversations = defaultdict[tuple[str, str], list[Line]](list)
    for line in lines:
        # Some of MT-RAG-UN were put behind any history: they have nothing to do with it.
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
    """Yield conversations that are mixed of four each."""
    chance = random.Random(seed)  # noqa: S311 - nothing is kept secret by it
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
    """Tell so many of the thread's questions, and on until it can be taken up again."""
    move = Move.FIRST if is_first else Move.RETURNS if thread.told else Move.NEW
    while not thread.is_over and (length > 0 or not thread.can_go_on):
        step = thread.steps[thread.told]
        begins = move != Move.GOES_ON
        yield MixedStep(step, number, thread.told, step.alone if begins else step.query, move)
        thread.told, length, move = thread.told + 1, length - 1, Move.GOES_ON
