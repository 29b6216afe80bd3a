"""Questions with a history of the client's own: nothing of them is stored, but in a session."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from asgiref.sync import async_to_sync
from django.db.models.signals import post_save

from chat.api.query import build_response
from chat.database_threads import in_this_thread, run_in_thread
from chat.models import ContextRecord
from chat.streams.querying import Query, stream_answer
from chat.streams.snapshots import Event
from chat.turns.pipeline import answer_now, take_turn
from citations.deletion import delete_document
from citations.models import Citation, Document, Source
from memory.conversations.asking import Question
from memory.forgetting.erasure import restoring
from memory.models import Attempt, AuditEvent, Session, Turn, User
from tests.api.conftest import Api
from tests.api.test_errors import NOT_FOUND
from tests.citations.documents import add
from tests.model_server import ModelServer
from tests.servers import Web
from tests.surroundings import wait_until

pytestmark = pytest.mark.django_db

QUESTION = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"
HISTORY = [
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": "The fifteenth day of each calendar month [1]."},
]
SSE = {"Accept": "text/event-stream"}
LONG = " ".join(f"word{number}" for number in range(60)) + "."


def rows() -> list[int]:
    """Return how many rows there are of everything that a turn leaves behind."""
    kinds = (Session, Turn, Attempt, Citation, Source, ContextRecord)
    return [kind.objects.count() for kind in kinds]


def asked() -> int:
    """Return how often the audit says that a question was asked."""
    return AuditEvent.objects.filter(action="query.asked").count()


def events_in(body: bytes) -> list[tuple[str, dict[str, Any]]]:
    blocks = body.decode().strip().split("\n\n")
    lines = [block.split("\n") for block in blocks]
    return [(name[len("event: ") :], json.loads(data[len("data: ") :])) for name, data in lines]


# --- Without a session ----------------------------------------------------------------------------


@pytest.mark.usefixtures("library")
def test_a_question_alone_is_answered_and_nothing_is_stored(api: Api) -> None:
    before = rows()
    response = api.post("/query", {"query": QUESTION})
    assert response.status_code == 200
    answer = response.json()
    assert "fifteenth day of each calendar month" in answer["response"]
    assert answer["citations"][0]["number"] == answer["sources"][0]["number"] == 1
    assert answer["citations"][0]["citation_id"] is None
    assert (answer["turn_id"], answer["session_id"], answer["position"]) == (None, None, None)
    assert (answer["status"], answer["model"]) == ("complete", "quoting")
    assert rows() == before == [0] * len(before)
    assert asked() == 1


@pytest.mark.usefixtures("library")
def test_a_follow_up_leans_on_the_history_that_the_client_brings(api: Api) -> None:
    body = {"query": FOLLOW_UP, "conversation_context": HISTORY}
    answer = api.post("/query", body).json()
    assert "Determination Date" in answer["standalone_query"]
    assert "preceding Business Day" in answer["response"]
    assert api.post("/query", {"query": FOLLOW_UP}).json()["standalone_query"] == FOLLOW_UP


@pytest.mark.usefixtures("library")
def test_the_events_are_those_of_a_turn_without_ids_and_make_up_the_answer(api: Api) -> None:
    for style in ("inline", "footnote", "reference"):
        response = api.post("/query", {"query": QUESTION, "style": style}, **SSE)
        assert b"id:" not in response.content
        events = events_in(response.content)
        names = [name for name, _ in events]
        assert [name for name in names if name != "step"][:3] == ["turn", "rewrite", "passages"]
        assert events[0][1]["documents"] == Document.objects.count()
        assert names[-2:] == ["citations", "done"]
        text = "".join(data["text"] for name, data in events if name == "delta")
        assert text == events[-1][1]["response"]
        assert events[-1][1]["style"] == style
        assert ("[^1]: " in text) == (style == "footnote")


@pytest.mark.usefixtures("library")
def test_scope_limits_the_search_to_documents_that_one_may_read(
    api: Api, strangers_api: Api
) -> None:
    shared = api.post("/query", {"query": QUESTION}).json()["sources"][0]["document_id"]
    found = api.post("/query", {"query": QUESTION, "scope": [shared]}).json()
    assert {source["document_id"] for source in found["sources"]} == {shared}
    private = Document.objects.create(
        owner=strangers_api.user, title="x", authors=[], checksum="1" * 64, media_type="text/plain"
    )
    for identity in (str(private.pk), str(uuid4()), "none"):
        response = api.post("/query", {"query": QUESTION, "scope": [identity]})
        assert (response.status_code, response.content) == (404, NOT_FOUND)


@pytest.mark.parametrize(
    "context",
    [
        [],
        [{"role": "assistant", "content": "An answer whose question is gone."}],
        [{"role": "user", "content": "One"}, {"role": "user", "content": "Two"}],
        [{"role": "user", "content": "One"}, {"role": "assistant", "content": ""}],
        [{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}],
        [{"role": "user", "content": "word " * 6000}] * 20,
        HISTORY * 100,
    ],
    ids=["empty", "half", "two questions", "no words", "two answers", "long", "many"],
)
def test_whatever_a_client_has_kept_is_a_history(api: Api, context: list[dict[str, str]]) -> None:
    response = api.post("/query", {"query": FOLLOW_UP, "conversation_context": context})
    assert response.status_code == 200
    assert response.json()["usage"]["prompt_tokens"] <= 4096


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"conversation_context": HISTORY * 101}, "conversation_context"),
        (
            {"conversation_context": [{"role": "system", "content": "Obey."}]},
            "conversation_context.0.role",
        ),
        (
            {"conversation_context": [{"role": "user", "content": None}]},
            "conversation_context.0.content",
        ),
        (
            {"conversation_context": [{"role": "user", "content": "x" * 32_001}]},
            "conversation_context.0.content",
        ),
        (
            {"conversation_context": [{"role": "user", "content": "x", "name": "y"}]},
            "conversation_context.0.name",
        ),
        ({"conversation_context": ["x"]}, "conversation_context.0.non_field_errors"),
        ({"conversation_context": [5]}, "conversation_context.0.non_field_errors"),
        ({"style": "loud"}, "style"),
        ({"stream": True}, "stream"),
        ({"query": " "}, "query"),
    ],
)
def test_what_is_no_query_is_refused_by_field(api: Api, body: dict[str, Any], field: str) -> None:
    response = api.post("/query", {"query": QUESTION} | body)
    assert response.status_code == 400
    assert response.json()["error"]["fields"].keys() == {field}
    assert asked() == 0


def test_a_source_path_of_older_clients_is_ignored(api: Api) -> None:
    body = {"query": QUESTION, "source_path": "/home/me/file.py", "scope": None}
    assert api.post("/query", body).status_code == 200


def test_a_question_too_long_for_the_window_is_refused(api: Api, settings: Any) -> None:
    settings.MAX_TOKENS_PER_CONTEXT = 512
    response = api.post("/query", {"query": "word " * 500})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "question_too_long")


def answered_while_it_goes(owner: User, document: Document) -> Event:
    """Return the last event of an answer whose document is removed while it is written."""
    actor = owner if document.owner_id else None
    query = Query(owner=owner, text="What fee does the Zanzibar clause set?", style="inline")

    async def gathered() -> Event:
        async for event in stream_answer(query):
            if event.name == "passages":
                assert event.data["passages"]
                await run_in_thread(delete_document, document, actor=actor)
        return event

    token = in_this_thread.set(True)
    try:
        return async_to_sync(gathered)()
    finally:
        in_this_thread.reset(token)


CLAUSE = "The Zanzibar clause sets the termination fee at 4711 guilders."


def test_an_answer_built_on_an_own_document_that_is_removed_meanwhile_is_not_given(
    owner: User,
) -> None:
    last = answered_while_it_goes(owner, add(CLAUSE, owner))
    assert (last.name, last.data["code"]) == ("error", "document_deleted")
    assert (last.data["turn"]["response"], last.data["turn"]["citations"]) == ("", [])
    response = build_response(last)
    assert response.status_code == 409
    assert b"4711 guilders" not in response.content


def test_of_a_shared_document_that_is_removed_meanwhile_the_quote_stays(owner: User) -> None:
    last = answered_while_it_goes(owner, add(CLAUSE))
    assert last.name == "done"
    assert "4711" in last.data["citations"][0]["quote"]
    assert last.data["sources"][0]["document_id"] is None


def test_the_limit_of_questions_counts_these_as_well(api: Api, settings: Any) -> None:
    settings.TURNS_PER_HOUR = 2
    statuses = [api.post("/query", {"query": QUESTION}).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


# --- In a session ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("library")
def test_in_an_own_session_the_turn_is_stored_and_the_clients_history_wins(api: Api) -> None:
    path = api.begin(style="footnote")
    api.ask(path, "Which drugs target PIK3CA directly?")
    body = {
        "query": FOLLOW_UP,
        "conversation_context": HISTORY,
        "session_id": path.removeprefix("/sessions/"),
    }
    response = api.post("/query", body)
    assert response.status_code == 201
    turn = response.json()
    assert "Determination Date" in turn["standalone_query"]
    assert (turn["position"], turn["style"]) == (2, "footnote")
    assert api.get(f"{path}/history").json()["turns"][1] == turn
    context = api.get(f"{path}/turns/{turn['turn_id']}/context").json()
    assert context["turns"] == []
    assert context["left_out"] == [{"first": 1, "last": 1, "reason": "history_given"}]


@pytest.mark.usefixtures("library")
def test_without_a_history_the_sessions_own_is_used(api: Api) -> None:
    path = api.begin()
    api.ask(path, QUESTION)
    identity = path.removeprefix("/sessions/")
    turn = api.post("/query", {"query": FOLLOW_UP, "session_id": identity}).json()
    assert "Determination Date" in turn["standalone_query"]


def test_an_unknown_id_begins_the_session_under_it(api: Api) -> None:
    identity = str(uuid4())
    body = {"query": QUESTION, "session_id": identity}
    for position in (1, 2):
        turn = api.post("/query", body).json()
        assert (turn["session_id"], turn["position"]) == (identity, position)
    assert api.get(f"/sessions/{identity}").json()["turn_count"] == 2


def test_a_question_that_is_refused_begins_no_session(api: Api) -> None:
    body = {"query": QUESTION, "session_id": str(uuid4()), "scope": [str(uuid4())]}
    assert api.post("/query", body).status_code == 404
    del body["scope"]
    assert api.post("/query", body, Idempotency_Key="k" * 1000).status_code == 400
    assert not Session.objects.exists()


def test_a_refusal_leaves_the_turn_that_another_request_has_under_the_new_id(api: Api) -> None:
    body = {"query": QUESTION, "session_id": str(uuid4())}

    def ask_meanwhile(instance: Session, *, created: bool, **_: Any) -> None:
        if created:
            asked = take_turn(instance, Question(FOLLOW_UP))
            assert asked.attempt
            answer_now(asked.attempt)

    post_save.connect(ask_meanwhile, Session)
    try:
        refused = api.post("/query", body | {"scope": [str(uuid4())]})
    finally:
        post_save.disconnect(ask_meanwhile, Session)
    assert refused.status_code == 404
    assert Turn.objects.get().query == FOLLOW_UP
    assert not AuditEvent.objects.filter(action="session.erased").exists()


def test_nobody_elses_session_and_no_malformed_one(api: Api, strangers_api: Api) -> None:
    theirs = strangers_api.begin().removeprefix("/sessions/")
    for identity in (theirs, "none", "../x"):
        response = api.post("/query", {"query": QUESTION, "session_id": identity})
        assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert not Turn.objects.exists()


def test_the_same_key_gives_the_same_turn(api: Api) -> None:
    body = {"query": QUESTION, "session_id": str(uuid4())}
    first, second = (api.post("/query", body, Idempotency_Key="k").json() for _ in "ab")
    assert first == second


def test_a_key_is_refused_where_nothing_is_stored_that_could_be_given_again(api: Api) -> None:
    refused = api.post("/query", {"query": QUESTION}, Idempotency_Key="k")
    assert refused.status_code == 400
    assert list(refused.json()["error"]["fields"]) == ["Idempotency-Key"]


# --- By a real server with a model ----------------------------------------------------------------


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    patience = {"LLM_RETRIES": "0", "LLM_STALL_TIMEOUT": "600"}
    return start_web(**model_server.environment, **patience, FALLBACK="none")


@pytest.fixture
def client(served: Web) -> Iterator[httpx.Client]:
    with served.client("owner") as client:
        yield client


def test_the_model_sees_the_clients_history_and_what_it_says_streams(
    client: httpx.Client, model_server: ModelServer
) -> None:
    model_server.reply("What happens if the Determination Date falls on a weekend?")
    model_server.reply(LONG, hold_after=30)
    body = {"query": FOLLOW_UP, "conversation_context": HISTORY}
    with client.stream("POST", "/api/v1/query", json=body, headers=SSE) as response:
        assert response.status_code == 200
        lines = response.iter_lines()
        next(line for line in lines if "word10" in line)  # before the model has said the rest
        model_server.go_on()
        events = [line for line in lines if line.startswith("event: ")]
    assert "event: delta" in events
    assert events[-1] == "event: done"
    roles = [message["role"] for message in model_server.last_request["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


def test_the_model_is_let_go_when_the_client_leaves(
    client: httpx.Client, served: Web, model_server: ModelServer
) -> None:
    from chat.streams.unstored import MOST_AT_ONCE

    for _ in range(MOST_AT_ONCE + 1):  # each leaves its place to the next
        model_server.reply(LONG, delay=0.1)
        with client.stream(
            "POST", "/api/v1/query", json={"query": QUESTION}, headers=SSE
        ) as response:
            assert response.status_code == 200
            next(line for line in response.iter_lines() if line == "event: delta")
        time.sleep(0.1)
    assert served.client("owner").get("/api/v1/sessions").json()["sessions"] == []


def test_too_many_at_once_are_refused(served: Web, model_server: ModelServer) -> None:
    from concurrent.futures import ThreadPoolExecutor

    count = (
        "from memory.models import AuditEvent, Usage\n"
        "print(AuditEvent.objects.filter(action='query.asked').count(),"
        " sum(Usage.objects.filter(kind='turns').values_list('used', flat=True)))"
    )
    before = served.python(count).split()[-2:]
    model_server.reply(LONG, hold_after=1)
    with ThreadPoolExecutor(6) as threads, served.client("colleague") as client:
        asked = [
            threads.submit(client.post, "/api/v1/query", json={"query": QUESTION}) for _ in range(6)
        ]
        wait_until(lambda: sum(each.done() for each in asked) >= 2, what="two refusals")
        model_server.go_on()
        answers = sorted((future.result() for future in asked), key=lambda a: a.status_code)
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429, 429]
    assert {answer.headers.get("Retry-After") for answer in answers[:4]} == {None}
    for refused in answers[4:]:
        assert refused.json()["error"]["code"] == "too_many_at_once"
        assert refused.headers["Retry-After"] == "1"
    after = served.python(count).split()[-2:]
    assert [int(now) - int(then) for now, then in zip(after, before, strict=True)] == [4, 4]


@pytest.mark.parametrize(
    ("status", "code"), [(401, "model_key_refused"), (500, "model_server_error")]
)
def test_a_failure_of_the_model_is_an_error(
    client: httpx.Client, model_server: ModelServer, status: int, code: str
) -> None:
    model_server.fail(status)
    response = client.post("/api/v1/query", json={"query": QUESTION})
    assert (response.status_code, response.json()["error"]["code"]) == (503, code)
    with client.stream("POST", "/api/v1/query", json={"query": QUESTION}, headers=SSE) as stream:
        lines = list(stream.iter_lines())
    assert "event: error" in lines
    assert code in lines[-2]


def test_a_stream_ends_soon_after_its_token_is_taken_back(
    served: Web, model_server: ModelServer
) -> None:
    model_server.reply(LONG * 20, delay=0.05)  # for a minute
    with (
        served.client("stranger") as client,
        client.stream("POST", "/api/v1/query", json={"query": QUESTION}, headers=SSE) as response,
    ):
        lines = response.iter_lines()
        next(line for line in lines if line == "event: delta")
        served.python(
            "from memory.models import ApiToken\n"
            "ApiToken.objects.filter(user__username='stranger').delete()"
        )
        rest = list(lines)
    assert "event: done" not in rest


def test_an_answer_is_not_given_once_its_token_is_taken_back(
    served: Web, model_server: ModelServer
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    fresh = "from memory.models import ApiToken, User\nfrom tests.people import token_of\n"
    token = served.python(fresh + "print(token_of(User.objects.get(username='stranger')))").split()[
        -1
    ]
    model_server.reply(LONG, hold_after=1)
    headers = {"Authorization": f"Bearer {token}"}
    with ThreadPoolExecutor(1) as threads, served.client() as client:
        body = {"query": QUESTION}
        asked = threads.submit(client.post, "/api/v1/query", json=body, headers=headers)
        wait_until(lambda: model_server.requests, what="the question")
        served.python(fresh + "ApiToken.objects.filter(user__username='stranger').delete()")
        model_server.go_on()
        answer = asked.result()
        gate = client.post("/api/v1/query", json=body, headers=headers)
    assert (answer.status_code, answer.json()) == (401, gate.json())
    assert answer.headers["WWW-Authenticate"] == gate.headers["WWW-Authenticate"]


@pytest.mark.usefixtures("library")
def test_the_id_of_a_deleted_session_is_not_used_again(api: Api) -> None:
    body = {"query": QUESTION, "session_id": str(uuid4())}
    assert api.post("/query", body).status_code == 201
    assert api.delete(f"/sessions/{body['session_id']}").status_code == 204
    assert api.post("/query", body).status_code == 404
    assert not Session.objects.exists()
    assert not restoring.find_returned_data()


@pytest.mark.usefixtures("library")
def test_an_id_whose_first_question_was_refused_is_still_free(api: Api) -> None:
    body = {"query": QUESTION, "session_id": str(uuid4())}
    assert api.post("/query", body | {"scope": [str(uuid4())]}).status_code == 404
    assert api.post("/query", body).status_code == 201
    assert not restoring.find_returned_data()
