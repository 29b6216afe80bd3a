"""Outputs: the typed content of a structured answer, with its claims marked.

A model's output is untrusted: a value of another type becomes text, texts and lists are bounded,
and undeclared members are dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

# Bounds of a table that a page can show; a model's answer of 1,500 tokens has some 40 rows.
MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 50, 8, 800
# Most nested values that are joined into a text.
MOST_PARTS = 20
# Marks of fields: a claim that passages support; one of a few words, which are translated to the
# language of the answer.
CLAIM, WORD = "claim", "word"


def read_text(value: Any, parts: int = MOST_PARTS) -> str:
    """Convert any JSON value to one bounded line of text."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        told = [read_text(each, parts // 2) for each in value[:parts]]
        value = "; ".join(filter(None, told))
    return " ".join(str(value)[: 2 * LONGEST_TEXT].split())[:LONGEST_TEXT]


def allow_words(*words: str) -> BeforeValidator:
    """Make a validator for one of the words; anything else becomes empty."""

    def read_word(value: Any) -> str:
        text = read_text(value).lower()
        return text if text in words else ""

    return BeforeValidator(read_word)


def read_rows(value: Any) -> Any:
    """Convert the members of a list of objects, at most MOST_ROWS of them."""
    rows = [value] if isinstance(value, dict) else value
    if not isinstance(rows, list | tuple):
        return []
    return [each for each in rows if isinstance(each, Row) or (isinstance(each, dict) and each)][
        :MOST_ROWS
    ]


def read_texts(value: Any) -> Any:
    """Convert a list of texts, at most MOST_COLUMNS of them."""
    texts = list(value.values()) if isinstance(value, dict) else value
    many = isinstance(texts, list | tuple)
    return texts[:MOST_COLUMNS] if many else [texts] if texts else []


Text = Annotated[str, BeforeValidator(read_text)]
Claim = Annotated[str, BeforeValidator(read_text), CLAIM]
Texts = Annotated[Sequence[Text], BeforeValidator(read_texts)]
Claims = Annotated[Sequence[Claim], BeforeValidator(read_texts), CLAIM]


@dataclass(frozen=True)
class Column:
    """A column of a table: its key, and its title."""

    key: str
    title: str
    is_claim: bool = False
    is_word: bool = False

    def show(self, text: str) -> str:
        """Return the displayed text of a cell."""
        return gettext(text) if self.is_word and text else text


@dataclass(frozen=True)
class Cell:
    """A text of an answer; a claim also has the words of its context."""

    text: str
    is_claim: bool = False
    context: str = ""


class Row(BaseModel):
    """A row, whose fields in order are the columns."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: Text = Field("", description="name")

    @property
    def texts(self) -> list[str]:
        """The texts of the row, one a column."""
        return [str(getattr(self, name)) for name in type(self).model_fields]


R = TypeVar("R", bound=Row)
Rows = Annotated[Sequence[R], BeforeValidator(read_rows)]


class Output(BaseModel):
    """The content of a structured answer: lead, rows and conclusion, each optional.

    Models write the fields in this order, and pages show them in it.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    # The titles of the columns, by field.
    titles: ClassVar[Mapping[str, str | Promise]] = {}

    overview: Claim = ""
    rows: Rows[Any] = ()
    conclusion: Claim = ""

    @property
    def is_empty(self) -> bool:
        """Whether it has no content."""
        return not (self.overview or self.conclusion or any(any(row.texts) for row in self.rows))

    @property
    def columns(self) -> list[Column]:
        """The columns of the table."""
        fields = find_row_type(type(self)).model_fields.items()
        return [
            Column(
                name,
                str(self.titles.get(name, name)),
                is_claim=CLAIM in field.metadata,
                is_word=WORD in field.metadata,
            )
            for name, field in fields
        ]

    @property
    def table(self) -> list[list[Cell]]:
        """The rows as cells; the context of a claim is its row's name and its column's title."""
        columns = self.columns
        return [
            [
                Cell(column.show(text), column.is_claim, f"{row.name}: {column.title}")
                if at
                else Cell(text, column.is_claim)
                for at, (column, text) in enumerate(zip(columns, row.texts, strict=False))
            ]
            for row in self.rows
        ]

    @property
    def cells(self) -> Iterator[Cell]:
        """All texts in display order."""
        yield Cell(self.overview, is_claim=True)
        for row in self.table:
            yield from row
        yield Cell(self.conclusion, is_claim=True)


def find_row_type(output: type[Output]) -> type[Row]:
    """Return the class of an output's rows."""
    (inner,) = output.model_fields["rows"].annotation.__args__  # type: ignore[union-attr]
    return inner
