"""The cheapest, the oldest, the most: the row of a table that has it, whoever cut the table."""

import pytest

from chat.quoting.tables.extremes import extreme_row, superlative_of
from chat.quoting.tables.notation import value_of
from citations.formats.blocks import BlockKind
from citations.models import Document
from memory.models import User
from tests.chat.quoting.material import add, asked
from tests.chat.quoting.passages import passage_of

pytestmark = pytest.mark.once

HEADER, ROW = BlockKind.HEADER, BlockKind.ROW
BOATS = Document(title="Boats")
FIRST = passage_of(
    (HEADER, "Boat | Kind | Built | Age | Price"),
    (ROW, "Anna | sloop | 1970-05-01 | 54 | $12,500"),
    (ROW, "Berta | cutter | 2019-03-12 | 5 | $99,000"),
    of=BOATS,
)
SECOND = passage_of(
    (HEADER, "Boat | Kind | Built | Age | Price"),
    (ROW, "Clara | sloop | 2001-01-31 | 23 | $8,900"),
    (ROW, "Dora | cutter | 1950-11-02 | 74 | $9,750.50"),
    of=BOATS,
)


def boat(question: str) -> str | None:
    row = extreme_row(question, [FIRST, SECOND])
    return row.cells[0] if row else None


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("which boat is the cheapest", "Clara"),
        ("most expensive boat?", "Berta"),
        ("the oldest one", "Dora"),
        ("who lived longest", "Dora"),
        ("dearest boat", "Berta"),
        ("welches ist das jüngste", "Berta"),
        ("highest price", "Berta"),
        ("lowest price of a cutter", "Dora"),
        ("most recently built", "Berta"),
    ],
)
def test_the_row_with_the_most_or_the_least_is_found_in_all_of_the_table(
    question: str, name: str
) -> None:
    assert boat(question) == name


@pytest.mark.parametrize("question", ["price of Anna", "the heaviest boat", "the highest mast"])
def test_nothing_is_the_most_of_what_no_column_has(question: str) -> None:
    assert boat(question) is None


def test_where_one_column_alone_holds_figures_it_is_meant() -> None:
    passage = passage_of(
        (HEADER, "Pier | Visitors"), (ROW, "North | 1.204"), (ROW, "East | 87"), (ROW, "West | 950")
    )
    row = extreme_row("which pier is the biggest", [passage])
    assert row is not None
    assert passage.text[row.start :].startswith("North")


def test_a_year_is_asked_for_and_not_measured() -> None:
    passage = passage_of(
        (HEADER, "Year | Coast | Rain"),
        (ROW, "2017-01-01 | East | 310"),
        (ROW, "2018-01-01 | East | 690"),
        (ROW, "2019-01-01 | East | 250"),
        (ROW, "2019-01-01 | West | 950"),
    )
    row = extreme_row("year with the most on the east coast", [passage])
    assert row is not None
    assert row.cells[0] == "2018-01-01"


def test_the_superlative_of_a_price_is_read_before_the_bare_most() -> None:
    found = superlative_of("the most expensive")
    assert found is not None
    assert found.columns is not None
    assert superlative_of("how does it work") is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("$1,250", 1250.0),
        ("1.250,75 €", 1250.75),
        ("12.5 %", 12.5),
        ("−3", -3.0),
        ("99", 99.0),
        ("1999-13-40", None),
        ("about ten", None),
        ("3 Main Street, Brightsea harbour", None),
    ],
)
def test_a_cell_is_read_as_the_figure_that_people_mean(cell: str, value: float | None) -> None:
    assert value_of([cell]) == value


@pytest.mark.django_db
def test_the_answer_is_the_row_itself_in_whichever_passage_it_stands(owner: User) -> None:
    prices = [400 + 7 * at % 90 for at in range(80)]
    rows = [f"Berth {at},pier {at % 5},{price}" for at, price in enumerate(prices)]
    rows[67] = "Berth 67,pier 2,35"
    table = "\n".join(["Berth,Pier,Price", *rows])
    assert add(table, name="berths.csv").passages.count() > 2
    turn = asked(owner, "which berth is the cheapest?")
    assert "| **Berth** 67 |" in turn.response or "| Berth 67 |" in turn.response
    assert turn.response.count("\n> | ") == 3  # header, the line under it, and the row alone
