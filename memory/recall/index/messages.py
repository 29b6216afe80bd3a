"""Indexed features of each message beside its text: words, time, speaker and cues.

A turn is two messages, the question and the answer. Their words are counted and sealed in blocks,
so that relevance can be computed over a whole session without opening any of its turns.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from memory.text.word_counts import MOST_ROWS, WordCounts, hash_term
from memory.text.words import extract_terms, find_sentences, split_words

__all__ = ["MOST_ROWS", "VERSION", "Cue", "Message", "Messages", "Side", "split_speaker"]

# Raised with every change of the indexed features, or of tokenisation: older blocks are then
# indexed again (memory.recall.index.indexing).
VERSION = 1

# In a conversation of several people, pasted or sent by a client, a line begins with a name.
SPEAKER = re.compile(r"\s*([^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,3}):\s+(?=\S)")
ASKING_LINE = re.compile(r"\?[\"'”’)\]*_]*[ \t]*$", re.MULTILINE)
MONTHS = (
    "january february march april may june july august september october november december".split()
)
TIME = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|recently|weeks?|weekend|months?"
    r"|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|" + "|".join(MONTHS) + r"|\d{4})\b",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple|several|few)\b",
    re.IGNORECASE,
)
# A wish for all later answers: rare and short.
WISH = re.compile(
    r"^\W*(?:please,? )?(?:always|never|from now on|going forward|in (?:the )?future|whenever"
    r"|every time|remember to|siempre|nunca|de ahora en adelante|a partir de ahora)\b"
    r"|\b(?:when|whenever|every time|each time|if) i ask\b|\bcuando (?:te )?pregunte\b",
    re.IGNORECASE,
)
LONGEST_WISH = 300
# A preference or an exclusion.
PREFERENCE = re.compile(
    r"\b(?:prefer(?:s|red|ence|ences|ring)?|favou?rites?|priorit(?:y|ies|i[sz](?:e|ed|ing))"
    r"|rather than|instead of|align|suits? me|(?:best|better|important|works?|right|fits?) (?:for"
    r"|to|with) (?:me|my)|not (?:for me|my)|i(?:'ll| will) (?:go with|choose|pick|opt|stick)"
    r"|i(?:'m| am)(?: \w+)? (?:allergic|vegan|vegetarian|not)|i think (?:i|the)"
    r"|i (?:don't|do not|can't|cannot|never|won't)|i(?:'d| would)? (?:really |absolutely |also "
    r"|just |simply |truly )?(?:like|love|enjoy|hate|dislike|avoid|value|appreciate|lean)"
    r"|prefier\w*|preferencia\w*|favorit[oa]s?|en lugar de|en vez de|(?:no )?me (?:gusta\w*|encanta"
    r"\w*|importa\w*)|soy (?:alérgic|vegan|vegetarian)[oa]|odio|evito|detesto)\b",
    re.IGNORECASE,
)
# Distance between the numbers of two sessions that are read as one.
STRIDE = 1 << 32
# Length of a pause, in seconds, after which another sitting begins.
PAUSE = 3 * 3600
# Longest part of a message that is examined, in characters.
LONGEST = 20_000


class Side(IntEnum):
    """The two messages of a turn."""

    QUESTION = 0
    ANSWER = 1


class Cue(IntFlag):
    """Cues in the wording of a message."""

    ASKS = 1
    TELLS_TIME = 2
    COUNTS = 4
    WISHES = 8
    PREFERS = 16


SHOWN_BY = {
    Cue.ASKS: ASKING_LINE,
    Cue.TELLS_TIME: TIME,
    Cue.COUNTS: NUMBER,
    Cue.WISHES: WISH,
    Cue.PREFERS: PREFERENCE,
}


@dataclass(frozen=True)
class Message:
    """One side of a turn."""

    position: int
    side: Side
    text: str
    moment: datetime

    @property
    def number(self) -> int:
        return 2 * self.position + self.side


def split_speaker(text: str) -> tuple[str, str]:
    """Split a text into the name of its speaker, if it begins with one, and the rest."""
    match = SPEAKER.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


@dataclass(frozen=True)
class Messages:
    """Indexed features of some messages; row by row, in any order."""

    # Their numbers are twice the turn's position, plus the side.
    words: WordCounts
    seconds: NDArray[np.int64]
    # The CRC-32 of each speaker's first name, 0 where none is named.
    speakers: NDArray[np.uint32]
    cues: NDArray[np.uint8]

    @classmethod
    def build(cls, messages: Sequence[Message]) -> "Messages":
        """Index at most MOST_ROWS messages."""
        heard = [split_speaker(message.text[:LONGEST]) for message in messages]
        return cls(
            words=WordCounts.count(
                [message.number for message in messages], [extract_terms(said) for _, said in heard]
            ),
            seconds=np.array(
                [int(message.moment.timestamp()) for message in messages], dtype=np.int64
            ),
            speakers=np.array([_hash_first_name(name) for name, _ in heard], dtype=np.uint32),
            cues=np.array([_find_cues(said) for _, said in heard], dtype=np.uint8),
        )

    def __len__(self) -> int:
        return len(self.words)

    @property
    def numbers(self) -> NDArray[np.int64]:
        return self.words.numbers

    @property
    def positions(self) -> NDArray[np.int64]:
        return self.words.numbers // 2

    @property
    def are_of_people(self) -> bool:
        """Whether most begin with a name, as between people."""
        return bool(2 * np.count_nonzero(self.speakers) >= len(self))

    @property
    def are_of_sessions(self) -> bool:
        """Whether several sessions were read as one conversation; the rows are in order."""
        return len(self) > 0 and int(self.numbers[-1] - self.numbers[0]) // STRIDE > 0

    def showing(self, cue: Cue) -> NDArray[np.bool_]:
        """Return for each message whether it has any of these cues."""
        shown: NDArray[np.bool_] = (self.cues & cue) > 0
        return shown

    @classmethod
    def joined(cls, blocks: Sequence["Messages"]) -> "Messages":
        parts = [cls.build([]), *blocks]
        return cls(
            words=WordCounts.joined([block.words for block in parts]),
            seconds=np.concatenate([block.seconds for block in parts]),
            speakers=np.concatenate([block.speakers for block in parts]),
            cues=np.concatenate([block.cues for block in parts]),
        )

    def taken(self, rows: NDArray[np.integer]) -> "Messages":
        """Return these rows only, in this order."""
        return Messages(
            words=self.words.taken(rows),
            seconds=self.seconds[rows],
            speakers=self.speakers[rows],
            cues=self.cues[rows],
        )

    def ordered(self) -> "Messages":
        """Return the rows in chronological order."""
        if (np.diff(self.numbers) > 0).all():
            return self
        return self.taken(np.argsort(self.numbers, kind="stable"))

    def packed(self) -> bytes:
        parts = (self.seconds, self.speakers, self.cues)
        head = np.array([len(self)], dtype=np.int64).tobytes()
        return head + b"".join(part.tobytes() for part in parts) + self.words.packed()

    @classmethod
    def unpacked(cls, data: bytes) -> "Messages":
        rows = int(np.frombuffer(data, np.int64, 1)[0])
        at = [8, 8 + 8 * rows, 8 + 12 * rows, 8 + 13 * rows]
        return cls(
            words=WordCounts.unpacked(memoryview(data)[at[3] :]),
            seconds=np.frombuffer(data, np.int64, rows, at[0]),
            speakers=np.frombuffer(data, np.uint32, rows, at[1]),
            cues=np.frombuffer(data, np.uint8, rows, at[2]),
        )


def _hash_first_name(name: str) -> int:
    return hash_term(split_words(name)[0]) if split_words(name) else 0


def _find_cues(said: str) -> Cue:
    cues = Cue(0)
    for cue, pattern in SHOWN_BY.items():
        if pattern.search(said):
            cues |= cue
    return cues if len(said) <= LONGEST_WISH else cues & ~Cue.WISHES


MARK = "/parts"
# A message of fewer sentences has no parts; of a longer one, the first are its parts.
FEWEST, MOST = 4, 4
# Words: a shorter sentence is joined with the next, of a longer one the beginning counts.
SHORTEST, LONGEST_PART = 6, 80
CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
WORD = re.compile(r"\w")


def get_parts_model_name(model: str) -> str:
    """Return the name under which the engine's vectors of parts are stored."""
    return model + MARK


def split_parts(said: str) -> list[str]:
    """Return the parts of a message that is long enough."""
    plain = CODE.sub("\n", said[:LONGEST])
    merged: list[str] = []
    for start, end in find_sentences(plain):
        sentence = plain[start:end]
        if merged and len(merged[-1].split()) < SHORTEST:
            merged[-1] += " " + sentence
        else:
            merged.append(sentence)
    parts = [" ".join(part.split()[:LONGEST_PART]) for part in merged if WORD.search(part)]
    return parts[:MOST] if len(parts) >= FEWEST else []
