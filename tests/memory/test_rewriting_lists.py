"""What counts as a list in an answer or a question."""

import pytest

from memory.recall.rewriting import Exchange
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
