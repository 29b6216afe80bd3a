"""A text read once into words, terms and tokens."""

import json
import math
import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice

from memory.text.embedding.minilm import TOKENIZER
from memory.text.words import STOP_WORDS, list_content_words, split_words, stem, stem_words

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
MOST_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark: `stem` is empty except for content words; `end` is its end."""

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

    @property
    def is_acronym(self) -> bool:
        """Whether it is a department rather than a pronoun: "IT"."""
        return self.text == "IT"

    def named(self) -> "Token":
        """Return the token as a name."""
        return replace(self, word=self.text, stem=self.text, kind="content")

    @classmethod
    def read_word(cls, shown: str, sentence: int, start: int, *, opens: bool) -> "Token":
        """Return the token of a word, which may be the first of its sentence."""
        is_plain = shown.isascii() and shown.isalnum()
        word = shown.lower() if is_plain else " ".join(split_words(shown)[:1]) or shown.lower()
        kind = _KIND_OF.get(word) or ("function" if word in _STOP else "content")
        capitals = 0
        if any(letter.isupper() for letter in shown[1:]):
            capitals = 3
        elif shown[0].isupper():
            capitals = 1 if opens else 2
        root = stem(word) if kind == "content" else ""
        return cls(shown, word, root, kind, sentence, start, capitals)


class ReadText:
    """A text whose words, terms and tokens are computed once, on first use."""

    def __init__(self, text: str, most_tokens: int = MOST_TOKENS) -> None:
        self.text = text
        self.most_tokens = most_tokens

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words in order, as split by memory.text.words."""
        return tuple(split_words(self.text))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The stems of the content words, in order, with repeats."""
        return tuple(stem_words(self.words))

    @cached_property
    def content_words(self) -> tuple[str, ...]:
        """The content words as written, each once, in order."""
        return tuple(list_content_words(self.text))

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The first words and marks, as tokens."""
        found: list[Token] = []
        sentence, opens, shouts = 0, True, self.text.isupper()
        for match in islice(_TOKEN.finditer(self.text), self.most_tokens):
            shown = match.group()
            if shown[0].isalnum():
                token = Token.read_word(shown, sentence, match.start(), opens=opens)
                found.append(token if shouts or not token.is_acronym else token.named())
                opens = False
                continue
            found.append(Token(shown, shown, "", "punctuation", sentence, match.start(), 0))
            if shown in ".?!\n":
                sentence, opens = sentence + 1, True
        return tuple(found)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the content words among the tokens."""
        return frozenset(token.stem for token in self.tokens if token.stem)


def compute_rarity(word: str) -> float:
    """Return the rarity of the word: the logarithm of its rank in the embedder's vocabulary.

    Word-piece vocabularies are sorted by frequency, so this needs no table of its own.
    """
    return math.log(_load_ranks().get(word, RAREST))


@cache
def _load_ranks() -> dict[str, int]:
    vocabulary = json.loads(TOKENIZER.read_text("utf-8"))["model"]["vocab"]
    return {piece: rank for piece, rank in vocabulary.items() if piece.isalnum()}
