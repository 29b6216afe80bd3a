"""Spanish follow-ups, which the model wasn't trained on."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import may_be_person, names_in, names_read
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.focus import focus
from memory.recall.rewriting.rules.languages.carrying import LOOKED_AT, carried
from memory.text.words import stem, words

_SETS_APART = re.compile(r"\bentre (?:un[oa]?s? |el |la |los |las )?\S+ y \S", re.IGNORECASE)
LEANS_IN_SPANISH = re.compile(
    r"^\W*(y|pero|entonces|qu[eé] tal|compara)\b|\b(él|ella|ellos|ellas|eso|esa|ese|su|sus|lo)\b"
    r"|\b(?:me|te|se|nos) (?:la|las|los)\b",
    re.IGNORECASE,
)
SPANISH_STOP = frozenset(
    words(
        """el la los las un una de del y o que qué cuál cuáles quién cómo dónde cuándo cuánto
        cuántos por para con es son en se su sus al más pero si hay fue ser está eso esa ese sobre
        significa dice tiene"""
    )
)

_VERBS = "|".join(
    """tiene tuvo tenía tendrá es era fue será está estaba estuvo trabaja trabajó trabajaba vive
    vivió vivía hace hizo hacía puede pudo podía sabe supo sabía""".split()
)
# What only a person does.
_PERSONAL = re.compile(r"trabaj|viv|sab|sup|ha |había |habrá ", re.IGNORECASE)
_PERFECT = r"(?:ha|había|habrá)\s+(?:\w+[ai]do|hecho|escrito|visto|puesto|dicho)"
_INFINITIVE = r"(?:\s+\w+[aei]r)?"
_WHO = ("quién", "quien")
_AND = r"^\W*(?:(?:y|pero|entonces)\b\W*)*"
_PLACE = r"(?:a|con|de|desde|en|hasta|para|por)"
_ASKED = (
    rf"(?:(?:{_PLACE}\s+)?(?:qu[eé]|cu[aá]l|cu[aá]nt[oa]s?)\b[^?]*?"
    rf"|(?:{_PLACE}\s+)?(?:d[oó]nde|cu[aá]ndo|c[oó]mo)|por qu[eé]|qui[eé]n)"
)
# "¿Cuántos años tiene?", "¿Dónde trabaja ahora?", "¿Sabe Python?"
_SUBJECTLESS = re.compile(
    rf"{_AND}(?:(?P<asked>{_ASKED})\s+)?(?P<predicate>(?:no\s+|se\s+|lo\s+)?"
    rf"(?P<verb>(?:{_VERBS}|{_PERFECT})\b{_INFINITIVE}))(?P<rest>[^?]*)\W*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?P<asked>\W*(?:(?:y|pero|entonces)\b\W*)?(?:qu[eé] (?:pasa|ocurre|sucede) )?(?:si|cuando))"
    r"\s+"
    r"(?:(?:no|se|ya)\s+)*(?!(?:el|la|los|las|un|una|mi|tu|su|hay|no|se|ya)\b)[a-záéíóú]+[aeoó]n?"
    rf"(?=\W*$|\s+(?:{_PLACE}|un|una|el)\b)",
    re.IGNORECASE,
)
# What may stand behind the verb of a question without being what it is said of.
_ADVERBIAL = re.compile(
    rf"^\s+(?:{_PLACE}|ahora|actualmente|hoy|antes|hoy en día|todavía|ya|además)\b",
    re.IGNORECASE,
)

# "¿Cómo se cura?": of what was asked about before, by its article.
_SE = re.compile(
    rf"{_AND}(?:(?:a|de|desde|hasta|con) )?(?:c[oó]mo|cu[aá]ndo|d[oó]nde|por qu[eé]|cu[aá]nto)"
    r" (?:no )?se [^\W\d_]{3,30}\W*$",
    re.IGNORECASE,
)
_WITH_ARTICLE = re.compile(
    r"\b(?:un|una|el|la|los|las) [^\W\d_]{3,30}"
    rf"(?: (?!(?:{_PLACE}|del|al|y|o|que|se|no|sin|sobre)\b)[^\W\d_]{{3,30}})?",
    re.IGNORECASE,
)
# "Como *la* quito": behind what asks, and before a verb that ends the question or goes on.
_OBJECT = re.compile(
    r"\b(?:c[oó]mo|d[oó]nde|cu[aá]ndo|por qu[eé]|qui[eé]n|si|no|qu[eé] pasa si) "
    r"(?:no |ya |me |se |te )?(?P<it>lo|la|los|las) (?P<verb>[^\W\d_]{3,30}[oaenóé]s?)"
    rf"(?=\W*$| (?:{_PLACE}|si|cuando|luego|después|otra|de nuevo)\b)",
    re.IGNORECASE,
)
_ARTICLES_OF = {
    "lo": ("un ", "el "), "la": ("una ", "la "), "los": ("los ", "unos "), "las": ("las ", "unas "),
}  # fmt: skip


def of_what_it_is(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say what "¿cómo se cura?" is asked of: the thing of the question before."""
    if not _SE.match(question.text) or not question.is_spanish:
        return None
    things = _WITH_ARTICLE.findall(exchanges[-1].asked)
    if not things:
        return None
    told = f"{question.text.rstrip('?!. ')} {things[0]}?"
    return Rewrite(told, REFERENCE_RESOLVED, exchanges[-1].positions, LIKELY)


