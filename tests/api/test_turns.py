"""Turns over the API, answered in this process: asked, read, rated, retried, explained."""

from typing import Any

import pytest
from django.http import HttpResponse

from memory.conversations.asking import Question, ask
from memory.models import Attempt, IdempotencyKey, Session, Turn, User
from tests.api.conftest import Api, Json
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db

QUESTION = "What is the Determination Date?"


def events_of(response: HttpResponse) -> list[tuple[str, str, Json]]:
    """Return id, name and data of each event of a stream."""
    import json

    assert response["Content-Type"].startswith("text/event-stream")
    events = []
    for block in response.content.decode().split("\n\n"):
        if block and not block.startswith(":"):
            lines = dict(line.split(": ", 1) for line in block.split("\n"))
            events.append((lines["id"], lines["event"], json.loads(lines["data"])))
    return events


def open_turn(owner: User, session: str) -> Turn:
    """Ask a question that nobody answers."""
    row = Session.objects.get(pk=session.split("/")[-1])
    return ask(row, Question(QUESTION)).turn


def place(session: str, turn: Any) -> str:
    return f"{session}/turns/{turn['turn_id'] if isinstance(turn, dict) else turn.pk}"


@pytest.mark.usefixtures("library")
def test_a_question_is_answered_with_its_sources(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, f"  {QUESTION}\r\n")
    assert (turn["position"], turn["status"], turn["failure"]) == (1, "complete", None)
    assert turn["query"] == turn["standalone_query"] == QUESTION
    assert turn["model"] == "quoting"
    assert "[1]" in turn["response"]
    [source] = [source for source in turn["sources"] if source["number"] == 1]
    assert "Pooling" in source["title"]
    cited = turn["citations"][0]
    assert cited["sources"] == [source["document_id"]]
    assert "Determination Date" in cited["quote"]
    assert 0 < cited["relevance"] <= 1
    assert turn["usage"]["response_tokens"] > 0
    assert (turn["rating"], turn["feedback"]) == (None, "")
    assert api.get(place(path, turn)).json() == turn
    session = api.get(path).json()
    assert (session["title"], session["turn_count"]) == (QUESTION, 1)
    assert session["context_tokens"] > turn["usage"]["response_tokens"]


@pytest.mark.usefixtures("library")
def test_a_question_can_be_limited_to_documents(api: Api) -> None:
    from citations.models import Document

    brca = next(row for row in Document.objects.all() if "BRCA1" in row.title)
    path = api.begin()
    turn = api.ask(path, "Which mutation raises the risk?", documents=[str(brca.pk)] * 2)
    assert [source["document_id"] for source in turn["sources"]] == [str(brca.pk)]
    context = api.get(f"{place(path, turn)}/context").json()
    assert {passage["document_id"] for passage in context["passages"]} == {str(brca.pk)}


@pytest.mark.usefixtures("library")
def test_the_context_says_what_the_model_saw(api: Api) -> None:
    path = api.begin(strategy="sequential", context_window=2048)
    first = api.ask(path, QUESTION)
    second = api.ask(path, "And what happens if it falls on a weekend?")
    context = api.get(f"{place(path, second)}/context").json()
    assert (context["turn_id"], context["attempt"]) == (second["turn_id"], 1)
    assert (context["strategy"], context["window"]) == ("sequential", 2048)
    assert [turn["turn_id"] for turn in context["turns"]] == [first["turn_id"]]
    assert context["left_out"] == []
    assert context["prompt_tokens"] == second["usage"]["prompt_tokens"]
    assert [passage["rank"] for passage in context["passages"]] == list(
        range(1, len(context["passages"]) + 1)
    )
    assert any(passage["offered"] and passage["label"] == 1 for passage in context["passages"])
    assert {"recall", "find", "build", "answer", "cite"} <= context["steps"].keys()
    used = sum(part["tokens"] for part in context["parts"])
    assert 0 < used <= 2048


def test_a_turn_without_a_context_record_has_none(api: Api, owner: User) -> None:
    path = api.begin()
    assert api.get(f"{place(path, open_turn(owner, path))}/context").status_code == 404


@pytest.mark.parametrize("style", ["inline", "footnote", "reference"])
def test_a_style_is_kept_with_the_turn(api: Api, style: str) -> None:
    path = api.begin()
    turn = api.ask(path, QUESTION, style=style)
    assert turn["style"] == style
    assert Turn.objects.get().style == style


# --- The same key ---------------------------------------------------------------------------------


