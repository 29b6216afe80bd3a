"""What rewriting is given, and what it gives back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from memory.recall.rewriting.about import apart
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.text.citation_markers import without_places, without_signs
from memory.text.reading import ReadText

# The head of a table, with the line that leads to it; and of its rows what stands behind the first
# cells, which name what the row is of.
_HEAD_OF_TABLE = re.compile(
    r"(?:^[^\n|]{1,300}:[ \t]*\n(?:[> \t]*\n)?)?^[> ]*\|[^\n]*\n[> ]*\|[ |:-]+$", re.MULTILINE
)
_FAR_CELLS = re.compile(r"^([> ]*\|[^|\n]*\|[^|\n]*\|)[^\n]*$", re.MULTILINE)
# Why a question is searched as the one before: it asks for more of its answer.
MORE_OF_THE_SAME = "more_of_the_same"
TOPIC_CARRIED = "topic_carried"
# What it refers to was put in: "its", or what a place, an order or a list left unsaid.
REFERENCE_RESOLVED = "reference_resolved"
# Words of another session's turn were put in: what is searched for goes when that turn goes.
EARLIER_SESSION = "earlier_session"
# Why it is asked once more with "and why?" behind it: what it was made of is read first.
ASKED_FURTHER = "asked_further"
ANSWER_TOKENS = 130  # of an answer, so much is read
# So many of the newest turns, and the first, are looked at for what a question leans on.
LOOKED_BACK = 10

T = TypeVar("T")


def within_reach(turns: Sequence[T]) -> list[T]:
    """Return those of the turns, oldest first, that a question may lean on."""
    return [*turns[:1], *turns[1:][-LOOKED_BACK:]]


# How sure a rule is that what it found was meant.
SURE, LIKELY = 0.9, 0.7


@dataclass(frozen=True)
class Exchange:
    """An earlier question and its answer, each read once."""

    query: str
    response: str
    position: int = 0
    # What was searched for then; empty if that isn't known.
    standalone: str = ""
    # Whether nothing was found for it.
    is_refused: bool = False

    @property
    def searched(self) -> str:
        """What was searched for, as far as it is known."""
        return self.standalone or self.query

    @cached_property
    def question(self) -> ReadQuestion:
        return ReadQuestion(self.query)

    @cached_property
    def sought(self) -> ReadQuestion:
        """The question as it was searched for."""
        return ReadQuestion(self.searched) if self.searched != self.query else self.question

    @cached_property
    def asked(self) -> str:
        """What was asked of what was searched for, without what it was about."""
        return self._apart[0]

    @property
    def about(self) -> str:
        """What it was about beside that, as a guess; what was typed has no such guess."""
        return self._apart[1]

    @cached_property
    def _apart(self) -> tuple[str, str]:
        return (self.searched, "") if self.searched == self.query else apart(self.searched)

    @cached_property
    def asked_alone(self) -> ReadQuestion:
        """What was asked, read."""
        return self.sought if self.asked == self.searched else ReadQuestion(self.asked)

    @cached_property
    def spoken(self) -> str:
        """The answer's own words: no Markdown, no head of a table, nor where quotations stand."""
        without_head = _HEAD_OF_TABLE.sub("", without_places(self.response))
        return without_signs(_FAR_CELLS.sub(r"\1", without_head))

    @cached_property
    def answer(self) -> ReadText:
        return ReadText(self.spoken, ANSWER_TOKENS)

    @property
    def positions(self) -> tuple[int, ...]:
        """Its position as a rewrite tells it: none if it has none."""
        return (self.position,) if self.position else ()


@dataclass(frozen=True)
class Known:
    """Something that the session is about, with the turn that mentioned it last."""

    name: str
    kind: str
    position: int
    # From 0 to 1: how present it is.
    weight: float = 1.0


@dataclass(frozen=True)
class Rewrite:
    """The question to search for, why it is what it is, and what it was drawn from."""

    query: str
    reason: str
    # Of the earlier turns that it was drawn from.
    positions: tuple[int, ...] = ()
    # From 0 to 1: how sure it is that this is what was meant.
    confidence: float = 1.0
