"""The definition of a structure: everything that its module declares."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from django.utils.functional import Promise

from chat.structures.outputs import Output
from chat.structures.parsing import parse_output


@dataclass(frozen=True)
class Evidence:
    """A unit of an offered passage: its words, where they stand, and how well they answer."""

    label: int
    # The title of its document.
    document: str
    heading: str
    text: str
    score: float
    # The header of a row of a table; empty for what is no row.
    header: str = ""

    @property
    def quote(self) -> str:
        """Its words with the number of their passage."""
        return f"{self.text} [{self.label}]"


@dataclass(frozen=True)
class EarlierOutput:
    """The structured answer of an earlier turn: of which structure, and its table's texts."""

    structure: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    # The question that it answers, and the position of its turn.
    asked: str = ""
    position: int = 0

    @property
    def names(self) -> list[str]:
        """The names of its rows, in order."""
        return [row[0] for row in self.rows if row]


@dataclass(frozen=True)
class Question:
    """The question as it stands alone, and what is kept of the structured answers before it."""

    text: str
    history: Sequence[EarlierOutput] = ()
    # What the person wants to see of the documents; empty where the question doesn't name it.
    items: Sequence[str] = ()
    criteria: Sequence[str] = ()


# Makes an output of quotations, without a model; None where they don't decide.
Quote = Callable[[Question, Sequence[Evidence]], Output | None]
# Changes an output by what was said before.
Adapt = Callable[[Output, Question], Output]


def keep_items(output: Output, question: Question) -> Output:
    """Leave out rows of items that the question leaves out, unless it keeps none of the rows."""
    kept = {name.casefold() for name in question.items}
    rows = [row for row in output.rows if row.name.casefold() in kept]
    return output.model_copy(update={"rows": rows}) if rows else output


class Breadth(Enum):
    """Which passages an output is made of."""

    # Those that fit the question best.
    FOUND = auto()
    # Of each document found, those that fit best.
    EACH_DOCUMENT = auto()
    # Of the document found first, those it begins with.
    ONE_DOCUMENT = auto()


@dataclass(frozen=True)
class Structure:
    """A form of answers."""

    # In settings, in the API and in rows.
    name: str
    label: str | Promise
    output: type[Output]
    # What a model is told besides the form itself.
    instruction: str
    # Questions that want it, by language.
    examples: Mapping[str, Sequence[str]]
    # How it is made of quotations; None if that takes a model.
    quote: Quote | None = None
    adapt: Adapt = keep_items
    breadth: Breadth = Breadth.FOUND
    # Reads which words a question wants to find as they are; empty for none.
    read_words: Callable[[str], str] = lambda _question: ""
    # The structures whose newest output in the session it takes up.
    takes_up: Sequence[str] = ()
    # Of its columns: grows when their meaning changes.
    version: int = 1

    @property
    def template(self) -> str:
        """The name of the template that renders it as Markdown."""
        return f"structures/{self.name}.md"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its output."""
        return self.output.model_json_schema()

    def assemble(
        self,
        said: str,
        passages: Sequence[Evidence],
        question: Question,
    ) -> Output | None:
        """Make the output of a model's text, or of quotations where nothing was said.

        The question brings its history. None where there is nothing to make it of.
        """
        if said:
            output = parse_output(said, self.output)
        else:
            output = self.quote(question, passages) if self.quote else None
        return self.adapt(output, question) if output and not output.is_empty else None
