"""The division of the context window: the token budget of each part of the prompt.

The shares are those of a window of 4,096. System prompt and question are never cut. Tokens that one
part doesn't need flow to the others by priority: passages, then history, then the answer.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from memory.errors import QuestionTooLong

REFERENCE_WINDOW = 4096
ANSWER_FLOOR = 128
MESSAGE = 500  # of a turn; a longer one keeps its head and tail
MAX_WINDOW = 1_048_576
# Tokens that a chat model adds to each message, and to the whole.
MESSAGE_OVERHEAD, PRIMING = 4, 3


@dataclass(frozen=True)
class Limits:
    """Limits of a window of this size, as set by the settings."""

    window: int
    usable: int
    system: int
    history: int
    passages: int
    question: int
    answer: int
    answer_floor: int
    history_turns: int
    message: int


@dataclass(frozen=True)
class Budget:
    """The tokens that each part of one prompt may use."""

    system: int
    question: int
    history: int
    passages: int
    answer: int


def scale_limits(window: int, *, shrink: float = 1.0, margin: float | None = None) -> Limits:
    """Scale the settings' limits to the window; `shrink` is for a server that refused.

    `margin` is the share kept free for other tokenizers, by default TOKEN_MARGIN.
    """
    scale = window / REFERENCE_WINDOW
    margin = settings.TOKEN_MARGIN if margin is None else margin
    usable = int(window * (1 - margin) * shrink)
    answer = int(settings.ANSWER_TOKENS * scale)
    return Limits(
        window=window,
        usable=usable,
        system=int(settings.SYSTEM_TOKENS * scale),
        history=int(settings.HISTORY_TOKENS * scale),
        passages=int(settings.PASSAGE_TOKENS * scale),
        question=int(settings.QUESTION_TOKENS * scale),
        answer=answer,
        answer_floor=min(ANSWER_FLOOR, answer),
        history_turns=max(1, round(settings.MAX_HISTORY_TURNS * scale)),
        message=max(64, int(MESSAGE * scale)),
    )


def compute_history_limit(limits: Limits, *, system: int, question: int) -> int:
    """Return the most tokens of the history, if other parts need none."""
    free = limits.usable - PRIMING - system - question - limits.answer_floor
    return max(0, free)


def compute_fill_limit(limits: Limits) -> int:
    """Return the tokens up to which earlier turns fill a window: half of it."""
    return limits.usable // 2


def divide(limits: Limits, *, system: int, question: int, history: int, passages: int) -> Budget:
    """Divide the window between the parts, from the tokens that each could use.

    The sum of the parts never exceeds `limits.usable`. Raises QuestionTooLong if the question
    leaves no tokens for an answer.
    """
    free = limits.usable - PRIMING - system - question - limits.answer_floor
    if free < 0:
        told = _(
            "The question is too long for this conversation's window: it may have %(limit)d tokens."
        )
        raise QuestionTooLong(told % {"limit": max(0, question + free)})
    answer = min(limits.answer, limits.answer_floor + free // 3)
    free -= answer - limits.answer_floor
    # If the fixed parts left less than both shares, each is reduced in proportion.
    both = limits.history + limits.passages
    kept = min(1.0, free / max(1, both))
    most = {"history": int(limits.history * kept), "passages": int(limits.passages * kept)}
    given = {
        "history": min(history, most["history"]),
        "passages": min(passages, most["passages"]),
    }
    if not settings.DYNAMIC_ALLOCATION:
        return Budget(system=system, question=question, answer=answer, **given)
    free -= sum(given.values())
    for part, wanted in (("passages", passages), ("history", history)):
        more = min(free, wanted - given[part])
        given[part] += more
        free -= more
    return Budget(system=system, question=question, answer=answer + free, **given)
