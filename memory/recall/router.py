"""Which way of choosing turns fits this question."""

import re
from dataclasses import dataclass

from memory.models.conversations import Strategy
from memory.recall.rewriting import ReadQuestion

FEW_TURNS = 3
EARLIER = re.compile(
    r"\b(earlier|before|previously|at the (start|beginning)|first question|you said|"
    r"we (discussed|talked)|mentioned|again)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Route:
    """A strategy and the reason it was chosen."""

    strategy: Strategy
    reason: str


def route(question: ReadQuestion, *, turns: int, all_fit: bool, asked_for: str) -> Route:
    """Choose how turns are selected; what the session asks for wins over the question."""
    if asked_for != Strategy.AUTO:
        return Route(Strategy(asked_for), "chosen_by_session")
    if turns < FEW_TURNS:
        return Route(Strategy.SEQUENTIAL, "few_turns")
    if all_fit:
        return Route(Strategy.SEQUENTIAL, "all_turns_fit")
    if EARLIER.search(question.text):
        return Route(Strategy.RELEVANCE, "points_at_earlier_turns")
    if question.leans_back:
        return Route(Strategy.HYBRID, "follow_up")
    return Route(Strategy.HYBRID, "long_session")
