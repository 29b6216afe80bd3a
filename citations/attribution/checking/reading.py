"""Reading: a text as tokens, one per word or number, each with a key and a weight."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from citations.attribution.checking import numerals
from citations.attribution.checking.contraries import NEGATORS
from citations.languages import get_common_words, identify_language
from memory.text.words import STOP_WORDS, find_sentences, stem

# Maximum number of characters that are read: a claim is a sentence, a passage some 400 words.
LONGEST_CLAIM, LONGEST_PASSAGE = 1_000, 6_000
MOST_SENTENCES = 60
# Characters by which the language is identified.
LANGUAGE_CHARACTERS = 300
NUMBER_WEIGHT = 0.9
# At the beginning of a sentence, a capital marks names among rare words only.
RARE_NAME = 0.75

_TOKEN = re.compile(
    r"(?<!\d)\d{4}[-/]\d{1,2}[-/]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)"
    r"|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%$€£]"
)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_ORDINAL = frozenset("st nd rd th".split())


# The rarity of stems; counted by tests/training/claims.py.
RARITIES = Path(__file__).parent / "rarity.npz"


@cache
def _rarities() -> dict[str, float]:
    with np.load(RARITIES, allow_pickle=False) as arrays:
        stems = bytes(arrays["stems"]).decode().split()
        return dict(zip(stems, (arrays["rarities"] / 255).tolist(), strict=True))


@dataclass
class Token:
    """A word or number: its key, its place, and its weight (0: a function word)."""

    key: str
    word: str
    start: int
    end: int
    weight: float
    is_name: bool = False
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
    """Cut a text into tokens and sentences."""
    text = text[:longest]
    language = identify_language(text[:LANGUAGE_CHARACTERS])
    function_words = (
        STOP_WORDS if language in ("", "en") else STOP_WORDS | get_common_words(language)
    )
    tokens: list[Token] = []
    kept, bounds = [], []
    for start, end in find_sentences(text)[:MOST_SENTENCES]:
        first = len(tokens)
        for match in _TOKEN.finditer(text, start, end):
            _add_token(tokens, match, function_words, is_first=match.start() == start)
        if len(tokens) > first:
            kept.append((start, end))
            bounds.append((first, len(tokens)))
    return Reading(text, language, tokens, kept, bounds)


def _add_token(
    tokens: list[Token], match: re.Match[str], function_words: frozenset[str], *, is_first: bool
) -> None:
    written, (start, end) = match.group(), match.span()
    word = _normalise_word(written)
    if written[0].isdigit():
        keys = numerals.number_keys(written)
        tokens += [Token(key, written, start, end, NUMBER_WEIGHT) for key in keys]
    elif tokens and _extend_number(tokens[-1], word, start):
        tokens[-1].end = end
    elif word in numerals.SMALL or word in numerals.MONTHS:
        key = numerals.MONTHS.get(word) or numerals.make_key(numerals.SMALL[word])
        # "One" and "first" are too common to weigh as numbers.
        tokens.append(Token(key, word, start, end, NUMBER_WEIGHT if key != "#1" else 0.3))
    elif _UNSPACED.search(word):
        tokens += _split_letter_pairs(word, start)
    else:
        key = stem(numerals.UNITS.get(word, word))
        is_content = word not in function_words
        weight = _rarities().get(key, 1.0) if is_content else 0.0
        is_name = is_content and written[0].isupper() and (not is_first or weight >= RARE_NAME)
        negates = word in NEGATORS or word.endswith("n't")
        tokens.append(Token(key, word, start, end, weight, is_name, negates))


def _extend_number(number: Token, word: str, start: int) -> bool:
    """Extend the number by an ordinal's ending or a multiple after it."""
    if number.key[0] != "#" or start - number.end > 1:
        return False
    if word in _ORDINAL and start == number.end:
        return True
    times = numerals.TIMES.get(word) if len(word) > 2 or start == number.end else None
    try:
        value = float(number.key[1:])
    except ValueError:
        return False
    if times:
        number.key = numerals.make_key(value * times)
    return times is not None


def _split_letter_pairs(word: str, start: int) -> Iterator[Token]:
    """Yield each pair of adjacent letters, for scripts without spaces between words."""
    for at in range(max(1, len(word) - 1)):
        pair = word[at : at + 2]
        yield Token(pair, pair, start + at, start + at + len(pair), 0.7)


@lru_cache(maxsize=50_000)
def _normalise_word(written: str) -> str:
    """Return a word in lower case, without accents and possessive ending."""
    word = written.lower().replace("’", "'").removesuffix("'s")
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFKD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
