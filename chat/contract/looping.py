"""Detection of repetition in a text while it is streamed, in constant time a word."""

import re
from dataclasses import dataclass, field

# A word of at most 24 letters, or a character of a script without spaces.
WORD = re.compile(
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]|[^\W_\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{1,24}"
)
ITEM_NUMBER = re.compile(r"(?m)^[ \t]{0,12}(?:[-*•+]|\(?\d{1,4}[.):])[ \t]")
MARKER = re.compile(r"[\[【(]\^?\d{1,3}[\]】)]")
# A loop repeats at least STRETCH words, and its period COPIES times.
STRETCH, COPIES = 30, 2
# Words of a key: a period may contain a single word twice.
TOGETHER = 5
# A sentence of at least 8 words may occur 4 times in an answer.
LONG_SENTENCE, MOST_TIMES = 8, 4
SENTENCE_END = re.compile(r"[.!?。!?\n]")
# Most characters without a word, as in a line that never ends.
WORDLESS = 2_000


@dataclass
class Repetition:
    """Detects, in a streamed text, a repeated stretch or a sentence that occurs too often."""

    # Offset of the first repetition, once there is one.
    begins: int | None = None
    _rest: str = ""
    _at: int = 0
    _words: list[str] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    _last: dict[tuple[str, ...], int] = field(default_factory=dict)
    _period: int = 0
    _run: int = 0
    _sentence: list[str] = field(default_factory=list)
    _sentence_at: int = 0
    _said: dict[tuple[str, ...], int] = field(default_factory=dict)
    _spoken_until: int = 0

    def feed(self, piece: str) -> bool:
        """Add a piece of the text; return whether the text loops."""
        if self.begins is not None:
            return True
        text = self._rest + piece
        end = _find_certain_end(text) if len(text) < WORDLESS else len(text)
        self._inspect(text[:end])
        self._rest = text[end:]
        self._at += end
        if self._at - self._spoken_until > WORDLESS and self.begins is None:
            self.begins = self._spoken_until
        return self.begins is not None

    def take_back(self, ending: str) -> None:
        """Remove the half word at the text's end."""
        self._rest = self._rest.removesuffix(ending)

    def _inspect(self, text: str) -> None:
        hidden = ITEM_NUMBER.sub(_blank, MARKER.sub(_blank, text))
        ends = SENTENCE_END.finditer(hidden)
        end = next(ends, None)
        for found in WORD.finditer(hidden):
            while end and end.start() < found.start():
                self._end_sentence()
                end = next(ends, None)
            self._take(found[0].casefold(), self._at + found.start(), self._at + found.end())
            if self.begins is not None:
                return
        if end:
            self._end_sentence()

    def _take(self, word: str, start: int, end: int) -> None:
        if not self._sentence:
            self._sentence_at = start
        self._sentence.append(word)
        self._words.append(word)
        self._places.append(start)
        self._spoken_until = end
        index = len(self._words) - 1
        key = tuple(self._words[-TOGETHER:])
        before = self._last.get(key)
        self._last[key] = index
        period = index - before if before is not None and len(key) == TOGETHER else 0
        self._run = self._run + 1 if period and period == self._period else int(bool(period))
        self._period = period
        repeated = self._run + TOGETHER - 1
        if period and repeated >= max(STRETCH, COPIES * period):
            self.begins = self._places[index - repeated + 1]

    def _end_sentence(self) -> None:
        """Count the sentence that ends here, if it is long enough."""
        sentence, self._sentence = tuple(self._sentence), []
        if len(sentence) < LONG_SENTENCE:
            return
        self._said[sentence] = times = self._said.get(sentence, 0) + 1
        if times > MOST_TIMES and self.begins is None:
            self.begins = self._sentence_at


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _find_certain_end(text: str) -> int:
    """Return the end of the last complete word: behind the last white space."""
    for at in range(len(text), max(0, len(text) - 64), -1):
        if text[at - 1].isspace():
            return at
    return 0 if len(text) <= 64 else len(text)


def cut_repetition(text: str, begins: int) -> str:
    """Return the text before its repetition, without a leftover item number."""
    kept = text[:begins].rstrip()
    above, _, line = kept.rpartition("\n")
    return above.rstrip() if ITEM_NUMBER.fullmatch(f"{line} ") else kept
