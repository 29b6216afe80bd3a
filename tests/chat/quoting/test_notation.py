"""Figures and days are read as their whole column writes them."""

from collections.abc import Sequence
from datetime import date

import pytest

from chat.quoting.tables.notation import UNTOLD, Notation
from chat.quoting.tables.reading import Table
from chat.quoting.tables.reckoning import reckoned
from chat.quoting.tables.reckoning.writing import TableAnswer
from citations.formats.blocks import BlockKind
from citations.models import Document
from tests.chat.quoting.passages import passage_of

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["39.613", "28.8"], [39.613, 28.8]),
        (["39.613", "28.801"], [39613.0, 28801.0]),  # as thousands are marked in many countries
        (["1.204.300", "39.613"], [1204300.0, 39613.0]),
        (["1,204.50 €", "39.613"], [1204.5, 39.613]),
        (["1.204,50 €", "39.613", "7"], [1204.5, 39613.0, 7.0]),
        (["12,5 %", "3,125 %"], [12.5, 3.125]),
        (["0.613", "-2.125"], [0.613, -2.125]),
        (["1'204.50", "39.613"], [1204.5, 39.613]),
        (["1234.567", "39.613"], [1234.567, 39.613]),
    ],
)
def test_what_a_point_means_is_told_by_the_other_cells(
    cells: list[str], values: list[float]
) -> None:
    notation = Notation.of(cells)
    assert [notation.value(cell) for cell in cells] == values


@pytest.mark.parametrize(
    ("cell", "others", "day"),
    [
        ("2021-12-03", [], date(2021, 12, 3)),
        ("2021/12/03 10:00", [], date(2021, 12, 3)),
        ("Dec 3 2021", [], date(2021, 12, 3)),
        ("December 3rd, 2021", [], date(2021, 12, 3)),
        ("3. Dezember 2021", [], date(2021, 12, 3)),
        ("3 de diciembre de 2021", [], date(2021, 12, 3)),
        ("03.12.2021", [], date(2021, 12, 3)),
        ("03/12/2021", ["25/12/2021"], date(2021, 12, 3)),
        ("03/12/2021", ["03/25/2021"], date(2021, 3, 12)),
        ("3/12/91 0:00", ["1/31/02 0:00"], date(1991, 3, 12)),
        ("03/12/2021", [], None),  # in March or in December: nothing tells
        ("31.2.2021", [], None),
        ("1.2.30", [], date(2030, 2, 1)),
        ("12", [], None),
    ],
)
def test_a_day_is_read_however_it_is_written(
    cell: str, others: list[str], day: date | None
) -> None:
    assert Notation.of([cell, *others]).day(cell) == day


HEAD = "date | region | sales | price"
ROWS = (
    "03/12/2006 | North | 120 | 1.375",
    "25/12/2006 | South | 80 | 1.5",
    "04/01/2007 | North | 200 | 2.125",
    "17/02/2007 | South | 40 | 0.75",
)


DAYS = "Month | Day | wind | skyState | bodywt | languages"
WEATHER = (
    "5 | 1 | 7 | clear | 12 | German, Spanish",
    "5 | 2 | 18 | clouds | 9 | German",
    "6 | 1 | 21 | clear | 11 | Spanish",
    "7 | 9 | 3 | clouds | 30 | German",
)


def told(question: str, head: str = HEAD, rows: Sequence[str] = ROWS) -> str:
    passages = [
        passage_of(
            (BlockKind.HEADER, head),
            *((BlockKind.ROW, row) for row in rows),
            of=Document(title="Shop", file_name="shop.csv"),
        )
    ]
    table = Table.of(passages, head, "")
    assert table
    made = reckoned(question, table, is_sheet=True)
    if made is None:
        return ""
    answer = TableAnswer(made, question)
    return answer.written({passage.pk: 1 for passage in answer.passages}).replace("*", "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("highest price before 2007", "is 1.5:"),
        ("highest price", "is 2.125:"),
        ("average price in december 2006", "is 1.4375:"),
        ("sales on 17/02/2007", "sales is 40 for date = 2007-02-17"),
        ("how many rows since 2007", "2 rows of 4 fit date ≥ 2007"),
        ("what was the price in january 2007", "price is 2.125 for"),
        ("sales by region", "The sum of sales over 4 rows of Shop is 440; by region"),
        ("price by region", "The mean of price over 4 rows of Shop is 1.4375; by region"),
    ],
)
def test_a_table_is_reckoned_by_its_days_and_decimals(question: str, said: str) -> None:
    assert said in told(question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many days had wind over 15", "2 rows of 4 fit wind > 15"),
        ("wind on may 2", "wind is 18 for Month = 5, Day = 2"),
        ("average wind in may", "The mean of wind over 2 rows of Shop with Month = 5 is 12.5"),
        ("body weight in june", "bodywt is 11 for Month = 6"),
        ("which places have more than 15 wind", "2 rows of 4 fit wind > 15"),
        ("average wind by skyState of place", "The mean of wind over 4 rows of Shop"),
        ("how many shop places have more than 15 wind", "2 rows of 4 fit wind > 15"),
        ("which 2 places have the most wind", "The 2 largest wind of 4 rows"),
        ("how many speak spanish", "2 rows of 4 fit languages has Spanish"),
    ],
)
def test_months_as_numbers_and_joined_names_are_understood(question: str, said: str) -> None:
    assert said in told(question, DAYS, WEATHER)


def test_a_figure_of_some_of_the_rows_is_not_told_of_all() -> None:
    assert "over 4 rows" not in told("average wind by month of clouds", DAYS, WEATHER)


def test_a_figure_may_be_written_with_a_power_of_ten() -> None:
    assert UNTOLD.figure("1e+05") == 100_000
    assert UNTOLD.figure("8.99E-05") == pytest.approx(0.0000899)
    assert UNTOLD.figure("12 EUR") == 12
