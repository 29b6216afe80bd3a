"""The door: few questions inside at once, the next is whoever has fewest, and no vain waiting."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from chat.turns.admission import STORED_AT_ONCE, Admission, step_aside
from config.serving import door as serving
from config.serving.door import Door, asks, with_door
from config.serving.intake import Message, Receive, Send
from config.serving.places import place_told
from memory.conversations.asking import Question, ask, create_session
from memory.errors import TurnInProgress
from memory.models import User
from tests.servers import FILES
from tests.surroundings import wait_until

pytestmark = pytest.mark.once
PAGE = "/conversations/new"
STREAM = "text/event-stream"


def post(path: str, **headers: str) -> Message:
    fields = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"testserver"), *fields],
    }


class Asking:
    """Questions at a door of their own; each stays inside until it is let go."""

    def __init__(self) -> None:
        self.behind = Admission()
        self.app = place_told(with_door(self.django, Door(self.behind)))
        # What Django answers: status, kind and body.
        self.answer = (200, STREAM, b"event: turn\ndata: {}\n\n")
        self.inside: dict[str, asyncio.Event] = {}
        self.entered: list[str] = []
        self.tasks: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def django(self, scope: Message, receive: Receive, send: Send) -> None:
        name = (await receive())["body"].decode()
        self.entered.append(name)
        over = self.inside[name] = asyncio.Event()
        if name == "gives way":
            await asyncio.to_thread(step_aside.get())
        await over.wait()
        status, kind, body = self.answer
        headers = [(b"Content-Type", kind.encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def come(self, name: str, person: str, path: str = PAGE, **headers: str) -> None:
        scope = post(path, cookie=f"sessionid={person}", **headers)
        self.tasks[name] = asyncio.create_task(self._answer(scope, name))
        await settled()

    async def _answer(self, scope: Message, name: str) -> dict[str, Any]:
        answer: dict[str, Any] = {"body": b""}

        async def receive() -> Message:
            return {"type": "http.request", "body": name.encode(), "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                assert "status" not in answer
                answer["status"] = message["status"]
                answer["headers"] = {key.decode(): it.decode() for key, it in message["headers"]}
            else:
                answer["body"] += message["body"]

        await self.app(scope, receive, send)
        return answer

    async def let_go(self, name: str) -> None:
        self.inside.pop(name).set()
        await settled()

    async def end(self) -> None:
        while self.inside:
            await self.let_go(next(iter(self.inside)))
        await asyncio.gather(*self.tasks.values())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def run(test: Callable[[Asking], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        asking = Asking()
        await test(asking)
        await asking.end()

    asyncio.run(whole())


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "STORED_AT_ONCE", 2)


def test_it_is_the_door_of_every_question_and_of_nothing_else() -> None:
    session, turn = uuid4(), uuid4()
    one = {"session_id": session}
    for app in ("chat", "api"):
        again = {f"{app}:retry", f"{app}:continue"}
        for name in again:
            assert asks(post(reverse(name, kwargs=one | {"turn_id": turn})))
        assert not asks(post(reverse(f"{app}:stop", kwargs=one | {"turn_id": turn})))
    assert asks(post(reverse("chat:start")))
    assert asks(post(reverse("chat:ask", kwargs=one)))
    assert asks(post(reverse("api:turns", kwargs=one)))
    assert asks(post(reverse("api:query")))
    assert not asks(post(reverse("api:sessions")))
    assert not asks(post(reverse("api:turns", kwargs=one)) | {"method": "GET"})
    assert not asks({"type": "lifespan"})


def test_few_are_inside_and_next_is_whoever_has_fewest_there() -> None:
    async def test(asking: Asking) -> None:
        for name, person in [("1", "ann"), ("2", "ann"), ("3", "ann"), ("4", "ann"), ("5", "ben")]:
            await asking.come(name, person)
        assert asking.entered == ["1", "2"]
        await asking.let_go("1")
        assert asking.entered == ["1", "2", "5"]
        await asking.let_go("5")
        await asking.let_go("2")
        assert asking.entered == ["1", "2", "5", "3", "4"]

    run(test)


def test_a_token_is_someone_of_its_own_and_on_pages_no_disguise() -> None:
    api, token = reverse("api:query"), {"authorization": "Bearer a"}
    assert serving.person_of(post(api, **token)) != serving.person_of(post(api))
    cookie = {"cookie": "sessionid=ann"}
    disguised = serving.person_of(post(PAGE, **cookie, **token))
    assert disguised == serving.person_of(post(PAGE, **cookie))
    assert disguised != serving.person_of(post(PAGE, cookie="sessionid=ben"))


def test_who_waits_for_a_turn_of_their_own_session_stands_in_nobodys_way() -> None:
    async def test(asking: Asking) -> None:
        await asking.come("1", "ann")
        await asking.come("gives way", "ann")
        await asking.come("2", "ben")
        while "2" not in asking.entered:  # a thread has to be over
            await asyncio.sleep(0.01)
        await asking.come("3", "ben")
        assert asking.entered == ["1", "gives way", "2"]
        await asking.let_go("gives way")  # its place isn't given twice
        assert asking.entered == ["1", "gives way", "2"]

    run(test)


@pytest.mark.django_db
def test_a_question_says_that_it_is_going_to_wait_for_its_session(owner: User) -> None:
    session, said = create_session(owner), []
    ask(session, Question("What is a Determination Date?"))
    with pytest.raises(TurnInProgress):
        ask(session, Question("And?"), patience=0.05, before_waiting=lambda: said.append("so"))
    assert said


def test_who_would_wait_too_long_is_told_at_once_when_to_come_again(settings) -> None:
    settings.FIRST_TEXT_SECONDS = 10

    async def test(asking: Asking) -> None:
        asking.behind.pace._known = 3.0
        for name in ("1", "2", "3"):
            await asking.come(name, f"person {name}")
        await asking.come("4", "dan", reverse("api:query"))
        await asking.come("5", "eve", accept="text/event-stream")
        await asking.come("6", "fay", accept="text/html")
        for name in ("4", "5", "6"):
            answer = await asking.tasks[name]
            # Three before it and its own three seconds make twelve.
            assert answer["status"] == 503
            assert answer["headers"]["retry-after"] in ("2", "3")
            assert "x-request-id" in answer["headers"]
        for name in ("4", "5"):
            error = json.loads((await asking.tasks[name])["body"])["error"]
            assert (error["code"], bool(error["message"])) == ("overloaded", True)
        page = await asking.tasks["6"]
        assert page["headers"]["content-type"].startswith("text/html")
        assert page["headers"]["content-language"] == "en"
        assert asking.entered == ["1", "2"]
        await asking.let_go("1")
        assert asking.entered == ["1", "2", "3"]  # who was let wait comes in

    run(test)


def test_who_turns_out_to_wait_too_long_hears_it_while_they_are_new(settings) -> None:
    settings.FIRST_TEXT_SECONDS = 10

    async def test(asking: Asking) -> None:
        for name in "12345":
            await asking.come(name, f"person {name}")
        asking.behind.pace._known = 3.0
        assert (await asking.tasks["5"])["status"] == 503
        assert not asking.tasks["3"].done()

    run(test)


def test_who_is_not_new_any_more_may_wait_longer(settings, monkeypatch) -> None:
    settings.FIRST_TEXT_SECONDS = 10
    monkeypatch.setattr(serving, "NEW_SECONDS", 0.0)

    async def test(asking: Asking) -> None:
        for name in "12345":
            await asking.come(name, f"person {name}")
        asking.behind.pace._known = 4.5  # the fourth will be there in 18 seconds, the fifth in 22.5
        assert (await asking.tasks["5"])["status"] == 503
        assert not asking.tasks["4"].done()

    run(test)


def test_a_rush_is_not_over_while_somebody_waits_outside() -> None:
    async def test(asking: Asking) -> None:
        for name in "123":
            await asking.come(name, f"person {name}")
        async with asking.behind.place(uuid4(), uuid4(), lambda before: None) as place:
            asking.behind.prepared(place)
        assert len(asking.behind.pace._passed) == 1
        await asking.let_go("1")  # the third comes in: how fast it goes now says nothing
        async with asking.behind.place(uuid4(), uuid4(), lambda before: None) as place:
            asking.behind.prepared(place)
        assert not asking.behind.pace._passed

    run(test)


def test_who_has_waited_in_vain_hears_it_in_the_end(settings, monkeypatch) -> None:
    settings.FIRST_TEXT_SECONDS = 0.5

    async def test(asking: Asking) -> None:
        asking.behind.pace._known = 0.01
        for name in "123":
            await asking.come(name, f"person {name}")
        assert (await asking.tasks["3"])["status"] == 503

    run(test)


# --- The place, told ------------------------------------------------------------------------------


def events_of(answer: dict[str, Any]) -> list[tuple[str, Any]]:
    blocks = [block.split("\n") for block in answer["body"].decode().split("\n\n") if block]
    return [(name.split(": ")[1], json.loads(data.split(": ", 1)[1])) for name, data in blocks]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "TELL_SECONDS", 0.02)
    monkeypatch.setattr(serving, "LOOK_SECONDS", 0.01)


@pytest.mark.usefixtures("soon")
def test_who_waits_and_reads_a_stream_is_told_how_many_are_before_and_answered_in_it() -> None:
    async def test(asking: Asking) -> None:
        for name in "1234":
            await asking.come(name, f"person {name}", accept=STREAM)
        await asyncio.sleep(0.1)
        await asking.let_go("1")
        await asyncio.sleep(0.1)
        await asking.let_go("2")
        await asking.let_go("4")
        last = await asking.tasks["4"]
        assert events_of(last) == [
            ("waiting", {"before": 3}),
            ("waiting", {"before": 2}),
            ("turn", {}),
        ]
        assert (last["status"], last["headers"]["content-type"][: len(STREAM)]) == (200, STREAM)
        assert last["headers"]["x-request-id"]
        assert events_of(await asking.tasks["1"]) == [("turn", {})]  # who needn't wait

    run(test)


@pytest.mark.usefixtures("soon")
def test_who_is_sent_away_after_having_been_told_hears_it_in_the_stream(settings) -> None:
    settings.FIRST_TEXT_SECONDS = 10

    async def test(asking: Asking) -> None:
        for name in "123":
            await asking.come(name, f"person {name}", accept=STREAM)
        await asking.come("page", "dan")
        await asyncio.sleep(0.1)
        asking.behind.pace._known = 20.0
        (_waiting, (name, error)), page = (
            events_of(await asking.tasks["3"]),
            await asking.tasks["page"],
        )
        assert (name, error["code"], error["status"]) == ("error", "overloaded", 503)
        assert error["turn"] is None
        assert 1 <= error["retry_after"] <= 60
        assert error["message"]
        assert page["status"] == 503  # who reads no stream hears nothing before
        assert page["headers"]["retry-after"]
        assert asking.entered == ["1", "2"]

    run(test)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((409, "application/json", b'{"error": {"code": "held", "message": "It is."}}'), "held"),
        ((404, "text/html", b"<p>Nothing</p>"), "not_found"),
        ((302, "text/html", b""), "not_authenticated"),
        ((500, "text/html", b"<p>Broken</p>"), "internal_error"),
    ],
)
def test_what_is_answered_with_another_status_is_told_in_a_stream_that_has_begun(
    answer: tuple[int, str, bytes], code: str
) -> None:
    async def test(asking: Asking) -> None:
        for name in "123":
            await asking.come(name, f"person {name}", accept=STREAM)
        await asyncio.sleep(0.1)
        asking.answer = answer
        for name in "13":
            await asking.let_go(name)
        (_waiting, (name, error)) = events_of(await asking.tasks["3"])
        assert (name, error["code"], error["status"]) == ("error", code, answer[0])
        assert error["message"]
        first = await asking.tasks["1"]  # whose stream had not begun
        assert (first["status"], first["body"]) == (answer[0], answer[2])

    run(test)


def test_a_body_that_is_slow_to_come_takes_no_place() -> None:
    async def test(asking: Asking) -> None:
        async def silent() -> Message:
            await asyncio.sleep(60)
            raise AssertionError

        slow = [asyncio.create_task(asking.app(post(PAGE), silent, silent)) for _ in range(5)]  # type: ignore[arg-type]
        await settled()
        await asking.come("1", "ann")
        assert asking.entered == ["1"]
        for each in slow:
            each.cancel()

    run(test)


def test_who_leaves_while_waiting_is_not_let_in() -> None:
    async def test(asking: Asking) -> None:
        for name in "1234":
            await asking.come(name, f"person {name}")
        asking.tasks.pop("3").cancel()
        await settled()
        await asking.let_go("1")
        assert asking.entered == ["1", "2", "4"]

    run(test)


@pytest.mark.slow("a server of its own, and many clients at once")
def test_a_rush_is_taken_as_far_as_it_can_be_answered_in_time(start_web, model_server) -> None:
    model_server.reply("It is the fifteenth day of the month [1].")
    web = start_web(FIRST_TEXT_SECONDS="1", **model_server.environment)
    client = web.client("owner")
    sessions = [client.post("/api/v1/sessions").json()["session_id"] for _ in range(30)]
    question = {"query": "What is the Determination Date?"}

    def asked(session: str) -> Any:
        with web.client("owner") as mine:
            return mine.post(f"/api/v1/sessions/{session}/turns", json=question)

    with ThreadPoolExecutor(len(sessions)) as threads:
        answers = list(threads.map(asked, sessions))
    refused = [answer for answer in answers if answer.status_code == 503]
    taken = [answer for answer in answers if answer.status_code == 201]
    assert taken
    assert refused
    assert len(taken) + len(refused) == len(sessions)
    assert {answer.json()["status"] for answer in taken} == {"complete"}
    for answer in refused:
        assert answer.json()["error"]["code"] == "overloaded"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
    turns = [
        client.get(f"/api/v1/sessions/{session}/history").json()["turns"] for session in sessions
    ]
    assert sum(map(bool, turns)) == len(taken)
    told = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines())
    assert float(told['throughline_questions_refused_total{reason="overloaded"}']) == len(refused)
    assert float(told['throughline_responses_total{part="api",status="refused"}']) == len(refused)
    assert 'throughline_responses_total{part="api",status="5xx"}' not in told
    assert float(told['throughline_questions_waiting{place="door"}']) == 0


@pytest.mark.slow("a server of its own, and many clients at once")
def test_in_a_rush_that_is_taken_whole_who_waits_is_told_how_many_are_before(
    start_web, model_server
) -> None:
    model_server.reply("It is the fifteenth day of the month [1].")
    web = start_web(FIRST_TEXT_SECONDS="120", **model_server.environment)
    client = web.client("owner")
    sessions = [client.post("/api/v1/sessions").json()["session_id"] for _ in range(8)]
    outside = len(sessions) - STORED_AT_ONCE

    def asked(session: str) -> list[str]:
        url = f"/api/v1/sessions/{session}/turns"
        question = {"query": "What is the Determination Date?"}
        with web.client("owner") as mine:
            answer = mine.post(url, json=question, headers={"Accept": STREAM})
        assert answer.status_code == 200
        return [line[7:] for line in answer.text.splitlines() if line.startswith("event: ")]

    def all_wait() -> bool:
        waiting = f'throughline_questions_waiting{{place="door"}} {float(outside)}'
        return waiting in client.get("/metrics").text.splitlines()

    database = web.data_dir / FILES["default"]
    with (
        closing(sqlite3.connect(database, isolation_level=None)) as other,
        ThreadPoolExecutor(len(sessions)) as threads,
    ):
        other.execute("BEGIN IMMEDIATE")  # nobody can be stored meanwhile
        answers = [threads.submit(asked, session) for session in sessions]
        wait_until(all_wait, what="the others at the door")
        time.sleep(2 * serving.TELL_SECONDS)
        other.execute("ROLLBACK")
        events = [answer.result() for answer in answers]
    assert {each[-1] for each in events} == {"done"}
    assert {each.count("turn") for each in events} == {1}
    assert sum(each[0] == "waiting" for each in events) == outside
