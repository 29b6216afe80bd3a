"""German follow-ups, which the model wasn't trained on."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import may_be_person, names_read, people_read
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import BEFORE, THOSE
from memory.recall.rewriting.rules.focus import focus
from memory.recall.rewriting.rules.languages.carrying import (
    LOOKED_AT,
    MOST_CARRIED,
    carried,
    first_words,
)

_PRONOUN = re.compile(
    r"\b(?P<article>das|dies|dieser|dieses|diese)\b|\b(?:es|er|sie|ihn)\b"
    # "Die" stands before lower-case nouns in what is typed in a hurry, too.
    r"|\b(?:die|den)\b(?=\W*$"
    r"|\s+(?:zurück|wieder|denn|eigentlich|schon|jetzt|auch|nicht|noch)\b)"
    # "Wie kann ich die erreichen".
    r"|(?<=\b(?:ich|man|wir|sie) )(?:die|den)\b(?=\s+[a-zäöüß]{3,40}e[lr]?n\W*$)",
    re.IGNORECASE,
)
# Behind "das" they tell that it is no article, as does a word that can't be a noun after it.
_SMALL = frozenset(
    """aber also am an auch auf aus bei bis dann dem den denn der die dir dich doch du ein eine
    einem einen einer eigentlich er es für gegen hier ich ihr im immer in ist ja jetzt kann man mich
    mir mit nach nicht noch nur ob oder online schon sein selbst sie sich sind so um und unter vom
    von vor war was weg wenn werden wieder wir wird zu zum zur zurück über""".split()
)
_PERSONAL = frozenset("er sie ihn".split())
_WHO = re.compile(r"^\W*(?:(?:und|aber)\W+)*(?:wer|wen|wem|von wem)\b", re.IGNORECASE)
_NEXT_WORD = re.compile(r"\W*(\w+)")
# "Seine Telefonnummer", and hers; "Ihre" with a capital is whoever is spoken to.
_POSSESSIVE = re.compile(
    r"\b(?:[Ss]eine?[nmrs]?|ihre?[nmrs]?)\s+(?P<noun>[A-ZÄÖÜ][\w-]{2,60}|[a-zäöüß][\w-]{4,60})\b"
)
_JOINS = re.compile(r"\b(?:wenn|falls|ob|dass|weil|sobald|obwohl|wie)\s+$", re.IGNORECASE)
_MODAL = re.compile(
    r"\b(?:kann|können|könnte|darf|dürfen|muss|müssen|soll\w*|will|wollen|möchte\w*|werde\w*|wird"
    r"|würde\w*|lässt|lassen)\b",
    re.IGNORECASE,
)
_HELPED = re.compile(
    r"\b(?:ist|sind|war\w*|w[ie]rd\w*|wurde\w*|bleibt|hat|habe\w*)\b", re.IGNORECASE
)
_INFINITIVE = re.compile(r"\w{2,}(?:en|ern|eln|tun)")
_PARTICIPLE = re.compile(r"(?:be|ent|er|ge|miss|ver|zer)\w+(?:t|en)|\w{2,5}ge\w+(?:t|en)|\w+iert")
# Before a noun it would end in "-e".
_ADJECTIVE = re.compile(
    r"\w+(?:bar|lich|ig|isch|los|sam|haft)|richtig|falsch|wahr|gut|schlecht|neu|alt|teuer|billig"
    r"|sicher|schnell|normal|legal|illegal|genug|schlimm|egal|klar|okay|gratis|umsonst"
)
_NOUNS = frozenset(
    """becken gebiet gebot gehalt gehen gericht gerät geschäft gesicht gewicht verfahren
    verhalten""".split()
)
_IMPERSONAL = re.compile(r"\b(?:gibt es|es gibt|geht es|worum|handelt es sich)\b", re.IGNORECASE)
_LEANS = re.compile(
    r"^\W*(?:und|aber|oder|also)\b|\b(?:es|davon|dafür|damit|daran|darauf|dabei|dazu"
    r"|darin|"
    r"dort|denn|dessen|deren|ihre?[nmrs]?|seine?[nmrs]?)\b",
    re.IGNORECASE,
)
# What has no capital in what is typed in a hurry: "wann ist die waschküche offen".
_LIKE = r"(?: wie [\w-]{2,30}(?: (?:und|oder) [\w-]{2,30})?)?"  # "die namen wie woody und buzz"
_WITH_ARTICLE = re.compile(
    rf"\b((?:der|die|das|den|dem|eine?n?) [a-zäöüß]{{4,40}}{_LIKE})(?![\w-])"
)
# "Wie viele pakete gibts bei debian", "wie komm ich aus vim raus".
_WHERE = re.compile(
    r"\b(?:bei|von|über|in|aus) ([a-zäöüß][\w-]{2,40})(?: (?:raus|rein|heraus|hinein|an|ab|auf"
    r"|weg))?\W*$"
)
# What one does something with: "wie kopiere ich text in vim", which "ihn" may stand for.
_DONE_WITH = re.compile(
    r"\bich (?:den |die |das |eine?n? |meine?n? )?(?P<thing>(?!(?:mich|mir|es|ihn|sie|das|den|die"
    r"|aus|in|mit|im|am|an|auf|zu|zum|da|so|nicht|was|etwas|vorher|hier|dort|schnell)\b)"
    r"[^\W\d_]{3,40}(?: (?:in|bei|mit|von) [^\W\d_][\w-]{2,40})?)(?![\w-])",
    re.IGNORECASE,
)
_BY_ME = re.compile(r"\b(?:ich|man|wir) $", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|el|la|un|una)\s+", re.IGNORECASE)
_STOP = frozenset(
    """der die das den dem des ein eine einer einem einen und oder aber ist sind war wird werden was
    wer wie wo wann warum wieso welche welcher welches wenn mit für von im in am an auf bei zu zum
    zur nicht es sie er hat haben gibt kann muss man ich wir darf dürfen soll sollte können könnte
    müssen will wollen lange oft viel viele groß teuer kostet kosten raus rein heraus hinein weg ab
    komm komme kommt mach mache macht geht gehe""".split()
)


# "Und *das* mit dem Motor" is another one, and not what was spoken of.
_ANOTHER = re.compile(rf"{BEFORE}{THOSE}\s", re.IGNORECASE)


def german_pronoun(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put what the conversation is about in the place of "das": "und wenn das ausfällt?"."""
    query = question.text
    if language_of(query) != "de" or _IMPERSONAL.search(query) or _ANOTHER.match(query):
        return None
    match = _pronoun(query)
    if match is None:
        return None
    found = _whom(match, exchanges[-1]) or _done_with(match, exchanges[-1]) or _subject(exchanges)
    if found is None:
        return None
    thing, exchange = found
    text = query[: match.start()] + thing + query[match.end() :]
    return Rewrite(text, REFERENCE_RESOLVED, exchange.positions, LIKELY)


