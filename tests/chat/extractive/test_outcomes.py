"""Outcomes of answers: answered, not sure, nothing found, not read yet; in turns, API and page."""

from typing import Any

import pytest
from django.test import Client

from chat.extractive.answerability import NOTHING, SURE
from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from citations.models import Document
from memory.conversations.asking import Question, create_session
from memory.jobs.queue import run_due
from memory.models import Turn, User
from tests.api.conftest import Api
from tests.chat.extractive.material import HANDBOOK, add, asked
from tests.citations.documents import embed_units
from tests.model_server import ModelServer
from tests.pages.conversations import page, text

pytestmark = pytest.mark.django_db

Outcome = Turn.Outcome
HELD = "Who is the harbour master?"
NEAR = "Is there a dog in the harbour?"
FAR = "How do I repair the gearbox of a tractor?"
SAID = "The library holds nothing on this question."


@pytest.fixture(autouse=True)
def _handbook(db: None) -> None:
    add(HANDBOOK)


@pytest.fixture
def api(owner: User) -> Api:
    return Api(owner)


def waiting(owner: User | None = None, *, title: str = "Tractors") -> Document:
    """Add a document that nobody has read yet."""
    data = f"# {title}\n\nThe gearbox of a tractor is repaired by a smith.\n"
    return add_document(data.encode(), file_name="tractors.md", owner=owner)


def test_what_is_held_is_answered(owner: User) -> None:
    turn = asked(owner, HELD)
    assert turn.outcome == Outcome.ANSWERED
    assert turn.answerability >= SURE


def test_what_only_comes_close_is_quoted_and_said_to_be_unsure(owner: User) -> None:
    turn = asked(owner, NEAR)
    assert turn.outcome == Outcome.UNSURE
    assert NOTHING <= turn.answerability < SURE
    assert turn.citations.exists()


def test_a_total_over_a_table_is_answered_by_its_rows_and_in_doubt(owner: User) -> None:
    add("# Crew\n\n| Name | Age |\n| --- | --- |\n| Ada | 40 |\n| Bo | 20 |\n", name="crew.md")
    turn = asked(owner, "what is the total age of the crew in the table of name and age")
    assert turn.outcome == Outcome.UNSURE
    assert "| Ada | 40 |" in turn.response.replace("**", "")


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("what is the cost of the bench in the costs", Outcome.UNSURE),
        ("what is the price of the bench in the costs", Outcome.ANSWERED),
        ("how many pieces of the bench are in the costs", Outcome.ANSWERED),
        ("on which shelf is VLT-2202", Outcome.ANSWERED),
        ("on which shelf is VLT-2222", Outcome.UNSURE),
    ],
)
def test_an_empty_cell_and_an_unknown_code_are_in_doubt(
    owner: User, question: str, outcome: Outcome
) -> None:
    add(
        "# Costs\n\n| Item | Pieces | Price | Cost |\n| --- | --- | --- | --- |\n"
        "| Bench | 4 | 120 | |\n| Lamp | 10 | 45 | |\n\n# Shelves\n\n- VLT-2201 is on shelf A3.\n"
        "- VLT-2202 is on shelf B7.\n",
        name="costs.md",
    )
    assert asked(owner, question).outcome == outcome


def test_of_what_is_not_held_nothing_is_quoted(owner: User) -> None:
    turn = asked(owner, FAR)
    assert (turn.outcome, turn.response) == (Outcome.NOTHING_FOUND, SAID)
    assert turn.answerability < NOTHING
    assert not turn.citations.exists()


SOFTWARE = """# Distribution guide

## Money

Several organizations hold assets in trust for the distribution. At the time of this writing there
are two of them in Europe: one association in France, and one in Switzerland and Liechtenstein.

## Packages

A package is held back with the command that marks it, and keeps its version until it is released.
Who wants to add one tells so, which is an ITP (intention to package), and waits for an answer.
To list all the files of an installed package, execute the command that lists files.

## Speed

The compressor works at a speed that depends on the size of its blocks; low levels are faster.
A warranty is not given: the program comes as it is, without one, to the extent the law permits.
"""


