"""What is reckoned over a table: counts, sums, means, extremes, and the rows under conditions."""

import json
import random

import pytest
from pytest_django import Settings

from chat.quoting.tables.reading import Table, fields_of
from chat.quoting.tables.reckoning import reckoned
from chat.quoting.tables.reckoning.beyond import lacking, wants_more_than_a_row
from chat.quoting.tables.reckoning.nearness import with_near_columns
from chat.quoting.tables.reckoning.results import Reckoned
from chat.quoting.tables.reckoning.writing import TableAnswer
from citations.formats.blocks import BlockKind
from citations.ingestion.adding import add_document
from citations.models import Document, Passage
from memory.jobs import run_due
from memory.models import User
from tests.chat.quoting.material import add, asked
from tests.chat.quoting.passages import passage_of
from tests.citations import files, office_files

pytestmark = pytest.mark.once

HEADER, ROW = BlockKind.HEADER, BlockKind.ROW
HEAD = "name | kind | cyl | body_mass_g | built | home port | lastSeen"
BOATS = Document(title="Boats", file_name="boats.csv")
ROWS = (
    "Anna | sloop | 4 | 3500 | 1970 | Corvo | 2012-04-30",
    "Berta | cutter | 8 | 9100 | 2019 | Flores | 2012-05-01",
    "Clara | sloop | 8 | 2800 | 2001 | Santa Cruz | 2013-04-30",
    "Dora | cutter | 6 | NA | 1950 | Corvo | 2013-04-02",
    "Emma | sloop | 8 | 7000 | 1970 | Corvo | 2013-06-11",
)

SAID = (
    "how many which total average most least top 2 by and of the in per not more than over 40"
    " people kinds different lowest second largest number q's row list who no without between"
    " 10 2019 ?"
).split()


def boats() -> list[Passage]:
    """The rows in two passages, as a long table is cut."""
    parts = (ROWS[:3], ROWS[3:])
    return [passage_of((HEADER, HEAD), *((ROW, row) for row in part), of=BOATS) for part in parts]


def made_of(question: str, *, is_sheet: bool = True) -> Reckoned | None:
    passages = boats()
    table = Table.of(passages, HEAD, "")
    assert table is not None
    return reckoned(question, table, is_sheet=is_sheet)


def lead(question: str) -> str:
    """The line above the rows, without its marks; nothing, where nothing is reckoned."""
    return written(question).split("\n")[0]


def written(question: str, table: Table | None = None) -> str:
    made = reckoned(question, table, is_sheet=True) if table else made_of(question)
    return told_of(made, question) if made else ""


def told_of(made: Reckoned, question: str) -> str:
    answer = TableAnswer(made, question)
    labels = {passage.pk: 1 for passage in answer.passages}
    return answer.written(labels).replace("*", "")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many boats have 8 cylinders", "In Boats 3 rows of 5 fit cyl = 8:"),
        ("how many sloops are there", "In Boats 3 rows of 5 fit kind = sloop:"),
        ("number of sloops in corvo", "In Boats 2 rows of 5 fit kind = sloop, home port = Corvo:"),
        ("how many were built after 1970", "In Boats 2 rows of 5 fit built > 1970:"),
        ("boats with more than 6 cylinders", "In Boats 3 rows of 5 fit cyl > 6:"),
        ("how many weigh between 3000 and 8000", "fit body_mass_g : 3000 – 8000:"),
        ("which boats have 4 or 6 cylinders", "In Boats 2 rows of 5 fit cyl = 4 / 6:"),
        ("seen on april 30", "In Boats 2 rows of 5 fit lastSeen = april 30:"),
        ("how many were last seen in 2013", "In Boats 3 rows of 5 fit lastSeen = 2013:"),
        ("how many are in santa cruz", "In Boats 1 row of 5 fits home port = Santa Cruz:"),
        ("how many boats are there", "Boats has 5 rows:"),
        ("how many sloop ships", "In Boats 3 rows of 5 fit kind = sloop:"),
        ("boats in corvo", "In Boats 3 rows of 5 fit home port = Corvo:"),
        ("which boat is the second heaviest", "In place 2 by the largest body_mass_g"),
        ("how many kinds are there", "kind has 2 different values in 5 rows of Boats:"),
    ],
)
def test_rows_are_counted_under_the_conditions_that_are_told(question: str, told: str) -> None:
    assert told in lead(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("total weight of the sloops", "over 3 rows of Boats with kind = sloop is 13300:"),
        ("avg body mass", "The mean of body_mass_g over 4 rows of Boats is 5600:"),
        ("heaviest boat", "The largest body_mass_g of 4 rows of Boats is 9100:"),
        ("the lightest sloop", "of 3 rows of Boats with kind = sloop is 2800:"),
        (
            "which port has the most boats",
            "Most often, in 3 of 5 rows of Boats, home port is Corvo:",
        ),
        ("wie viele sloops", "In Boats 3 rows of 5 fit kind = sloop:"),
    ],
)
def test_sums_means_and_extremes_say_over_which_rows_they_are(question: str, told: str) -> None:
    assert told in lead(question)


