"""Things that were asked about in turn: "Who is María?", "And Tomasz?", "Compare them", "how much
is that together".
"""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import kind, names_read
from memory.recall.rewriting.language.questions import IT, ITS, PRONOUNS, ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_before
from memory.recall.rewriting.selection.placing import put
from memory.text.reading import Token
from memory.text.words import stem

# So many things are taken for those that are meant, and so many words for the name of one.
MOST, LONGEST = 4, 6
LONGEST_SUM = 60  # characters: what asks for all at once
SAYS_NOTHING = frozenset(stem(word) for word in ("meant", "mean", "other", "one", "sorry"))
THAT = frozenset(["that"])  # at the end of a question: "does he meet that"
_OR_AND = {"en": ("or", "and"), "es": ("o", "y"), "de": ("oder", "und"), "fr": ("ou", "et")}
_ASKS_HOW_MUCH = r"(?:how (?:much|many)|what|wie ?viel\w*|cu[aá]nt\w+|combien)"
_IS_THAT = (
    r"(?:['’]?s| (?:is|are|does|do|was|were|did|ist|sind|macht|es|son|ça))?(?: [^\W\d_]{1,6}){0,3}"
)
_TOGETHER = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?:{_ASKS_HOW_MUCH}{_IS_THAT} )?"
    r"(?P<in>(?:all )?together|altogether|combined|in total|in sum|zusammen|insgesamt|en total"
    r"|juntos|juntas|ensemble|en tout|au total)\W*$",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"^(?:how many|wie ?viele|cu[aá]nt[oa]s)\b", re.IGNORECASE)


def asked_in_turn(exchanges: Sequence[Exchange]) -> list[str]:
    """Return what the newest questions asked the same of, in their order; empty if they didn't.

    Else the last two names of one kind that two questions in a row were about.
    """
    things: list[str] = []
    for earlier, later in pairwise(exchanges[-MOST:]):
        pair = _exchanged(earlier.asked_alone.tokens, later.asked_alone.tokens)
        if pair is None:
            things = []
            continue
        things = [*(things or [_shown(earlier, pair[0])]), _shown(later, pair[1])]
    return list(dict.fromkeys(things)) if things else _last_two(exchanges)


def it_in_turn(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put in the place of "it" what the same was asked of last: "and sarge?", "is it stable"."""
    pronoun = question.pronoun
    is_last = pronoun is not None and pronoun is _spoken(question.tokens)[-1]
    meant = IT | ITS | THAT if is_last else IT | ITS
    if pronoun is None or pronoun.word not in meant or len(exchanges) < 2:
        return None
    earlier, later = (each.asked for each in exchanges[-2:])
    if later.rstrip("?.! ") == exchanges[-1].query.rstrip("?.! "):  # a question of its own
        return None
    pair = _exchanged(ReadQuestion(earlier).tokens, ReadQuestion(later).tokens)
    if pair is None or not pair[1] or any(map(str.isdigit, later[pair[1][0].start :])):
        return None
    # Nothing else was said but that: "and sarge?".
    named = {token.stem for token in pair[1]} | SAYS_NOTHING
    typed = exchanges[-1].question
    if not typed.stems <= named or any(token.kind == "auxiliary" for token in typed.tokens):
        return None
    start = pair[1][0].start
    start -= len("the ") * later[:start].lower().endswith(" the ")
    thing = later[start : pair[1][-1].end]
    positions = exchanges[-1].positions
    return Rewrite(put(question, thing), REFERENCE_RESOLVED, positions, LIKELY)


def together(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask of all at once what was asked of them in turn: "how much is that together"."""
    match, asked = _TOGETHER.match(question.text[:LONGEST_SUM]), asked_before(exchanges[-1])
    things = asked_in_turn(exchanges) if match and asked else []
    if match is None or len(things) < 2 or asked.count(things[-1]) != 1:
        return None
    told = asked.replace(things[-1], joined(things, asked))
    # What counts them needs no more; a sum is asked for by its word.
    told = told if _COUNTS.match(told) else f"{told} {match['in'].lower()}"
    return Rewrite(f"{told}?", REFERENCE_RESOLVED, exchanges[-1].positions, LIKELY)


def _exchanged(
    earlier: Sequence[Token], later: Sequence[Token]
) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Return where two questions differ that are the same but for one thing, with its noun."""
    one, other = _spoken(earlier), _spoken(later)
    shorter = min(len(one), len(other))
    start = next((at for at in range(shorter) if one[at].word != other[at].word), shorter)
    ends = range(1, shorter - start + 1)
    same = next((at - 1 for at in ends if one[-at].word != other[-at].word), shorter - start)
    parts = one[start : len(one) - same], other[start : len(other) - same]
    if not start + same or not all(map(_names_a_thing, parts)):
        return None
    # The noun behind it tells what it is: "backend role"; the last word of all may be a verb.
    nouns = list(takewhile(lambda token: token.stem, one[len(one) - same : -1] if same else ()))
    left = same - len(nouns)
    return one[start : len(one) - left], other[start : len(other) - left]


def _names_a_thing(part: Sequence[Token]) -> bool:
    """Return whether it may be a thing, and not the most of a question that shares its "what"."""
    asks = any(each.kind in ("asking", "auxiliary") or each.word in PRONOUNS for each in part)
    return not asks and len(part) <= LONGEST and any(each.stem for each in part)


def _spoken(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind != "punctuation"]


def _shown(exchange: Exchange, part: Sequence[Token]) -> str:
    return exchange.asked[part[0].start : part[-1].end]


def _last_two(exchanges: Sequence[Exchange]) -> list[str]:
    named = [names_read(exchange.sought)[:1] for exchange in exchanges[-2:]]
    names = list(dict.fromkeys(name for each in named for name in each))
    alike = len(names) == 2 and len({kind(name) for name in names}) == 1
    return names if alike and all(named) else []


def joined(names: Sequence[str], query: str, *, choice: bool = False) -> str:
    """Return "A, B and C" in the question's language."""
    word = _OR_AND[language_of(query)][0 if choice else 1]
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
