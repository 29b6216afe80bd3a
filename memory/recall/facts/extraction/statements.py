"""What a clause says of its person, by patterns: a row each for where they live, what they use …

A pattern begins where the clause begins, behind what people say before they come to it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from memory.models.facts import FactKind
from memory.text.words import stem, words

LONGEST_VALUE = 80


@dataclass(frozen=True)
class Learned:
    """Something to be kept, or taken back (`ends`): `subject` is what a newer value replaces."""

    kind: FactKind
    subject: str
    # As it was said, and what of it is the value.
    text: str
    value: str = ""
    ends: bool = False
    # What it is kept as if there is nothing to be taken back.
    otherwise: str = ""


Subject = Callable[[re.Match[str]], str]

# --- Building blocks ------------------------------------------------------------------------------

LEAD = (
    r"^\W*(?:(?:well|so|btw|by the way|fyi|ok|okay"
    r"|also|plus|oh|and|but|(?:no|yes|sí|si|nein|ja)(?=\s*[,.!:])|sorry|listen|honestly|personally"
    r"|actually|in fact|just so you know|for (?:your )?(?:context|information|the record)"
    "|(?:please |pls )?(?:note|remember|keep in mind|be aware|bear"
    " in mind)(?: that)?|you should know"
    r"(?: that)?|since|because|as|given that|now|currently|these days|at the moment|today|update"
    "|correction|(?:i|we)(?:'ve| have)? (?:changed|switched) (?:jobs?|employers?|companies"
    "|cities)(?= ?[:,])"
    "|y|pero|bueno|pues|por cierto|ahora|como|ya que|recuerda que|ten en cuenta que"
    "|et|mais|alors|donc|au fait|d'ailleurs|pour info|sache que|note que|maintenant|actuellement"
    "|und|aber|übrigens|naja|da|weil|denn|zur info|bitte beachte|wichtig"
    r"|(?:since|desde|desde hace) (?:last |this )?(?!i\b|we\b)\w+)\b[\s,:!.-]*){0,4}"
)
# Behind these a value is over.
_CUT = re.compile(
    r"\s*(?:[,;()]|\s-|\b(?:what'?s?|which|how'?s?|who'?s?|where'?s?|when|why|so|and"
    "|but|because|since|can|could|do|does"
    "|should|would|please|pls|if|now|these days|at the moment|currently"
    "|atm|btw|although|though|thanks"
    r"|right now|any ?more|any longer|last (?:week|month|year)|this (?:week|month|year)|recently|in"
    r" (?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|too|as well|hace poco|ahora|pero|porque|actualmente|keep in mind|for this|lol|rn|tbh"
    r"|like \d|for (?:my|the|a|work|\d+|two|three|many|some)|desde|hace|y (?:quiero|quisiera"
    r"|necesito|no|me|tengo|estoy|busco)|und|aber|weil|denn|seit|momentan|zurzeit|inzwischen"
    r"|sehr gern\w*|wie|was|wo|wann|et (?:je|j'|quel)|mais|parce que|depuis|maintenant|désormais"
    r"|s'il (?:te|vous) plaît|stp|svp|not (?:in|at|\d|[€$£])|no longer|nicht mehr|instead of"
    r"|anstatt|au lieu de|en lugar de|en vez de)\b).*$",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    "^(?:it|this|that|these|those|them|him|her|you|the (?:following"
    "|above|same|first|second|latter)"
    "|how|what|when|to|a lot|everything|nothing|anything|something"
    "|on|moving|going|your|his|my point"
    r"|eso|ello|esto|esa|ese|esta|este|lo|la respuesta|tus?|sus?|deine?|deinen|eure?|ihre?"
    r"|seine?)\b",
    re.IGNORECASE,
)
# What is typed in a hurry: without accents, with "ue" and "ss".
_CARELESS = str.maketrans(
    {
        "á": "[áa]",
        "é": "[ée]",
        "í": "[íi]",
        "ó": "[óo]",
        "ú": "[úu]",
        "ñ": "[ñn]",
        "ä": "(?:ä|ae|a)",
        "ö": "(?:ö|oe|o)",
        "ü": "(?:ü|ue|u)",
        "ß": "(?:ß|ss)",
        "è": "[èe]",
        "ê": "[êe]",
        "à": "[àa]",
        "â": "[âa]",
        "ç": "[çc]",
        "î": "[îi]",
        "ô": "[ôo]",
        "û": "[ûu]",
    }
)
NUMBER = r"(?:\d|[€$£¥]|one|two|three|four|five|six|seven|eight|nine|ten|half|twenty|fifty|hundred)"


def value_of(said: str) -> str:
    """Return the value at the beginning of what was said, without what follows on it."""
    return _CUT.sub("", said[:LONGEST_VALUE]).strip(" \t.,:!'\"")


def key(text: str) -> str:
    """Return what tells a thing apart in a subject: its words, in order of the alphabet."""
    said = [word for word in words(text) if word not in _SMALL]
    return " ".join(sorted({stem(_ALIASES.get(word, word)) for word in said[:4]}))


_SMALL = frozenset("a an the my our some of to in on really very el la los las un una de".split())
_ALIASES = {
    "colour": "color",
    "postgres": "postgresql",
    "k8s": "kubernetes",
    "js": "javascript",
    "win": "windows",
}
_VERSION = re.compile(r"[\d.]+$")


def tool(text: str) -> str:
    """Return the name of a tool without its version."""
    named = [_VERSION.sub("", word) for word in words(text)]
    first = next(iter(filter(None, named)), "")
    return _ALIASES.get(first, first)


# What a statement is about, and how it is said.
Row = tuple[str | Subject, str]


def kind_of(subject: str) -> FactKind:
    """Return what a statement about the subject is kept as."""
    is_liking = subject.startswith(("likes:", "favourite:"))
    return FactKind.PREFERENCE if is_liking else FactKind.FACT


def named(name: str) -> Subject:
    return lambda match: f"{name}:{key(match['s'])}"


def valued(name: str, made: Callable[[str], str] = key) -> Subject:
    return lambda match: f"{name}:{made(value_of(match['v']))}"


def rivals(match: re.Match[str]) -> str:
    return f"likes:{key(value_of(match['v']) + ' ' + value_of(match['w']))}"


def careless(pattern: str) -> str:
    """Return the pattern as it also fits what was typed without accents."""
    return pattern.translate(_CARELESS)


@cache
def behind_lead(pattern: str) -> re.Pattern[str]:
    """Compile a row's pattern behind what people say first.

    When it is first tried: all of them take a third of a start, and most processes hear nobody.
    """
    return re.compile(careless(LEAD + f"(?P<said>{pattern})"), re.IGNORECASE)


def first(rows: list[Row], clause: str, *, ends: bool = False) -> Learned | None:
    """Return what the first pattern that fits makes of the clause."""
    for subject, pattern in rows:
        match = behind_lead(pattern).match(clause)
        value = value_of(match["v"]) if match else ""
        if match is None or not value or _EMPTY.match(match["v"]):
            continue
        about = subject if isinstance(subject, str) else subject(match)
        if about.endswith(":"):
            continue
        until = match.start("v") + max(len(value), match["v"].find(value) + len(value))
        until = max(until, match.end("w")) if "w" in match.re.groupindex else until
        text = clause[match.start("said") : until].strip()
        return Learned(kind_of(about), about, text, value, ends)
    return None
