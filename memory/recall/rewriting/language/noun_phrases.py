"""What of a question names something, as far as its form tells: its verb, and its noun phrases."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise, takewhile

from memory.text.reading import Token

HOW_MANY = frozenset("many much few several more most often long".split())
DOES = frozenset("do does did can could will would should must may might".split())
# What an adjective ends in, which is no verb: "What causes acidic reflux?".
ADJECTIVE = re.compile(r"(?:ic|al|ous|ive|ish|ful|less|able|ible|ary)$")

# What a verb stands behind: "They *exist*", and "we can *say*", but not "can *aspirin* help".
DOERS = frozenset("i you he she it we they who".split())
# What a statement about somebody's own thing begins with.
TELLING = frozenset("my our this his her their".split())
# Words that say what something is like, or what is done with it, and don't show it by their form.
_NOT_NOUNS = frozenset(
    """bad best better big cheap consider fast fastest free get good huge interesting legit make
    open say specific unique worse worst""".split()
)
# Verbs that are seldom nouns, in the midst of a question: "can my firm *try* handsontable".
_VERBS = frozenset(
    """add ask bring build buy choose create delete download enter find follow get give
    go have install join keep learn leave let lose make open pay play publish put put quit read
    remove save say sell send share show sing sit speak take tell try use wear write""".split()
)
# What names nothing at the end of what was said, or at its beginning: "abcde *get*".
_OPENING = frozenset(
    """used using uses took taken takes got gets getting every less more most likely currently
    maintains keeps makes gives needs means says has contains includes provides allows""".split()
)
_CLOSING = (
    _VERBS | _NOT_NOUNS | _OPENING | frozenset("fit fits help helps helped take work works".split())
)
# What says of nothing what it is: a unit, or where it stood.
_UNITS = frozenset(
    """minute minutes second seconds hour hours day days week weeks month months year years euro
    euros dollar dollars percent byte bytes section chapter article clause row rows page pages table
    example figure thing things""".split()
)
# What alone is no noun, as far as one can tell.
_ALONE = (
    _NOT_NOUNS
    | _OPENING
    | frozenset(
        """ask find fit fits get give have help helps keep make put read say take tell try use
    write""".split()
    )
)
# What cells of sheets say.
_CELLS = frozenset(("TRUE", "FALSE"))


def the_verb(tokens: Sequence[Token]) -> Token | None:
    """Return the verb of a question, as far as its form tells: "Which drugs *target* PIK3CA?".

    In "What does the role require?" it is the last word, in front of a preposition.
    """
    if tokens and tokens[0].word in TELLING:
        return _verb_of_statement(tokens)
    if tokens and tokens[0].word in DOES:  # "can the crane *get* paint"
        done = next((token for token in tokens[2:-1] if token.word in _VERBS), None)
        return done or _before_place(tokens)
    if not tokens or tokens[0].kind != "asking" or (len(tokens) > 1 and tokens[1].word == "about"):
        return None
    helped = [at for at, token in enumerate(tokens) if token.kind == "auxiliary"]
    if not helped:
        content = [token for token in tokens if token.stem]
        place = int(tokens[0].word in ("which", "what", "whose"))
        if place and len(content) > place and ADJECTIVE.search(content[place].word):
            place = 0
        return content[place] if len(content) > place else None
    if tokens[helped[0]].word not in DOES:
        return _participle(tokens)
    if had_to := _had_to(tokens):
        return had_to
    run = list(takewhile(lambda token: not token.stem, tokens[helped[0] + 1 :]))
    if not DOERS.isdisjoint(token.word for token in run):  # "How do I *treat* head lice?"
        if any(token.word == "be" for token in run):  # "how old must one be to be a senator"
            return None
        return next((token for token in tokens[helped[0] + 1 + len(run) :] if token.stem), None)
    start = helped[0] + 1 + len(run)
    subject = list(takewhile(lambda token: bool(token.stem), tokens[start:]))
    does = tokens[start + len(subject) : start + len(subject) + 1]
    is_told = bool(does) and does[0].kind == "auxiliary"  # "What do they do on Sundays?"
    if helps := next((token for token in subject[1:-1] if token.word in _VERBS), None):
        return helps
    if len(subject) > 1 or is_told or not tokens[0].word.startswith("w"):
        return subject[-1] if len(subject) > 1 and not is_told else None
    return _last_of_two(tokens[start + len(subject) :])


def _before_place(tokens: Sequence[Token]) -> Token | None:
    """Return the verb before one thing at the end: "does rsync *run* on phones"."""
    said = [token for token in tokens[1:] if token.kind not in ("punctuation", "determiner")]
    subject = list(takewhile(lambda token: bool(token.stem), said))
    is_place = [token.kind for token in said[len(subject) :]] == ["preposition", "content"]
    return subject[-1] if len(subject) > 1 and is_place and not subject[-1].capitals else None


def _had_to(tokens: Sequence[Token]) -> Token | None:
    """Return what has to be done: "how long does the goulash have to *stew*"."""
    pairs = zip(tokens, tokens[1:], tokens[2:], strict=False)
    said = (
        verb
        for has, to, verb in pairs
        if has.word in ("have", "has", "need", "needs") and to.word == "to" and verb.stem
    )
    return next(said, None)


def _verb_of_statement(tokens: Sequence[Token]) -> Token | None:
    """Return the verb behind what a statement begins with: "my printer *prints* blank pages"."""
    run = list(takewhile(lambda token: bool(token.stem), tokens[1:]))
    for noun, token in pairwise(run[:-1]):
        if token.text.islower() and token.word.endswith("s") and not noun.word.endswith("s"):
            return token
    return None


def _participle(tokens: Sequence[Token]) -> Token | None:
    """Return what was done, at the end of the question: "when was Debian Sarge *released*?"."""
    said = [token for token in tokens if token.kind != "punctuation"]
    is_verb = len(said) > 1 and said[-1].word.endswith("ed") and said[-2].stem
    return said[-1] if is_verb and said[-1].stem else None


def _last_of_two(tokens: Sequence[Token]) -> Token | None:
    """Return the last of several content words at the end: "when does the lease of the flat *end*".

    One alone is what the preposition before it is of.
    """
    said = [token for token in tokens if token.kind != "punctuation"]
    is_verb = len(said) > 2 and bool(said[-1].stem and said[-2].stem)
    return said[-1] if is_verb and said[0].kind == "preposition" else None


def tells(token: Token, verb: Token | None) -> bool:
    """Return whether the word names something: it is neither the verb nor a mere number."""
    return bool(token.stem) and token is not verb and token.word not in HOW_MANY


def noun_phrase(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the words without those around them that name nothing: "many days of leave".

    What stands before an article and is no preposition is none of it: "pay back *the deposit*".
    """
    begins = [
        at
        for at, each in enumerate(tokens)
        if at and each.word == "the" and tokens[at - 1].stem and tokens[at - 1].text.islower()
    ]
    tokens = tokens[begins[-1] if begins else 0 :]
    content = [at for at, each in enumerate(tokens) if tells(each, None)]
    while len(content) > 1 and names_nothing(tokens[content[-1]]):
        content.pop()
    while len(content) > 1 and names_nothing(tokens[content[0]], _OPENING):
        content.pop(0)
    while len(content) > 1 and tokens[content[-1]].word == "free" and content[-1] - content[-2] > 1:
        content.pop()  # "handsontable for free"
    if not content:
        return ()
    start = content[0] - bool(content[0] and tokens[content[0] - 1].word == "the")
    return tokens[start : content[-1] + 1]


def names_nothing(token: Token, among: Collection[str] = _CLOSING) -> bool:
    """Return whether the word is a verb or the like, at the end of a phrase, or at its
    beginning.
    """
    return token.text.islower() and token.word in among


def plural_of(noun: str) -> str:
    """Return an English noun as there are many of it."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}s"


def is_fragment(tokens: Sequence[Token], before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Return whether the words name nothing by themselves: figures, or a verb or adjective
    alone.
    """
    if not any(
        letter.isalpha() for each in tokens for letter in each.text if each.text not in _CELLS
    ):
        return True
    if len(tokens) == 1 and tokens[0].word in _UNITS:
        return True
    if len(tokens) > 1 or not tokens[0].text.islower():
        return False
    word = tokens[0].word
    helper = bool(before) and before[-1].word in DOES
    is_verb = word.endswith("ed") or not DOERS.isdisjoint(
        each.word for each in before[-1 - helper :][:1]
    )
    has_noun = bool(behind) and bool(behind[0].stem)  # "oceanic crust"
    is_adjective = bool(ADJECTIVE.search(word)) and not has_noun
    return word in _ALONE or is_verb or is_adjective
