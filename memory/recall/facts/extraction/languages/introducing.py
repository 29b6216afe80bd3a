"""Who somebody says they are, by a name alone: "I'm Tom", "ich bin die Ana", "soy Ana"."""

import re
from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.extraction.languages.english_words import NATION
from memory.recall.facts.extraction.languages.first_names import FIRST_NAMES
from memory.recall.facts.extraction.statements import Learned, behind_lead

# What people are that has a capital, or gets one: beliefs, moods, jobs, and nouns in German.
_NO_NAME = (
    r"(?:muslim|jewish|catholic|hindu|buddhist|protestant|sikh|atheist|orthodox|jude|jüdin"
    r"|katholik|katholisch|moslem|christ|sorry|happy|glad|sure|fine|ill|sick|tired|confused"
    r"|interested|curious|lost|stuck|pregnant|not|just|in|at|on|here|there|so|also|very|new"
    r"|manager\w*|head|lead|director|officer|owner|chef(?:in)?|kund(?:e|in)|mitglied|mutter|vater"
    r"|frau|mann|kollegin|kollege|gast|expert[ei]n?|laie|single|mensch|zeug[ei]n?|erb[ei]n?"
    r"|studierende[r]?|angestellte[r]?|selbstständige[r]?|alleinerziehende?)"
)
_WORD = r"(?-i:[A-ZÀ-Þ][^\W\d_A-ZÀ-Þ])[\w'-]{0,40}"
_BEHIND = r"(?=\W*$|[,.;:!?]| (?:from|here|and|y|und|et|aus|hier|de|btw|by the way)\b)"
_NAME = rf"(?!(?:{NATION}|{_NO_NAME})\b)(?P<name>{_WORD}(?: (?!{_NO_NAME}\b){_WORD})?){_BEHIND}"
_WHO = r"(?:i'?m|i am|(?:yo )?soy|(?:ich )?bin(?: de[rm]| die| vom)?|(?:moi )?c'est|je suis)"
_INTRODUCES = rf"{_WHO} {_NAME}"
# What has no capital is a name if it is often given as one.
_CARELESSLY = rf"{_WHO} (?P<name>[^\W\d_]{{2,20}}){_BEHIND}"
# Behind a greeting only: else it may be of anything, as "it's Friday".
_BEHIND_GREETING = re.compile(rf"(?P<said>(?:this is|it'?s) {_NAME})", re.IGNORECASE)


def introductions(clause: str) -> Iterator[Learned]:
    """Yield the name with which a clause says who its person is."""
    told = list(_named(behind_lead(_INTRODUCES).match(clause)))
    careless = behind_lead(_CARELESSLY).match(clause)
    if not told and careless and careless["name"].lower() in FIRST_NAMES:
        told = list(_named(careless))
    yield from told


def introduced(greeted: str) -> Iterator[Learned]:
    """Yield the name that is said behind a greeting: "this is Tom"."""
    yield from _named(_BEHIND_GREETING.match(greeted))


def _named(who: re.Match[str] | None) -> Iterator[Learned]:
    if who:
        yield Learned(FactKind.FACT, "name", who["said"], who["name"])
