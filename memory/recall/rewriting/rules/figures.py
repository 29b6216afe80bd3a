"""A figure, a year or an option alone, of which the same is asked as of another: "and 4?"."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import Exchange, Rewrite
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import (
    ABOUT,
    ANDS,
    BEFORE,
    LONGEST_ASKED,
    asked_anew,
    one_question,
)

_NUMBER = re.compile(
    rf"{BEFORE}(?:the |in |for )?(?P<thing>\d[\d.]{{0,9}}(?<!\.))\W*$", re.IGNORECASE
)
_NUMBERS = re.compile(r"(?<![\w.])\d[\d.]{0,9}(?<!\.)(?![\w])")
_OPTION = re.compile(
    rf"^[^\w-]*(?:{ANDS}[^\w-]+)*(?:(?:{ABOUT})\s+)?(?P<thing>--?[^\W_][\w-]{{0,40}})[^\w-]*$",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"(?<![\w-])--?[^\W_][\w-]{0,40}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")

_LABEL = r"(?:\d[\w.]{0,9}|[^\W\d_])"
# "The letter p", "article 5": the same noun with another label.
_LABELLED = re.compile(
    rf"{BEFORE}(?:[^\W\d_]{{1,3}}\s+)?(?P<noun>[^\W\d_]{{3,40}}) (?P<label>{_LABEL})\W*$",
    re.IGNORECASE,
)


def and_labelled(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the same of what is called alike with another letter or figure: "et la lettre p"."""
    match, previous = _LABELLED.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if match is None or not 0 < len(asked) <= LONGEST_ASKED:
        return None
    labels = rf"\b{re.escape(match['noun'])} (?P<label>{_LABEL})(?![\w'’])"
    places = list(re.finditer(labels, asked, re.IGNORECASE))
    if len(places) != 1 or places[0]["label"] == match["label"]:
        return None
    start, end = places[0].span("label")
    return asked_anew(f"{asked[:start]}{match['label']}{asked[end:]}", previous)


def and_number(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the same of another number or year, if one was in the question before: "and 4?"."""
    match, previous = _NUMBER.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if not match or not 0 < len(asked) <= LONGEST_ASKED:
        return None
    places = [place for place in _NUMBERS.finditer(asked) if place.group() != match["thing"]]
    if len(places) != 1 or _is_year(places[0].group()) != _is_year(match["thing"]):
        return None
    start, end = places[0].span()
    return asked_anew(f"{asked[:start]}{match['thing']}{asked[end:]}", previous)


def and_option(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the same of another option of a program, if one was in the question before: "and -t"."""
    match, previous = _OPTION.match(question.text), exchanges[-1]
    asked = one_question(previous)
    places = list(_OPTIONS.finditer(asked)) if 0 < len(asked) <= LONGEST_ASKED else []
    if not match or len(places) != 1 or places[0].group() == match["thing"]:
        return None
    start, end = places[0].span()
    return asked_anew(f"{asked[:start]}{match['thing']}{asked[end:]}", previous)


def _is_year(number: str) -> bool:
    return bool(_YEAR.fullmatch(number))
