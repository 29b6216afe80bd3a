"""Who comes next, or came before: "and after him?", "who came next", "und nach dem?".

Whoever the answer before named takes the place of whom the question before asked after. English,
German, French and Spanish.
"""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import (
    ASKED_FURTHER,
    LIKELY,
    REFERENCE_RESOLVED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import may_be_person, people_read
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_before, once_more
from memory.text.words import terms

LONGEST = 60  # characters: what asks no more than this
_HIM = (
    r"(?:him|her|them|that(?: one)?|this(?: one)?|ih[mr]|ihnen|dem|der|denen|diese[mr]"
    r"|lui|elle|eux|ça|cela|él|ella|ellos|ellas|es[eo]|aquel)"
)
_BEFORE = (
    r"(?:before(?: that)?|previously|davor|vorher|zuvor|vor (?=ih|de)|avant|antes(?: de)?"
    r"|was (?:his|her|their) predecessor|preceded)"
)
_AFTER = (
    r"(?:after(?: that)?|afterwards?|next|then|danach|dann|nach (?=ih|de)|als nächste[rs]?|darauf"
    r"|après|ensuite|puis|después(?: de)?|luego|took over|followed|succeeded|replaced|folgte"
    r"|suivit|siguió)"
)
_CAME = (
    r"(?:who|wer|qui|quién)(?:['’]s| (?:came|comes|was|is|were|kam|war|ist|est|était|(?:est )?venu"
    r"|vient|vino|fue|era))?"
)
_NEXT = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?:{_CAME}\s+)?(?:(?P<before>{_BEFORE})|{_AFTER})"
    rf"(?:\s*(?P<him>{_HIM}))?(?:\s+(?:from|for) {_HIM})?(?:,? (?:who|wer|qui|quién))?\W*$",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"^\W*{ANDS}\W+(?:then|after (?:that|this)|afterwards?|before(?: that)?|danach|dann|davor"
    r"|vorher|ensuite|après(?: ça| cela)?|después(?: de eso)?|luego)\W*$",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(
    r"^\W*(?:who|whose|which \w+|wer|welche[rs]?|qui|quel(?:le)?|quién|qué)\b", re.IGNORECASE
)
_NEIGHBOUR = re.compile(
    r"\s(?:after|before|nach|vor|après|avant|después de|antes de)\s+(?P<whom>\S.*?)"
    r"(?=\s(?:in|as|als|en|im|comme|como|of|at|von)\s|$)",
    re.IGNORECASE,
)
_WHEN = re.compile(r"\s(?:(?:in|im|en|during|since|seit|by)\s)?(?:1[5-9]|20)\d\d\b", re.IGNORECASE)
_WORDS = {
    "en": ("after", "before"),
    "de": ("nach", "vor"),
    "fr": ("après", "avant"),
    "es": ("después de", "antes de"),
}


def in_succession(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask who comes after, or came before, the one that the answer before named."""
    match, previous = _NEXT.match(question.text[:LONGEST]), exchanges[-1]
    asked = asked_before(previous)
    if not match or len(question.text) > LONGEST or not asked:
        return None
    if not _ASKS_WHO.match(asked):
        return _and_then(question, asked, previous)
    goes_back = match["before"] is not None
    person = _beside(asked, previous, goes_back=goes_back)
    if not person:
        return None
    place = _NEIGHBOUR.search(asked)
    start, end = place.span() if place else (len(asked), len(asked))
    before = asked[:start] if place else _WHEN.sub("", asked)
    word = _WORDS[language_of(asked)][goes_back]
    told = f"{before} {word} {person}{asked[end:]}?"
    return Rewrite(told, REFERENCE_RESOLVED, previous.positions, LIKELY)


def _and_then(question: ReadQuestion, asked: str, previous: Exchange) -> Rewrite | None:
    """Ask once more, and what comes then, where nobody is asked for: "and after that?"."""
    if not _THEN.match(question.text):
        return None
    return Rewrite(
        once_more(asked, question.text, previous), ASKED_FURTHER, previous.positions, LIKELY
    )


def _beside(asked: str, exchange: Exchange, *, goes_back: bool) -> str:
    """Return whom the answer names: next to whom was asked after, in a list of several."""
    people = [name for name in people_read(exchange.answer) if may_be_person(name)]
    own = set(terms(asked))
    told = [at for at, name in enumerate(people) if own.issuperset(terms(name))]
    if told:
        at = told[0] - 1 if goes_back else told[-1] + 1
        return people[at] if 0 <= at < len(people) else ""
    return people[0] if people else ""
