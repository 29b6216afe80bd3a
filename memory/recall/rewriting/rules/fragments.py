"""A thing alone, of which the same is asked as of one before: "and cats?", "films?", "the trustee".

It takes the place of what it is most like in the question before, by vectors; of what is like
nothing there, this says nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import LIKELY, TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.recall.rewriting.language.names import lone_name
from memory.recall.rewriting.language.noun_phrases import HOW_MANY, the_verb
from memory.recall.rewriting.language.prepositions import PREPOSITIONS
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import (
    BEFORE,
    LONGEST_ASKED,
    OPENS,
    POINTS,
    asked_anew,
    one_question,
)
from memory.text.embedding import likeness
from memory.text.reading import ReadText, Token, rarity

# From which likeness on a thing takes the other's place; and what an article counts that both have.
# A name alone is less like another than nouns of a kind are.
ALIKE, ALIKE_NAME, ARTICLE = 0.7, 0.55, 0.14
# Names that were typed without their capitals are as little alike.
ALIKE_RARE, RARE, TWO = 0.6, 9.4, 2
# What is somebody's ("my printer") isn't exchanged for something that is merely near it.
ALIKE_OWNED, OWNERS = 0.9, frozenset("my our your".split())
# Nor is what is known ("the printer") for what has no article and isn't of its kind ("usb").
ALIKE_BARE = 0.8
NOUN_FIRST = ("es", "fr")  # languages in which what tells more of a noun stands behind it
LONGEST, MOST_COMPARED = 3, 12  # words, and parts of a question
_DEFINITE = frozenset("the der die das den dem des el la los las le les l".split())
_INDEFINITE = frozenset("a an ein eine einen einem einer un una une".split())
ARTICLES = _DEFINITE | _INDEFINITE | {"du"}
# Forms of verbs that are no thing, beside the small words of their languages.
_VERBS = frozenset(
    """sert servent fait font coûte coûtent décrit decrit signifie contient veut sirve sirven hace
    hacen cuesta cuestan significa contiene dient dienen macht bedeutet kostet kosten
    heißt""".split()
)
_SMALL = ARTICLES | frozenset(re.split(r"[| ]", PREPOSITIONS))
_SMALL_ANYWHERE = _SMALL.union(*SMALL_WORDS.values())
# "¿Y cuántos pacientes?" asks by itself.
_ASKS = re.compile(
    r"cu[aá]nt[oa]s?|cu[aá]l(?:es)?|qui[eé]n(?:es)?|welche[mnrs]?|wieviele?|quel(?:le)?s?|combien",
    re.IGNORECASE,
)
_THING = re.compile(rf"{BEFORE}(?P<thing>[^\W_][^?.!,;:]{{0,60}}?)\W*$", re.IGNORECASE)
_PART = re.compile(rf"{BEFORE}(?P<thing>the [^\W\d_][^?.!,;:]{{0,40}}?)\W*$", re.IGNORECASE)
_ASKS_OF = re.compile(
    r"(?P<asks>(?:[a-z]+ )?(?:what|which|how) (?:\w+ ){1,2}(?:is|are|was|were) )"
    r"(?P<whole>[\w'’-]+(?: [\w'’-]+){0,3})$",
    re.IGNORECASE,
)
OFS = ("of", "de", "del", "des", "du", "von", "vom")
_OFS = rf"\b(?:{'|'.join(OFS)})\b"
_OF = re.compile(rf"{BEFORE}{_OFS}\s+(?P<thing>[^\W_][^?.!,;:]{{0,60}}?)\W*$", re.IGNORECASE)
_HAS_OF = re.compile(_OFS, re.IGNORECASE)
_ELSE = re.compile(
    r"^\W*(?:(?:and|so)\W+)*(?P<asks>who|where|when|which \w+|what \w+) else\W*$", re.IGNORECASE
)


def and_thing(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of another thing of its kind."""
    match, previous = _THING.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if not match or not 0 < len(asked) <= LONGEST_ASKED or not _is_thing(match["thing"]):
        return None
    is_alone = question.text.rstrip().endswith("?") or len(match["thing"].split()) == 1
    if not is_alone and not OPENS.match(question.text):
        return None
    if told := exchanged_for(asked, match["thing"], previous.spoken):
        return asked_anew(told, previous)
    return None