@pytest.mark.parametrize(
    "question",
    [
        "who is the president of france",
        "why is the sky blue",
        "what is the capital of switzerland",
        "how far is the moon from earth",
        "what is the plot of hamlet",
    ],
)
def test_what_only_shares_a_word_with_the_question_is_not_told_as_an_answer(
    owner: User, question: str
) -> None:
    add(SOFTWARE)
    turn = asked(owner, question)
    assert turn.outcome != Outcome.ANSWERED, (turn.answerability, turn.response)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which countries have an association that holds assets", "France"),
        ("how do i hold back a package", "command that marks it"),
        ("is there a warranty", "comes as it is"),
        ("what does the speed of the compressor depend on", "size of its blocks"),
    ],
)
def test_what_is_asked_in_passing_words_is_answered_where_it_is_held(
    owner: User, question: str, answer: str
) -> None:
    add(SOFTWARE)
    turn = asked(owner, question)
    assert turn.outcome == Outcome.ANSWERED, (turn.answerability, turn.response)
    assert answer in turn.response.replace("**", "")


@pytest.mark.parametrize(
    "question", ["wie wird das wetter morgen in hamburg", "quién ganó la liga el año pasado"]
)
def test_another_matter_in_another_language_is_not_answered(owner: User, question: str) -> None:
    turn = asked(owner, question)
    assert turn.outcome != Outcome.ANSWERED, (turn.answerability, turn.response)


def test_a_name_that_the_library_holds_is_not_of_another_matter(owner: User) -> None:
    add(SOFTWARE)
    assert "intention to package" in asked(owner, "what is the ITP").response


def test_of_an_empty_library_nothing_is_found(owner: User) -> None:
    Document.objects.all().delete()
    assert asked(owner, HELD).outcome == Outcome.NOTHING_FOUND
    assert asked(owner, "What is the Harbour Handbook about?").outcome == Outcome.NOTHING_FOUND


def test_a_later_question_does_not_draw_on_what_found_nothing(owner: User) -> None:
    turn = asked(owner, FAR, HELD)
    assert turn.outcome == Outcome.ANSWERED
    assert "tractor" not in turn.standalone_query


# --- While documents are being read ---------------------------------------------------------------


def test_as_long_as_a_document_is_being_read_it_may_be_there(owner: User) -> None:
    waiting()
    assert asked(owner, FAR).outcome == Outcome.NOT_READ_YET


def test_who_answers_is_said_while_documents_are_being_read(owner: User) -> None:
    waiting()
    assert asked(owner, "are you chatgpt").outcome == Outcome.SMALL_TALK


def test_what_is_being_read_is_named_as_text(owner: User) -> None:
    for title in ("Tractors *one* [1]", "Two", "Three", "Four", "Five"):
        waiting(title=title)
    turn = asked(owner, FAR)
    assert turn.response.startswith("Nothing was found yet. 5 documents are still being read: ")
    assert "*Tractors one \\[1\\]*, *Two*, *Three* …" in turn.response
    assert "Four" not in turn.response
    assert not turn.citations.exists()


def test_once_it_is_read_it_answers(owner: User) -> None:
    document = waiting(owner)
    assert asked(owner, FAR).outcome == Outcome.NOT_READ_YET
    run_due()
    embed_units(document)
    turn = asked(owner, "By whom is the gearbox of a tractor repaired?")
    assert turn.outcome == Outcome.ANSWERED
    assert "by a smith" in turn.response.replace("**", "")


def test_what_is_answered_surely_does_not_wait(owner: User) -> None:
    waiting()
    assert asked(owner, HELD).outcome == Outcome.ANSWERED


def test_a_document_of_someone_else_is_not_waited_for(owner: User, colleague: User) -> None:
    waiting(colleague)
    assert asked(owner, FAR).outcome == Outcome.NOTHING_FOUND


