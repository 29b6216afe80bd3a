"""What a message tells of its person, to be remembered: pure, bounded, precise before complete."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memory.models.facts import FactKind
from memory.recall.facts.extraction.clauses import LONGEST, OwnClause, is_question, own_clauses
from memory.recall.facts.extraction.languages import statements
from memory.recall.facts.extraction.languages.introducing import introduced
from memory.recall.facts.extraction.statements import Learned, key
from memory.recall.facts.extraction.taking_back import taken_back
from memory.recall.facts.extraction.wishes import wishes
from memory.recall.talk.small_talk import past_greeting, small_talk, without_greeting
from memory.text.reading import ReadText
from memory.text.words import STOP_WORDS, words

# More in one message is a list of something else.
MOST_LEARNED = 8
# What belongs to a wish behind it; and what joined to it what comes next.
_WISH_ENDS = (
    r"(?:[,\s]+(?:btw|by the way|please|pls|thanks|thank you|ok|okay|right|deal|por favor|gracias"
    r"|vale)\b)?[\s.,;:!?…]*"
)
_BEGS = r"(?:(?:please|pls|plz|bitte|por favor)\s)?"
_CUT = "\x00"
_JOINS = re.compile(
    rf"(?:^|{_CUT}[\s,]*)(?:and|but|so|then|y|pero|und|aber)\b[\s,]*", re.IGNORECASE
)
_JOINED_ON = re.compile(
    r"(?:[\s,]{1,9}(?:and|but|so|then|y|pero|und|aber|et|mais)){1,3}$", re.IGNORECASE
)
_EDGES = " \t\n.,;:!-"
_SUBJECT = re.compile(r"^(?:I(?:'m)?|We(?: are)?) ")
# Who asks of themselves, of where they are or of something that they told asks with what they told.
_OF_ONESELF = re.compile(
    r"\b(?:it|its|that|this|they|them|(?<!qu[ée] )(?<!cu[áa]l )es|das|eso"
    r"|ça|i|i['’]?m|i['’]?ve|me|my|mine|we|us|our|here|near(?:by)?|ich|mir|mich|mein\w*|wir"
    r"|uns|unser\w*|hier|yo|me|mi|mis|conmigo|nos\w*|aquí|tengo|puedo|debo|je|moi|mon|ma|mes|nous|ici)\b",
    re.IGNORECASE,
)
# Of a remark such words alone are left over: "last month and", "seit drei Jahren".
_WHEN = frozenset(
    words(
        "last next past this month months week weeks year years day days ago since yesterday today"
        " recently lately now long one two three four five six seven eight nine ten"
        " letzten letztem letzter letztes vorigen monat monaten woche wochen jahr jahren"
        " tag tagen vor seit gestern heute kürzlich neulich jetzt zwei drei vier fünf"
        " mes meses semana semanas año años pasado pasada hace desde ayer hoy ahora dos tres cuatro"
        " mois semaine semaines an ans année années dernier dernière depuis hier maintenant"
        " deux trois y und et and el la le"
    )
)
# With such words a remark goes on, and nothing is asked: "in May because of my wife".
_GOES_ON = re.compile(
    r"(?:in|at|on|by|for|from|with|since|because|after|before|when|where|who|which|that|as|so|to|near"
    r"|seit|weil|wo|mit|bei|für|aus|von|da|als|im|am|nach|um|depuis|parce|avec|chez|pour|dans|à|où|qui"
    r"|desde|porque|con|donde|para|hace|por)\b(?!.*\?)",
    re.IGNORECASE,
)
# Who says "I" or "my" without asking tells more; German, French and Spanish questions begin so.
_TELLS_MORE = re.compile(
    r"\b(?:i|i['’]m|i['’]ve|my|we|our|ich|mein\w*|wir|unser\w*|je|j|mon|ma|mes|nous|yo|mi|mis"
    r"|soy|tengo|vivo)\b",
    re.IGNORECASE,
)
_ASKS_ABROAD = re.compile(
    r"\W*(?:was|wie|wo|wer|wann|warum|wieso|welche\w*|wieviel\w*|gibt|kann|darf|muss|soll|bin ich"
    r"|habe ich|qu\w*|combien|comment|où|puis-je|est-ce|y a-t-il|cu[aá]\w+|c[oó]mo|d[oó]nde|puedo"
    r"|hay|debo)\b",
    re.IGNORECASE,
)
# What somebody asks to be remembered of them is a fact in whatever words; what it is about is named
# or else its words.
_REMEMBER = re.compile(
    r"^\W*(?:please |pls |por favor |bitte |(?:can|could) you (?:please )?)?"
    r"(?:remember|don'?t forget|recuerda|no olvides|merk dir|vergiss nicht)"
    r"(?: (?:that|que|dass)|[,:])+ "
    r"(?P<said>(?=[^?]*\b(?:i|i'm|my|we|our|me|mi|mis|tengo|ich|mein\w*|wir|unser\w*)\b)"
    r"(?:(?:my|our|mi|mein\w*) (?P<thing>[\w' ]{2,40}?) (?:is|are|was|will|es|son|ist|sind)\b)?"
    r"[^?]{2,160})$",
    re.IGNORECASE,
)
# Words that join what is told, or greet; but none that orders something.
MOST_BESIDE = 3
_ORDERS = frozenset(
    "explain describe compare list summarise summarize tell find show give write calculate compute"
    " translate help check draft suggest recommend define outline search look read quote cite"
    " explica compara resume describe busca calcula traduce muestra".split()
)


def learned(message: str) -> list[Learned]:
    """Return what is learned of a message and what it takes back, in its order."""
    greeted = past_greeting(message)
    told = list(introduced(greeted.replace("’", "'"))) if greeted != message else []
    told += [each for clause in own_clauses(message) for each in _of_clause(clause)]
    return [*told, *_wished_beside(message, told)][:MOST_LEARNED]


def _wished_beside(message: str, told: Sequence[Learned]) -> list[Learned]:
    """Return the wishes of what is left beside what was told, if that is all that is left."""
    if not told or any(each.kind == FactKind.WISH for each in told):
        return []
    left = own_clauses(_without(message, told))
    return [
        each for clause in left if clause.is_whole for each in wishes(clause.text, is_whole=True)
    ]


def only_tells(message: str) -> bool:
    """Return whether the message says nothing but what is learned of it: no question is in it."""
    if len(message) > LONGEST:
        return False
    told = Counter(
        word for text in {each.text for each in learned(message)} for word in words(text)
    )
    beside = Counter(words(message)) - told
    most = 0 if "?" in message or is_question(asked_in(message)) else MOST_BESIDE
    return bool(told) and beside.total() <= most and not _ORDERS & set(beside)


def without_wishes(message: str) -> str:
    """Return what a message asks, without who greets and how answers are to be; else all of it."""
    beside = [each for each in learned(message) if each.kind == FactKind.WISH or _is_name(each)]
    rest = _without(message, beside) if beside else message
    fewest = 1 if "?" in rest else 2
    return rest if len(words(rest)) >= fewest else message


def asked_in(message: str) -> str:
    """Return what a message asks, without all that it tells of its person; of none that, ""."""
    told = learned(message)
    rest = _without(message, told) if told else message
    is_short = len(rest) <= LONGEST and "?" not in rest
    if told and is_short and not is_question(rest) and _goes_on(rest):
        return ""
    return rest if set(words(rest)) - STOP_WORDS else ""


def _goes_on(rest: str) -> bool:
    """Return whether what is left of a remark goes on with it: when it was, or more of oneself."""
    is_when = all(word.isdigit() or word in _WHEN for word in words(rest))
    is_greeting = small_talk(ReadText(rest)) is not None
    is_more = not _ASKS_ABROAD.match(rest) and _TELLS_MORE.search(rest) is not None
    return is_when or is_greeting or is_more or _GOES_ON.match(rest) is not None


def sought_in(message: str) -> str:
    """Return what of a message is searched for: neither greeting nor wish, nor what it tells of its
    person, unless it asks of them.
    """
    asked = asked_in(message)
    if asked and not _OF_ONESELF.search(asked):
        return without_greeting(asked)
    return without_greeting(without_wishes(message))


def _is_name(said: Learned) -> bool:
    return said.subject == "name"


def _without(message: str, told: Iterable[Learned]) -> str:
    """Return the message without what was told, the greeting before it and what joined them."""
    rest = message
    for each in told:
        # What a further verb has its subject from isn't said twice.
        for text in (each.text, _SUBJECT.sub("", each.text)):
            said = r"\W+".join(map(re.escape, text.replace("'", " ").split()))
            rest, count = re.subn(rf"\s{{0,9}}\b{_BEGS}{said}{_WISH_ENDS}", _CUT, rest, count=1)
            if count:
                break
    rest = _JOINS.sub(_CUT, rest.strip(_CUT + _EDGES)).replace(_CUT, " ")
    rest = _JOINS.sub("", past_greeting(rest.strip(_EDGES))).strip(_EDGES)
    return _JOINED_ON.sub("", rest)


def _of_clause(clause: OwnClause) -> list[Learned]:
    if ended := taken_back(clause.text):
        return ended
    wished = list(wishes(clause.text, is_whole=clause.is_whole))
    return wished or statements(clause.text) or _to_be_remembered(clause.text)


def _to_be_remembered(clause: str) -> list[Learned]:
    order = _REMEMBER.match(clause)
    if order is None:
        return []
    said, thing = order["said"].strip(_EDGES), order["thing"]
    subject = f"my:{key(thing)}" if thing else f"said:{key(said)}"
    return [Learned(FactKind.FACT, subject, said, said)]
