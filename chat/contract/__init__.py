"""The contract of a language model's answer, checked when the answer has ended.

Pure: it returns an outcome. `chat.turns.drafting` decides how to react.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chat.contract.declining import is_declining, is_refusing
from chat.contract.languages import find_wanted_languages, is_other_language
from citations.attribution.offers import Offer
from citations.models.passages import SEPARATOR
from memory.models import Turn
from memory.text.citation_markers import strip_markers
from memory.text.words import split_words

Outcome = Turn.Outcome
# Outcomes that a second call may mend, and outcomes that are never shown as an answer.
MENDABLE = (Outcome.EMPTY, Outcome.OTHER_LANGUAGE, Outcome.LOOPED)
UNUSABLE = (Outcome.EMPTY, Outcome.LOOPED, Outcome.FILTERED)
# Finish reasons of incomplete answers: the servers', and `too_long` for our own bound.
FILTERED_BY, CUT_BY = ("content_filter",), ("length", "too_long")
LABEL = re.compile(r"\s*[\[(【]?\d{1,3}[\])】.:]?\s+")
LETTERS = re.compile(r"[^\W_]")
# The longest text, in characters, that is checked for being only headers of passages.
LONGEST_HEADERS = 2_000


@dataclass(frozen=True)
class Inquiry:
    """The request to the model: the question, the questions before it, the offered passages."""

    query: str
    before: Sequence[str]
    offers: Sequence[Offer]


def judge_answer(said: str, finish: str, asked: Inquiry, *, loops: bool = False) -> str:
    """Return the outcome of a model's text, or an empty text if it is an answer.

    `finish` is the server's finish reason; `loops` is set if the answer was stopped for repeating
    itself.
    """
    if finish in FILTERED_BY:
        return Outcome.FILTERED
    if loops:
        return Outcome.LOOPED
    if finish in CUT_BY and not is_empty(said, asked.offers):
        return Outcome.CUT
    if is_empty(said, asked.offers):
        return Outcome.EMPTY
    if is_refusing(said) and not is_declining(said):
        return Outcome.REFUSED
    wanted = find_wanted_languages(asked.query, asked.before)
    if not is_declining(said) and is_other_language(strip_markers(said), wanted):
        return Outcome.OTHER_LANGUAGE
    return ""


def is_empty(said: str, offers: Iterable[Offer]) -> bool:
    """Return whether the text has no letters outside of markers, or only headers of passages."""
    if not LETTERS.search(strip_markers(said)):
        return True
    if len(said) > LONGEST_HEADERS:
        return False
    headers = {name for offer in offers for name in _split_headers(offer)}
    lines = [line for line in said.splitlines() if LETTERS.search(line)]
    for line in lines:
        label = LABEL.match(line)
        bare = tuple(split_words(line[label.end() :] if label else line))
        # A title without a label may be an answer.
        if bare not in headers or not (label or "·" in line):
            return False
    return True


def _split_headers(offer: Offer) -> Iterable[tuple[str, ...]]:
    """Return the words of the passage's header in a prompt, whole and in part."""
    title, heading = offer.passage.document.title, offer.passage.heading
    page = f" p. {offer.passage.page}" if offer.passage.page else ""
    section = heading.rpartition(SEPARATOR)[2]
    names = {title, heading, f"{title} {heading}", f"{title} {section}"}
    return [tuple(split_words(name + place)) for name in names if name for place in ("", page)]
