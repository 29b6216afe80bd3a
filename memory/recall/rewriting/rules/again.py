"""The question before asked again: of another thing, person or place, or by "the same rule"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.recall.rewriting.about import apart, behind
from memory.recall.rewriting.exchanges import (
    LIKELY,
    SURE,
    TOPIC_CARRIED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import kind, lone_name, names_in, names_read
from memory.recall.rewriting.language.prepositions import PREPOSITIONS, with_another
from memory.recall.rewriting.language.questions import PRONOUNS, ReadQuestion
from memory.recall.rewriting.rules.focus import focus
from memory.text.reading import ReadText
from memory.text.words import content_words, terms

LONGEST_WORD = 60  # characters
LONGEST_ASKED = 300  # characters of a question before that is read for its form
# So few words are no question of their own: "in dollars?", "by what age?".
SHORTEST_ALONE = 3
_SAME = re.compile(
    r"\bsame (?:rule|thing|question|condition|limit|deadline|exception)s?\b|\bapply too\b"
    r"|\b(?:is|does) (?:that|this|it) also (?:apply|true|hold|the case)\b"
    r"|\bmism[oa] (?:regla|norma|pregunta|plazo|cosa)\b"
    # Where "das" is all that was said: "gilt das auch für Azubis?", "c'est aussi le cas pour …".
    r"|\bgilt (?:das|dies)(?: auch| ebenfalls| denn| nur| eigentlich)?"
    r"(?=\W*$|\s+(?:für|bei|in|im|am|an|auf|mit|wenn|falls)\b)"
    r"|\bc['’]est (?:aussi |pareil |également )?(?:valable|vrai|le cas)\b"
    r"|\bça (?:vaut|s['’]applique)\b"
    r"|\b(?:vale|se aplica|es válido) (?:eso )?también\b|\b(?:eso )?también (?:vale|se aplica)\b",
    re.IGNORECASE,
)
ANDS = r"(?:and|n(?= )|but|so|then|ok|okay|y|pero|und|aber|et|mais)\b"
_ALSO = r"(?:also|auch|también|tambien|aussi)\b"
ABOUT = r"(?:what|how) about|qu[eé] (?:tal|pasa con|pasa)|(?:was|wie) ist (?:es )?mit"
BEFORE = rf"^\W*(?:{ANDS}\W+)*(?:(?:{ABOUT})\s+)?"
# "Und *die* mit dem Rad" is another of what was asked about.
THOSE = (
    r"(?:the ones?|those"
    r"|(?:die|der|das|den)(?=\s+(?:mit|ohne|von|vom|aus|für|in|im|auf|bei|ab|zum|zur)\b)"
    r"|(?:el|la|los|las)(?=\s+(?:de|del|con|sin|para|por|en)\b)|celui|celle|ceux|celles)"
)
_AND_THERE = re.compile(
    rf"{BEFORE}(?:(?P<also>{_ALSO})\s+)?(?:{THOSE}\s+)?(?P<preposition>{PREPOSITIONS})\s+"
    r"(?P<thing>[^?.!,]+)\W*$",
    re.IGNORECASE,
)
_AND_THAT = re.compile(
    rf"{BEFORE}(?:the\s+|an?\s+|el\s+|la\s+|de[rnm]\s+|die\s+|das\s+)?"
    r"(?P<thing>[^\W_][\w'’-]*(?:\s[^\W_][\w'’-]*){1,2})\W*$",
    re.IGNORECASE,
)
_AND_NAME = re.compile(rf"{BEFORE}(?P<thing>[^\W_][^?.!,]{{0,80}}?)\W*$", re.IGNORECASE)
_AND = re.compile(rf"^\W*(?:{ANDS}\W*)+", re.IGNORECASE)
# A comparison of which only one side is said: the other is what was asked about.
_THAN = re.compile(
    rf"^\W*(?:{ANDS}\W*)*(?:(?:is|was|are|were) (?:it|that|this|they) )?(?:(?:much|any|even|far) )?"
    r"(?:(?:more|less|fewer)(?: [^\W\d_]{2,30})?|worse"
    r"|(?!(?:other|rather|either|whether|never|under|over)\b)[^\W\d_]{2,30}er) than \S.*$"
    r"|^\W*(?:(?:und|aber)\W*)*(?:ist (?:es|das) )?(?:mehr|weniger|[^\W\d_]{3,30}er) als \S.*$"
    r"|^\W*(?:(?:y|et|mais|pero)\W*)*(?:(?:más|menos|plus|moins)(?: [^\W\d_]{2,30})?|mejor|peor"
    r"|mieux|pire) qu(?:e |['’])\S.*$",
    re.IGNORECASE,
)
# No thing is "that" which is in writing, but what was asked about it.
_IS_THAT = re.compile(
    rf"^\W*(?:{ANDS}\W*)*(?:is|was|does|must|should) (?:that|this) (?:be |have to be )?"
    r"(?:in|on|by|per|with|without|before|after|including|excluding|plus)\s\S.{0,40}$",
    re.IGNORECASE,
)
# What stands for somebody, or says whose a thing is: "und seine telefonnummer", "et lui ?".
POINTS = frozenset(
    """seine seiner seinen seinem sein ihr ihre ihrer ihren ihrem er sie es lui elle il eux elles
    son sa ses leur leurs él ella ellos ellas su sus""".split()
)
# "Und auf wie vielen Prozessoren läuft es" is a question of its own.
_ASKS_ITSELF = re.compile(
    r"(?:what|which|how many|whose|wie ?viele?n?|welche\w?|quel\w*|combien|qu[eé]|cu[aá]nt\w+"
    r"|cu[aá]l\w*)\s+\S+\s+\S",
    re.IGNORECASE,
)
_DEMONSTRATIVES = frozenset(
    """dem den der denen diesem dieser ihm ihnen das dies es ça cela ce eso esa esto lo
    les""".split()
)
# "who is maría" names somebody by itself, capital or not; and then "and tomasz" another.
_WHO_IS = re.compile(
    r"^\W*(?P<asks>(?:who|wer|quién|qui)(?:['’]?s| is| was| are| ist| war| sind| es| est))\s+"
    r"(?P<thing>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?)\W*$",
    re.IGNORECASE,
)
_AND_WHO = re.compile(
    rf"^\W*(?:(?:{ANDS}\W*)+(?:{ABOUT})?|{ABOUT})\s+"
    r"(?P<thing>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?)\W*$",
    re.IGNORECASE,
)
# What was asked beside it: "…, and why?"
_FURTHER = re.compile(
    r", (?:and|y|und|et) (?:why(?: not)?|(?:since |until |by |from )?when|where|by whom|how \w+"
    r"|por qué"
    r"|(?:desde |hasta )?cu[aá]ndo|(?:a |de )?d[oó]nde|warum|(?:seit |bis )?wann|pourquoi"
    r"|(?:depuis |jusqu['’]à )?quand|(?:d['’])?où|wo|woher|wohin)$",
    re.IGNORECASE,
)
OPENS = re.compile(
    r"^\W*(?:(?:and|but|so|y|pero|und|aber|et|mais)\b|(?:what|how) about\b|qué\b|was ist mit\b)",
    re.IGNORECASE,
)


def same_rule(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say what "the same rule" is: what was asked before, of what this question names."""
    previous = exchanges[-1]
    asked = bare_question(previous)
    if not _SAME.search(question.text) or not set(terms(asked)) - set(question.terms):
        return None
    is_german = language_of(question.text) == "de"
    if is_german and focus(previous.query):  # "gilt der Stichtag auch für Kinder?"
        return None
    # In German every noun looks like a name.
    things = reversed(names_read(question) if not is_german else ())
    exchanged = next(filter(None, (_exchanged(asked, thing) for thing in things)), asked)
    told = f"{question.text.rstrip('?!. ')}: {exchanged}?"
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def than_another(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Set what was asked about against another thing: "better than the west?"."""
    previous = exchanges[-1]
    asked = bare_question(previous)
    if not _THAN.match(question.text) or not asked:
        return None
    told = once_more(asked, _AND.sub("", question.text), previous)
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def is_it_so(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask what else is so of all that was asked: "is that in writing?"."""
    previous = exchanges[-1]
    asked = bare_question(previous)
    if not _IS_THAT.match(question.text) or not asked or focus(previous.query):
        return None
    told = once_more(asked, _AND.sub("", question.text), previous)
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def and_there(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of another place, time or thing: "and in ovarian cancer?"."""
    match, previous = _AND_THERE.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if not match or len(content_words(asked)) < 2:
        return None
    is_short = len(question.words) <= SHORTEST_ALONE
    if not (is_short or match["also"] or OPENS.match(question.text)):
        return None
    preposition, thing = match.group("preposition"), match.group("thing").strip()
    # "After him" stands for something else, and names nothing.
    only_points = PRONOUNS.union(POINTS, _DEMONSTRATIVES).issuperset(thing.lower().split())
    if only_points or _ASKS_ITSELF.match(thing):
        return None
    return asked_anew(with_another(asked, preposition, thing), previous)


def and_that(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of another thing of the same kind: "and the Closing Date?"."""
    match, previous = _AND_THAT.match(question.text), exchanges[-1]
    # A guess behind it takes nothing from a noun that it has.
    asked = one_question(replace(previous, standalone=previous.asked))
    if not match or not asked or not OPENS.match(question.text):
        return None
    thing = match.group("thing").strip()
    if ReadText(thing, 1).tokens[0].kind == "determiner":
        return None
    place = _alike(asked, thing)
    if not place or len(content_words(asked)) <= len(content_words(place)):
        return None
    return asked_anew(_with(asked, place, thing), previous)


def and_name(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of another name: "and Amina Diallo?", "what about BRCA2?"."""
    match, previous = _AND_NAME.match(question.text), exchanges[-1]
    name = lone_name(match.group("thing")) if match else ""
    # Without "and", two words with capitals may be a verb and a name.
    if not name or (kind(name) != "code" and not OPENS.match(question.text)):
        return None
    asked = _FURTHER.sub("", previous.searched.strip().rstrip("?.! "))
    exchanged = _exchanged(asked, name)
    if not exchanged:
        return None
    return Rewrite(f"{exchanged}?", TOPIC_CARRIED, previous.positions, LIKELY)


def who_is(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Let "who is maría" stand alone, and ask the same of another: "and tomasz"."""
    if (match := _WHO_IS.match(question.text)) and _may_be_name(match["thing"]):
        return Rewrite(question.text, "stands_alone", (), SURE)
    before, match = _WHO_IS.match(exchanges[-1].searched), _AND_WHO.match(question.text)
    if not before or not match or not _may_be_name(match["thing"]):
        return None
    asked = f"{before['asks']} {match['thing']}?"
    return Rewrite(asked, TOPIC_CARRIED, exchanges[-1].positions, LIKELY)


def _may_be_name(thing: str) -> bool:
    """Return whether each word is one that names: no pronoun, no "why", no "the"."""
    tokens = ReadText(thing).tokens
    return bool(tokens) and all(
        token.kind == "content" and token.stem and token.text.lower() not in POINTS
        for token in tokens
    )


def _exchanged(asked: str, thing: str) -> str:
    """Return the question with the thing in the place of its like, or of the only such name.

    What stands behind the question is a guess of what it was about, not what it asks.
    """
    place = _alike(asked, thing)
    if not place:
        names = [name for name in names_in(apart(asked)[0]) if kind(name) == kind(thing)]
        place = names[0] if len(names) == 1 else ""
    return _with(asked, place, thing) if place and place != thing else ""


def _with(asked: str, place: str, thing: str) -> str:
    return re.sub(rf"\b{re.escape(place)}\b", lambda _: thing, asked)


def _alike(asked: str, thing: str) -> str:
    """Return what the question calls by the same noun: "the Closing Date" and "that date"."""
    *others, noun = thing.split()
    alike = rf"\b(?:[^\W_][\w'’-]{{0,{LONGEST_WORD}}}\s+){{{len(others)}}}{re.escape(noun)}\b"
    places = re.findall(alike, asked, re.IGNORECASE) if others else []
    return str(places[-1]) if places else ""


def bare_question(exchange: Exchange) -> str:
    """Return what was asked, as it goes on another question: "what happens if …"."""
    asked = exchange.asked
    if _SAME.search(asked):
        asked = asked.partition(": ")[2] or asked
    bare = _FURTHER.sub("", _AND.sub("", asked).strip().rstrip("?.! "))
    opening = ReadText(bare, 1).tokens
    plain = bool(opening) and opening[0].capitals == 1 and not opening[0].stem
    return bare[:1].lower() + bare[1:] if plain else bare


def asked_before(exchange: Exchange) -> str:
    """Return what was asked, as `bare_question` does; nothing if it is too long to be read for a
    form.
    """
    asked = bare_question(exchange)
    return asked if len(asked) <= LONGEST_ASKED else ""


def once_more(asked: str, further: str, before: Exchange) -> str:
    """Return a bare question with what is asked beyond it: "What does it cost, and how often?"; it
    is about what the one `before` was about.
    """
    told = f"{asked[:1].upper()}{asked[1:]}, {further.strip().rstrip('?.! ')}?"
    return behind(told, before.about)


def asked_anew(asked: str, before: Exchange) -> Rewrite:
    """Return the bare question as one about what that `before`, which it is made of, was about."""
    told = behind(f"{asked}?", before.about)
    return Rewrite(told, TOPIC_CARRIED, before.positions, LIKELY)


def one_question(exchange: Exchange) -> str:
    """Return what was searched for if it is one sentence with nothing behind it, else nothing."""
    asked = _FURTHER.sub("", exchange.searched.strip().rstrip("?.! "))
    return "" if exchange.about or re.search(r"[?.!](\s|$)|: ", asked) else asked
