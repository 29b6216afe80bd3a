"""What counts as a list in an answer or a question."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion, rewrite
from memory.recall.rewriting.rules.lists import items, last_list, pair

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("- Olaparib: a PARP inhibitor\n- Niraparib, once a day", ["Olaparib", "Niraparib"]),
        ("1) **Madrid** is the capital\n2) **Seville** - the south", ["Madrid", "Seville"]),
        (
            "> - Model A200: for brine\n> - Model B300: for seawater [2]\n\n*Seawater pumps*",
            ["Model A200", "Model B300"],
        ),
        ("- [ ] Cookie size: 4 kB\n- [x] 📖 Cookie path: /", ["Cookie size", "Cookie path"]),
        ("The options are red, green and blue.", ["red", "green", "blue"]),
        ("Las opciones son rojo, verde y azul.", ["rojo", "verde", "azul"]),
        (
            "“Ana Ribeiro works daily with Vue 3.” [1]\n\n“Juan Pérez works with React.” [2]",
            ["Ana Ribeiro", "Juan Pérez"],
        ),
        (
            "“If the Closing Date is a holiday, it moves.” [1]\n\n"
            "“Ana Ribeiro signs it.” [1]\n\n“The Record Date does not move.” [2]",
            ["Closing Date", "Record Date"],
        ),
        (
            "“María García and Juan Pérez lead Acme Bank together.” [1]",
            ["María García", "Juan Pérez"],
        ),
        (
            "Ana Ribeiro knows Vue at Acme Bank [1]. Juan Pérez knows React [2].",
            ["Ana Ribeiro", "Juan Pérez"],
        ),
        ("“BRCA1 is on chromosome 17.” [1]\n\n“BRCA2 is on 13.” [2]", ["BRCA1", "BRCA2"]),
        (
            "“The genes of the PI3K pathway are PIK3CA, PTEN and MTOR.” [1]\n\n“PTEN ends it.” [1]",
            ["PIK3CA", "PTEN", "MTOR"],
        ),
    ],
)
def test_items_are_named_by_how_they_begin(response: str, expected: list[str]) -> None:
    assert items(Exchange("", response)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "",
        "There is one thing to say.",
        "“Ana Ribeiro works daily with Vue 3.” [1]\n\n“Ana Ribeiro tests with Playwright.” [1]",
        "White Wine is dry. Rose Wine is not. Nothing of it is cited.",
        "He said that it rained, that it snowed and that he left.",
        "It comes with red, green and blue lamps. " + "More is said of other things. " * 12,
    ],
)
def test_what_is_no_list_has_no_items(response: str) -> None:
    assert items(Exchange("", response)) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Compare Ana Ribeiro and Juan Pérez", ["Ana Ribeiro", "Juan Pérez"]),
        ("Which is cheaper: concrete or asphalt?", ["concrete", "asphalt"]),
        ("What is the difference between the GDP and the GNI?", ["GDP", "GNI"]),
        ("Is the Model 3 better?", []),
        ("What are the pros and cons of electric cars?", []),
    ],
)
def test_a_question_may_set_two_things_side_by_side(question: str, expected: list[str]) -> None:
    assert pair(question) == expected


def test_the_newest_list_is_meant_and_its_turn_is_told() -> None:
    older = Exchange("Which?", "- one thing\n- two things", 1)
    newer = Exchange("And which?", "- red paint\n- blue paint", 2)
    plain = Exchange("Why?", "Because.", 3)
    assert last_list([older, newer, plain]) == (["red paint", "blue paint"], 2)


PLANS = [
    Exchange("how much is the Basic plan", "“The Basic plan costs 9 euros.” [1]", 1),
    Exchange("and the Pro plan", "“It costs 19 euros.” [1]", 2, "how much is the Pro plan?"),
]
TOOLS = [
    Exchange("what's the difference between logrotate and newsyslog", "“One is for BSD.” [1]", 1),
    Exchange("tell me more about logrotate", "“logrotate eases administration.” [1]", 2),
]
TARIFFS = [
    Exchange("was kostet der Basic Tarif", "“9 Euro.” [1]", 1),
    Exchange("was kostet der Pro Tarif", "“19 Euro.” [1]", 2),
]


@pytest.mark.parametrize(
    ("exchanges", "query", "meant"),
    [
        (PLANS, "and the other one?", "how much is the Basic plan?"),
        (PLANS, "what is included in the other one", "what is included in Basic"),
        (PLANS, "which one should I take", "which one should I take, Basic or Pro?"),
        (PLANS, "which one is lighter", "which one is lighter, Basic or Pro?"),
        (TOOLS, "how do I configure the other one?", "how do I configure newsyslog?"),
        (TARIFFS, "welcher ist billiger", "welcher ist billiger, Basic Tarif oder Pro Tarif?"),
    ],
)
def test_of_two_things_the_other_one_is_the_one_that_was_not_asked_about_last(
    exchanges: list[Exchange], query: str, meant: str
) -> None:
    assert rewrite(ReadQuestion(query), exchanges).query == meant


FEES = [
    Exchange("how much is the harbour fee", "> The harbour fee is 40 euros. [1]", 1),
    Exchange("how much is the crane fee", "> The crane fee is 25 euros. [1]", 2),
]
BOATS = [
    Exchange("how many red boats are there", "> 14 boats are red. [1]", 1),
    Exchange("how many green boats are there", "> 9 boats are green. [1]", 2),
]


@pytest.mark.parametrize(
    ("exchanges", "query", "meant"),
    [
        (FEES, "how much is that together", "how much is the harbour and crane fee together?"),
        (FEES, "and in total?", "how much is the harbour and crane fee in total?"),
        (BOATS, "what does that make altogether", "how many red boats and green boats are there?"),
        (TARIFFS, "wie viel ist das zusammen", "was kostet der Basic und Pro Tarif zusammen?"),
        (FEES, "is that all", "how much is the crane fee"),
    ],
)
def test_of_all_that_was_asked_in_turn_the_sum_is_asked_for(
    exchanges: list[Exchange], query: str, meant: str
) -> None:
    assert rewrite(ReadQuestion(query), exchanges).query == meant


def test_of_one_thing_there_is_no_sum() -> None:
    assert " and " not in rewrite(ReadQuestion("how much is that together"), FEES[:1]).query


def test_of_one_thing_there_is_no_other() -> None:
    assert rewrite(ReadQuestion("and the other one"), PLANS[:1]).reason != "list_item"


def test_two_questions_that_share_their_what_asked_of_no_two_things() -> None:
    asked = [
        Exchange("How much does a garage door opener cost to fix?", "Some 100 dollars.", 1),
        Exchange("How about replacing it, or do I choose a new one?", "It depends.", 2),
    ]
    found = rewrite(ReadQuestion("Which is the better type?"), asked)
    assert "choose a new one" not in found.query


@pytest.mark.parametrize(
    ("query", "is_choice"),
    [("who is the lender", False), ("and the owner?", False), ("which is the heavier", True)],
)
def test_somebody_is_no_choice_of_what_was_listed(query: str, is_choice: bool) -> None:
    told = Exchange("what cranes are there", "- Heron: new\n- Robin: old", 1)
    assert (rewrite(ReadQuestion(query), [told]).reason == "list_item") is is_choice
