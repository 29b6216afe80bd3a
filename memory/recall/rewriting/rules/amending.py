"""The question before asked anew with something else in it: "same for the south", "I meant the
saw", "and the fewest?" of what has the most; and "back to Tomasz, where did he study?". English,
Spanish, German and French.
"""

import re
from collections.abc import Collection, Sequence

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import (
    LIKELY,
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.recall.rewriting.language.names import names_read
from memory.recall.rewriting.language.noun_phrases import the_verb
from memory.recall.rewriting.language.prepositions import PREPOSITIONS
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import (
    BEFORE,
    LONGEST_ASKED,
    OPENS,
    and_there,
    asked_anew,
    asked_before,
    bare_question,
    one_question,
)
from memory.recall.rewriting.rules.fragments import ARTICLES, exchanged_for
from memory.recall.rewriting.rules.languages.spanish import object_named
from memory.recall.rewriting.selection.placing import put
from memory.text.embedding import likeness
from memory.text.reading import ReadText
from memory.text.words import terms

LONGEST = 120
_JOINS = r"^\W*(?:(?:and|but|so|now|then|ok|okay|please|y|und|et|ahora|jetzt)\b\W*)*"
_SAME = re.compile(
    rf"{_JOINS}(?:(?:the )?same(?: (?:thing|question|again))?|lo mismo|das ?gleiche|dasselbe"
    r"|(?:la )?même chose)\s+(?:for|with|of|in|about|para|con|de|für|bei|mit|pour|avec)\s+"
    r"(?P<thing>[^?.!,;]{1,80}?)(?:\W+(?:please|pls|por favor|bitte))?\W*$",
    re.IGNORECASE,
)
_NO = (
    r"^\W*(?:(?:no+|nope|nein|nee|non|sorry|oops|wait|actually|ah|oh|perdón|pardon|desculpa)\b\W*)"
)
_MEANT = (
    r"(?:(?:i|we)(?:'m| was)? (?:meant?|asking about|talking about)|(?:ich )?meinte?(?: ich)?"
    r"|quer[ií]a decir|quise decir|me refería a|je voulais dire|je parle de)"
)
_CORRECTED = re.compile(
    rf"(?:{_NO}*{_MEANT}\s+(?!to\b)(?P<thing>[^?.!,;]{{1,80}}?)"
    rf"|{_NO}(?P<only>(?:the|der|die|das|el|la|le)\s[^?.!,;]{{1,80}}?)"
    r"|^\W*(?P<before>[^?.!,;]{1,80}?),?\s+(?:i (?:mean|meant)|meine ich|digo|je veux dire))"
    r"(?: i mean)?(?:,? (?:not|nicht|no|pas) [^?.!;]{1,60})?\W*$",
    re.IGNORECASE,
)
_BACK_TO = re.compile(
    rf"{_JOINS}(?:(?:(?:going|coming|getting) )?back to|returning to|regarding|as for|concerning"
    r"|zurück zu[mr]?|nochmal zu[mr]?|volviendo a|en cuanto a|pour revenir à)\s+"
    r"(?P<thing>[^,.:;?!]{1,60})\s*[,.:;]\s*(?P<rest>\S.{3,})$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"[?.!:]\s")  # sentences: which of them was meant isn't known
_OPENS_WITH = re.compile(rf"^(?:{PREPOSITIONS})\s", re.IGNORECASE)
# The ends of scales: of what is asked for by one, the other may be asked for.
_ENDS = (
    r"most|fewest|least|highest|lowest|largest|biggest|greatest|smallest|best|worst|oldest"
    r"|youngest|newest|latest|earliest|longest|shortest|tallest|cheapest|dearest|richest|poorest"
    r"|fastest|slowest|heaviest|lightest|hottest|coldest|warmest|strongest|weakest|safest"
    r"|(?:most|least) expensive|meisten|wenigsten|mindesten|höchsten?|niedrigsten?|tiefsten?"
    r"|größten?|grössten?|kleinsten?|besten?|schlechtesten?|ältesten?|jüngsten?|neu(?:e)?sten?"
    r"|längsten?|kürzesten?|teuersten?|billigsten?|günstigsten?|reichsten?|ärmsten?|schnellsten?"
    r"|langsamsten?"
    # Without an article it is somebody: "the mayor".
    r"|(?:(?<=\bel )|(?<=\bla )|(?<=\blos )|(?<=\blas ))(?:mayor|menor|mejor|peor)(?:es)?"
    # Without an article it is more of something: "más experiencia".
    r"|(?:(?<=\bel )|(?<=\bla )|(?<=\ble )|(?<=\blos )|(?<=\blas )|(?<=\bles ))"
    r"(?:m[aá]s|menos|plus|moins) \w+"
)
_ARTICLE = r"(?:the|die|der|das|den|el|la|los|las|le|les)"
_OTHER_END = re.compile(
    rf"{BEFORE}(?:(?:which|who|wer|qui|qui[eé]n)(?: one)? (?:has|had|is|was|hat|ist|tiene|a|est)"
    rf"\s+)?(?:{_ARTICLE}\s+)?(?P<end>{_ENDS})(?P<of>\s+[^\W\d_]+)?\W*$",
    re.IGNORECASE,
)
# On what condition it is asked: "and if i get poisoned", "meme quand le port est plein".
_IF = r"(?:if|once|wenn|falls|sobald|si)"
# "When the port is full" is a condition; "when is …" and "cuando abre" ask.
_AT = (
    r"(?:when(?! (?:is|was|are|were|do|does|did|can|could|will|would|should|has|have|must|to)\b)"
    r"|(?:quand|lorsque)(?= (?:je|on|tu|ils?|elles?|nous|vous|c['’]est|le|la|les)\b))"
)
_ANY_IF = rf"(?:{_IF}|when|quand|lorsque|cuando)"
_EVEN = r"(?:even|auch|selbst|sogar|m[eê]me|aussi|incluso|aun|también|tambien)"
_CLAUSE = re.compile(
    rf"{BEFORE}(?:was(?: ist| passiert)?,? (?=wenn|falls)|what (?=if|when)|qu[eé] pasa (?=si))?"
    rf"(?P<clause>(?:(?P<even>{_EVEN}) {_ANY_IF} |{_IF} |{_AT} "
    rf"|(?:{_EVEN} )?s['’](?=ils?\b))(?P<so>[^?.!,;:]{{3,80}}?))\W*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    rf"(?<=\w)(?P<comma>,?) (?:{_ANY_IF} |s['’](?=ils?\b))[^,;:]+$", re.IGNORECASE
)
# How it is done, on the condition: "if i come *early*", "si llego *tarde*", "wenn ich *bar* zahle".
_HOW_ON_CONDITION = re.compile(
    r"\b(?:if|when|once|si|quand|lorsque|cuando)\s+(?:(?:i|we|you|one|they|je|on|nous|il|se)\s+)?"
    r"[^\W\d_]{2,20}\s+"
    r"(?P<how>[^\W\d_]+(?: [^\W\d_]+)?)$"
    r"|\b(?:wenn|falls)\s+(?:ich|man|wir|sie)\s+(?P<wie>[^\W\d_]+(?: [^\W\d_]+)?)"
    r"(?=\s+[^\W\d_]{2,20}e?n?$)",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(rf"{BEFORE}(?P<how>[^\W\d_]+(?:[ '’][^\W\d_]+){{0,2}})\W*$", re.IGNORECASE)
# What is done with something: "*fire* a bow", "*ferme* le programme".
_A_THING = (
    r"(?:an?|the|my|your|une?|le|la|les|mon|ma|mes|el|una|los|las|mi|mis) [^\W\d_][\w-]{1,30}"
)
_ACT = re.compile(
    rf"{BEFORE}(?P<act>(?P<done>[^\W\d_]{{3,20}}) {_A_THING}(?: [^?.!,;:]{{1,30}}?)?)\W*$",
    re.IGNORECASE,
)
_NO_ACT = re.compile(
    rf"{PREPOSITIONS}|near|behind|inside|outside|across|along|around|beyond|beside|besides|between"
    r"|half|double|twice|entre|derri[eè]re|devant|sobre|bajo|tras|ante|detrás|cerca|todo|toute?s?",
    re.IGNORECASE,
)
_DONE_TO = re.compile(rf"\b(?P<done>[^\W\d_]{{3,20}}) {_A_THING}\b", re.IGNORECASE)
ALIKE_HOW = 0.7  # "up front" is .76 like "later", and .64 like "my key"
_MEASURE = re.compile(r"\s+[^\W\d_]+")
_ONE_END = re.compile(rf"\b(?:{_ENDS})\b", re.IGNORECASE)


def same_for(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of another thing: "same for the south"."""
    match = _SAME.match(question.text[:LONGEST])
    return _asked_of(match["thing"], exchanges) if match else None


def corrected(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of what was meant: "no, I meant the robin"."""
    match = _CORRECTED.match(question.text[:LONGEST])
    if match is None:
        return None
    return _asked_of(next(filter(None, match.groups())), exchanges)


def the_other_end(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of the other end of its scale, if it has one: "the fewest?"."""
    match, previous = _OTHER_END.match(question.text), exchanges[-1]
    asked = one_question(previous)
    places = list(_ONE_END.finditer(asked)) if match and 0 < len(asked) <= LONGEST_ASKED else []
    if match is None or len(places) != 1:
        return None
    start, end = places[0].span()
    if match["of"]:  # "which has the most sugar", "and the least calories"
        if not OPENS.match(question.text) or not _MEASURE.fullmatch(asked[end:]):
            return None
        return asked_anew(f"{asked[:start]}{match['end']}{match['of']}", previous)
    if asked[start:end].lower() == match["end"].lower():
        return None
    return asked_anew(f"{asked[:start]}{match['end']}{asked[end:]}", previous)


def another_condition(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question on another condition, or on one: "and if i get poisoned"."""
    match, previous = _CLAUSE.match(question.text[:LONGEST]), exchanges[-1]
    asked = asked_before(previous)
    if match is None or not asked or len(question.text) > LONGEST:
        return None
    if not (OPENS.match(question.text) or match["even"]) or question.has_pronoun:
        return None
    condition = None if match["even"] else _CONDITION.search(asked)
    clause = object_named(match["clause"], previous) or match["clause"]
    comma = condition["comma"] if condition else ","
    start = asked[: condition.start()] if condition else asked
    return asked_anew(f"{start}{comma} {clause}", previous)


def done_otherwise(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of doing otherwise what it is asked on condition of: "and early"
    after "what does a berth cost if i come late".
    """
    match, previous = _ADVERBIAL.match(question.text[:LONGEST]), exchanges[-1]
    asked = asked_before(previous)
    found = _HOW_ON_CONDITION.search(asked) if match and OPENS.match(question.text) else None
    if match is None or found is None or question.has_pronoun:
        return None
    name = "how" if found["how"] else "wie"
    how, tokens = found[name], ReadText(found[name], 1).tokens
    is_thing = tokens[0].kind == "determiner" or tokens[0].word in ARTICLES
    if is_thing or likeness(match["how"], [how])[0] < ALIKE_HOW:
        return None
    start, end = found.span(name)
    return asked_anew(f"{asked[:start]}{match['how']}{asked[end:]}", previous)


def done_to_another(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of something else that is done: "and fire a bow" after "how do i
    throw a dart".
    """
    match, previous = _ACT.match(question.text[:LONGEST]), exchanges[-1]
    asked = asked_before(previous)
    if match is None or not asked or not OPENS.match(question.text) or question.has_pronoun:
        return None
    small = SMALL_WORDS[language_of(asked)] | SMALL_WORDS[language_of(question.text)]
    acts = [each for each in _DONE_TO.finditer(asked) if _is_done(each["done"], small)]
    if not acts or not _is_done(match["done"], small):
        return None
    start, end = acts[-1].span()
    return asked_anew(f"{asked[:start]}{match['act']}{asked[end:]}", previous)


def _is_done(word: str, small: Collection[str]) -> bool:
    """Return whether the word before an article may be a verb: no preposition and none that
    helps.
    """
    token = ReadText(word, 1).tokens[0]
    is_small = token.word in small or _NO_ACT.fullmatch(word)
    return bool(token.stem) and not is_small


def back_to(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask of what somebody says that they come back to."""
    match = _BACK_TO.match(question.text)
    if match is None:
        return None
    thing = match["thing"].strip()
    names = (name for each in reversed(exchanges) for name in names_read(each.sought))
    full = next((name for name in names if set(terms(thing)) <= set(terms(name))), thing)
    told = put(ReadQuestion(match["rest"]), full)
    return Rewrite(told, REFERENCE_RESOLVED, (), LIKELY)


def _asked_of(thing: str, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Return the previous question with the thing in the place of its like, or behind it."""
    previous, said = exchanges[-1], ReadQuestion(thing)
    asked = bare_question(previous)
    if not asked or _SEVERAL.search(asked) or said.has_pronoun or not said.stems:
        return None
    there = and_there(said, exchanges) if _OPENS_WITH.match(thing) else None
    told = there.query.rstrip("?") if there else exchanged_for(asked, thing)
    told = told or _done_instead(asked, said, previous) or behind(asked, thing)
    return Rewrite(f"{told}?", TOPIC_CARRIED, previous.positions, LIKELY)


def _done_instead(asked: str, said: ReadQuestion, previous: Exchange) -> str:
    """Return the question with one word that is like nothing in it in the place of its verb: "no, i
    meant uninstall" after "how do i reset it".
    """
    verb = the_verb(ReadQuestion(asked).tokens)
    if verb is None or len(said.words) != 1 or not said.text.strip().islower():
        return ""
    return behind(f"{asked[: verb.start]}{said.text.strip()}{asked[verb.end :]}", previous.about)
