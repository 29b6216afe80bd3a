"""Reading: a text as keys, one for each word or number, with what each of them weighs."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from citations.attribution.checking import numerals
from citations.attribution.checking.opposites import NEGATORS
from citations.attribution.checking.rarity import rarity
from citations.languages import common_words, language_of
from memory.text.words import STOP_WORDS, sentences, stem

# What is longer is read no further: a claim is a sentence, a passage some 400 words.
LONGEST_CLAIM, LONGEST_PASSAGE = 1_000, 6_000
MOST_SENTENCES = 60
# Enough to tell the language of a text.
LOOKED_AT = 300
ENGLISH_SHARE = 0.25
NUMBER_WEIGHT = 0.9
# A capital at the beginning of a sentence makes a name of rare words only.
RARE_NAME = 0.75

_TOKEN = re.compile(
    r"(?<!\d)\d{4}[-/]\d{1,2}[-/]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)"
    r"|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%$€£]"
)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_ORDINAL = frozenset("st nd rd th".split())


@dataclass
class Token:
    """A word or number: its key, where it stands, and what it weighs (0: a function word)."""

    key: str
    word: str
    start: int
    end: int
    weight: float
    is_name: bool
    negates: bool = False


@dataclass(frozen=True)
class Reading:
    """A text's tokens, and its sentences as spans of characters and of tokens."""

    text: str
    language: str
    tokens: list[Token]
    sentences: list[tuple[int, int]]
    bounds: list[tuple[int, int]]


def read_text(text: str, longest: int = LONGEST_PASSAGE) -> Reading:
    """Read a text, as far as it is looked at."""
    text = text[:longest]
    spans = sentences(text)[:MOST_SENTENCES]
    code = _language(text[:LOOKED_AT])
    function_words = STOP_WORDS if code in ("", "en") else STOP_WORDS | common_words(code)
    tokens: list[Token] = []
    kept, bounds = [], []
    for start, end in spans:
        first = len(tokens)
        tokens.extend(_tokens(text, start, end, function_words))
        if len(tokens) > first:
            kept.append((start, end))
            bounds.append((first, len(tokens)))
    return Reading(text, code, tokens, kept, bounds)


# Passages of the shared library that answers were checked against last: some 50 kB each.
read_again = lru_cache(maxsize=256)(read_text)


def _language(text: str) -> str:
    """Return the language's code; English, which most is in, is told at a glance."""
    words = text.lower().split()
    english = sum(word in STOP_WORDS for word in words)
    if text.isascii() and english >= max(ENGLISH_SHARE * len(words), 2):
        return "en"
    return language_of(text)


def _tokens(text: str, start: int, end: int, function_words: frozenset[str]) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        written, at = match.group(), match.start()
        if written[0].isdigit():
            keys = numerals.date_keys(written)
            if not keys:
                value = numerals.figure(written)
                keys = [f"#{written}" if value is None else numerals.key_of(value)]
            found += [Token(key, written, at, match.end(), NUMBER_WEIGHT, False) for key in keys]
        elif written in numerals.UNITS:
            key = stem(numerals.UNITS[written])
            found.append(Token(key, written, at, match.end(), rarity(key), False))
        else:
            _add_word(found, written, at, match.end(), function_words, is_first=at == start)
    return found


def _add_word(
    found: list[Token],
    written: str,
    start: int,
    end: int,
    function_words: frozenset[str],
    *,
    is_first: bool,
) -> None:
    word = _plain(written)
    before = found[-1] if found else None
    if before is not None and before.key[0] == "#" and _goes_with(before, word, start):
        before.end = end
        return
    if _UNSPACED.search(word):
        found.extend(_pairs(word, start))
        return
    key = _key(word, before)
    if key[0] in "#@":
        # "One" and "first" are said of much.
        weight = NUMBER_WEIGHT if key != "#1" else 0.3
        found.append(Token(key, word, start, end, weight, False))
        return
    weight = 0.0 if word in function_words else rarity(key)
    capital = written[0].isupper() and word not in function_words
    is_name = capital and (not is_first or weight >= RARE_NAME)
    negates = word in NEGATORS or word.endswith("n't")
    found.append(Token(key, word, start, end, weight, is_name, negates))


def _goes_with(number: Token, word: str, start: int) -> bool:
    """Take an ordinal's ending or a multiple into the number before it."""
    touches = number.end == start
    if touches and word in _ORDINAL:
        return True
    times = numerals.TIMES.get(word) or (numerals.SHORT.get(word) if touches else None)
    more = numerals.SMALL.get(word)
    try:
        value = float(number.key[1:])
    except ValueError:
        return False
    if times and start - number.end <= 1:
        number.key = numerals.key_of(value * times)
        return True
    if more and more < 10 and start - number.end == 1 and 20 <= value < 100 and value % 10 == 0:
        number.key = numerals.key_of(value + more)
        return True
    return False


def _pairs(word: str, start: int) -> Iterator[Token]:
    """Yield each two letters beside one another, where no space stands between words."""
    for at in range(max(1, len(word) - 1)):
        pair = word[at : at + 2]
        yield Token(pair, pair, start + at, start + at + len(pair), 0.7, False)


def _key(word: str, before: Token | None) -> str:
    if word in numerals.SMALL:
        return numerals.key_of(numerals.SMALL[word])
    if word == numerals.MAY and before is not None and before.key[0] == "#":
        return "@5"
    return numerals.MONTHS.get(word) or stem(numerals.UNITS.get(word, word))


@lru_cache(maxsize=50_000)
def _plain(written: str) -> str:
    """Return a word in lower case, without accents and possessive ending."""
    word = written.lower().replace("’", "'").removesuffix("'s")
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
