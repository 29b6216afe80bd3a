"""What an answer is made from, and its text as it comes: for turns, and for questions that nobody
keeps.
"""

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from datetime import date

from django.conf import settings

from chat import llm, quoting
from chat.prompts import Prompt, build, fixed_tokens
from chat.replies import reply_to
from chat.threads import aside
from citations.bias import Leaning, chosen
from citations.citing import Citing, Offer
from citations.retrieval import NOTHING_BELOW, Found, Scope, brought_by, find
from memory.models import Turn
from memory.models.conversations import Rewriting
from memory.recall import Past, Recalled, recall
from memory.recall.budget import Limits, divide, limits_of, longest_history
from memory.recall.rewriting import ABOUT_CONVERSATION, MORE_OF_THE_SAME, Rewrite
from memory.recall.talk.refusals import is_refusal

Outcome = Turn.Outcome
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
    # What is said without a search.
    reply: str

    @property
    def model(self) -> str:
        """Who answers."""
        return settings.LLM_MODEL if llm.is_configured() and not self.reply else quoting.MODEL

    @property
    def outcome(self) -> str:
        """What the answer is, once it has been given."""
        if is_refusal(self.citing.text):
            return Outcome.NOTHING_FOUND
        is_talk = self.reply or self.recalled.rewrite.reason == ABOUT_CONVERSATION
        return self.recalled.rewrite.reason if is_talk else Outcome.ANSWERED

    @property
    def answerability(self) -> float | None:
        """How likely the library holds an answer, from 0 to 1; None if it was not asked."""
        if self.reply:
            return None
        return min(1.0, max([found.score for found in self.found], default=0.0))

    @property
    def ranked(self) -> Sequence[Found]:
        return self.found


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
    today: date,
    standalone: Rewrite | None = None,
    leaning: Callable[..., Leaning] | None = None,
) -> Ground:
    """Do what comes before an answer: recall, find, build; `begin` starts its citing.

    `today` is the day of the question where the person is. A `standalone` question takes the place
    of the one that would be made. `leaning` tells how the session leans, once it is known whether
    the topic is a new one.
    """
    timings = Timings()
    with timings.step("recall"):
        recalled = _recall(query, past, limits, standalone, today)
        reply = reply_to(query, recalled.rewrite.reason, past)
    with timings.step("find"):
        anew = recalled.new_topic or recalled.is_resumed or recalled.is_given
        lean = leaning(new_topic=anew) if leaning else Leaning()
        found = [] if reply else _found(query, recalled, past, scope, lean)
    with timings.step("build"):
        prompt = build(query, recalled, found, limits)
        citing = begin(prompt.offers)
    return Ground(query, recalled, found, prompt, citing, timings, reply)


def _found(
    query: str, recalled: Recalled, past: Past, scope: Scope, leaning: Leaning
) -> list[Found]:
    before = brought_by(query, recalled, past)

    def search(scope: Scope, limit: int) -> list[Found]:
        return find(recalled.asked, scope=scope, limit=limit, before=before)

    return chosen(search, scope, leaning, more=recalled.rewrite.reason == MORE_OF_THE_SAME)


def _recall(
    query: str, past: Past, limits: Limits, standalone: Rewrite | None, today: date
) -> Recalled:
    system, question = fixed_tokens(limits.window, query)
    return recall(
        past,
        query,
        limits=limits,
        allowance=longest_history(limits, system=system, question=question),
        ask=llm.ask if llm.is_configured() else None,
        standalone=standalone,
        today=today,
    )


def as_asked_for(turn: Turn) -> Rewrite | None:
    """Return the standalone question that came with the turn's own, if one did."""
    if turn.rewriting == Rewriting.AUTOMATIC or turn.standalone_query is None:
        return None
    return Rewrite(turn.standalone_query, turn.rewriting)


async def pieces_of(ground: Ground) -> AsyncGenerator[str, None]:
    """Yield the answer in the pieces in which it comes, or raise ModelError."""
    if ground.reply:
        yield ground.reply
        return
    if llm.is_configured():
        prompt = ground.prompt
        async with aclosing(llm.stream(prompt.messages, max_tokens=prompt.answer_tokens)) as pieces:
            async for piece in pieces:
                yield piece
        return
    yield await aside(_quoted, ground)


def _quoted(ground: Ground) -> str:
    # Bias moves ranks, not scores: it can't make an answer out of what doesn't fit.
    if max((found.score for found in ground.found), default=0.0) < NOTHING_BELOW:
        return quoting.nothing_found()
    recalled = ground.recalled
    more = recalled.rewrite.reason == MORE_OF_THE_SAME
    by_passage = {found.passage.pk: found.fit for found in ground.found}
    return quoting.quote(
        recalled.asked,
        ground.prompt.offers,
        fits={offer.label: by_passage[offer.passage.pk] for offer in ground.prompt.offers},
        typed=ground.query,
        said=[exchange.response for exchange in recalled.exchanges] if more else None,
    )
