"""A text as tokens that know what kind of word they are, for rewriting."""

import json
import math
import re
from dataclasses import dataclass
from functools import cache

from memory.text.embedding.minilm import TOKENIZER
from memory.text.words import STOP_WORDS, stem, words

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\n|[^\w\s]")
_STOP = STOP_WORDS | frozenset(
    """ll ve aren couldn didn hadn hasn haven mightn mustn needn shan shouldn wouldn might must need
    us quite really actually ok okay yes yeah thanks thank""".split()
)
_KINDS = {
    "determiner": "the a an this that these those its their his her my your our some any each",
    "preposition": """of about for in on at to with from by as between into during through against
        over than versus vs without after before""",
    "auxiliary": "is are was were be been do does did can could will would should has have had may",
    "asking": "what who when where why how which whose whom",
}
KINDS = (*_KINDS, "function", "punctuation", "content")
_KIND_OF = {word: kind for kind, words_ in _KINDS.items() for word in words_.split()}
RAREST = 31_000.0


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark: `stem` is empty unless it is a content word; `end` is where it ends."""

    text: str
    word: str
    stem: str
    kind: str
    sentence: int
    start: int
    capitals: int  # 0 none, 1 the first of a sentence, 2 inside a sentence, 3 within the word

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read(text: str, limit: int = 400) -> list[Token]:
    """Return the first `limit` tokens of the text."""
    tokens: list[Token] = []
    sentence, opens = 0, True
    for match in _TOKEN.finditer(text):
        if len(tokens) == limit:
            break
        shown = match.group()
        if not shown[0].isalnum():
            tokens.append(Token(shown, shown, "", "punctuation", sentence, match.start(), 0))
            if shown in ".?!\n":
                sentence, opens = sentence + 1, True
            continue
        tokens.append(_word(shown, sentence, match.start(), opens))
        opens = False
    return tokens


def _word(shown: str, sentence: int, start: int, opens: bool) -> Token:
    word = " ".join(words(shown)[:1]) or shown.lower()
    kind = _KIND_OF.get(word) or ("function" if word in _STOP else "content")
    capitals = 0
    if any(letter.isupper() for letter in shown[1:]):
        capitals = 3
    elif shown[0].isupper():
        capitals = 1 if opens else 2
    return Token(
        shown, word, stem(word) if kind == "content" else "", kind, sentence, start, capitals
    )


def rarity(word: str) -> float:
    """Return how rare the word is: the logarithm of its rank in the embedder's vocabulary.

    Word-piece vocabularies are written most frequent first, so this needs no table of its own.
    """
    return math.log(_ranks().get(word, RAREST))


@cache
def _ranks() -> dict[str, int]:
    vocabulary = json.loads(TOKENIZER.read_text("utf-8"))["model"]["vocab"]
    return {piece: rank for piece, rank in vocabulary.items() if piece.isalnum()}