def test_the_same_key_gives_the_same_turn(api: Api) -> None:
    path = api.begin()
    body = {"query": QUESTION, "style": "inline"}
    first = api.post(f"{path}/turns", body, Idempotency_Key="k" * 200)
    again = api.post(f"{path}/turns", dict(reversed(body.items())), Idempotency_Key="k" * 200)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    streamed = api.post(
        f"{path}/turns", body, Idempotency_Key="k" * 200, Accept="text/event-stream"
    )
    assert events_of(streamed)[-1][2] == first.json()
    assert Turn.objects.count() == Attempt.objects.count() == 1


def test_the_same_key_for_another_request_is_422(api: Api) -> None:
    path, other = api.begin(), api.begin()
    api.post(f"{path}/turns", {"query": QUESTION}, Idempotency_Key="key")
    for place_, body in [
        (path, {"query": QUESTION + " "}),
        (path, {"query": QUESTION, "style": "inline"}),
        (other, {"query": QUESTION}),
    ]:
        response = api.post(f"{place_}/turns", body, Idempotency_Key="key")
        assert response.status_code == 422
        assert response.json()["error"]["code"] == "idempotency_conflict"
    assert Turn.objects.count() == 1


def test_without_a_key_or_with_another_a_question_is_asked_again(api: Api) -> None:
    path = api.begin()
    for key in ("", "", "a", "b", "ä"):
        headers = {"Idempotency-Key": key} if key else {}
        assert api.post(f"{path}/turns", {"query": QUESTION}, **headers).status_code == 201
    assert Turn.objects.count() == 5


def test_a_key_that_is_too_long_is_refused(api: Api) -> None:
    path = api.begin()
    response = api.post(f"{path}/turns", {"query": QUESTION}, Idempotency_Key="k" * 201)
    assert response.status_code == 400
    assert response.json()["error"]["fields"].keys() == {"Idempotency-Key"}
    assert not Turn.objects.exists()


# --- Refusals -------------------------------------------------------------------------------------


def test_a_full_session_takes_no_more_questions(api: Api, settings: Any) -> None:
    settings.MAX_TURNS_PER_SESSION = 1
    path = api.begin()
    turn = api.post(f"{path}/turns", {"query": QUESTION}, Idempotency_Key="key").json()
    response = api.post(f"{path}/turns", {"query": QUESTION})
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "session_full"
    # The question that was taken stays the same turn.
    again = api.post(f"{path}/turns", {"query": QUESTION}, Idempotency_Key="key")
    assert again.json() == turn


def test_a_session_takes_no_more_questions_than_it_was_given_and_loses_none(
    api: Api, settings: Any
) -> None:
    path = api.begin(max_turns=1)
    api.post(f"{path}/turns", {"query": QUESTION})
    refused = api.post(f"{path}/turns", {"query": QUESTION})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "session_full")
    assert api.patch(path, {"max_turns": None}).json()["max_turns"] is None
    assert api.post(f"{path}/turns", {"query": QUESTION}).status_code == 201
    assert api.patch(path, {"max_turns": 1}).json()["turn_count"] == 2
    api.patch(path, {"max_turns": 9})
    settings.MAX_TURNS_PER_SESSION = 2  # the tier's has been lowered since
    assert api.post(f"{path}/turns", {"query": QUESTION}).status_code == 409


