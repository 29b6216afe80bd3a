"""What a model says, as it comes: cleaned, without its thoughts, and no more than it may say.

Pure, one pass, and the same in whatever pieces it arrives (tests/chat/llm/test_answer_reader.py).
"""

import re
from unicodedata import combining

from citations.formats.cleaning import INVISIBLE

# An answer has at most so many characters a token that was asked for, and so many at all.
CHARACTERS_A_TOKEN, MOST_CHARACTERS = 8, 100_000
MOST_LINES, MOST_CELLS = 5_000, 5_000
# Of what it thinks aloud so much is kept; with more than the other, it never comes to its answer.
MOST_REASONING, ENDLESS_REASONING = 20_000, 400_000
MARKS_ON_A_LETTER = 30

PRIVATE = re.compile("[\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000e1000-\U0010ffff]")
BREAKS = str.maketrans(dict.fromkeys("\x0b\x0c\x85\u2028\u2029", "\n") | {"\r": ""})
JOINERS = "\u200c\u200d"
SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
# How models mark what they think before they answer, and what they leave around it.
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
    """Takes out what nobody sees but a program would read, and piles of marks on one letter."""

    def __init__(self) -> None:
        self._half = ""  # of a character that came in two
        self._joiner = ""
        self._last = ""
        self._marks = 0

    def feed(self, text: str) -> str:
        text = self._whole(text).translate(BREAKS)
        if text.isascii() and not self._joiner:
            text = INVISIBLE.sub("", text)
            self._last, self._marks = text[-1:] or self._last, 0 if text else self._marks
            return text
        return "".join(map(self._kept, PRIVATE.sub("", INVISIBLE.sub("", text))))

    def _whole(self, text: str) -> str:
        """Join the halves of characters that a server has cut in two."""
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
        return text

    def _kept(self, character: str) -> str:
        """Return what is certain now; a joiner is, once a letter follows that it may join."""
        if character in JOINERS:
            self._joiner = character if self._last > "\x7f" and not self._joiner else ""
            return ""
        joiner, self._joiner = self._joiner if character > "\x7f" else "", ""
        if character in SELECTORS and self._last in SELECTORS:
            return ""
        self._marks = self._marks + 1 if combining(character) else 0
        self._last = character
        return joiner + character if self._marks <= MARKS_ON_A_LETTER else ""


class Thoughts:
    """Parts what a model thinks aloud from its answer."""

    def __init__(self, *, begins_in_thought: bool = False) -> None:
        self.is_thinking = begins_in_thought
        # Whether a thought was closed that was never opened: its beginning is in the prompt.
        self.closed_unopened = False
        self.has_opened = False
        self._held = ""
        self._last = ""

    def feed(self, text: str) -> tuple[str, str]:
        """Return what is certain now of the answer, and of the thoughts."""
        text = self._held + text
        end = _certain(text)
        self._held = text[end:]
        return self._parted(text[:end])

    def close(self) -> tuple[str, str]:
        text, self._held = self._held, ""
        return self._parted(text)

    def _parted(self, text: str) -> tuple[str, str]:
        parts: dict[bool, list[str]] = {False: [], True: []}
        at = 0
        for tag in TAG.finditer(text):
            before = text[tag.start() - 1] if tag.start() else self._last
            if before == "`":  # it is talked about
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


def _certain(text: str) -> int:
    """Return where the text ends that can't be the beginning of a tag."""
    at = text.find("<", max(0, len(text) - LONGEST_TAG))
    while at >= 0:
        if text[at:].lower() in BEGINNINGS:
            return at
        at = text.find("<", at + 1)
    return len(text)


class AnswerBounds:
    """Lets pass no more than an answer may have of characters, lines and cells of tables."""

    def __init__(self, characters: int) -> None:
        self.is_reached = False
        self._left = {"": characters, "\n": MOST_LINES, "|": MOST_CELLS}

    def feed(self, text: str) -> str:
        if self.is_reached:
            return ""
        end = min(len(text), self._left[""], self._place("\n", text), self._place("|", text))
        self.is_reached = end < len(text)
        passed = text[:end]
        for sign in self._left:
            self._left[sign] -= passed.count(sign) if sign else end
        return passed

    def _place(self, sign: str, text: str) -> int:
        """Return where the text has one sign too many, or its end."""
        left = self._left[sign]
        if text.count(sign) <= left:
            return len(text)
        return [found.start() for found in re.finditer(re.escape(sign), text)][left]


class AnswerReader:
    """All of it: what a model's server sends becomes an answer's text, and what it thought."""

    def __init__(self, max_tokens: int, *, begins_in_thought: bool = False) -> None:
        most = min(MOST_CHARACTERS, CHARACTERS_A_TOKEN * max_tokens)
        self._cleaner, self._aloud = Cleaner(), Cleaner()
        self._thoughts = Thoughts(begins_in_thought=begins_in_thought)
        self._presumed = begins_in_thought
        self._bounds = AnswerBounds(most)
        self._reasoning: list[str] = []
        self._thought = 0
        self.has_answer = False

    @property
    def is_full(self) -> bool:
        return self._bounds.is_reached or self._thought > ENDLESS_REASONING

    @property
    def reasoning(self) -> str:
        return "".join(self._reasoning)[:MOST_REASONING]

    @property
    def closed_unopened(self) -> bool:
        """Whether it turned out that the model begins in thought without saying so."""
        return self._thoughts.closed_unopened

    @property
    def never_thought(self) -> bool:
        """Whether it was presumed to begin in thought, and nothing says that it did."""
        thoughts = self._thoughts
        return self._presumed and thoughts.is_thinking and not thoughts.has_opened

    def feed(self, text: str, reasoning: str = "") -> str:
        """Return the piece of the answer that is certain now."""
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
        return self._bounds.feed(answer)

    def _think(self, thought: str) -> None:
        if thought and self._thought <= MOST_REASONING:
            self._reasoning.append(thought[: MOST_REASONING + 1])
        self._thought += len(thought)
