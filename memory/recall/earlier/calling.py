"""Detection of questions that refer to something said before, here or in an earlier session."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path

from memory.recall.talk.conversation import AboutConversation, classify_talk
from memory.recall.wordings import compile_pattern, join_patterns, read_wordings
from memory.text.words import fold

WORDINGS = read_wordings(Path(__file__).parent / "wordings.toml")
# Longest question examined; a longer one is independent, or shows a reference at its beginning.
LONGEST = 600


def calls_for_earlier(question: str) -> bool:
    """Return whether the question refers to something said earlier, not just now."""
    return _has(question, "points")


def asks_what_was_said(question: str) -> bool:
    """Return whether the question is about earlier messages, rather than about their subject."""
    return _has(question, "asks")


def _has(question: str, wording: str) -> bool:
    asked = fold(question[:LONGEST])
    pattern = compile_pattern(join_patterns(WORDINGS["calling"][wording]))
    return classify_talk(asked) == AboutConversation.SAID or bool(pattern.search(asked))


# A longer question has a subject.
LONGEST_SPAN = 120


@dataclass(frozen=True)
class Span:
    """A stretch of days."""

    first: date
    last: date


class Which(StrEnum):
    """One of the earlier conversations, the newest of them, or each."""

    FIRST = "first"
    LAST = "last"
    NEWEST = "newest"


def find_asked_span(question: str, today: date, *, is_first: bool = False) -> Span | Which | None:
    """Return the span of time that the question asks about, if it has no other subject.

    "Before" means this conversation, unless it has just begun (`is_first`).
    """
    wordings = WORDINGS["spans"]
    said = re.findall(r"\w+", fold(question).lower()) if len(question) <= LONGEST_SPAN else []
    asks = compile_pattern(rf"{wordings['polite']}{join_patterns(wordings['asks'])}").fullmatch(
        " ".join(said)
    )
    when = next(filter(None, asks.groups()), "") if asks else ""
    for name, wording in wordings["when"].items():
        if when and compile_pattern(join_patterns([join_patterns(wording)])).fullmatch(when):
            if name == "before":
                return Which.NEWEST if is_first else None
            return Which(name) if name in [*Which] else _compute_span(name, today)
    return None


def _compute_span(name: str, today: date) -> Span:
    monday = today - timedelta(days=today.weekday())
    last_of_month = today.replace(day=1) - timedelta(days=1)
    return {
        "today": Span(today, today),
        "yesterday": Span(today - timedelta(days=1), today - timedelta(days=1)),
        "this_week": Span(monday, monday + timedelta(days=6)),
        "last_week": Span(monday - timedelta(days=7), monday - timedelta(days=1)),
        "last_month": Span(last_of_month.replace(day=1), last_of_month),
    }[name]
