"""What of a prompt is never cut, counted, and what a person said before that has room beside it."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from django.conf import settings

from chat.prompting.wording import SHORT_WINDOW, WORDINGS, Aside, Matter, Wording
from citations.languages import language_of
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING, Limits
from memory.text.token_counting import count_tokens

NOTHING_ASIDE = Aside()
# Wishes have that part of the window at most.
WISHES_SHARE = 12
# What was said in other sessions, and of themselves, has that part of it at most.
ASIDE_SHARE = 5
# In words: whatever day it is, it has room.
LONGEST_DATE = date(2026, 9, 28)


def wording() -> Wording:
    """Return the version of the text that PROMPT_VERSION names."""
    return WORDINGS[settings.PROMPT_VERSION]


# What comes first is counted at every turn, and there are few of it.
counted_once = lru_cache(maxsize=64)(count_tokens)


def fixed_tokens(
    window: int, question: str, wishes: Sequence[str] = (), aside: Aside = NOTHING_ASIDE
) -> tuple[int, int]:
    """Return the tokens of what is never cut: the system prompt, and the question's message."""
    system = counted_once(wording().system(window, wishes)) + MESSAGE_OVERHEAD
    matter = Matter(question, aside=aside, today=LONGEST_DATE, language=language_of(question))
    return system, count_tokens(wording().asked(matter, window)) + MESSAGE_OVERHEAD


def standing_wishes(limits: Limits, question: str, wishes: Sequence[str]) -> Sequence[str]:
    """Return those of the wishes that leave the question its room: the newest, or none."""
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


def with_room(aside: Aside, limits: Limits, question: str, wishes: Sequence[str]) -> Aside:
    """Return of what was said before as much as leaves passages and history most of the window."""
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
