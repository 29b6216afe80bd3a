"""The parts of a prompt that are never cut, counted, and what has room beside them."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from chat.prompting.wording import SHORT_WINDOW, Aside, Matter, last_message, system_message
from citations.languages import identify_language
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING, Limits
from memory.text.token_counting import count_tokens

NOTHING_ASIDE = Aside()
# Wishes have at most one part in so many of the window.
WISHES_SHARE = 12
# Earlier statements of the person likewise.
ASIDE_SHARE = 5
# The longest date in words.
LONGEST_DATE = date(2026, 9, 28)


# The few system prompts are counted at every turn.
count_once = lru_cache(maxsize=64)(count_tokens)


def fixed_tokens(
    window: int,
    question: str,
    wishes: Sequence[str] = (),
    aside: Aside = NOTHING_ASIDE,
    form: str = "",
) -> tuple[int, int]:
    """Return the tokens of the parts never cut: the system prompt, and the question's message."""
    system = count_once(system_message(window, wishes)) + MESSAGE_OVERHEAD
    language = identify_language(question)
    matter = Matter(question, aside=aside, today=LONGEST_DATE, language=language, form=form)
    return system, count_tokens(last_message(matter, window)) + MESSAGE_OVERHEAD


def standing_wishes(limits: Limits, question: str, wishes: Sequence[str]) -> Sequence[str]:
    """Return the newest wishes that leave the question its room."""
    if limits.window < SHORT_WINDOW:
        return ()
    room = (
        limits.usable - limits.answer_floor - PRIMING - sum(fixed_tokens(limits.window, question))
    )
    room = min(room, limits.window // WISHES_SHARE)
    kept = list(wishes)
    while kept and sum(count_tokens(wish) + MESSAGE_OVERHEAD for wish in kept) > room:
        kept.pop(0)
    return kept


def fit_aside(aside: Aside, limits: Limits, question: str, wishes: Sequence[str]) -> Aside:
    """Return as much of it as leaves passages and history most of the window."""
    if aside == NOTHING_ASIDE:
        return aside
    without = sum(fixed_tokens(limits.window, question, wishes))
    room = min(
        limits.window // ASIDE_SHARE, limits.usable - limits.answer_floor - PRIMING - without
    )
    while aside != NOTHING_ASIDE:
        tokens = sum(fixed_tokens(limits.window, question, wishes, aside)) - without
        if tokens <= room:
            return aside
        aside = aside.smaller()
    return aside
