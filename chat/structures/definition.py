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
    """A unit of an offered passage: its words, its place and its score."""

    label: int
    # The title of its document.
    document: str
    heading: str
    text: str
    score: float
    # The header, for the row of a table; else empty.
    header: str = ""

    @property
    def quote(self) -> str:
        """The words with their passage's number."""
        return f"{self.text} [{self.label}]"


@dataclass(frozen=True)
class EarlierOutput:
    """The structured answer of an earlier turn: its structure, and its table's texts."""

    structure: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    # The question that it answers, and its turn's position.
    asked: str = ""
    position: int = 0

    @property
    def names(self) -> list[str]:
        """The names of its rows, in order."""
        return [row[0] for row in self.rows if row]


@dataclass(frozen=True)
class Question:
    """The standalone question, with the earlier outputs and what to keep of them."""

    text: str
    history: Sequence[EarlierOutput] = ()
    # The items and criteria that the question names, or keeps; empty if it names none.
    items: Sequence[str] = ()
    criteria: Sequence[str] = ()


# Makes an output of quotations, without a model; None if they can't decide.
Quote = Callable[[Question, Sequence[Evidence]], Output | None]
# Changes an output by the question's history.
Adapt = Callable[[Output, Question], Output]


def keep_items(output: Output, question: Question) -> Output:
    """Keep the rows of the items that the question keeps, or all rows if none matches."""
    kept = {name.casefold() for name in question.items}
    rows = [row for row in output.rows if row.name.casefold() in kept]
    return output.model_copy(update={"rows": rows}) if rows else output


class Breadth(Enum):
    """The passages that an output is made of."""

    # The best passages for the question.
    FOUND = auto()
    # The best passages of each retrieved document.
    EACH_DOCUMENT = auto()
    # The first passages of the best document.
    ONE_DOCUMENT = auto()


@dataclass(frozen=True)
class Structure:
    """A kind of structured answers."""

    # Its name in settings, API and rows.
    name: str
    label: str | Promise
    output: type[Output]
    # Instructions for a model, beside the form itself.
    instruction: str
    # Questions for it, by language.
    examples: Mapping[str, Sequence[str]]
    # Makes it of quotations; None if only a model can.
    quote: Quote | None = None
    adapt: Adapt = keep_items
    breadth: Breadth = Breadth.FOUND
    # Reads the words that a question wants found verbatim; empty for none.
    read_words: Callable[[str], str] = lambda _question: ""
    # Structures whose newest output in the session it continues.
    takes_up: Sequence[str] = ()
    # The version of its columns, increased when their meaning changes.
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
        """Make the output of a model's text, or of quotations if the text is empty.

        The question has its history. None if there is nothing to make it of.
        """
        if said:
            output = parse_output(said, self.output)
        else:
            output = self.quote(question, passages) if self.quote else None
        return self.adapt(output, question) if output and not output.is_empty else None
