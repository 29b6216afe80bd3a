"""Judging answers: empty, a header, a refusal, nothing found, in another language."""

from types import SimpleNamespace
from typing import Any

import pytest

from chat.contract import Inquiry, judge_answer
from chat.contract.declining import is_declining, is_refusing
from chat.contract.languages import find_wanted_languages

QUESTION = "When is the Determination Date, and what happens on a weekend?"
GERMAN = (
    "Der Stichtag ist der fünfzehnte Tag eines jeden Kalendermonats, und wenn dieser auf ein "
    "Wochenende fällt, dann ist es der Geschäftstag davor."
)
ENGLISH = (
    "The Determination Date is the fifteenth day of each calendar month, and if that is not a "
    "Business Day, it is the Business Day before it."
)
SPANISH = (
    "La fecha de determinación es el día quince de cada mes del calendario y, si no es un día "
    "hábil, es el día hábil que lo precede."
)
CHINESE = "确定日是每个日历月的第十五天,如果该日不是营业日,则为前一个营业日。" * 3


def offer(title: str, heading: str = "", page: int | None = None) -> Any:
    document = SimpleNamespace(title=title)
    passage = SimpleNamespace(document=document, heading=heading, page=page)
    return SimpleNamespace(passage=passage)


OFFERS = [offer("Pooling and Servicing Agreement", "Article I", 3), offer("BRCA1")]


def judged(said: str, query: str = QUESTION, finish: str = "stop", before: Any = ()) -> str:
    return judge_answer(said, finish, Inquiry(query, before, OFFERS))


@pytest.mark.parametrize(
    "said",
    [
        "",
        " \n",
        "[1][2]",
        "[1]",
        "- [1]\n- [2]",
        "**",
        "[1] Pooling and Servicing Agreement · Article I, p. 3",
        "[1] Pooling and Servicing Agreement · Article I, p. 3\n\n[2] BRCA1",
        "Pooling and Servicing Agreement · Article I",
    ],
)
def test_what_says_nothing_is_empty(said: str) -> None:
    assert judged(said) == "empty"
    assert judged(said, finish="length") == "empty"


@pytest.mark.parametrize("said", ["Yes.", "42 [1]", "Pooling and Servicing Agreement [1]", "BRCA1"])
def test_a_short_answer_is_an_answer(said: str) -> None:
    assert judged(said) == ""


def test_how_the_server_says_it_ended_is_believed() -> None:
    assert judged(ENGLISH, finish="length") == judged(ENGLISH, finish="too_long") == "cut"
    assert judged(ENGLISH, finish="content_filter") == "filtered"
    assert judged("", finish="content_filter") == "filtered"
    assert judged(ENGLISH) == judged(ENGLISH, finish="tool_calls") == ""


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (QUESTION, GERMAN),
        (QUESTION, SPANISH),
        (QUESTION, CHINESE),
        ("Wann ist der Stichtag, und was passiert an einem Wochenende?", ENGLISH),
        ("Determination Date?", CHINESE),
        ("¿Cuándo es la fecha de determinación y qué pasa los fines de semana?", ENGLISH),
        ("什么时候是确定日？", ENGLISH),
        (f"{QUESTION} Answer in German, please.", ENGLISH),
        ("Antworte auf Englisch: Wann ist der Stichtag?", GERMAN),
    ],
)
def test_an_answer_in_another_language_is_seen(query: str, said: str) -> None:
    assert judged(said, query) == "other_language"


@pytest.mark.parametrize(
    ("query", "said", "before"),
    [
        (QUESTION, ENGLISH, ()),
        (f"{QUESTION} Answer in German.", GERMAN, ()),
        ("Antworte auf Englisch: Wann ist der Stichtag?", ENGLISH, ()),
        ("What is the German word for it, in a sentence as it stands there?", GERMAN, ()),
        (QUESTION, GERMAN, ["Please speak German with me."]),
        ("Stichtag?", ENGLISH, ()),
        (QUESTION, f"It says: “{GERMAN}” [1]", ()),
        (QUESTION, f"> {GERMAN}\n\nThat is all.", ()),
        (QUESTION, "Marta Lindqvist, Henrik Aas, Ines Calder", ()),
    ],
)
def test_an_answer_that_may_be_in_its_language_is_none(query: str, said: str, before: Any) -> None:
    assert judged(said, query, before=before) == ""


def test_the_language_that_is_asked_for_is_wanted() -> None:
    assert find_wanted_languages("Reply in French: what is it?") == ("fr",)
    assert find_wanted_languages(QUESTION) == ("en",)
    assert find_wanted_languages("What does the law of England say in Spanish hospitals?") == (
        "en",
        "es",
    )


@pytest.mark.parametrize(
    "said",
    [
        "I'm sorry, but I can't assist with that request.",
        "I can’t help with that.",
        "As an AI language model, I cannot give medical advice.",
        "I am unable to provide that.",
        "Lo siento, pero no puedo ayudarte con eso.",
        "Es tut mir leid, aber ich kann dir dabei nicht helfen.",
        "Je suis désolé, je ne peux pas vous aider.",
        "抱歉,我无法回答这个问题。",
    ],
)
def test_a_refusal_is_a_refusal(said: str) -> None:
    assert is_refusing(said)
    assert judged(said) == "refused"


@pytest.mark.parametrize(
    "said",
    [
        "The passages don't say.",
        "The documents do not mention the capital of Mongolia.",
        "The provided passages do not contain any information about tractors. [1][2]",
        "There is no information about this in the documents.",
        "I couldn't find any information about tractors in the passages.",
        "I cannot answer this question based on the provided passages.",
        "This is not mentioned in the passages.",
        "The library holds nothing on this question.",
        "Los documentos no mencionan esto.",
        "No hay información sobre ello en los documentos.",
        "Die Dokumente enthalten keine Informationen dazu.",
        "In den Passagen steht dazu nichts.",
        "Les documents ne mentionnent pas cela.",
        "Os documentos não mencionam isso.",
        "I documenti non dicono nulla al riguardo.",
        "De documenten vermelden dit niet.",
        "В документах об этом не говорится.",
        "文档中没有提到这个问题。",
    ],
)
def test_that_the_documents_don_t_say_is_no_refusal(said: str) -> None:
    assert is_declining(said)
    assert judged(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "It is the fifteenth day [1].",
        "The passages don't mention a year, but the month is May [1].",
        "The fee may not be paid in cash [1].",
        "The Servicer cannot help with the calculation [1].",
        "The agreement does not allow it [2].",
        ENGLISH,
        f"The documents don't say. {ENGLISH * 4}",
    ],
)
def test_an_answer_with_a_negation_is_an_answer(said: str) -> None:
    assert not is_declining(said)
    assert judged(said) == ""