def test_a_conversation_limited_to_others_does_not_wait(owner: User) -> None:
    there = Document.objects.get()
    waiting(owner)
    begun = take_turn(create_session(owner), Question(FAR), documents=[there.pk])
    assert begun.attempt
    assert answer_now(begun.attempt).outcome != Outcome.NOT_READ_YET


# --- In the API and on the page -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "early", "outcome"),
    [
        (HELD, False, "answered"),
        (NEAR, False, "unsure"),
        (FAR, False, "nothing_found"),
        (FAR, True, "not_read_yet"),
    ],
)
def test_the_api_tells_the_outcome(
    owner: User, api: Api, question: str, early: bool, outcome: str
) -> None:
    if early:
        waiting()
    turn = asked(owner, question)
    stored = api.get(f"/sessions/{turn.session_id}/turns/{turn.pk}").json()
    unkept = api.post("/query", {"query": question}).json()
    assert stored["outcome"] == unkept["outcome"] == outcome
    assert stored["answerability"] == pytest.approx(unkept["answerability"], abs=0.01)
    assert 0 <= stored["answerability"] <= 1


@pytest.mark.parametrize(
    ("question", "early", "said"),
    [
        (NEAR, False, "Not sure."),
        (FAR, False, "Nothing found."),
        (FAR, True, "1 document is still being read:"),
    ],
)
def test_the_page_says_the_outcome(
    owner: User, client: Client, question: str, early: bool, said: str
) -> None:
    if early:
        waiting()
    turn = asked(owner, question)
    client.force_login(owner)
    shown = text(client.get(page("conversation", turn.session_id)))
    notices = ["Not sure.", "Nothing found.", "Nothing found yet."]
    assert said in shown
    assert sum(notice in shown for notice in notices) == 1
    assert ("<cite" in shown and "Tractors" in shown) == early


def test_the_page_says_nothing_of_an_answer(owner: User, client: Client) -> None:
    turn = asked(owner, HELD)
    client.force_login(owner)
    shown = text(client.get(page("conversation", turn.session_id)))
    assert "outcome-notice" not in shown
    assert '<p class="place"><em>Harbour Handbook › People</em></p>' in shown


# --- With a language model ------------------------------------------------------------------------


def test_a_model_is_not_asked_when_nothing_is_found(owner: User, model: ModelServer) -> None:
    turn = asked(owner, FAR)
    assert not model.requests
    assert (turn.outcome, turn.response, turn.model) == (Outcome.NOTHING_FOUND, SAID, "quoting")


def test_nor_by_a_question_that_nobody_keeps(api: Api, model: ModelServer) -> None:
    answer = api.post("/query", {"query": FAR}).json()
    assert not model.requests
    assert (answer["outcome"], answer["model"]) == ("nothing_found", "quoting")


@pytest.mark.parametrize(
    ("question", "reply", "outcome"),
    [
        (HELD, "It is Marta Lindqvist [1].", Outcome.ANSWERED),
        (NEAR, "The harbour master is Marta Lindqvist.", Outcome.ANSWERED),
        (NEAR, "The passages don't say.", Outcome.NOTHING_FOUND),
        (NEAR, "They are, as long as they are small.", Outcome.UNSURE),
    ],
)
def test_a_model_is_asked_where_something_is_held_and_what_passages_say_of_it_decides(
    owner: User, model: ModelServer, question: str, reply: str, outcome: str
) -> None:
    model.reply(reply)
    turn = asked(owner, question)
    assert len(model.requests) == 1
    assert (turn.outcome, turn.model) == (outcome, "test-model")


def test_of_what_a_model_cites_so_many_passages_count(
    owner: User, model: ModelServer, settings: Any
) -> None:
    settings.MAX_CITATIONS = 2
    model.reply("One [1]. Two [2]. Three [3]. One again [1].")
    turn = asked(owner, HELD)
    marked = turn.citations.filter(is_added=False).order_by("start")
    cited = [citation.passage_id for citation in marked]
    assert len(cited) == 3
    assert set(turn.citations.values_list("passage_id", flat=True)) == set(cited)
    assert len(set(cited)) == 2
    assert cited[0] == cited[2]
    assert "Three. One" in turn.response
