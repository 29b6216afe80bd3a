"""Each kind of question is answered through the product, with the words of the document."""

import pytest

from chat.turns.grounding.finding import as_read
from citations.ingestion.adding import add_document
from citations.models import Document
from memory.jobs.queue import run_due
from memory.models import User
from memory.text.citation_markers import without_markers, without_places
from memory.text.embedding import Embedded
from tests.chat.quoting.material import HANDBOOK, add, asked
from tests.citations import files

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FILLER = "The tide is low in the morning and high in the evening of each day of the week."


@pytest.fixture(autouse=True)
def _handbook(db: None) -> None:
    add(HANDBOOK)


def said(owner: User, question: str, *, in_doubt: bool = False) -> str:
    """Return what is answered, on one line and without markers, marks and places."""
    turn = asked(owner, question)
    outcome = "unsure" if in_doubt else "answered"
    assert turn.outcome == outcome, (turn.outcome, turn.answerability, turn.response)
    plain = without_places(without_markers(turn.response)).replace("**", "").replace("> ", "")
    return " ".join(plain.split())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can a boat of 20 metres use the inner basin?", "may not use the inner basin."),
        ("How many berths does the harbour have?", "The harbour has 240 berths."),
        ("When was the breakwater finished?", "The breakwater was finished on 14 May 1931."),
        ("Who is the harbour master?", "The harbour master is Marta Lindqvist."),
        ("What is a berth?", "A berth is a place where one boat is moored."),
        ("Why was the breakwater built?", "because winter storms had destroyed the wooden pier"),
        ("¿Cuántos amarres tiene el puerto?", "The harbour has 240 berths."),
        ("Wie viele Liegeplätze hat der Hafen?", "The harbour has 240 berths."),
        ("Wann wurde der Wellenbrecher fertig?", "finished on 14 May 1931."),
        ("Pourquoi a-t-on construit la digue ?", "because winter storms had destroyed"),
    ],
)
def test_the_sentence_that_answers_is_quoted(owner: User, question: str, answer: str) -> None:
    assert answer in said(owner, question)


def test_what_is_far_from_it_in_another_language_is_quoted_in_doubt(owner: User) -> None:
    question = "¿Quién es el capitán del puerto?"
    assert "The harbour master is Marta Lindqvist." in said(owner, question, in_doubt=True)


@pytest.mark.parametrize(
    ("question", "set_off"),
    [
        ("How many berths does the harbour have?", "**240**"),
        ("When was the breakwater finished?", "**14 May 1931**"),
        ("Who is the harbour master?", "**Marta Lindqvist"),
        ("Wann wurde der Wellenbrecher fertig?", "**14 May 1931**"),
    ],
)
def test_what_was_asked_for_is_set_off(owner: User, question: str, set_off: str) -> None:
    assert set_off in asked(owner, question).response


def test_a_how_to_comes_with_its_lead_and_its_steps_in_order(owner: User) -> None:
    answer = said(owner, "How do I book the crane?")
    steps = ["these steps are needed:", "Open the booking", "Choose a day", "Pay the deposit"]
    places = [answer.index(step) for step in steps]
    assert places == sorted(places)


def test_code_comes_with_the_sentence_that_introduces_it_and_as_code(owner: User) -> None:
    turn = asked(owner, "What command prints the crane's timetable?")
    lines = turn.response.split("\n")
    fence = lines.index("> ```")
    assert lines[fence + 1 : fence + 3] == ["> harbour crane --timetable --week 23", "> ```"]
    assert "Run the following" in lines[0]


def test_a_list_comes_whole_and_with_its_lead(owner: User) -> None:
    lines = asked(owner, "Which equipment must be on board?").response.split("\n")
    assert lines[0].endswith("of every boat:")
    assert lines[2:5] == [
        "> - a life jacket for each person",
        "> - a fire extinguisher",
        "> - a horn [1]",
    ]


def test_a_row_comes_under_its_header_and_its_caption(owner: User) -> None:
    turn = asked(owner, "How much is a night for a boat of 8 to 12 m in winter?")
    lines = [line.removeprefix("> ") for line in turn.response.split("\n")]
    header, row = lines.index("| Length | Summer | Winter |"), "| 8 to 12 m | 31 euros | 16 euros |"
    assert lines[0].startswith("Table 1: Fees of a night")
    assert lines[header + 1] == "| --- | --- | --- |"
    assert lines.index(row) > header


def test_what_points_back_comes_with_the_sentence_before(owner: User) -> None:
    assert said(owner, "Why was the breakwater built?").startswith("The breakwater was finished")


def test_what_completes_a_sentence_comes_along(owner: User) -> None:
    answer = said(owner, "Where do long boats moor?")
    assert "may not use the inner basin. They moor at the outer pier instead." in answer


def test_a_comparison_quotes_a_document_once_and_each_that_answers(owner: User) -> None:
    for town, gates in (("Coldwater", "ten in the evening"), ("Brightsea", "midnight")):
        add(f"# {town} marina\n\nThe gates of {town} marina close at {gates}.\n")
    answer = said(owner, "Compare when the gates of Coldwater marina and Brightsea marina close")
    assert answer.count("Coldwater") == answer.count("Brightsea") == 1


