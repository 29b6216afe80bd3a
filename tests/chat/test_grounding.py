"""Before an answer: a slip is forgiven, a version found, and a document known by its short name."""

import pytest

from chat.turns.grounding.named import fitting_names, with_passages_naming
from chat.turns.grounding.spelling import meant, respelled
from chat.turns.pipeline import answer_now, take_turn
from citations.retrieval import Scope, find_passages
from memory.conversations.asking import Question, create_session
from memory.models import Turn, User
from tests.chat.extractive.material import HANDBOOK, add, asked

VERSIONS = "\n\n".join(
    f"## {number}.{minor} ({2000 + number}-0{minor + 1}-01)\n\n- Fixed how ropes of kind {number}"
    f" are counted after a storm of strength {minor}, which went wrong."
    for number in range(1, 9)
    for minor in range(4)
)


@pytest.mark.once
@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("bandwith", "bandwidth"),
        ("commitee", "committee"),
        ("overide", "override"),
        ("automaticaly", "automatically"),
        ("freqeuncy", "frequency"),
    ],
)
def test_a_slip_is_taken_for_the_word_that_is_there(typed: str, there: str) -> None:
    assert meant(typed, {"harbour", there, "another"}) == there


@pytest.mark.once
@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("harbours", "harbour"),  # another form of it
        ("создания", "создание"),
        ("harbour", "armour"),
        ("harbour", "hangout"),
    ],
)
def test_another_word_is_no_slip(typed: str, there: str) -> None:
    assert meant(typed, {there}) == ""


@pytest.mark.django_db
@pytest.mark.once
def test_a_question_is_searched_as_the_library_spells_it_and_the_turn_says_so(owner: User) -> None:
    add(HANDBOOK)
    turn = asked(owner, "when was the breakwatter finished")
    assert turn.standalone_query == "when was the breakwater finished"
    assert "14 May 1931" in turn.response


@pytest.mark.django_db
@pytest.mark.once
def test_what_was_typed_is_searched_exactly_if_that_was_asked_for(owner: User) -> None:
    add(HANDBOOK)
    question = Question(
        "when was the breakwatter finished", standalone="when was the breakwatter finished"
    )
    begun = take_turn(create_session(owner), question)
    assert begun.attempt
    turn: Turn = answer_now(begun.attempt)
    assert turn.standalone_query == "when was the breakwatter finished"


@pytest.mark.django_db
@pytest.mark.once
def test_words_that_the_library_knows_are_left_as_they_are(db: None) -> None:
    add(HANDBOOK)
    found = find_passages("which harbour has berths", scope=Scope())
    assert respelled("which harbour has berths", found) == "which harbour has berths"


ABROAD = """# Staff

The vacations of the staff are planned in the spring. Two documents are handed in for them, and the
management has the contracts of all those who work here.
"""


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(
    "typed",
    [
        "cuantos dias de vacaciones tengo in the spring",
        "dónde están los documentos de la spring",
        "wo sind die Documente für spring",
        "quand sont les managements de spring",
        "vacaciones in spring",
    ],
)
def test_a_word_of_one_language_is_no_slip_of_another(db: None, typed: str) -> None:
    add(ABROAD)
    found = find_passages(typed, scope=Scope())
    assert respelled(typed, found) == typed


@pytest.mark.django_db
@pytest.mark.once
def test_a_slip_in_the_language_of_the_library_is_mended(db: None) -> None:
    add(ABROAD)
    typed = "when are the vacatoins of the staff"
    found = find_passages(typed, scope=Scope())
    assert respelled(typed, found) == "when are the vacations of the staff"


@pytest.mark.django_db
@pytest.mark.once
def test_another_form_of_a_word_there_is_no_slip_of_another(db: None) -> None:
    add("# Caja\n\nConecta el cable y enciende la caja. Si has entendido los riesgos, entiendo.\n")
    typed = "cuándo la enciendo y quién la encidende"
    assert respelled(typed, find_passages(typed, scope=Scope())) == (
        "cuándo la enciendo y quién la enciende"
    )


@pytest.mark.django_db
@pytest.mark.once
def test_a_version_is_found_by_its_heading(db: None) -> None:
    add(f"# Changes\n\n{VERSIONS}\n")
    typed = "what was wrong with the ropes in 7.2"
    found = with_passages_naming(typed, find_passages(typed, scope=Scope(), limit=4), Scope())
    assert any("7.2" in f"{each.passage.heading}\n{each.passage.text}" for each in found[:4])


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "is_short"),
    [
        ("does the phl grant rights in ropes", True),
        ("does the terms2024 grant rights in ropes", True),
        ("does the licence grant rights in ropes", False),  # that it holds anyway
    ],
)
def test_a_document_is_known_by_its_initials_and_by_its_file(question: str, is_short: bool) -> None:
    add(
        "# Public Harbour Licence\n\nThis licence grants no rights in flags.\n", name="terms2024.md"
    )
    plain = find_passages(question, scope=Scope())
    assert plain
    assert (fitting_names(question, plain)[0].fit > plain[0].fit) == is_short