STAFF_HEAD = "Department | Q1 | Q2 | Works council"
STAFF_ROWS = ("Engineering | 41 | 44 | yes", "Sales | 18 | 20 | no", "Support | 12 | 13 | no")


def staff(heading: str = "Headcount", head: str = STAFF_HEAD) -> Table:
    rows = [(ROW, row) for row in STAFF_ROWS]
    passages = [passage_of((HEADER, head), *rows, of=Document(title="Figures"))]
    table = Table.of(passages, head, heading)
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many people in engineering q2", "Q2 is 44 for Department = Engineering:"),
        ("how many employees work in sales in Q1", "Q1 is 18 for Department = Sales:"),
        ("how many people in sales", "Figures › Headcount has this row for Department = Sales:"),
        ("how many people in engineering and sales q2", "- Engineering: 44\n- Sales: 20"),
    ],
)
def test_people_are_told_where_cells_count_them(question: str, told: str) -> None:
    assert told in written(question, staff())
    if "people" in question:
        assert written(question, staff("Rooms")) == ""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("whats the q2 of sales", "Q2 is 20 for Department = Sales:"),
        ("is there a works council in support", "Works council is no for Department = Support:"),
        ("how many desks in support", None),
        ("sales", None),
    ],
)
def test_of_a_table_in_a_text_a_cell_is_told_if_it_is_the_only_one(
    question: str, told: str | None
) -> None:
    made = reckoned(question, staff(), is_sheet=False, is_only=True)
    assert (made is not None) == (told is not None)
    assert made is None or str(told) in told_of(made, question)
    assert reckoned(question, staff(), is_sheet=False) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("head", [STAFF_HEAD, "Total | 2024 | – | Number of"])
def test_whatever_is_asked_of_a_table_is_no_error(seed: int, head: str) -> None:
    table, chance = staff(head=head), random.Random(seed)
    said = [*SAID, *(word for column in table.columns for word in (column.name, *column.cells))]
    for _ in range(250):
        question = " ".join(chance.choices(said, k=chance.randint(1, 9)))
        made = reckoned(question, table, is_sheet=True, is_only=True)
        assert made is None or told_of(made, question)


@pytest.mark.parametrize(
    "question",
    [
        "how many boats are red",  # which no column tells
        "how many boats have a mast",
        "cheapest boat",
        "price per boat",
        "how many boats have no mast",
        "weight per cyl",  # one figure divided by another
        "fourth oldest sloop",  # there are three
        "how many boats don't have 8 cylinders",
        "what is the average",
        "how many boats have over 8",  # of what?
        "total weight of the yawls",
        "how many yellow sloops are there",
        "how many people are in corvo",  # no row is a person
        "how many boats are in cruz",  # which is but a part of a port's name
        "how many schools are in corvo",  # of which no row tells
        "how many homes are in corvo",  # a home port is none
    ],
)
def test_nothing_is_reckoned_where_a_word_is_not_understood(question: str) -> None:
    assert made_of(question) is None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("boats per port", {"Corvo": "3", "Flores": "1", "Santa Cruz": "1"}),
        ("average weight by kind", {"cutter": "9100", "sloop": "4433.3"}),
        ("average weight of sloops and cutters", {"cutter": "9100", "sloop": "4433.3"}),
        ("which kind has the lowest average weight", {"sloop": "4433.3", "cutter": "9100"}),
        ("heaviest boat of each kind", {"cutter": "9100", "sloop": "7000"}),
        ("how many sloops by cyl", {"4": "1", "8": "2"}),
        ("top 2 boats by weight", {"Berta": "9100", "Emma": "7000"}),
        ("two lightest boats", {"Clara": "2800", "Anna": "3500"}),
        ("which 2 sloops are the heaviest", {"Emma": "7000", "Anna": "3500"}),
        ("wie viele pro kind", {"sloop": "3", "cutter": "2"}),
        ("which kind has the most cyl", {"sloop": "20", "cutter": "14"}),
        ("which home port has the least cyl", {"Flores": "8", "Santa Cruz": "8", "Corvo": "18"}),
    ],
)
def test_groups_and_ranks_are_listed_with_their_figures(
    question: str, told: dict[str, str]
) -> None:
    lines = [line for line in written(question).split("\n") if line.startswith("- ")]
    assert lines == [f"- {name}: {figure}" for name, figure in told.items()]


