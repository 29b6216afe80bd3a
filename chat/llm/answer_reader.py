"""The reader of a model's stream: it cleans the text, drops reasoning and bounds it. Pure."""

import re
from unicodedata import combining

from citations.formats.cleaning import INVISIBLE

# Most characters of an answer: per requested token, and in total.
CHARACTERS_PER_TOKEN, MAX_CHARACTERS = 8, 100_000
# Characters of reasoning: the most that are kept, and the limit that ends the answer.
MAX_REASONING, ENDLESS_REASONING = 20_000, 400_000
MARKS_PER_LETTER = 30

PRIVATE = re.compile("[\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000e1000-\U0010ffff]")
BREAKS = str.maketrans(dict.fromkeys("\x0b\x0c\x85\u2028\u2029", "\n") | {"\r": ""})
JOINERS = frozenset("\u200c\u200d")
SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
# Tags around a model's reasoning, and leftovers of its template.
OPENING = ("<think>", "<thinking>", "<reasoning>", "<thought>")
HARMONY = tuple(f"<|channel|>{name}<|message|>" for name in ("analysis", "commentary"))
CLOSING = (*(f"</{tag[1:]}" for tag in OPENING), "<|channel|>final<|message|>")
DEBRIS = (
    "<|start|>assistant", "<|end|>", "<|return|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>",
)  # fmt: skip
TAGS = (*OPENING, *HARMONY, *CLOSING, *DEBRIS)
TAG = re.compile("|".join(map(re.escape, TAGS)), re.IGNORECASE | re.ASCII)
BEGINNINGS = frozenset(tag[:length] for tag in TAGS for length in range(1, len(tag)))
LONGEST_TAG = max(map(len, TAGS))


class Cleaner:
    """Removes invisible characters and stacks of combining marks."""

    def __init__(self) -> None:
        self._half = ""  # the first half of a surrogate pair
        self._last = ""
        self._marks = 0

    def feed(self, text: str) -> str:
        text = PRIVATE.sub("", INVISIBLE.sub("", self._join_halves(text).translate(BREAKS)))
        if text.isascii():
            self._last, self._marks = text[-1:] or self._last, 0 if text else self._marks
            return text
        return "".join(filter(self._is_kept, text))

    def _join_halves(self, text: str) -> str:
        """Join surrogate pairs that the server has split."""
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")

    def _is_kept(self, character: str) -> bool:
        if character in JOINERS and (self._last <= "\x7f" or self._last in JOINERS):
            return False
        if character in SELECTORS and self._last in SELECTORS:
            return False
        self._marks = self._marks + 1 if combining(character) else 0
        self._last = character
        return self._marks <= MARKS_PER_LETTER


class Thoughts:
    """Separates a model's reasoning from its answer."""

    def __init__(self, *, begins_in_thought: bool = False) -> None:
        self.is_thinking = begins_in_thought
        # Set if a closing tag had no opening one: then the prompt opens the reasoning.
        self.closed_unopened = False
        self.has_opened = False
        self._held = ""
        self._last = ""

    def feed(self, text: str) -> tuple[str, str]:
        """Return the certain parts of the answer and of the reasoning."""
        text = self._held + text
        end = _find_certain_end(text)
        self._held = text[end:]
        return self._part(text[:end])

    def close(self) -> tuple[str, str]:
        text, self._held = self._held, ""
        return self._part(text)

    def _part(self, text: str) -> tuple[str, str]:
        parts: dict[bool, list[str]] = {False: [], True: []}
        at = 0
        for tag in TAG.finditer(text):
            before = text[tag.start() - 1] if tag.start() else self._last
            if before == "`":  # quoted as text
                continue
            parts[self.is_thinking].append(text[at : tag.start()])
            self._turn(tag[0].lower())
            at = tag.end()
        parts[self.is_thinking].append(text[at:])
        self._last = text[-1:] or self._last
        return "".join(parts[False]), "".join(parts[True])

    def _turn(self, tag: str) -> None:
        if tag in CLOSING:
            is_harmony = tag.startswith("<|")
            self.closed_unopened |= not self.is_thinking and not is_harmony
            self.is_thinking = False
        elif tag not in DEBRIS:
            self.is_thinking = self.has_opened = True


def _find_certain_end(text: str) -> int:
    """Return the end of the text that can't be part of an incomplete tag."""
    at = text.find("<", max(0, len(text) - LONGEST_TAG))
    while at >= 0:
        if text[at:].lower() in BEGINNINGS:
            return at
        at = text.find("<", at + 1)
    return len(text)


class AnswerReader:
    """Converts a server's pieces to an answer and its reasoning."""

    def __init__(self, max_tokens: int, *, begins_in_thought: bool = False) -> None:
        self._left = min(MAX_CHARACTERS, CHARACTERS_PER_TOKEN * max_tokens)
        self._cleaner, self._aloud = Cleaner(), Cleaner()
        self._thoughts = Thoughts(begins_in_thought=begins_in_thought)
        self._presumed = begins_in_thought
        self._reasoning: list[str] = []
        self._thought = 0
        self.has_answer = False

    @property
    def is_full(self) -> bool:
        return self._left < 0 or self._thought > ENDLESS_REASONING

    @property
    def reasoning(self) -> str:
        return "".join(self._reasoning)[:MAX_REASONING]

    @property
    def closed_unopened(self) -> bool:
        """Whether the model closed reasoning that it had not opened."""
        return self._thoughts.closed_unopened

    @property
    def never_thought(self) -> bool:
        """Whether the model was presumed to begin in reasoning, but no tag confirms it."""
        thoughts = self._thoughts
        return self._presumed and thoughts.is_thinking and not thoughts.has_opened

    def feed(self, text: str, reasoning: str = "") -> str:
        """Return the certain part of the answer."""
        if reasoning:
            self._think(self._aloud.feed(reasoning))
        answer, thought = self._thoughts.feed(self._cleaner.feed(text))
        self._think(thought)
        return self._passed(answer)

    def close(self) -> str:
        answer, thought = self._thoughts.close()
        self._think(thought)
        if self.never_thought and not self.has_answer:
            answer, self._reasoning = self.reasoning + answer, []
        return self._passed(answer)

    def _passed(self, answer: str) -> str:
        if not self.has_answer:
            answer = answer.lstrip()
        self.has_answer |= bool(answer)
        passed = answer[: max(self._left, 0)]
        self._left -= len(answer)
        return passed

    def _think(self, thought: str) -> None:
        if thought and self._thought <= MAX_REASONING:
            self._reasoning.append(thought[: MAX_REASONING + 1])
        self._thought += len(thought)
