"""Questions about a document as a whole are answered from its profile, others never are."""

import pytest

from chat.quoting.profiles import profiled
from chat.turns.pipeline import answer_now, take_turn
from citations.models import Document
from citations.retrieval import Scope, find_passages
from memory.conversations.asking import Question, create_session
from memory.models import Turn, User
from tests.chat.extractive.material import HANDBOOK, OTHER, add, asked

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ABOUT = "This handbook describes how boats enter, stay in and leave the harbour of Brightsea."


@pytest.fixture(autouse=True)
def handbook(db: None) -> Document:
    add(OTHER, name="guide.md")
    return add(HANDBOOK, name="harbour.md")


def asked_of(owner: User, document: Document, question: str) -> Turn:
    """Ask in a conversation that is limited to the document."""
    begun = take_turn(create_session(owner), Question(question), documents=[document.pk])
    assert begun.attempt
    return answer_now(begun.attempt)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the Harbour Handbook about?", ABOUT),
        ("Summarize the harbour handbook", ABOUT),
        ("¿De qué trata el Harbour Handbook?", ABOUT),
        ("Worum geht es im Harbour Handbook?", ABOUT),
        ("De quoi parle le Harbour Handbook ?", ABOUT),
        ("Who wrote the Harbour Handbook?", "**Ines Calder, Tom Okafor**"),
        ("¿Quién escribió el Harbour Handbook?", "**Ines Calder, Tom Okafor**"),
        ("Wer schrieb das Harbour Handbook?", "**Ines Calder, Tom Okafor**"),
        ("Qui a écrit le Harbour Handbook ?", "**Ines Calder, Tom Okafor**"),
        ("When was the Harbour Handbook published?", "dated **2024**"),
        ("¿Cuándo se publicó el Harbour Handbook?", "lleva fecha: **2024**"),
        ("Wann wurde das Harbour Handbook veröffentlicht?", "ist datiert: **2024**"),
        ("Quand le Harbour Handbook a-t-il été publié ?", "est daté : **2024**"),
        ("List the sections of the Harbour Handbook", "- Berths\n- Fees\n- People"),
        ("¿Qué secciones tiene el Harbour Handbook?", "- Berths\n- Fees\n- People"),
        ("Welche Kapitel hat das Harbour Handbook?", "- Berths\n- Fees\n- People"),
        ("Quels sont les chapitres du Harbour Handbook ?", "- Berths\n- Fees\n- People"),
    ],
)
def test_it_answers_from_the_profile_and_cites_the_document(
    owner: User, question: str, answer: str
) -> None:
    turn = asked(owner, question)
    assert answer in turn.response
    assert (turn.outcome, turn.answerability) == (Turn.Outcome.ANSWERED, 1.0)
    cited = {each.passage.document.title for each in turn.citations.select_related("passage")}
    assert cited == {"Harbour Handbook"}
    assert turn.response.split("\n")[0].endswith("[1]")


@pytest.mark.parametrize(
    "question", ["Summarise the Harbour Handbook", "¿De qué trata el Harbour Handbook?"]
)
def test_a_whole_document_is_told_by_its_parts_with_their_first_sentences(
    owner: User, question: str
) -> None:
    told = asked(owner, question).response
    assert "\n- **Berths**: A berth is a place where one boat is moored. [1]\n" in told
    assert "\n- **People**: The harbour master is Marta Lindqvist. [1]\n" in told
    assert told.count("harbour of Brightsea.") == 1


@pytest.mark.parametrize(
    "question",
    [
        "What is the Harbour Handbook about, in short?",
        "Worum geht es kurz im Harbour Handbook?",
    ],
)
def test_asked_for_in_short_its_parts_are_left_out(owner: User, question: str) -> None:
    assert asked(owner, question).response == f"> {ABOUT} [1]"


def test_in_short_it_is_told_by_what_it_says_of_itself_or_by_its_parts(owner: User) -> None:
    add("# Staff Rules\n\n## 1. Hours\n\nThe week has 38 hours for everyone.\n\n## 2. Leave\n\nAll"
        " people have 28 days of leave.\n", name="rules.md")  # fmt: skip
    for title, first in (("Harbour Handbook", f"> {ABOUT} [1]"), ("Staff Rules", "*Staff Rules*")):
        session = create_session(owner)
        for query in (f"Summarise the {title}", "shorter please"):
            begun = take_turn(session, Question(query))
            assert begun.attempt
            turn = answer_now(begun.attempt)
        assert turn.response.startswith(first)
        assert "\n-" not in turn.response
    assert "1. Hours; 2. Leave" in turn.response.replace("\\", "")