RACE = "sailor | country | gear | time | faults | pay"
SAILED = (
    "Ada | GER | none | 9.63 | 4 | 300",
    "Bo | JAM | kite | 12.10 | 9 | 120",
    "Cy | GER | none | 10.00 | 0 | 80",
    "Di | USA | sail | 11.40 | 2 | 510",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("fastest time and who sailed it", "The smallest time of 4 rows of Boats is 9.63:"),
        ("slowest sailor", "The largest time of 4 rows of Boats is 12.10:"),
        ("worst faults", "The largest faults of 4 rows of Boats is 9:"),
        ("best faults", "The smallest faults of 4 rows of Boats is 0:"),
        ("which job pays best", "The largest pay of 4 rows of Boats is 510:"),
        ("how many germans", "In Boats 2 rows of 4 fit country = GER:"),
        ("which captain has the most faults", "The largest faults of 4 rows of Boats is 9:"),
        ("top 2 captains by pay", "The 2 largest pay of 4 rows of Boats:"),
        ("how many captains per country", "Boats has 4 rows; by country:"),
        ("how many americans are there", "In Boats 1 row of 4 fits country = USA:"),
        ("which sailors have no gear", "In Boats 2 rows of 4 fit gear = none:"),
    ],
)
def test_the_best_codes_of_countries_and_none_are_understood(question: str, told: str) -> None:
    passage = passage_of((HEADER, RACE), *((ROW, row) for row in SAILED), of=BOATS)
    table = Table.of([passage], RACE, "")
    assert table is not None
    assert told in written(question, table)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many lands in europe", "3 rows of 6 fit region = europe_central_asia"),
        ("how many lands in europe and central asia", "3 rows of 6 fit region = europe_central"),
        ("how many lands in asia", ""),
        ("how many lands in york", ""),
    ],
)
def test_a_part_of_the_name_of_a_sort_is_that_sort_if_no_other_has_it(
    question: str, told: str
) -> None:
    lands = Document(title="Lands", file_name="lands.csv")
    regions = ["europe_central_asia"] * 3 + ["south_asia"] * 3
    towns = ["New York", "Corvo", "Porto", "Delhi", "Male", "Dhaka"]
    rows = [
        f"Land {at} | {town} | {region}"
        for at, (town, region) in enumerate(zip(towns, regions, strict=True))
    ]
    head = "land | town | region"
    passage = passage_of((HEADER, head), *((ROW, row) for row in rows), of=lands)
    table = Table.of([passage], head, "")
    assert table is not None
    made = reckoned(question, table, is_sheet=True)
    assert bool(made) is bool(told)
    assert not made or told in written(question, table)


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("how many boats leak", True),
        ("how much does anna weigh", False),
        ("how many cyl does anna have", False),
        ("what is the population of corvo", True),
        ("what is the home port of anna", False),
        ("boats that are newer than berta", True),
        ("the prettiest boat", False),
        ("the best boat", True),
        ("who is the owner of anna", True),
        ("how old is berta", False),
        ("how tall is berta", True),
        ("how heavy is berta", False),
    ],
)
def test_more_than_a_row_is_wanted_for_what_several_tell_or_none(
    question: str, wants: bool
) -> None:
    assert wants_more_than_a_row(question, HEAD.split(" | ")) is wants


def test_a_column_of_years_does_not_tell_how_many_there_are() -> None:
    names = ("boat", "year", "berths")
    assert wants_more_than_a_row("for how many years is ada listed", names)
    assert not wants_more_than_a_row("how many berths has ada", names)


@pytest.mark.django_db
def test_sheets_of_the_same_columns_are_one_table_unless_one_is_called(owner: User) -> None:
    file = office_files.workbook(
        office_files.rows(["boat", "price"], ["Ada", 120], ["Bo", 80], ["Cy", 310]),
        office_files.rows(["boat", "price"], ["Di", 95], ["Eva", 60], ["Flo", 700]),
    )
    add_document(file, file_name="boats.xlsx")
    run_due()
    assert "**6**" in asked(owner, "how many boats are there").response.splitlines()[0]
    assert "**700**" in asked(owner, "most expensive boat").response.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("owner of anna", "Boats has 1 row for name = Anna, but no column that is called owner:"),
        ("whats the phone number of clara", "but no column that is called phone number:"),
        ("berta's captain", "row for name = Berta, but no column that is called captain:"),
        ("how many lighthouses in flores", "but no column that is called lighthouses:"),
        (
            "who is the harbourmaster of corvo",
            "Boats has 3 rows for home port = Corvo, but no column",
        ),
        ("home port of anna", ""),
        ("weight of anna", ""),
        ("cutter of flores", ""),
        ("who painted anna", ""),
        ("why is anna leaking", ""),
        ("owner of the prettiest boat", ""),
        ("owner of zora", ""),
    ],
)
def test_what_no_column_is_called_by_is_said_to_be_lacking(question: str, told: str) -> None:
    table = Table.of(boats(), HEAD, "")
    assert table is not None
    made = lacking(question, table)
    assert bool(made) is bool(told)
    assert made is None or told in told_of(made, question).split("\n")[0]


