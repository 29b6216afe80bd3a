"""How a person wants to be answered from now on, in three languages, and what they take back.

A wish stands for the answers to come: it says "always", "from now on", "your answers", or is all
that a message says. "Give me three bullet points on the pump" is an order for one answer.
"""

import re
from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.extraction.statements import Learned, careless, key, value_of

# Each aspect of answers by its values; the first that is found counts.
ASPECTS: dict[str, dict[str, str]] = {
    "format": {
        "bullets": r"bullet(?:ed|s)?(?:[ -]?(?:points?|lists?|pts))?|viñetas|puntos|dashes"
        r"|stichpunkten?|aufzählung(?:en)?|spiegelstrichen?",
        "numbers": r"number(?:ed)? (?:lists?|points|steps)|listas? numeradas?"
        "|nummerierte[nr]? listen?",
        "table": r"tables?|tablas?|tabellen?|tabellarisch",
        "list": r"lists?|listas?|listen?",
        "prose": r"prose|paragraphs?|full sentences|plain text|párrafos|prosa|fließtext"
        "|ganzen sätzen",
    },
    "length": {
        "short": (
            "short(?:er)?|brief(?:ly)?|concise(?:ly)?|to the point|(?:in )?(?:one"
            "|a single|1|two|2|a few)"
            r" (?:short )?(?:sentences?|lines?)|kurz(?:e[nr]?)?|kürzere?|knapp(?:e[nr]?)?"
            r"|brevemente|forma breve|breves?|cort[oa]s?|una frase"
        ),
        "long": "(?:more )?detail(?:ed|s)?|in depth|thorough(?:ly)?|long(?:er)?"
        "|detallad[oa]s?|detalle"
        r"|ausführlich(?:e[nr]?)?|länger(?:e[nr]?)?",
    },
    "language": {
        "en": r"english|inglés|englisch",
        "es": r"spanish|español|castellano|spanisch",
        "de": r"german|alemán|deutsch",
        "fr": r"french|francés|französisch",
        "it": r"italian|italiano|italienisch",
        "pt": r"portuguese|portugués|portugiesisch",
        "nl": r"dutch|niederländisch",
        "pl": r"polish|polnisch",
    },
    "tone": {
        "simple": "simple (?:words|terms|language)|plain (?:english|language|words)"
        "|simply|jargon|palabras sencillas"
        "|einfache[nr]? (?:worte|wörter|sprache)n?",
        "informal": r"informal(?:ly)?|casual(?:ly)?",
        "formal": r"formal(?:ly)?|förmlich",
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
    name: {
        value: re.compile(careless(rf"\b(?:{said})\b"), re.IGNORECASE)
        for value, said in values.items()
    }
    for name, values in ASPECTS.items()
}
_POLITE = (
    r"^\W*(?:(?:please|pls|plz|hi|hello|hey|ok|okay|also|and|but|so|actually|instead|well"
    r"|(?:can|could|would|will) you|por favor|kindly|remember to|try to|y|hola|hallo|bitte|und"
    r"|kannst du"
    r"|könntest du|puedes|podrías)\b[\s,]*){0,4}"
)
_ALWAYS = r"(?:always|alwasy|allways|alway|awlays|siempre|immer)"
_FROM_NOW = (
    "(?:from now on|going forward|in (?:the )?future|every time|each"
    " time|for all (?:your |my )?(?:answers|questions)|henceforth|from"
    " here on|until i say otherwise|a partir de ahora|de ahora en adelante"
    "|ab jetzt|ab sofort|in zukunft|von jetzt an|künftig)"
)
_DO = (
    "(?:answer|reply|respond|write|use|keep|be|give|explain|put|format"
    "|speak|talk|make|present|show|responde|respóndeme|contesta|contéstame"
    "|escribe|usa|explica|antworte|schreib|schreibe|erklär|erkläre|halte|benutze|verwende|nutze)"
)
_ANSWERS = "(?:answers|replies|responses|respuestas|antworten)"
_NAMED = "(?:" + "|".join(said for values in ASPECTS.values() for said in values.values()) + ")"
_STANDS = re.compile(
    rf"\b(?:{_ALWAYS}|{_FROM_NOW}|(?:your|tus|deine|keep|keep all) {_ANSWERS}"
    rf"|{_ANSWERS}(?:\W+(?:please|pls|bitte"
    rf"|only|por favor))*(?:$|,.*)|{_ANSWERS} (?:as|in|with|en|más|cortas|breves))\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    rf"{_POLITE}(?:{_FROM_NOW}[\s,]*)?(?:{_ALWAYS}\s+)?(?:please\s+)?{_DO}\b"
    r"|^\W*(?:i(?:'d)? (?:want|prefer|need|like|would like)|quiero|prefiero|necesito|me gustarían?"
    rf"|ich (?:möchte|will|hätte gern|brauche|bevorzuge))\b.*\b{_ANSWERS}\b"
    rf"|{_POLITE}(?:you (?:can|may) )?(?:go|come|switch) back to\b"
    rf"|{_POLITE}(?:no|only|without)\b|^\W*{_FROM_NOW}\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"{_POLITE}(?:(?:{_ALWAYS}|{_FROM_NOW}|only|just|nur|solo|sólo|in|auf|en|as|als"
    rf"|como)\s+)*(?:{_ANSWERS}|{_NAMED})\b"
    r"(?!.*\b(?:is|are|was|were|has|have|do|does|es|son|tiene|ist|sind|hat)\b)",
    re.IGNORECASE,
)
MOST_BARE = 8  # words
# "Answer in German" stands for all that follow; "answer this one in German" does not.
_WHOLE = re.compile(
    r"(?!.*\b(?:this|that|these|one|next|first|second|third|question|page|section|chapter"
    r"|figure|\d+|est[aeo]|es[aeo]|dies\w*|frage|pregunta)\b)"
    f"{_POLITE}(?:answer|reply|respond|write|use|keep|be|speak|talk"
    "|explain|no|usa|responde|contesta|antworte|schreib|schreibe)"
    "(?: to)?(?: me| it| them| your answers| everything)*(?: in| as"
    rf"| with| al?l?| en| con| auf| mit| only| nur| bitte)*\W+(?:plain |simple )?[\w -]{{2,30}}$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    f"{_POLITE}(?:(?:you (?:can|may|could) )?stop(?: using| with| answering"
    "| writing| replying| doing| giving)?"
    "|(?:you )?(?:don'?t|do not|dont)(?: have| need)?(?: to)? (?:use"
    "|answer|keep|give|write|be|reply)"
    "|no more|never ?mind|forget(?: about)?|drop|enough(?: of| with)?"
    r"|no need for|deja de|ya no|olvida|no uses más|keine?(?=.*\bmehr\b)|hör auf|vergiss"
    r"|du (?:musst|brauchst) nicht mehr"
    r"|(?:ya )?no hace falta)\b",
    re.IGNORECASE,
)
# "Never mind the tables" takes back; "don't use bullets" does so only if that is the end of it.
_ANY_MORE = re.compile(r"\bany ?(?:more|longer)\b|\bmás\b|\bfrom now on\b", re.IGNORECASE)
_DONT = re.compile(rf"{_POLITE}(?:you )?(?:don'?t|do not|dont)\b", re.IGNORECASE)
_ALL_ENDS = re.compile(
    f"{_POLITE}(?:go|get) back to (?:normal|the usual|your usual)|{_POLITE}answer(?:"
    " me)? normally|{_POLITE}antworte(?: wieder)? normal$|"
    rf"{_POLITE}(?:as|like) (?:before|usual)$|{_POLITE}(?:vuelve a|responde) (?:lo )?normal",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    rf"{_POLITE}(?:never ?mind(?: that| it)?|forget (?:it|that)|déjalo|olvídalo)\W*$", re.IGNORECASE
)
_PUT = (
    "(?:use|include|add|give|cite|show|mention|write|start|end|put|state|name|convert|usa|uses"
    "|incluye"
    "|incluyas|pon|pongas|cita|menciona|nenne|gib|zitiere|erwähne|verwende|benutze|zeig|zeige)"
)
_THE = "(?:an?|the|me|us|el|la|los|las|un|una|any|mir|die|das|den|der|ein|eine)"
_RULE = re.compile(
    rf"{_POLITE}(?:{_FROM_NOW}[\s,]*)?(?:(?P<never>never|(?:don'?t|do"
    rf" not|dont) ever|nunca|no(?= \w+ nunca\b))|{_ALWAYS}|(?:{_FROM_NOW})[\s,]*)"
    rf"\s*{_PUT}(?: (?:{_THE}|nunca))*\s+(?P<v>.+)",
    re.IGNORECASE,
)
# "Cita siempre la fuente", "nenne nie Namen": when comes behind the verb.
_RULE_BEHIND = re.compile(
    rf"{_POLITE}{_PUT}(?: (?:bitte|por favor|mir|please))?"
    rf" (?:{_ALWAYS}|(?P<never>never|nunca|nie|niemals))(?: {_THE})*\s+(?P<v>.+)",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    r"^\W*(?:i (?:don'?t|do not) (?:want|need|like)|no quiero|ich (?:möchte|will|mag) keine?)"
    rf" (?:{_THE} )*(?P<v>.+?) in (?:your|the|any|den|deinen|tus|las) {_ANSWERS}\b",
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
    elif _orders(said, is_whole=is_whole):
        yield from _made(said)
    else:
        yield from _ruled(said)


def _orders(said: str, *, is_whole: bool) -> bool:
    """Tell whether it says how all answers are to be: "bullet points from now on pls"."""
    if _ORDERS.match(said):
        return bool(_STANDS.search(said) or (is_whole and _WHOLE.match(said)))
    is_short = is_whole and len(said.split()) <= MOST_BARE
    return is_short and bool(_BARE.match(said) and _STANDS.search(said))


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
    unwanted = _UNWANTED.match(said)
    match = unwanted or _RULE.match(said) or _RULE_BEHIND.match(said)
    if match and (value := value_of(match["v"])):
        named = "never" if unwanted or match["never"] else "always"
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
