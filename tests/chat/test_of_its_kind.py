"""A short follow-up is of the thing whose kind a table tells: "and sales" after engineering."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.conversations.asking import create_session
from memory.models import User
from tests.chat.quoting.material import add
from tests.chat.remembered import said

pytestmark = pytest.mark.django_db

HEADCOUNT = (
    "Department;Q1;Q2;Q3;Q4\nEngineering;41;44;47;52\nSales;18;18;21;20\n"
    "Support;12;13;13;15\nFinance;6;6;7;7\n"
)
EXPENSES = (
    "Employee;Category;Amount\nMaria Schneider;Travel;412.5\nPaul Dubois;Hardware;1899\n"
    "Maria Schneider;Meals;56.2\nAna Ruiz;Training;780\nPaul Dubois;Travel;1033.4\n"
)


@pytest.mark.asked_elsewhere
@pytest.mark.parametrize(
    ("asked", "follow_up", "searched", "figure"),
    [
        ("how many people in engineering q4", "and sales", "people in Sales q4", "20"),
        ("how many people in support q3", "n finance?", "people in Finance q3", "7"),
        ("how many people in support q3", "what about q1", "people in support Q1", "12"),
    ],
)
def test_what_stands_in_a_column_takes_the_place_of_its_like(
    owner: User, asked: str, follow_up: str, searched: str, figure: str
) -> None:
    add(HEADCOUNT, name="headcount.csv")
    session = create_session(owner)
    said(session, asked)
    turn = said(session, follow_up)
    assert turn.standalone_query
    assert searched in turn.standalone_query
    assert f"**{figure}**" in turn.response
    assert turn.rewrite_reason == "topic_carried"


@pytest.mark.asked_elsewhere
def test_somebody_typed_small_and_by_a_first_name_takes_the_place_of_another(owner: User) -> None:
    add(EXPENSES, name="expenses.csv")
    session = create_session(owner)
    said(session, "how much did maria schneider spend on travel")
    turn = said(session, "and paul")
    assert turn.standalone_query == "how much did Paul Dubois spend on travel?"
    assert "1033.4" in turn.response
    assert said(session, "and hardware").standalone_query == (
        "how much did Paul Dubois spend on Hardware?"
    )


@pytest.mark.asked_elsewhere
def test_what_is_of_no_column_or_of_two_places_is_left_alone(owner: User) -> None:
    add(HEADCOUNT, name="headcount.csv")
    session = create_session(owner)
    said(session, "compare support and finance in q3")
    both = said(session, "and sales").standalone_query
    assert both
    assert both.count("Sales") == 0
    assert "q3" not in str(said(session, "who is the boss of sales").standalone_query)


ORDERS = (
    "Order;Customer;Harbour;Crates\nK-11;Tidewater Ltd;Bergen;40\n"
    "K-12;Nils & Sons;Oslo;12\nK-13;Fjord Fish;Bergen;25\n"
)


@pytest.mark.asked_elsewhere
def test_what_only_names_a_column_is_asked_of_the_row_that_was_asked_about(owner: User) -> None:
    add(ORDERS, name="orders.csv")
    session = create_session(owner)
    said(session, "how many crates has order K-12")
    turn = said(session, "who is the customer")
    assert turn.standalone_query == "who is the customer for K-12?"
    assert "**Nils & Sons**" in turn.response
    assert "**Oslo**" in said(session, "whats the harbour").response
    assert said(session, "what are the customers").standalone_query != (
        "what are the customers for K-12?"
    )


@pytest.mark.asked_elsewhere
def test_it_is_looked_for_behind_what_was_asked_beside(owner: User) -> None:
    add(HEADCOUNT, name="headcount.csv")
    session = create_session(owner)
    said(session, "how many people in engineering q4")
    said(session, "is that right")
    turn = said(session, "and sales")
    assert turn.standalone_query == "how many people in Sales q4?"
    assert "**20**" in turn.response


def test_a_sheet_is_read_once_for_all_questions_before(owner: User) -> None:
    add(HEADCOUNT, name="headcount.csv")
    session = create_session(owner)
    for question in ("how many people in support q3", "and in q4", "is that right"):
        said(session, question)
    with CaptureQueriesContext(connection) as queries:
        said(session, "thanks, and is it growing")
    # As the model's table orders them: all passages of one document.
    whole = [each for each in queries if 'ORDER BY "citations_passage"."position"' in each["sql"]]
    assert len(whole) == 2  # to find what is asked, and to answer it