def test_a_name_in_several_columns_of_the_same_rows_is_one() -> None:
    rows = ("Chad | Chad | 5", "Chile | Chili | 9", "Peru | Peru | 4", "Congo | Chad | 2")
    for said, shown in (("peru", 1), ("chad", 0)):
        passage = passage_of((HEADER, "en | fr | lakes"), *((ROW, row) for row in rows))
        table = Table.of([passage], "en | fr | lakes", "")
        assert table is not None
        made = reckoned(f"lakes in {said}", table, is_sheet=True)
        assert len(made.shown if made else ()) == shown


@pytest.mark.django_db
def test_what_is_not_reckoned_over_a_sheet_is_told_in_doubt(owner: User) -> None:
    add("boat;type;price\nAda;ferry;120\nBo;tug;80\nCy;ferry;310\n", name="boats.csv")
    assert asked(owner, "how much does ada cost").outcome == "answered"
    assert asked(owner, "price of ada").outcome == "answered"
    for question in ("what is the length of ada", "length of ada"):
        turn = asked(owner, question)
        assert turn.outcome == "unsure"
        assert "but no column that is called *length*" in turn.response.splitlines()[0]


@pytest.mark.django_db
def test_a_row_tells_what_its_cells_and_columns_hold_most_words_of(owner: User) -> None:
    add(
        "name;profession;date of birth;date of death\n"
        "Ines Calder;smith;1901-02-03;1977-05-06\nTom Okafor;cooper;1899-07-08;1954-09-10\n",
        name="people.csv",
    )
    assert asked(owner, "when did ines calder die").outcome == "answered"
    assert asked(owner, "what was tom okafors job").outcome == "answered"
    assert asked(owner, "which instrument did ines calder play").outcome == "unsure"


def test_words_somewhere_in_the_texts_of_one_column_ask_for_no_rows() -> None:
    head, rows = (
        "Code | Meaning",
        ("E1 | The pump met a timeout.", "E2 | The pump is too hot.", "E3 | There is no power."),
    )
    passage = passage_of((HEADER, head), *((ROW, row) for row in rows), of=Document(title="Errors"))
    table = Table.of([passage], head, "")
    assert table is not None
    assert reckoned("how do i set a timeout in the pump", table, is_sheet=False) is None


def test_of_a_table_in_a_text_not_all_rows_are_counted() -> None:
    assert made_of("how many boats are there", is_sheet=False) is None
    assert made_of("how many boats have 8 cylinders", is_sheet=False) is not None


def test_a_row_that_adds_up_the_others_is_none_of_them() -> None:
    rows = ("North | 12", "South | 30", "East | 8", "Total | 50")
    passage = passage_of((HEADER, "pier | visitors"), *((ROW, row) for row in rows))
    table = Table.of([passage], "pier | visitors", "")
    assert table is not None
    made = reckoned("total visitors", table, is_sheet=True)
    assert made is not None
    assert made.value == 50
    assert len(made.fitting) == 3


def test_a_row_that_is_only_called_a_total_is_one_of_them() -> None:
    rows = (
        "Corn Flakes | 12",
        "Total Raisin Bran | 30",
        "Trix | 8",
        "Total for now | 50",
        "Kix | 9",
    )
    passage = passage_of((HEADER, "cereal | sugar"), *((ROW, row) for row in rows))
    table = Table.of([passage], "cereal | sugar", "")
    assert table is not None
    names = [row.cells[0] for row in table.rows]
    assert names == ["Corn Flakes", "Total Raisin Bran", "Trix", "Kix"]


def test_the_parts_of_a_row_too_long_for_a_passage_are_one_row() -> None:
    head = "country | area | codes"
    parts = (
        ("Chad | 1284000 | +235", "Chile | 756102 | +56"),
        ("United States | 9372610",),
        ("+1201 +1202",),
        ("+1203 +1204",),
        ("+1205", "Uruguay | 181034 | +598"),
    )
    passages = [passage_of((HEADER, head), *((ROW, row) for row in part)) for part in parts]
    table = Table.of(passages, head, "")
    assert table is not None
    assert [row.cells for row in table.rows] == [
        ["Chad", "1284000", "+235"],
        ["Chile", "756102", "+56"],
        ["United States", "9372610", "+1201 +1202 +1203 +1204 +1205"],
        ["Uruguay", "181034", "+598"],
    ]
    assert [len(row.more) for row in table.rows] == [0, 0, 3, 0]


