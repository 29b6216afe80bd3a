"""How a person wants to be answered from now on, in English and Spanish, and what they take back.

A wish stands for the answers to come: it says "always", "from now on", "your answers", or is all
that a message says. "Give me three bullet points on the pump" is an order for one answer.
"""

import re
from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.statements import Learned, key, value_of

# Each aspect of answers by its values; the first that is found counts.
ASPECTS: dict[str, dict[str, str]] = {
    "format": {
        "bullets": r"bullet(?:ed|s)?(?:[ -]?(?:points?|lists?|pts))?|viñetas|puntos|dashes",
        "numbers": r"number(?:ed)? (?:lists?|points|steps)|listas? numeradas?",
        "table": r"tables?|tablas?",
        "list": r"lists?|listas?",
        "prose": r"prose|paragraphs?|full sentences|plain text|párrafos|prosa",
    },
    "length": {
        "short": (
            "short(?:er)?|brief(?:ly)?|concise(?:ly)?|to the point|(?:in )?(?:one"
            "|a single|1|two|2|a few)"
            r" (?:short )?(?:sentences?|lines?)|brevemente|forma breve|breves?|cort[oa]s?|una frase"
        ),
        "long": "(?:more )?detail(?:ed|s)?|in depth|thorough(?:ly)?|long(?:er)?"
        "|detallad[oa]s?|detalle",
    },
    "language": {
        "en": r"english|inglés|ingles",
        "es": r"spanish|español|castellano",
        "de": r"german|alemán",
        "fr": r"french|francés",
        "it": r"italian|italiano",
        "pt": r"portuguese|portugués",
        "nl": r"dutch",
        "pl": r"polish",
    },
    "tone": {
        "simple": "simple (?:words|terms|language)|plain (?:english|language|words)"
        "|simply|jargon|palabras sencillas",
        "informal": r"informal(?:ly)?|casual(?:ly)?",
        "formal": r"formal(?:ly)?",
    },
}
# How each is said to a language model, which knows a canonical wording best.
WORDED = {
    ("format", "bullets"): "Write the answer as bullet points.",
    ("format", "numbers"): "Write the answer as a numbered list.",
    ("format", "table"): "Put what can be compared in a table.",
    ("format", "list"): "Write the answer as a list.",
    ("format", "prose"): "Write in plain sentences, without lists.",
    ("length", "short"): "Keep the answer short.",
    ("length", "long"): "Answer in detail.",
    ("tone", "simple"): "Use simple words, without jargon.",
    ("tone", "formal"): "Write formally.",
    ("tone", "informal"): "Write informally.",
}
_ASPECTS = {
    name: {value: re.compile(rf"\b(?:{said})\b", re.IGNORECASE) for value, said in values.items()}
    for name, values in ASPECTS.items()
}
_POLITE = (
    r"^\W*(?:(?:please|pls|plz|hi|hello|hey|ok|okay|also|and|but|so"
    r"|(?:can|could|would|will) you|por favor|kindly|remember to|y)\b[\s,]*){0,4}"
)
_ALWAYS = r"(?:always|alwasy|allways|alway|awlays|siempre)"
_FROM_NOW = (
    "(?:from now on|going forward|in (?:the )?future|every time|each"
    " time|for all (?:your |my )?(?:answers|questions)|henceforth|from"
    " here on|until i say otherwise|a partir de ahora|de ahora en adelante)"
)
_DO = (
    "(?:answer|reply|respond|write|use|keep|be|give|explain|put|format"
    "|speak|talk|make|present|show|responde|respóndeme|contesta|contéstame"
    "|escribe|usa|explica)"
)
_STANDS = re.compile(
    rf"\b(?:{_ALWAYS}|{_FROM_NOW}|your (?:answers|replies|responses)|(?:answers|replies|responses)$"
    rf"|(?:answers|replies|responses) (?:as|in|with))\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    rf"{_POLITE}(?:{_FROM_NOW}[\s,]*)?(?:{_ALWAYS}\s+)?(?:please\s+)?{_DO}\b"
    r"|^\W*i(?:'d)? (?:want|prefer|need|like|would like)\b.*\b(?:answers|replies|responses)\b"
    rf"|{_POLITE}(?:no|only|without)\b|^\W*{_FROM_NOW}\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    f"{_POLITE}(?:answer|reply|respond|write|use|keep|be|speak|talk"
    "|explain|no|usa|responde|contesta)"
    "(?: to)?(?: me| it| them| your answers| everything)*(?: in| as"
    rf"| with| al?l?| en| con| only)?\W+(?:plain |simple )?[\w -]{{2,30}}$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    f"{_POLITE}(?:(?:you (?:can|may|could) )?stop(?: using| with| answering"
    "| writing| replying| doing| giving)?"
    "|(?:you )?(?:don'?t|do not|dont)(?: have| need)?(?: to)? (?:use"
    "|answer|keep|give|write|be|reply)"
    "|no more|never ?mind|forget(?: about)?|drop|enough(?: of| with)?"
    r"|no need for|deja de|ya no|olvida|no uses más)\b",
    re.IGNORECASE,
)
# "Never mind the tables" takes back; "don't use bullets" does so only if that is the end of it.
_ANY_MORE = re.compile(r"\bany ?(?:more|longer)\b|\bmás\b|\bfrom now on\b", re.IGNORECASE)
_DONT = re.compile(rf"{_POLITE}(?:you )?(?:don'?t|do not|dont)\b", re.IGNORECASE)
_ALL_ENDS = re.compile(
    f"{_POLITE}(?:go|get) back to (?:normal|the usual|your usual)|{_POLITE}answer(?:"
    " me)? normally|"
    rf"{_POLITE}(?:as|like) (?:before|usual)$|{_POLITE}(?:vuelve a|responde) (?:lo )?normal",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    rf"{_POLITE}(?:never ?mind(?: that| it)?|forget (?:it|that)|déjalo|olvídalo)\W*$", re.IGNORECASE
)
_RULE = re.compile(
    rf"{_POLITE}(?:{_FROM_NOW}[\s,]*)?(?:(?P<never>never|(?:don'?t|do"
    rf" not|dont) ever|nunca)|{_ALWAYS}|(?:{_FROM_NOW})[\s,]*)"
    r"\s*(?:use|include|add|give|cite|show|mention|write|start|end|put"
    "|state|name|convert|usa|incluye)"
    r"(?: (?:an?|the|me|us|el|la|los|las|any))*\s+(?P<v>.+)",
    re.IGNORECASE,
)


def wishes(clause: str, *, is_whole: bool) -> Iterator[Learned]:
    """Yield the wishes of a clause and those that it takes back; `is_whole` as of a clause."""
    said = clause.strip()
    if is_whole and _NEVER_MIND.match(said):
        yield Learned(FactKind.WISH, "last", said, ends=True)
    elif _ALL_ENDS.match(said):
        yield Learned(FactKind.WISH, "all", said, ends=True)
    elif _ENDS.match(said) and (
        not _DONT.match(said) or _ANY_MORE.search(said) or "have to" in said
    ):
        yield from _taken_back(said)
    elif _ORDERS.match(said) and (_STANDS.search(said) or (is_whole and _WHOLE.match(said))):
        yield from _made(said)
    elif _RULE.match(said):
        yield from _ruled(said)


def _taken_back(said: str) -> Iterator[Learned]:
    for aspect, value in _aspects_in(said):
        yield Learned(FactKind.WISH, aspect, said, value, ends=True)


def _made(said: str) -> Iterator[Learned]:
    found = _aspects_in(said)
    yield from (Learned(FactKind.WISH, aspect, said, value) for aspect, value in found)
    if not found:
        yield from _ruled(said)


def _ruled(said: str) -> Iterator[Learned]:
    """Yield a wish of any other kind: what always is to be there, or never."""
    match = _RULE.match(said)
    if match and (value := value_of(match["v"])):
        named = "never" if match["never"] else "always"
        yield Learned(FactKind.WISH, f"{named}:{key(value)}", said, value)


def _aspects_in(said: str) -> list[tuple[str, str]]:
    """Return the aspects of answers that are named, each with its first value."""
    found = []
    for aspect, values in _ASPECTS.items():
        value = next((value for value, pattern in values.items() if pattern.search(said)), "")
        if value and not (aspect == "language" and re.search(r"\bplain english\b", said, re.I)):
            found.append((aspect, value))
    return found


def worded(text: str) -> str:
    """Return a wish in the words that a language model knows best, or else in its person's own."""
    made = [WORDED.get((aspect, value), "") for aspect, value in _aspects_in(text)]
    named = [name for name in made if name]
    return " ".join(named) if named and len(named) == len(made) else text