def object_named(text: str, exchange: Exchange) -> str:
    """Return the question with what was asked about for "la" in "y como la quito", or nothing."""
    match = _OBJECT.search(text)
    if match is None:
        return ""
    articles = _ARTICLES_OF[match["it"].lower()]
    things = _WITH_ARTICLE.findall(exchange.asked)
    thing = next((each for each in things if each.lower().startswith(articles)), "")
    end = match.end("verb")
    return f"{text[: match.start('it')]}{match['verb']} {thing}{text[end:]}" if thing else ""


def object_in_spanish(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say what is done something with: "y como la quito" after "como instalo una aplicacion"."""
    if not question.is_spanish and language_of(question.text) != "es":
        return None
    told = object_named(question.text, exchanges[-1])
    return Rewrite(told, REFERENCE_RESOLVED, exchanges[-1].positions, LIKELY) if told else None


def without_subject(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say who or what it is that a verb alone is said of: "¿cuántos años tiene?"."""
    match = _SUBJECTLESS.match(question.text)
    if match is None or not question.is_spanish or not _lacks_subject(match):
        return None
    is_personal = bool(_PERSONAL.match(match.group("verb")))
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        # What the question's form names, or else the first person of question and answer.
        subject = "" if is_personal else focus(exchange.query)
        names = (*names_read(exchange.sought), *names_read(exchange.answer))
        if subject := subject or next(filter(may_be_person, names), ""):
            query, at = question.text, match.end("verb")
            told = f"{query[:at]} {subject}{query[at:]}"
            if not match.group("asked"):  # its verb opens the question: it goes before that
                at = match.start("predicate")
                told = f"{query[:at]}{subject} {query[at].lower()}{query[at + 1 :]}"
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


def if_it_does(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say what it is that a condition is about: "¿y si cae en fin de semana?"."""
    match = _CONDITION.match(question.text)
    if match is None or not question.is_spanish:
        return None
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        names = (name for name in names_read(exchange.sought))
        if subject := focus(exchange.query) or next(names, ""):
            told = f"{match['asked']} {subject}{question.text[match.end('asked') :]}"
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


def _lacks_subject(match: re.Match[str]) -> bool:
    """Return whether neither what is asked for nor what follows the verb can be its subject."""
    asked, rest = (match.group("asked") or "").lower(), match.group("rest").rstrip()
    if any(map(may_be_person, names_in(f"{asked} {rest}"))):
        return False
    if not rest:
        return asked not in _WHO or match.group("verb").lower() in ("es", "era", "fue")
    # What a question begins with its verb for is what follows: "¿Tiene experiencia?"
    return asked not in _WHO and (not asked or bool(_ADVERBIAL.match(rest)))


def carried_in_spanish(question: ReadQuestion, previous: Exchange) -> Rewrite:
    """Carry the previous question's words to one that leans on it."""
    if not LEANS_IN_SPANISH.search(question.text):
        return Rewrite(question.text, "stands_alone")
    own = set(question.terms)
    if _SETS_APART.search(question.text) and names_in(question.text):  # it names all it asks of
        return Rewrite(question.text, "stands_alone")
    carried_on = [
        word
        for word in previous.sought.content_words
        if SPANISH_STOP.isdisjoint(words(word)) and stem(word.lower()) not in own
    ]
    return carried(question, " ".join(carried_on), previous)