def test_a_list_of_questions_is_told_by_them(owner: User) -> None:
    asking = "\n\n".join(
        f"({at}) How do I moor a boat of kind {at}?\n\nYou tie it to ring number {at} of the pier."
        for at in range(1, 5)
    )
    add(f"# Mooring FAQ\n\n{asking}\n", name="faq.md")
    told = asked(owner, "What is the Mooring FAQ about?").response
    assert "**(1) How do I moor a boat of kind 1?** [1]" in told
    assert "kind 4?" in told


def test_pages_are_counted_where_there_are_any(owner: User, handbook: Document) -> None:
    Document.objects.filter(pk=handbook.pk).update(page_count=12)
    turn = asked(owner, "How many pages does the Harbour Handbook have?")
    assert "has **12 pages**" in turn.response
    Document.objects.filter(pk=handbook.pk).update(page_count=1)
    assert "has **1 page**" in asked(owner, "How many pages has the Harbour Handbook?").response


def test_what_a_document_does_not_tell_is_searched_for(owner: User) -> None:
    turn = asked(owner, "Who wrote the Marina Guide?")
    assert turn.answerability != 1.0
    assert "is by" not in turn.response


@pytest.mark.parametrize(
    "question", ["What is this document about?", "Summarize it", "¿De qué trata?"]
)
def test_in_a_conversation_limited_to_it_a_document_needs_no_name(
    owner: User, handbook: Document, question: str
) -> None:
    assert ABOUT in asked_of(owner, handbook, question).response


@pytest.mark.parametrize(
    "question", ["who wrote it?", "who wrote this", "wer hat das geschrieben?"]
)
def test_who_wrote_it_is_asked_of_the_document_cited_last(owner: User, question: str) -> None:
    session = create_session(owner)
    for query in ("How many berths does the harbour have?", question):
        begun = take_turn(session, Question(query))
        assert begun.attempt
        turn = answer_now(begun.attempt)
    assert "**Ines Calder, Tom Okafor**" in turn.response
    assert "Harbour Handbook" in turn.standalone_query


def test_what_is_it_about_is_asked_of_the_document_cited_last(owner: User) -> None:
    session = create_session(owner)
    for query in ("How many berths does the harbour have?", "what is it about?"):
        begun = take_turn(session, Question(query))
        assert begun.attempt
        turn = answer_now(begun.attempt)
    assert ABOUT in turn.response


def test_who_wrote_a_song_is_not_asked_of_the_document_that_names_it(owner: User) -> None:
    session = create_session(owner)
    for query in ("Which song has the harbour with 240 berths?", "who wrote it?"):
        begun = take_turn(session, Question(query))
        assert begun.attempt
        turn = answer_now(begun.attempt)
    assert "is by" not in turn.response


def test_without_a_name_and_a_limit_no_document_is_guessed(owner: User) -> None:
    found = find_passages("What is this document about?", scope=Scope())
    assert profiled("What is this document about?", found, Scope()) is None


@pytest.mark.parametrize(
    "question",
    [
        "When was the breakwater of the harbour published?",
        "What is the fee for the crane about?",
        "How long is the breakwater?",
        "How old is the harbour master?",
        "Who is the author of the timetable in the Harbour Handbook?",
        "How many berths does the Harbour Handbook name?",
        # What a follow-up carries says where to look: the question is not what it is about.
        "What is the latest version (about Harbour Handbook)",
    ],
)
def test_what_is_asked_of_something_in_a_document_is_not_taken_for_the_document(
    question: str,
) -> None:
    assert profiled(question, find_passages(question, scope=Scope()), Scope()) is None


def test_nothing_found_is_about_no_document() -> None:
    assert profiled("What is the Harbour Handbook about?", [], Scope()) is None


def test_a_hostile_title_and_headings_stay_text(owner: User) -> None:
    add("# Zebra *[1]* `x` | <b>\n\nZebras are striped animals of the plains of Africa.\n\n"
        "## One [2]\n\nThey run.\n\n## Two *\n\nThey eat grass.\n")  # fmt: skip
    turn = asked(owner, "List the sections of the Zebra document")
    assert "One \\[2\\]" in turn.response
    assert turn.citations.count() == 1