def test_a_session_answers_one_question_at_a_time(
    api: Api, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.conversations.asking.PATIENCE_SECONDS", 0)
    monkeypatch.setattr(
        "memory.conversations.asking.ask.__kwdefaults__", ask.__kwdefaults__ | {"patience": 0}
    )
    path = api.begin()
    turn = open_turn(owner, path)
    response = api.post(f"{path}/turns", {"query": QUESTION}, Idempotency_Key="key")
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "turn_in_progress"
    assert api.post(f"{place(path, turn)}/retry").status_code == 409
    assert not IdempotencyKey.objects.exists()


def test_a_question_that_leaves_no_room_for_an_answer_is_refused(api: Api) -> None:
    path = api.begin(context_window=512)
    response = api.post(f"{path}/turns", {"query": "Determination " * 500})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "question_too_long"
    assert not Turn.objects.exists()


# --- Afterwards -----------------------------------------------------------------------------------


def test_an_answer_is_rated_and_rated_again(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, QUESTION)
    clock = api.get(path).json()["last_activity"]
    up = api.patch(place(path, turn), {"rating": 1, "feedback": "Right to the point."})
    assert up.json() == turn | {"rating": 1, "feedback": "Right to the point."}
    down = api.patch(place(path, turn), {"rating": -1})
    assert (down.json()["rating"], down.json()["feedback"]) == (-1, "Right to the point.")
    none = api.patch(place(path, turn), {"rating": None, "feedback": ""})
    assert none.json() == turn == api.get(place(path, turn)).json()
    wrong = api.patch(place(path, turn), {"rating": 2}).json()["error"]["fields"]["rating"]
    assert wrong == ["2 is not one of 1, -1, null."]
    assert api.get(path).json()["last_activity"] == clock


def test_a_finished_answer_can_be_neither_stopped_nor_retried(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, QUESTION)
    stopped = api.post(f"{place(path, turn)}/stop")
    assert (stopped.status_code, stopped.json()) == (200, turn)
    retried = api.post(f"{place(path, turn)}/retry")
    assert retried.status_code == 409
    assert retried.json()["error"]["code"] == "turn_not_retryable"


def test_an_answer_that_is_being_written_can_be_read_and_stopped(api: Api, owner: User) -> None:
    path = api.begin()
    turn = open_turn(owner, path)
    attempt = turn.attempts.get()
    attempt.partial = "The second Business"
    attempt.save()
    now = api.get(place(path, turn)).json()
    assert (now["status"], now["response"]) == ("pending", "The second Business")
    stopped = api.post(f"{place(path, turn)}/stop")
    assert (stopped.status_code, stopped.json()["turn_id"]) == (202, str(turn.pk))
    assert Attempt.objects.get().stop_requested


@pytest.mark.usefixtures("library")
def test_a_failed_turn_is_answered_by_a_retry(
    api: Api, model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    settings.LLM_API_KEY, settings.LLM_RETRIES = "test-key", 0
    settings.FALLBACK = "none"
    model_server.fail(500)
    model_server.reply("It is the second Business Day.")
    path = api.begin()
    failed = api.ask(path, QUESTION)
    assert (failed["status"], failed["failure"]["code"]) == ("failed", "model_server_error")
    response = api.post(f"{place(path, failed)}/retry", Accept="text/event-stream")
    events = [event for event in events_of(response) if event[1] != "step"]
    assert [name for _, name, _ in events] == [
        "turn",
        "rewrite",
        "passages",
        "delta",
        "citations",
        "done",
    ]
    assert all(identity.startswith("2:") for identity, _, _ in events)
    turn = api.get(place(path, failed)).json()
    assert turn["response"] == "It is the second Business Day."
    assert (turn["status"], turn["position"], turn["turn_id"]) == ("complete", 1, failed["turn_id"])
    assert api.get(path).json()["turn_count"] == 1


# --- As events ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("library")
def test_events_come_in_order_and_end_with_the_whole_turn(api: Api) -> None:
    path = api.begin()
    response = api.post(f"{path}/turns", {"query": QUESTION}, Accept="text/event-stream")
    assert response.status_code == 200
    every = events_of(response)
    assert [data["step"] for _, name, data in every if name == "step"][:1] == ["understood"]
    events = [event for event in every if event[1] != "step"]
    names = [name for _, name, _ in events]
    assert names == ["turn", "rewrite", "passages", "delta", "citations", "done"]
    offsets = [int(identity.removeprefix("1:")) for identity, _, _ in events]
    assert offsets == sorted(set(offsets))
    turn = events[-1][2]
    assert events[0][2]["turn_id"] == turn["turn_id"]
    assert events[1][2]["standalone_query"] == QUESTION
    assert len(events[2][2]["passages"]) > 0
    assert events[3][2]["text"] == turn["response"]
    assert events[4][2]["citations"] == turn["citations"]
    assert api.get(place(path, turn)).json() == turn


def test_events_go_on_behind_any_id(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, QUESTION)
    door = f"{place(path, turn)}/events"
    every = events_of(api.get(door))
    for number, (identity, _, _) in enumerate(every):
        by_header = events_of(api.get(door, Last_Event_ID=identity))
        assert by_header == events_of(api.get(f"{door}?after={identity}")) == every[number + 1 :]
    middle = events_of(api.get(door, Last_Event_ID="1:18"))
    assert middle[0][2]["text"] == turn["response"][10:]
    for nonsense in ("x", "1", ":", "-1:-1", "9:9", "1:99999999999999999999999"):
        assert events_of(api.get(door, Last_Event_ID=nonsense)) in ([], every)


@pytest.mark.usefixtures("library")
def test_what_else_a_deletion_takes_along_is_told_before_it(api: Api) -> None:
    path = api.begin()
    first = api.ask(path, QUESTION)
    telling = api.ask(path, "What did I ask first?")
    before = {"answers": 1, "edited_summaries": 0}
    assert api.get(f"{place(path, first)}/deletion").json() == before
    assert api.get(f"{place(path, telling)}/deletion").json() == before | {"answers": 0}
    assert api.get(f"{path}/deletion").json() == before | {"answers": 0}
    api.delete(place(path, first))
    assert api.get(place(path, telling)).json()["failure"]["code"] == "memory_deleted"
    assert api.get(f"{place(path, first)}/deletion").status_code == 404