INVOICES_HEAD = "Invoice no | Customer | Hours | Net EUR | VAT EUR | Total EUR | Paid | is_final"
INVOICES_ROWS = (
    "2024-001 | Nordlicht GmbH | 40 | 3600 | 720 | 4320 | yes | 1",
    "2024-002 | Brightwater | 30 | 1000 | 200 | 1200 | no | 0",
    "2024-003 | Brightwater | 38 | 1300 | 260 | 1560 | no | 1",
    "2024-004 | Nordlicht GmbH | 10 | 2730 | 546 | 3276 | no | 1",
)


@pytest.mark.parametrize(
    ("question", "value", "shown"),
    [
        ("how many invoices are unpaid", None, 3),
        ("how many invoices are paid", None, 1),
        ("how many invoices are final", None, 3),
        ("total billed to nordlicht", 7596, 2),
        ("how many hours for brightwater", 68, 2),
        ("which customer did i bill the most", 10356, 2),
        ("which customer has the most invoices", 2, 4),
        ("whats the biggest invoice", 4320, 1),
        ("how much are the unpaid invoices in total", 6036, 3),
    ],
)
def test_whole_amounts_and_columns_of_yes_and_no_are_understood(
    question: str, value: float | None, shown: int
) -> None:
    rows = [(ROW, row) for row in INVOICES_ROWS]
    passage = passage_of((HEADER, INVOICES_HEAD), *rows, of=Document(title="Invoices 2024"))
    table = Table.of([passage], INVOICES_HEAD, "")
    assert table is not None
    made = reckoned(question, table, is_sheet=True)
    assert made is not None
    assert (made.value, len(made.shown)) == (value, shown)


LANDS = (
    "Arda | north | 120 | 9 | 5.5",
    "Belo | south | 300 | 2 | 1.5",
    "Cova | north | 80 | 4 | 2",
    "Dune | south | 900 | 1 | 3",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("largest land in the north", "The largest area of 2 rows of Lands with region = north is"),
        ("smallest land", "The smallest area of 4 rows of Lands is 80:"),
        ("how many more lakes in arda than in belo", "lakes differs by 7 for land = Arda / Belo:"),
        ("difference in lakes between cova and dune", "lakes differs by 3 for land = Cova / Dune:"),
        ("how much more tax has the north than the south", "the means of tax for region ="),
        ("who has more lakes the north or the south", "the sums of lakes for region = north / sou"),
        ("what percentage of lands are in the north", "50.0 % of the rows of Lands, 2 of 4, fit r"),
        ("percentage of northern lands with more than 5 lakes", "25.0 % of the rows of Lands, 1"),
        ("how many percent of lands have more than 3 lakes", "50.0 % of the rows of Lands, 2 of 4"),
        (
            "what share of north lands have more than 5 lakes",
            "50.0 % of the rows of Lands with reg",
        ),
        ("what percentage of lands are arda", ""),
        ("what percentage of castles are in the north", ""),
        ("how much more is arda", ""),
        ("how many lakes did we see in the north", "The sum of lakes over 2 rows of Lands with"),
    ],
)
def test_sizes_shares_and_differences_are_reckoned(question: str, told: str) -> None:
    head = "land | region | area | lakes | tax"
    lands = Document(title="Lands", file_name="lands.csv")
    passage = passage_of((HEADER, head), *((ROW, row) for row in LANDS), of=lands)
    table = Table.of([passage], head, "")
    assert table is not None
    line = (
        written(question, table).split("\n")[0] if reckoned(question, table, is_sheet=True) else ""
    )
    assert line.startswith(told) if told.endswith(":") and told[0].isupper() else told in line
    assert bool(line) is bool(told)


COSTS = ("January | 640 | 120", "February | 650 | 0", "March | 640 | 412.5", "April | 630 | 9")
LOG = (
    "2023-11-30 | Ada | 40",
    "2023-12-08 | Bo | 30",
    "2024-01-15 | Ada | 5",
    "2024-03-02 | Cy | 7",
)
WEATHER = ("5 | 1 | 10 | 60", "6 | 1 | 20 | 70", "7 | 1 | 40 | 80", "8 | 1 | 80 | 75")


