"""The entities that a question and its answer name."""

import pytest

from memory.recall.naming import LONGEST_NAME, MOST, Place, find_named_entities, normalise_name
from tests.effort import computed_within

DEFINITION = "“Determination Date” means the fifteenth day of each month (Section 3.04)."


def names(question: str, answer: str = "", *places: Place) -> dict[str, str]:
    """Return the names with their kinds."""
    return {each.name: each.kind for each in find_named_entities(question, answer, places)}


def test_a_defined_term_is_known_with_the_sentence_that_defines_it() -> None:
    answer = f"The Determination Date is near. {DEFINITION} [1]"
    term = find_named_entities("What is the Determination Date?", answer)[0]
    assert (term.name, term.kind, term.snippet) == ("Determination Date", "term", DEFINITION)


@pytest.mark.parametrize(
    "answer",
    [
        "The company (the “Servicer”) pays.",
        "“Servicer” shall mean whoever pays.",
        "Der «Servicer» zahlt.",
        "„Servicer“ bedeutet: wer zahlt.",
    ],
)
def test_what_stands_in_quotation_marks_is_a_term(answer: str) -> None:
    assert names("who pays?", answer)["Servicer"] == "term"


def test_a_sentence_in_quotation_marks_is_none() -> None:
    answer = "“It is adjusted under the terms of the agreement whenever that is needed.” [1]"
    assert names("when is it adjusted?", answer) == {}


@pytest.mark.parametrize(
    "section", ["Section 3.04", "Article IV", "§ 12", "Schedule B", "Clause 5(a)", "Abschnitt 4"]
)
def test_a_numbered_section_is_one(section: str) -> None:
    assert names(f"what does {section} say?") == {section: "section"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is Maria Garcia?", {"Maria Garcia"}),
        ("what about BRCA1 and p53?", {"BRCA1", "p53"}),
        ("Compare Banco de España with Wells Fargo", {"Banco de España", "Wells Fargo"}),
        ("Wo liegt München?", {"München"}),
        ("Кто такой Лев Толстой?", {"Лев Толстой"}),
        ("Tell me more about the mRNA vaccine.", {"mRNA"}),
    ],
)
def test_a_name_has_capitals_or_figures(question: str, expected: set[str]) -> None:
    assert set(names(question)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What happens then?",
        "Explain further.",
        "Thanks! That helps. Is it due on Monday or in January?",
        "WHAT IS THE DATE OF THE AGREEMENT THAT WE TALKED ABOUT?",
        "",
        "what does it say?",
    ],
)
def test_capitals_that_mean_nothing_name_nothing(question: str) -> None:
    assert names(question) == {}


@pytest.mark.parametrize(
    "answer",
    [
        "> It prints all.\n\n*Manual of smartctl › DESCRIPTION › Report Commands*",
        "> DESCRIPTION\n> it prints all\n>\n> SEE ALSO\n> **OPTIONS**",
        "## Report Commands\nIt prints all.",
        "COMMANDS it prints all. EXAMPLES are below.",
        "Type `SELECT Name FROM Users` or so:\n```\nCREATE TABLE Users\n```",
    ],
)
def test_where_a_quotation_stands_headings_and_code_name_nothing(answer: str) -> None:
    assert names("how is it printed?", answer) == {}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Der Wert ist z.B. TRUE, d.h. nicht NULL, bei der Nordlicht GmbH.",
            {"Nordlicht GmbH"},
        ),
        ("Die Spalte und der Vertrag gelten für Frau Diallo.", {"Frau Diallo"}),
        (
            "Set it to TRUE, e.g. by setValue() with MAX_SIZE in etc/app.conf or api/v1 on Linux.",
            {"Linux"},
        ),
        ("| Name | Town |\n|---|---|\n| Kiel | Bremen |\nIt is near Lübeck.", {"Lübeck"}),
        ("Name | Town | Yes\nIt is near Lübeck.", {"Lübeck"}),
    ],
)
def test_abbreviations_code_and_cells_of_tables_are_no_names(
    answer: str, expected: set[str]
) -> None:
    assert set(names("was ist das?", answer)) == expected


def test_a_name_beside_a_heading_is_one() -> None:
    assert names("what?", "> DESCRIPTION\n> the tool Smartctl reads PTEN of the ATA disk") == {
        "Smartctl": "name",
        "PTEN": "name",
        "ATA": "name",
    }


def test_documents_and_sections_that_are_cited_are_named() -> None:
    place = Place("Servicing Agreement", "Article II: Dates › Section 2.1 Business days")
    assert names("and then?", "It moves. [1]", place, place) == {
        "Servicing Agreement": "document",
        "Section 2.1 Business days": "section",
    }


def test_the_same_thing_written_otherwise_is_named_once() -> None:
    found = names("the Servicer Advances", "Each Servicer Advance is paid. Servicer advances, too.")
    assert list(found) == ["Servicer Advances"]
    assert normalise_name("The Servicer’s advances") == normalise_name("servicer ADVANCE")
    assert normalise_name("Section 2.1 Business days") == normalise_name("section 2.1")
    assert normalise_name("Section 2.1") != normalise_name("Section 2.11")
    assert normalise_name("决定日") != normalise_name("日") != ""


def test_a_section_is_not_resolved_by_a_longer_number() -> None:
    said = "Section 3.04 is about dates. Section 3.0 is old."
    section = find_named_entities("what is Section 3.0?", said)[0]
    assert section.snippet == "Section 3.0 is old."


def test_what_the_question_names_comes_first_and_a_list_is_cut() -> None:
    listed = " ".join(f"Then Name{number} came." for number in range(50))
    found = list(names("who is Ada Lovelace?", listed))
    assert found[0] == "Ada Lovelace"
    assert len(found) == MOST
    assert max(map(len, found)) <= LONGEST_NAME


@pytest.mark.parametrize(
    "poison",
    [
        "A" * 200_000,
        "“" * 90_000,
        "Aa " * 60_000,
        "Section " * 30_000,
        "a.b" * 60_000,
        '"A' * 60_000,
    ],
    ids=lambda text: text[:4],
)
def test_poison_costs_little(poison: str) -> None:
    computed_within(2, lambda: find_named_entities(poison, poison, [Place(poison, poison)]))