def _whom(match: re.Match[str], newest: Exchange) -> tuple[str, Exchange] | None:
    """Return whom the answer names, where it was asked who it is: "wo hat er gearbeitet"."""
    if match.group().lower() not in _PERSONAL or not _WHO.match(newest.searched):
        return None
    asked = set(ReadQuestion(newest.searched).terms)
    people = filter(may_be_person, people_read(newest.answer))
    named = (name for name in people if name.split()[0].lower() not in _STOP)
    person = next((name for name in named if not asked.issuperset(ReadQuestion(name).terms)), "")
    return (person, newest) if person else None


def _done_with(match: re.Match[str], newest: Exchange) -> tuple[str, Exchange] | None:
    """Return what something was done with, if something is done with "ihn", too."""
    is_object = _BY_ME.search(match.string[: match.start()]) is not None
    found = _DONE_WITH.search(newest.asked) if is_object else None
    return (found["thing"], newest) if found else None


def german_possessive(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say whose it is: "und seine Telefonnummer?" is the one of who was spoken of."""
    query = question.text
    match = _POSSESSIVE.search(query)
    if not match or language_of(query) != "de" or any(map(may_be_person, names_read(question))):
        return None
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        names = (*names_read(exchange.answer), *names_read(exchange.sought))
        people = (name for name in names if name.split()[0].lower() not in _STOP)
        if person := next(filter(may_be_person, people), ""):
            told = f"{query[: match.start()]}{match['noun']} von {person}{query[match.end() :]}"
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


def carried_in_german(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite:
    """Carry what the conversation is about to a question that leans on it."""
    if not _LEANS.search(question.text) and _pronoun(question.text) is None:
        return Rewrite(question.text, "stands_alone")
    newest = exchanges[-1]
    thing, exchange = _subject(exchanges) or (
        first_words(newest, lambda token: token.word not in _STOP and not token.word.isdigit()),
        newest,
    )
    is_new = not set(question.terms).issuperset(ReadQuestion(thing).terms)
    return carried(question, thing if is_new else "", exchange)


def _subject(exchanges: Sequence[Exchange]) -> tuple[str, Exchange] | None:
    """Return what the newest questions are about: by the form of one, or by its name."""
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        named = (
            exchange.about,
            *names_read(exchange.sought),
            *_WITH_ARTICLE.findall(exchange.searched),
            *_WHERE.findall(exchange.searched),
        )
        thing = focus(exchange.query) or next(filter(_is_short, named), "")
        if thing:
            return _ARTICLE.sub("", thing), exchange
    return None


def _is_short(thing: str) -> bool:
    """Return whether it may stand in a sentence: no list of words, and no figures alone."""
    told = thing.split()
    most = MOST_CARRIED + 2 * (" wie " in thing)
    return 0 < len(told) <= most and "," not in thing and not any(map(str.isdigit, told))


def _pronoun(query: str) -> re.Match[str] | None:
    """Return where the question has a pronoun that isn't the article of what follows."""
    found = _PRONOUN.finditer(query)
    return next((each for each in found if not each["article"] or _stands_alone(each, query)), None)


def _stands_alone(article: re.Match[str], query: str) -> bool:
    """Tell "ist das erlaubt", where "das" is a pronoun, from "wann öffnet das amt"."""
    following = query[article.end() :]
    after = _NEXT_WORD.match(following)
    if after is None or following.lstrip()[:1] in (",", ";", "?", "!", "."):
        return True
    word = after[1]
    if word.lower() in _SMALL:
        return True
    if not word.islower() or word in _NOUNS:
        return False
    if _ADJECTIVE.fullmatch(word):
        return True
    before = query[: article.start()]
    is_last = not _NEXT_WORD.match(following, after.end())
    verbs = ((_MODAL, _INFINITIVE), (_HELPED, _PARTICIPLE))
    is_verb = any(helps.search(before) and form.fullmatch(word) for helps, form in verbs)
    return is_last and bool(is_verb or _JOINS.search(before))