@pytest.mark.parametrize(
    ("head", "rows", "question", "value", "shown"),
    [
        ("Month | Rent | Travel", COSTS, "rent from january to march", 1930, 3),
        ("Month | Rent | Travel", COSTS, "how much travel jan-april", 541.5, 4),
        ("Month | Rent | Travel", COSTS, "total rent between february and april", 1920, 3),
        ("Month | Rent | Travel", COSTS, "how much rent in january and march", None, 2),
        ("Date | Client | Total", LOG, "how many between november and january", None, 3),
        ("Date | Client | Total", LOG, "total from december 2023 to march 2024", 42, 3),
        ("Date | Client | Total", LOG, "total from january to march 2024", 12, 2),
        ("Date | Client | Total", LOG, "how much was billed to ada", 45, 2),
        ("Date | Client | Total", LOG, "wie viel von november bis dezember", 70, 2),
        ("Month | Day | Rain | Temp", WEATHER, "total rain from june to august", 140, 3),
        ("Month | Day | Rain | Temp", WEATHER, "average temp between may and july", 70, 3),
        ("Month | Day | Rain | Temp", WEATHER, "temp from june to july", None, 2),
    ],
)
def test_months_from_one_to_another_are_all_of_them_and_amounts_of_theirs_a_sum(
    head: str, rows: tuple[str, ...], question: str, value: float | None, shown: int
) -> None:
    passage = passage_of((HEADER, head), *((ROW, row) for row in rows), of=Document(title="Log"))
    table = Table.of([passage], head, "")
    assert table is not None
    made = reckoned(question, table, is_sheet=True)
    assert made is not None
    assert (made.value, len(made.shown)) == (value, shown)


def test_years_are_in_their_order_unless_the_most_is_asked_for() -> None:
    head, rows = (
        "Year | Sort | Rain",
        ("1990 | oak | 5", "1991 | oak | 9", "1991 | elm | 2", "1992 | oak | 7"),
    )
    passage = passage_of((HEADER, head), *((ROW, row) for row in rows), of=Document(title="Log"))
    table = Table.of([passage], head, "")
    assert table is not None
    for question, years in (
        ("which year had the most rain", ["1991", "1992", "1990"]),
        ("rain per year", ["1990", "1991", "1992"]),
    ):
        made = reckoned(question, table, is_sheet=True)
        assert made is not None
        assert list(made.groups) == years
    of_one_sort = reckoned("which year had the most rain of oak", table, is_sheet=True)
    assert of_one_sort is not None
    assert (of_one_sort.act, of_one_sort.shown, of_one_sort.by) == ("most", [1], None)


def test_a_row_that_fills_a_passage_stands_under_the_header_before_it() -> None:
    head = "country | area | codes"
    rows = ("Chad | 1284000 | +235", "Canada | 9984670 | +1204 +1226", "Chile | 756102 | +56")
    first, long, last = ((ROW, row) for row in rows)
    passages = [
        passage_of((HEADER, head), first),
        passage_of(long),
        passage_of((HEADER, head), last),
    ]
    table = Table.of(passages, head, "")
    assert table is not None
    assert [row.cells[0] for row in table.rows] == ["Chad", "Canada", "Chile"]


def test_rows_with_the_names_of_their_columns_in_them_are_rows_and_their_parts_one() -> None:
    records = (
        "- Boat: Anna; Built: 1970",
        "- Boat: Anna; Mast: 12 m",
        "- Boat: Berta; Built: 2019; Mast: 15 m; Said of it: fast; it leaks",
        "- Boat: Clara; Built: 2001",
    )
    passage = passage_of(*((BlockKind.ITEM, each) for each in records))
    table = Table.of_records([passage], "")
    assert table is not None
    assert [row.cells for row in table.rows] == [
        ["Anna", "1970", "12 m", ""],
        ["Berta", "2019", "15 m", "fast; it leaks"],
        ["Clara", "2001", "", ""],
    ]
    made = reckoned("how many boats were built after 2000", table, is_sheet=True)
    assert made is not None
    assert list(made.fitting) == [1, 2]


@pytest.mark.django_db
def test_the_answer_shows_what_was_counted_and_each_row_is_borne_out(owner: User) -> None:
    rows = [f"Berth {at},pier {at % 5},{40 + at}" for at in range(80)]
    assert add("\n".join(["Berth,Pier,Price", *rows]), name="berths.csv").passages.count() > 2
    turn = asked(owner, "how many berths are at pier 3?")
    assert turn.outcome == "answered"
    first, *shown = turn.response.split("\n")
    assert first == "In *Berths* **16** rows of 80 fit *Pier* = pier 3; 12 of the 16 rows are here:"
    assert sum(line.startswith("> | Berth ") and "pier 3" in line for line in shown) == 12
    states = {claim.state for claim in turn.claims.all()}
    assert states == {"supported"}


