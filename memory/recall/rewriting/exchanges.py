"""The types of rewriting: an earlier exchange, a known entity, a rewrite, and its reason codes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from memory.recall.rewriting.questions import ReadQuestion
from memory.text.citation_markers import strip_markdown, strip_places
from memory.text.reading import ReadText
from memory.text.words import detect_language

# The topic behind a question, as in "how high is it (about berths)?": a hint for search, and no
# part of the question. Search reads both, other readers the question alone.
_ABOUT = {"en": "about", "es": "sobre", "de": "zu", "fr": "sur"}
_BEHIND = re.compile(
    rf" \((?:{'|'.join(_ABOUT.values())}) (?P<about>[^()]*(?:\([^()]*\)[^()]*)*)\)(?=\W*$)"
)


def append_topic(query: str, words: str) -> str:
    """Return the question with its topic behind it, before the question mark."""
    if not words:
        return query
    asked = query.rstrip("?!. ")
    mark = "?" if query.rstrip().endswith("?") else ""
    return (
        f"{asked} ({_ABOUT[detect_language(query)]} {words}){mark}" if asked else f"{words}{mark}"
    )


def split_topic(query: str) -> tuple[str, str]:
    """Split the question from its topic behind it, which may be empty."""
    match = _BEHIND.search(query)
    if match is None:
        return query, ""
    return query[: match.start()] + query[match.end() :], match["about"]


# Left as typed.
FIRST_QUESTION, STANDS_ALONE = "first_question", "stands_alone"
# Left as typed, though it refers to something that was not found.
NOTHING_TO_CARRY = "nothing_to_carry"
# The previous query again, since more of its answer is wanted.
MORE_OF_THE_SAME = "more_of_the_same"
# The previous question, with a "why".
ASKED_FURTHER = "asked_further"
# Words of earlier turns were added, or a reference was replaced by them.
TOPIC_CARRIED, REFERENCE_RESOLVED = "topic_carried", "reference_resolved"
# A reference to a list was replaced by its items.
LIST_ITEM = "list_item"
# Words of a turn of another session were added; the rewrite is erased with that turn.
EARLIER_SESSION = "earlier_session"

# The head of a table with its introduction, and all but the first cells of its rows.
_HEAD_OF_TABLE = re.compile(
    r"(?:^[^\n|]{1,300}:[ \t]*\n(?:[> \t]*\n)?)?^[> ]*\|[^\n]*\n[> ]*\|[ |:-]+$", re.MULTILINE
)
_FAR_CELLS = re.compile(r"^([> ]*\|[^|\n]*\|[^|\n]*\|)[^\n]*$", re.MULTILINE)
SURE, LIKELY = 0.9, 0.7  # the confidence of a resolved reference
ANSWER_TOKENS = 130  # tokens read of an answer; the selector was trained with this number
LOOKED_BACK = 10  # turns that a question may refer to, beside the first

T = TypeVar("T")


def select_reachable(turns: Sequence[T]) -> list[T]:
    """Return those of the turns, oldest first, that a question may refer to."""
    return [*turns[:1], *turns[1:][-LOOKED_BACK:]]


@dataclass(frozen=True)
class Exchange:
    """An earlier question and its answer, each parsed once."""

    query: str
    response: str
    position: int = 0
    # The query of its search; empty if unknown.
    standalone: str = ""
    # Whether its answer is a refusal.
    is_refused: bool = False

    @property
    def searched(self) -> str:
        """The query of its search, or else the question."""
        return self.standalone or self.query

    @cached_property
    def question(self) -> ReadQuestion:
        return ReadQuestion(self.query)

    @cached_property
    def sought(self) -> ReadQuestion:
        """The query of its search, parsed."""
        return ReadQuestion(self.searched) if self.searched != self.query else self.question

    @cached_property
    def asked(self) -> str:
        """The query of its search, without the topic behind it."""
        return self.searched if self.searched == self.query else split_topic(self.searched)[0]

    @cached_property
    def spoken(self) -> str:
        """The answer's words without Markdown, heads of tables and places of quotations."""
        without_head = _HEAD_OF_TABLE.sub("", strip_places(self.response))
        return strip_markdown(_FAR_CELLS.sub(r"\1", without_head))

    @cached_property
    def answer(self) -> ReadText:
        return ReadText(self.spoken, ANSWER_TOKENS)

    @property
    def positions(self) -> tuple[int, ...]:
        """Its position in a rewrite: none if it has none."""
        return (self.position,) if self.position else ()


@dataclass(frozen=True)
class Known:
    """An entity of the session, with its last turn."""

    name: str
    kind: str
    position: int


@dataclass(frozen=True)
class Rewrite:
    """The query, the reason, and the turns that it was derived from."""

    query: str
    reason: str
    positions: tuple[int, ...] = ()
    # The probability that this rewrite is right.
    confidence: float = 1.0
