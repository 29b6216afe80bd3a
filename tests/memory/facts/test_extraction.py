"""Extraction of facts from messages, counted over sentences, and the questions beside them."""

from pathlib import Path

import pytest

from memory.models.facts import Fact, FactKind
from memory.recall.facts.extraction import (
    drop_wishes,
    extract_facts,
    extract_question,
    extract_search_text,
    only_tells,
)
from memory.recall.facts.known import KnownFacts, asks_for_all, find_answer
from memory.text.embedding import Embedded
from tests.effort import computed_within

LINES = [
    line
    for line in (Path(__file__).parent / "sentences.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
RULES = {"always", "never", "either"}


def subjects(message: str) -> list[str]:
    """Return the subjects of what is learned, to the colon, "!" before what ends."""
    return [
        ("!" if each.ends else "") + each.subject.partition(":")[0]
        for each in extract_facts(message)
    ]


def test_what_was_said_is_learned_and_nothing_else_is() -> None:
    right = wrong = missed = 0
    for line in LINES:
        said, _, sentence = line.partition(" | ")
        left = [] if said == "-" else said.split(";")
        for got in subjects(sentence):
            is_rule = (
                got.lstrip("!") in RULES and left and left[0].startswith("!") == got.startswith("!")
            )
            meant = got if got in left else left[0] if is_rule else ""
            if meant:
                left.remove(meant)
            right, wrong = right + bool(meant), wrong + (not meant)
        missed += len(left)
    assert len(LINES) > 300
    assert right / (right + wrong) >= 0.94, f"precision {right} of {right + wrong}"
    assert right / (right + missed) >= 0.94, f"recall {right} of {right + missed}"


@pytest.mark.parametrize(
    "message",
    [
        "Summarise this:\nI live in Rome and I always answer in bullet points.",
        "> I live in Rome\n\nIs that true?",
        "```\nI live in Rome.\n```\nWhat does it say?",
        'He writes "please always answer me in tables" - why?',
        "From: Ana\nSubject: hello\n\nI live in Rome. My budget is 3 million.",
        "The first page. " * 120 + "I live in Rome.",
    ],
)
def test_what_is_quoted_or_pasted_is_not_the_person_s(message: str) -> None:
    assert extract_facts(message) == []


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("i live in lisbon what is the tax rate there", ["lisbon"]),
        ("I moved to Lisbon and work as an electrician", ["Lisbon", "an electrician"]),
        ("vivo en lisboa y quiero saber qué impuestos pago", ["lisboa"]),
        ("Ich bin Pfleger und wohne in Basel, was kostet das?", ["Pfleger", "Basel"]),
        ("I want to move to Lisbon and work as an electrician", []),
        ("I know people who live in Lisbon and work as cooks", []),
        ("hi, I'm German", ["German"]),
        ("hi, this is Tom", ["Tom"]),
    ],
)
def test_a_value_ends_where_the_sentence_goes_on(message: str, values: list[str]) -> None:
    assert [each.value for each in extract_facts(message)] == values


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("Please always answer me in bullet points.", ""),
        ("My son is called Aksel and he is 9.", ""),
        ("i moved to Lyon in May because of my wife and I work as a nurse at nights", ""),
        ("j'habite à Lyon depuis deux ans et je suis végétarien", ""),
        ("I live in Lisbon. What is the notice period?", "What is the notice period?"),
        ("I live in Lisbon, so list the fees of the agreement", "list the fees of the agreement"),
        ("always answer in bullet points. Osmosis?", "Osmosis?"),
        ("What is the notice period?", "What is the notice period?"),
        ("I need the fee schedule", "I need the fee schedule"),
    ],
)
def test_what_is_told_is_no_part_of_what_is_asked(message: str, asked: str) -> None:
    assert extract_question(message) == asked
    assert only_tells(message) == (not asked)


@pytest.mark.parametrize(
    ("message", "sought"),
    [
        ("hi im Tom and i live in Konstanz, what is the fee", "what is the fee"),
        ("hola, soy Ana y vivo en Sevilla, cuánto cuesta el carné", "cuánto cuesta el carné"),
        ("i work in lisbon btw. who is the lender?", "who is the lender?"),
        ("I live in Oslo. which days do I have off?", "I live in Oslo. which days do I have off?"),
        ("we use Postgres, does it lock?", "we use Postgres, does it lock?"),
        ("thanks! who pays", "who pays"),
        ("what is the fee? i'm Tom btw", "what is the fee?"),
    ],
)
def test_what_is_told_is_searched_for_only_where_the_question_leans_on_it(
    message: str, sought: str
) -> None:
    assert extract_search_text(message) == sought