@pytest.mark.django_db
def test_what_only_may_be_meant_of_the_questions_before_is_no_condition(owner: User) -> None:
    prices = [("Ada", "ferry", 120), ("Bo", "tug", 80), ("Cy", "ferry", 310), ("Di", "yacht", 95)]
    rows = "\n".join(f"{name};{kind};{price}" for name, kind, price in prices)
    add(f"boat;type;price\n{rows}\n", name="boats.csv")
    turn = asked(owner, "which boat is the cheapest", "average price of the ferries")
    assert "**215**" in turn.response.splitlines()[0]


def test_a_note_in_a_sheet_is_no_record() -> None:
    assert fields_of("Name: Ada; Born: 1815") == {"Name": "Ada", "Born": "1815"}
    assert fields_of("Figures are in thousands.") == {}


COUNTED_HEAD = "Year | Marriages | Divorces | Population | Marriages_per_1000 | Divorces_per_1000"
COUNTED = (
    "1946 | 2291000 | 610000 | 141389000 | 16.2 | 4.3",
    "1979 | 2341102 | 1193062 | 225106000 | 10.4 | 5.3",
    "1980 | 2413896 | 1184175 | 227726000 | 10.6 | 5.2",
    "1990 | 2443489 | 1182000 | 248710000 | 9.8 | 4.7",
    "1992 | 2389375 | 1233226 | 256922000 | 9.3 | 4.8",
)


def counted(
    head: str = COUNTED_HEAD, rows: tuple[str, ...] = COUNTED, title: str = "Counted"
) -> Table:
    of = Document(title=title, file_name="sheet.csv")
    passage = passage_of((HEADER, head), *((ROW, row) for row in rows), of=of)
    table = Table.of([passage], head, "")
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("when was the divorce rate highest", "The largest Divorces_per_1000 of 5 rows"),
        ("how many years had more than 5 divorces per 1000", "2 rows of 5 fit Divorces_per_1000"),
        ("divorces per thousand people in 1980", "Divorces_per_1000 is 5.2 for Year = 1980"),
        ("scheidungen pro 1000 einwohner 1980", "Divorces_per_1000 is 5.2 for Year = 1980"),
        ("tasa de divorcios en 1980", "Divorces_per_1000 is 5.2 for Year = 1980"),
        ("average divorce rate since 1990", "The mean of Divorces_per_1000 over 2 rows"),
        ("highest number of divorces", "The largest Divorces of 5 rows of Counted is 1233226:"),
        ("divorces in 1980", "Divorces is 1184175 for Year = 1980"),
    ],
)
def test_a_rate_is_told_where_it_is_asked_for_and_else_how_many(question: str, told: str) -> None:
    assert told in written(question, counted())


def test_a_count_is_no_rate() -> None:
    head = "Year | Divorces | Pulse"
    table = counted(head, ("1979 | 1193062 | 70", "1980 | 1184175 | 72", "1981 | 1219042 | 71"))
    assert written("divorce rate in 1980", table) == ""
    assert "Pulse is 72 for Year = 1980" in written("pulse rate in 1980", table)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("year with the most weddings", "The largest Marriages of 5 rows of Counted is 2443489:"),
        ("how many couples got married in 1946", "Marriages is 2291000 for Year = 1946"),
        ("how many people got divorced in 1980", "Divorces is 1184175 for Year = 1980"),
        ("how many people in 1980", "Population is 227726000 for Year = 1980"),
        ("wie viele hochzeiten 1946", "Marriages is 2291000 for Year = 1946"),
        ("total divorces over all the years", "The sum of Divorces over 5 rows"),
    ],
)
def test_what_became_of_people_is_counted_by_the_column_that_tells(
    question: str, told: str
) -> None:
    assert told in written(question, counted())


BILLS_HEAD = "Rechnungsnr | Kunde | Netto | MwSt | Brutto | Bezahlt"
BILLS = (
    "RE-1 | Holm | 1.240,00 | 235,60 | 1.475,60 | ja",
    "RE-2 | Brandt | 3.480,50 | 661,30 | 4.141,80 | nein",
    "RE-3 | Holm | 620,00 | 117,80 | 737,80 | nein",
    "RE-4 | Linde | 980,00 | 186,20 | 1.166,20 | ja",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("welche rechnungen sind noch offen", "2 rows of 4 fit Bezahlt = nein:"),
        ("nicht bezahlte rechnungen", "2 rows of 4 fit Bezahlt = nein:"),
        ("how many bills are paid", "2 rows of 4 fit Bezahlt = ja:"),
        ("höchste rechnung", "The largest Brutto of 4 rows of Rechnungen is 4.141,80:"),
        ("steuer auf RE-2", "MwSt is 661,30 for Rechnungsnr = RE-2:"),
        ("how many bills for client holm", "2 rows of 4 fit Kunde = Holm:"),
    ],
)
def test_bills_are_told_by_whether_they_are_paid_and_as_they_are_called_elsewhere(
    question: str, told: str
) -> None:
    assert told in written(question, counted(BILLS_HEAD, BILLS, "Rechnungen"))