def test_the_sections_of_an_answer_say_where_they_stand(owner: User) -> None:
    turn = asked(owner, "When was the breakwater finished?")
    assert turn.response.endswith("[1]\n\n*Harbour Handbook › History*")


@pytest.mark.parametrize(
    "question",
    [
        "How many berths does the harbour have?",
        "What command prints the crane's timetable?",
        "Which equipment must be on board?",
        "How much is a night for a boat of 8 to 12 m in winter?",
        "How do I book the crane?",
    ],
)
def test_what_is_quoted_supports_itself(owner: User, question: str) -> None:
    for citation in asked(owner, question).citations.all():
        assert citation.score == 1.0
        assert citation.quote in citation.passage.text


def test_asking_for_more_brings_what_was_not_said_and_then_says_that_there_is_no_more(
    owner: User,
) -> None:
    Document.objects.all().delete()
    add("# Herons\n\nHerons eat fish. Herons eat frogs. Herons eat mice.\n")
    questions = ["What do herons eat?", *["Show me more"] * 3]
    answers = [asked(owner, *questions[:number]).response for number in range(1, 5)]
    everything = "\n".join(answers)
    assert [everything.count(food) for food in ("fish", "frogs", "mice")] == [1, 1, 1]
    assert answers[-1] == "The library holds nothing more on this question."


def test_a_follow_up_is_answered_as_the_kind_that_was_typed(owner: User) -> None:
    turn = asked(owner, "When was the breakwater finished?", "And why was it built?")
    assert "because winter storms had destroyed" in turn.response


# --- What is no answer ----------------------------------------------------------------------------


def test_a_question_that_a_document_asks_is_no_answer_to_it(owner: User) -> None:
    quoted = said(owner, "How many berths does the harbour have?").partition("> ")[2]
    assert quoted.startswith("The harbour has 240 berths.")  # the question may stand above it
    assert "?" not in quoted


def test_a_heading_is_no_answer(owner: User) -> None:
    add(
        "# Winter storage\n\n## Price of winter storage in the hall\n\nIt costs 90 euros a month.\n"
    )
    answer = said(owner, "What is the price of winter storage in the hall?")
    assert "It costs 90 euros a month." in answer
    assert "Price of winter" not in answer


def test_a_line_of_contents_is_no_answer(owner: User) -> None:
    add(
        "# Bylaws\n\nTowing of wrecks ........ 7\n\nFuel station ........ 9\n\n"
        "## Towing\n\nWrecks are towed by the tug of the harbour office.\n"
    )
    answer = said(owner, "Who does the towing of wrecks?")
    assert "Wrecks are towed by the tug" in answer
    assert "...." not in answer


def test_a_running_header_is_no_answer(owner: User) -> None:
    header = "Rules of the fishing pier"
    lines = ["Anglers fish from the west side only.", "Nets are dried on Mondays.", "Bait is sold."]
    pages = [f"{header}\n\n{line} {FILLER}\n\nPage {at}" for at, line in enumerate(lines, 1)]
    document = add_document(files.pdf(pages), file_name="pier.pdf")
    run_due()
    assert document.passages.exists()
    answer = said(owner, "From which side of the fishing pier do anglers fish?")
    assert "Anglers fish from the west side only." in answer
    assert header not in answer


def test_nothing_is_quoted_twice(owner: User) -> None:
    sentence = "The fuel station opens at seven in the morning."
    for name in ("Fuel", "Opening hours"):
        add(f"# {name}\n\n{sentence}\n")
    assert said(owner, "When does the fuel station open?").count(sentence) == 1


# --- Words of the conversation --------------------------------------------------------------------


def test_what_the_library_holds_as_typed_is_searched_as_typed(owner: User) -> None:
    turn = asked(owner, "Who is the harbour master?", "how do i book the crane")
    assert (turn.standalone_query, turn.rewrite_reason) == (turn.query, "stands_alone")


def test_words_that_change_nothing_are_not_put_behind_a_question(owner: User) -> None:
    question = "what deposit is taken for lifting with the crane"
    turn = asked(owner, "How do I book the crane?", question)
    assert (turn.standalone_query, turn.rewrite_reason) == (turn.query, "stands_alone")


def test_words_put_behind_a_question_say_where_to_look_and_not_what_is_asked() -> None:
    typed = Embedded("how high is it?")
    assert as_read(Embedded("how high is it (about berths, inner basin)?"), typed) is typed
    replaced = as_read(Embedded("how high is the crane (about berths)?"), typed)
    assert replaced.text == "how high is the crane?"
    bare = Embedded("why (about berths)?")
    assert as_read(bare, Embedded("why?")) is bare
    pointing = Embedded("compare the first two (about Ana, Tom)")
    assert as_read(pointing, Embedded("compare the first two")) is pointing