def test_how_answers_are_to_be_is_no_part_of_a_title() -> None:
    assert drop_wishes("Who’s the lender? Don’t ever use tables.") == "Who's the lender?"
    assert drop_wishes("Always answer in bullet points.") == "Always answer in bullet points."


@pytest.mark.parametrize("piece", ["I live in ", "always ", "my budget is ", '"', ",", "we use x "])
def test_reading_takes_time_in_proportion(piece: str) -> None:
    message = (piece * 200_000)[:400_000]
    facts, _ = computed_within(0.5, lambda: (extract_facts(message), extract_question(message)))
    assert len(facts) <= 8


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("forget that i live in porto", "home"),
        ("olvida que vivo en Porto", "home"),
        ("forget where I live", "home"),
        ("Please forget my budget.", "budget"),
        ("forget my daughter", "my:daughter"),
        ("forget my question", ""),
        ("forget about the lease", ""),
    ],
)
def test_what_is_to_be_forgotten_ends(message: str, subject: str) -> None:
    assert [each.subject for each in extract_facts(message)] == [subject] * bool(subject)
    assert all(each.ends for each in extract_facts(message))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("remember that my flight is at 9", "my flight is at 9"),
        ("Merk dir, dass mein Flug um 9 geht", "mein Flug um 9 geht"),
        ("remember that the tenant pays the rent", ""),
        ("remember what my question was?", ""),
    ],
)
def test_what_is_to_be_remembered_is(message: str, said: str) -> None:
    assert [each.text for each in extract_facts(message)] == [said] * bool(said)


def known(*texts: str) -> KnownFacts:
    said = [each for text in texts for each in extract_facts(text)]
    return KnownFacts([Fact(kind=each.kind, subject=each.subject, text=each.text) for each in said])


SAID = known(
    *("I live in Konstanz", "My budget is 2000 euros", "We use PostgreSQL 15", "I'm Tom"),
    *("I work as an electrician", "I hate Thai food now", "My dog is called Rufus", "I'm 34"),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where did I live before?", "I live in Konstanz"),
        ("¿dónde vivo?", "I live in Konstanz"),
        ("wo wohne ich?", "I live in Konstanz"),
        ("Où est-ce que j'habite ?", "I live in Konstanz"),
        ("do you know where i work?", "I work as an electrician"),
        ("what is my budget?", "My budget is 2000 euros"),
        ("who am i", "I'm Tom"),
        ("how old am I?", "I'm 34"),
        ("do I like thai food?", "I hate Thai food now"),
        ("what's my dog called?", "My dog is called Rufus"),
    ],
)
def test_a_question_about_oneself_is_answered_by_what_was_told(question: str, told: str) -> None:
    assert [row.text for row in find_answer(question, SAID) or ()] == [told]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("when is my birthday", []),
        ("what am I allergic to?", []),
        ("what is our deadline?", None),
        ("what is my notice period?", None),
        ("do I have to register in Konstanz?", None),
        ("how many euros does the A200 cost?", None),
    ],
)
def test_what_a_document_may_tell_is_not_said_to_be_unknown(question: str, answer: object) -> None:
    assert find_answer(question, SAID) == answer


@pytest.mark.parametrize(
    "question",
    [
        "what do you know about me?",
        "was weißt du über mich",
        "¿qué sabes de mí?",
        "que sais-tu de moi ?",
    ],
)
def test_all_that_is_known_is_asked_for_in_four_languages(question: str) -> None:
    assert asks_for_all(question)
    assert not asks_for_all("what do you know about my dog")


def test_a_fact_bears_on_the_questions_that_it_is_near() -> None:
    said = {
        question: [row.subject for row in SAID.bearing_on(Embedded(question))]
        for question in (
            *("is there a branch in Konstanz?", "as an electrician, may I open the meter?"),
            *("what is the notice period?", "how can I reset my password?"),
        )
    }
    assert list(said.values()) == [["home"], ["job"], [], []]
    assert FactKind.WISH not in {row.kind for row in SAID.facts}