HOUSES_HEAD = "model | price | min price | bathrms | airco | brand | weight"
HOUSES = (
    "Fir | 300 | 250 | 2 | yes | Holz | 40",
    "Elm | 200 | 190 | 3 | no | Stein | 60",
    "Oak | 260 | 180 | 1 | yes | Holz | 50",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("cheapest house", "The smallest price of 3 rows"),
        ("how many have 3 bathrooms", "1 row of 3 fits bathrms = 3:"),
        ("average price with airconditioning", "The mean of price over 2 rows"),
        ("average price without airconditioning", "with airco = no is 200:"),
        ("how much does elm weigh", "weight is 60 for model = Elm:"),
        ("which brand has the most models", "Most often, in 2 of 3 rows"),
        ("welches hat den niedrigsten min price", "The smallest min price of 3 rows"),
    ],
)
def test_columns_are_named_in_full_where_sheets_write_them_short(question: str, told: str) -> None:
    assert told in written(question, counted(HOUSES_HEAD, HOUSES))


def test_a_comparison_of_two_on_average_tells_both_means() -> None:
    rows = ("Female | 10", "Male | 12", "Female | 14", "Male | 20")
    told = written("do women earn less than men on average", counted("sex | salary", rows))
    assert "- Male: 16\n- Female: 12" in told


@pytest.mark.django_db
def test_a_column_that_is_only_near_in_meaning_answers_in_doubt(
    owner: User, settings: Settings
) -> None:
    settings.EMBEDDING = "e5"
    rows = [f"Captain {at},{20 + at},{at * 100}" for at in range(1, 9)]
    add("\n".join(["Captain,Age,Salary", *rows]), name="captains.csv")
    turn = asked(owner, "who has the highest compensation?")
    assert turn.outcome == "unsure"
    assert turn.response.startswith("The largest *Salary* of 8 rows of *Captains* is **800**")
    settings.EMBEDDING = "none"
    head = "Captain | Age | Salary"
    table = counted(head, tuple(each.replace(",", " | ") for each in rows))
    assert with_near_columns("who has the highest compensation?", table) is None


@pytest.mark.parametrize(
    "question",
    [
        "what did an average wedding cost in 1990",
        "what did the divorces cost in 1980",
        "which country had the most divorces",
        "how many years was it above 8 percent",
    ],
)
def test_what_no_column_tells_is_not_told_by_another(question: str) -> None:
    assert written(question, counted()) == ""


def test_a_share_is_of_those_that_are_named_and_yes_and_no_are_compared_with_nothing() -> None:
    rows = ("Ada | f | 29 | 1", "Bo | m | 40 | 0", "Cy | m | 8 | 1", "Di | m | 31 | 0")
    table = counted("name | sex | age | survived", rows)
    assert written("what share of the men survived", table).startswith("33.3 % of the rows")
    assert written("youngest survivor", table).startswith("The smallest age of 2 rows")
    assert "fits age < 10, survived = 1:" in written("how many children under 10 survived", table)


def test_rows_that_may_have_none_of_it_are_not_all_counted() -> None:
    table = counted("state | hurricanes", ("Ohio | 0", "Texas | 64", "Iowa | 0"))
    assert written("how many states have hurricanes", table) == ""
    rows = ("Cow | herbi | 4", "Fox | carni | 9.8", "Goat | herbi | 5.3")
    table = counted("name | vore | sleep_total", rows, title="Mammal sleep")
    assert "2 rows of 3 fit vore = herbi" in written(
        "how many herbi animals are in the sleep table", table
    )


@pytest.mark.django_db
def test_workbooks_of_old_and_lists_of_records_are_sheets_as_well(owner: User) -> None:
    ships = [{"name": f"Ship {at}", "port": ("Oslo", "Bergen")[at % 2]} for at in range(7)]
    for data, name in (
        (json.dumps(ships).encode(), "fleet.json"),
        (files.old_office("deaths.xls"), "deaths.xls"),
    ):
        add_document(data, file_name=name, owner=owner)
    run_due()
    assert "**3** rows of 7" in asked(owner, "how many rows have port bergen").response
    assert "**4** rows of 20" in asked(owner, "how many musicians are there in deaths").response
