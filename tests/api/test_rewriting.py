"""The query of a question: rewritten, as typed, or given; and its explanation."""

import pytest

from memory.models import Turn
from memory.models.conversations import Rewriting
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db

QUESTION = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"
GIVEN = "Determination Date that is not a Business Day"


@pytest.fixture
def path(api: Api, library: None) -> str:
    """A session in which the first question was answered."""
    path = api.begin()
    api.ask(path, QUESTION)
    return path


def asked(api: Api, path: str, **values: object) -> dict:
    response = api.post(f"{path}/turns", {"query": FOLLOW_UP, **values})
    assert response.status_code == 201, response.content
    return response.json()


def test_a_follow_up_tells_why_it_was_searched_like_that_and_from_what(api: Api, path: str) -> None:
    turn = asked(api, path)
    assert "Determination Date" in turn["standalone_query"]
    assert turn["rewrite"]["rewriting"] == "automatic"
    assert turn["rewrite"]["changed"] is True
    assert turn["rewrite"]["drawn_from"] == [1]
    assert 0 < turn["rewrite"]["confidence"] <= 1
    context = api.get(f"{path}/turns/{turn['turn_id']}/context").json()
    assert context["rewrite_reason"] == turn["rewrite"]["reason"]


def test_a_given_question_is_searched_for_in_its_place(api: Api, path: str) -> None:
    turn = asked(api, path, standalone_query=GIVEN)
    assert (turn["query"], turn["standalone_query"]) == (FOLLOW_UP, GIVEN)
    assert turn["rewrite"] == {
        "rewriting": "given",
        "changed": True,
        "reason": "given",
        "confidence": 1.0,
        "drawn_from": [],
    }
    assert "Business Day" in turn["response"]


def test_the_question_itself_means_exactly_as_typed(api: Api, path: str) -> None:
    turn = asked(api, path, standalone_query=FOLLOW_UP)
    assert turn["standalone_query"] == FOLLOW_UP
    assert turn["rewrite"]["rewriting"] == turn["rewrite"]["reason"] == "as_typed"
    assert turn["rewrite"]["changed"] is False


def test_null_means_as_usual(api: Api, path: str) -> None:
    assert asked(api, path, standalone_query=None)["rewrite"]["rewriting"] == "automatic"


@pytest.mark.parametrize("given", ["", " \n", "\u200b", 7, ["x"]])
def test_what_is_no_question_is_refused_by_name(api: Api, path: str, given: object) -> None:
    response = api.post(f"{path}/turns", {"query": FOLLOW_UP, "standalone_query": given})
    assert response.status_code == 400
    assert "standalone_query" in response.json()["error"]["fields"]
    assert Turn.objects.count() == 1


def test_a_retry_searches_for_what_was_given(api: Api, path: str) -> None:
    turn = asked(api, path, standalone_query=GIVEN)
    Turn.objects.filter(pk=turn["turn_id"]).update(status=Turn.Status.FAILED)
    again = api.post(f"{path}/turns/{turn['turn_id']}/retry").json()
    assert again["standalone_query"] == GIVEN
    assert Turn.objects.get(pk=turn["turn_id"]).rewriting == Rewriting.GIVEN


def test_another_given_question_under_the_same_key_is_another_request(api: Api, path: str) -> None:
    body = {"query": FOLLOW_UP, "standalone_query": GIVEN}
    assert api.post(f"{path}/turns", body, Idempotency_Key="k").status_code == 201
    assert api.post(f"{path}/turns", {"query": FOLLOW_UP}, Idempotency_Key="k").status_code == 422


@pytest.mark.usefixtures("library")
def test_a_question_that_nobody_stores_may_bring_one_too(api: Api) -> None:
    body = {"query": FOLLOW_UP, "standalone_query": GIVEN}
    answer = api.post("/query", body).json()
    assert (answer["standalone_query"], answer["rewrite"]["reason"]) == (GIVEN, "given")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("first", "then", "carried"),
    [
        (
            "Quels médicaments ciblent PIK3CA ?",
            "mais quelles mutations sont les plus fréquentes ?",
            "PIK3CA",
        ),
        ("¿Qué es el Distribution Date?", "¿y cuándo se paga la comisión?", "Distribution Date"),
        (
            "Was ist die Determination Date?",
            "und wer bezahlt dann die Gebühren?",
            "Determination Date",
        ),
    ],
)
def test_what_begins_with_and_goes_on_with_its_topic_over_an_english_library(
    api: Api, first: str, then: str, carried: str
) -> None:
    path = api.begin()
    api.ask(path, first)
    turn = api.ask(path, then)
    assert carried in turn["standalone_query"]
    assert turn["rewrite"]["drawn_from"] == [1]
