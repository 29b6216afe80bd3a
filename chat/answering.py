"""What an answer is made from, and its text as it comes: for turns, and for questions that nobody
keeps.
"""

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field

from chat import llm, quoting
from chat.prompts import Prompt, build, fixed_tokens
from chat.threads import aside
from citations.citing import Citing, Offer
from citations.retrieval import NOTHING_BELOW, Found, Scope, find
from memory.recall import Past, Recalled, recall
from memory.recall.budget import Limits, divide, limits_of, longest_history

# When the server says that the prompt overflows, it is built once more in this share of the window.
SHRUNK = 0.7


@dataclass
class Timings:
    """Milliseconds of each step."""

    steps: dict[str, float] = field(default_factory=dict)

    _begun: float = field(default_factory=time.perf_counter)

    def once(self, name: str) -> None:
        """Note how long it took from the beginning to the first call."""
        self.steps.setdefault(name, round((time.perf_counter() - self._begun) * 1000, 3))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = round((time.perf_counter() - begun) * 1000, 3)


@dataclass(frozen=True)
class Ground:
    """All that an answer is made from."""

    query: str
    recalled: Recalled
    found: Sequence[Found]
    prompt: Prompt
    citing: Citing
    timings: Timings


def check_length(question: str, window: int) -> None:
    """Raise QuestionTooLong for a question that leaves no room for an answer in the window."""
    system, asked = fixed_tokens(window, question)
    divide(limits_of(window), system=system, question=asked, history=0, passages=0)


def lay_ground(
    query: str,
    past: Past,
    *,
    limits: Limits,
    scope: Scope,
    begin: Callable[[Sequence[Offer]], Citing],
) -> Ground:
    """Do what comes before an answer: recall, find, build; `begin` starts its citing."""
    timings = Timings()
    with timings.step("recall"):
        recalled = _recall(query, past, limits)
    with timings.step("find"):
        found = find(recalled.rewrite.query, scope=scope, vector=recalled.vector)
    with timings.step("build"):
        prompt = build(query, recalled, found, limits)
        citing = begin(prompt.offers)
    return Ground(query, recalled, found, prompt, citing, timings)


def _recall(query: str, past: Past, limits: Limits) -> Recalled:
    system, question = fixed_tokens(limits.window, query)
    return recall(
        past,
        query,
        limits=limits,
        allowance=longest_history(limits, system=system, question=question),
        ask=llm.ask if llm.is_configured() else None,
    )


async def pieces_of(ground: Ground) -> AsyncGenerator[str, None]:
    """Yield the answer in the pieces in which it comes, or raise ModelError."""
    if llm.is_configured():
        prompt = ground.prompt
        async with aclosing(llm.stream(prompt.messages, max_tokens=prompt.answer_tokens)) as pieces:
            async for piece in pieces:
                yield piece
        return
    yield await aside(_quoted, ground)


def _quoted(ground: Ground) -> str:
    if not ground.found or ground.found[0].score < NOTHING_BELOW:
        return quoting.nothing_found()
    query = ground.recalled.rewrite.query
    return quoting.quote(query, ground.prompt.offers, vector=ground.recalled.vector)
