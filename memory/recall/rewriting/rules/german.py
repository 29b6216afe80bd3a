"""German follow-ups, which the model wasn't trained on."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import LIKELY, TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import names_read
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.focus import focus
from memory.recall.rewriting.selection.placing import behind, put_behind

LOOKED_AT = 4  # exchanges
CARRIED_CONFIDENCE = 0.5
MOST_CARRIED = 4  # words

_SMALL = (
    "am|an|auch|auf|aus|bei|bis|dann|dem|den|der|die|doch|ein|eine|einem|einen|einer|für|gegen|im|in|"
    "ist|kann|mit|nach|nicht|noch|nur|sind|um|unter|vom|von|vor|war|werden|wird|zu|zum|zur|über"
)
# "Das" and "die" before a noun are articles: "das neue Haus".
_PRONOUN = re.compile(
    r"\b(?P<pronoun>das|dies|es|er|sie|ihn|dieser|dieses|diese)\b"
    rf"(?=\W*$|[,;]|\s+(?:{_SMALL})\b|\s+[a-zäöüß]+(?:\s+[a-zäöüß]+)*\W*$)"
    # "Die" stands before lower-case nouns in what is typed in a hurry, too.
    r"|\b(?:die|den)\b(?=\W*$|\s+(?:zurück|wieder|denn|eigentlich|schon|jetzt|auch|nicht|noch)\b)",
    re.IGNORECASE,
)
_IMPERSONAL = re.compile(r"\b(?:gibt es|es gibt|geht es|worum|handelt es sich)\b", re.IGNORECASE)
_LEANS = re.compile(
    r"^\W*(?:und|aber|oder|also)\b|\b(?:das|dies|es|davon|dafür|damit|daran|darauf|dabei|dazu"
    r"|darin|"
    r"dort|denn|dessen|deren|ihre?[nmrs]?|seine?[nmrs]?)\b",
    re.IGNORECASE,
)
# What has no capital in what is typed in a hurry: "wann ist die waschküche offen".
_WITH_ARTICLE = re.compile(r"\b((?:der|die|das|den|dem|eine?n?) [a-zäöüß]{4,40})\b")
_ARTICLE = re.compile(r"^(?:the|an?|el|la|un|una)\s+", re.IGNORECASE)
_STOP = frozenset(
    """der die das den dem des ein eine einer einem einen und oder aber ist sind war wird werden was
    wer wie wo wann warum wieso welche welcher welches wenn mit für von im in am an auf bei zu zum
    zur nicht es sie er hat haben gibt kann muss man ich wir""".split()
)


def german_pronoun(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put what the conversation is about in the place of "das": "und wenn das ausfällt?"."""
    query = question.text
    if language_of(query) != "de" or _IMPERSONAL.search(query):
        return None
    match = _PRONOUN.search(query)
    found = _subject(exchanges) if match else None
    if match is None or found is None:
        return None
    thing, exchange = found
    text = query[: match.start()] + thing + query[match.end() :]
    return Rewrite(text, "reference_resolved", exchange.positions, LIKELY)


def carried_in_german(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite:
    """Carry what the conversation is about to a question that leans on it."""
    query, own = question.text, set(question.terms)
    if not _LEANS.search(query):
        return Rewrite(query, "stands_alone")
    found = _subject(exchanges)
    said = [] if found else exchanges[-1].sought.tokens
    words = [each.text for each in said if each.stem and each.word not in _STOP]
    thing = found[0] if found else " ".join(dict.fromkeys(words[:MOST_CARRIED]))
    if not thing or own.issuperset(ReadQuestion(thing).terms):
        return Rewrite(query, "nothing_to_carry")
    positions = (found[1] if found else exchanges[-1]).positions
    return Rewrite(behind(query, thing), TOPIC_CARRIED, positions, CARRIED_CONFIDENCE)


def _subject(exchanges: Sequence[Exchange]) -> tuple[str, Exchange] | None:
    """Return what the newest questions are about: by the form of one, or by its name."""
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        named = (
            put_behind(exchange.searched),
            *names_read(exchange.sought),
            *_WITH_ARTICLE.findall(exchange.searched),
        )
        thing = focus(exchange.query) or next(filter(None, named), "")
        if thing:
            return _ARTICLE.sub("", thing), exchange
    return None