def of_another(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the same of what something else is of, where no "of" was asked: "and of april?"."""
    match, previous = _OF.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if not match or not 0 < len(asked) <= LONGEST_ASKED or _HAS_OF.search(asked):
        return None
    if told := exchanged_for(asked, match["thing"]):
        return asked_anew(told, previous)
    return None


def exchanged_for(asked: str, thing: str, answer: str = "") -> str:
    """Return the question with the thing in the place of what it is most like, if it is like it.

    What the `answer` calls by several words with capitals is one name.
    """
    place = _whole_name(_likest(asked, thing), asked, answer)
    return f"{asked[: place[0].start]}{thing}{asked[place[-1].end :]}" if place else ""


def and_part(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the same of what is like nothing in the question before, but may be a part of what that
    asks about: "under what licence is gnugo", "and the manual?".
    """
    match, previous = _PART.match(question.text), exchanges[-1]
    asked = _ASKS_OF.match(one_question(previous)[:LONGEST_ASKED])
    if not match or not asked or not _is_thing(match["thing"]):
        return None
    told = behind(f"{asked['asks']}{match['thing']}?", asked["whole"].removeprefix("the "))
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def and_else(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of others: "who else?"."""
    match, previous = _ELSE.match(question.text), exchanges[-1]
    asked = one_question(previous)
    if not match or not asked.lower().startswith(f"{match['asks'].lower()} "):
        return None
    return asked_anew(f"{match['asks']} else{asked[len(match['asks']) :]}", previous)


def _is_thing(said: str) -> bool:
    """Return whether the words are a kind of thing: none that helps, no pronoun, and no name, whose
    like is told by its form.
    """
    if lone_name(said):
        return False
    tokens = ReadText(said).tokens
    named = list(tokens[1:] if tokens and tokens[0].word in ARTICLES else tokens)
    # "Una caña *de* timón" is one thing.
    within = range(1, len(named) - 1)
    named = [each for at, each in enumerate(named) if at not in within or each.word not in OFS]
    if any(token.text.lower() in POINTS or _ASKS.fullmatch(token.text) for token in tokens):
        return False
    return 0 < len(named) <= LONGEST and all(
        token.stem and token.word not in _SMALL_ANYWHERE for token in named
    )


def _likest(asked: str, thing: str) -> Sequence[Token]:
    """Return the part of the question that the thing is most like, if it is and leaves something.

    With an article, that has one, too.
    """
    said, tokens = ReadText(thing), ReadText(asked).tokens
    if said.stems <= {token.stem for token in tokens}:
        return ()
    parts = list(islice(_parts(tokens, _small_in(asked)), MOST_COMPARED))
    if alike := _brought_up_alike(said.tokens, parts):
        return alike
    with_article = [part for part in parts if part[0].word in ARTICLES]
    # "Hard links" takes the place of "symbolic links", and not that of "links".
    parts = [part for part in parts if part in with_article or not said.stems >= _stems(part)]
    if said.tokens[0].word in ARTICLES:
        # "The manual" is no kind of licence, where "which licence" was asked for.
        parts = with_article or [part for part in parts if not _is_asked_for(part, tokens)]
    near = likeness(thing, [asked[part[0].start : part[-1].end] for part in parts])
    scored = [score + ARTICLE * (parts is with_article) for score in near]
    best = max(range(len(scored)), key=scored.__getitem__, default=-1)
    if best < 0:
        return ()
    if scored[best] < _least(tokens, parts[best], said):
        return ()
    return _with_its_noun(parts[best], parts, thing, language_of(asked))


def _brought_up_alike(said: Sequence[Token], parts: Sequence[Sequence[Token]]) -> Sequence[Token]:
    """Return the one part that was brought up by the same "a" as the thing is: "y una raspberry"
    after "cuánta memoria necesita un servidor".
    """
    if said[0].word not in _INDEFINITE:
        return ()
    alike = [part for part in parts if part[0].word in _INDEFINITE]
    begins = {part[0].start for part in alike}
    return max(alike, key=len) if len(begins) == 1 else ()


def _whole_name(part: Sequence[Token], asked: str, answer: str) -> Sequence[Token]:
    """Return the part, or the name of a row or the like that it is in: "corn flakes"."""
    for whole in _parts(ReadText(asked).tokens, _small_in(asked)) if part and answer else ():
        is_within = whole[0].start <= part[0].start and part[-1].end <= whole[-1].end
        words = [re.escape(token.text.capitalize()) for token in whole]
        is_longer = len(whole) > len(part) and all(token.stem for token in whole)
        if is_within and is_longer and re.search(rf"\b{' '.join(words)}\b", answer):
            return whole
    return part


def _is_asked_for(part: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Return whether it is the kind of thing that is asked for: "what licence"."""
    before = [token.word for token in tokens if token.end <= part[0].start][-1:]
    return bool(before) and before[0] in ("what", "which", "welche", "welcher", "welches")


def _least(tokens: Sequence[Token], part: Sequence[Token], said: ReadText) -> float:
    """Return how alike a thing has to be to take the place of the part."""
    if any(token.capitals >= 2 for token in part):
        return ALIKE_NAME
    words = [token.word for token in (*part, *said.tokens)]
    if len(words) == TWO and all(rarity(word) > RARE for word in words):
        return ALIKE_RARE
    before = [token.word for token in tokens if token.end <= part[0].start][-1:]
    if OWNERS.issuperset(before) and before:
        return ALIKE_OWNED
    is_bare = said.tokens[0].word not in ARTICLES
    return ALIKE_BARE if is_bare and part[0].word in _DEFINITE else ALIKE


def _with_its_noun(
    part: Sequence[Token], parts: Sequence[Sequence[Token]], thing: str, language: str
) -> Sequence[Token]:
    """Return the part, or with the noun behind it if the thing is rather like that.

    "And the sander?" is no "sander drill" after "the falcon drill", nor "et la ponceuse ?" a
    "ponceuse falcon".
    """
    whole = max((each for each in parts if each[0] is part[0]), key=len)
    rest = " ".join(token.text for token in whole[len(part) :])
    if not rest or language in NOUN_FIRST:
        return whole
    own = [token for token in part if token.word not in ARTICLES]
    bare = [token.text for token in ReadText(thing).tokens if token.word not in ARTICLES]
    near = likeness(" ".join(bare), [" ".join(token.text for token in own), rest])
    return part if near[0] > near[1] else whole


def _small_in(asked: str) -> frozenset[str]:
    """Return the words that name nothing, of its language and of all."""
    return _SMALL | HOW_MANY | _VERBS | SMALL_WORDS[language_of(asked)]


def _stems(part: Sequence[Token]) -> frozenset[str]:
    return frozenset(each.stem for each in part)


def _parts(tokens: Sequence[Token], small: frozenset[str]) -> Iterator[Sequence[Token]]:
    """Yield what may be exchanged: runs of content words with an article before them, and without
    one all that such a run begins or ends with. A verb is none, nor is all that is asked.
    """
    asks_which = bool(tokens) and _ASKS.fullmatch(tokens[0].text) and len(tokens) > 2
    verb = tokens[2] if asks_which else the_verb(tokens)  # "quelle distribution *demande*"
    degree = next((after for how, after in pairwise(tokens) if how.word == "how"), None)
    run, whole = list[Token](), sum(token.kind != "punctuation" for token in tokens)
    for token in (*tokens, None):
        if (
            token
            and token.stem
            and token is not verb
            and token is not degree  # "how *old*" is no thing
            and small.isdisjoint([token.word, token.text.lower()])
        ):
            run.append(token)
            continue
        named = [each for each in run if each.word not in ARTICLES]
        if named and len(run) < whole:
            yield run
        if named == run and not any(each.capitals or each.text.isdigit() for each in run):
            yield from (run[:at] for at in range(1, len(run)))
            yield from (run[at:] for at in range(1, len(run)))
        elif len(named) > 1 and not run[-1].capitals and not run[-1].text.isdigit():
            yield run[:-1]  # "is the milk carafe cleaned"
        run = [token] if token and token.word in ARTICLES else []
