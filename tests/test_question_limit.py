"""The door: few questions are stored at once, and those beyond the bound are refused in words."""

import asyncio
import json
from uuid import uuid4

import pytest
from django.urls import reverse

from chat.turns.admission import step_aside
from config.serving.bodies import Message, Receive, Send
from config.serving.question_limit import STORED_AT_ONCE, is_question, limit_questions
from memory.conversations.asking import Question, ask, create_session
from memory.errors import TurnInProgress
from memory.models import User

PAGE = "/conversations/new"


def post(path: str) -> Message:
    headers = [(b"host", b"testserver"), (b"accept-language", b"de")]
    found = {"type": "http", "method": "POST", "path": path, "headers": headers}
    return {**found, "query_string": b""}


def test_it_is_the_door_of_every_question_and_of_nothing_else() -> None:
    session, turn = uuid4(), uuid4()
    one = {"session_id": session}
    for app in ("chat", "api"):
        again = {f"{app}:retry", f"{app}:continue"}
        for name in again:
            assert is_question(post(reverse(name, kwargs=one | {"turn_id": turn})))
        assert not is_question(post(reverse(f"{app}:stop", kwargs=one | {"turn_id": turn})))
    assert is_question(post(reverse("chat:start")))
    assert is_question(post(reverse("chat:ask", kwargs=one)))
    assert is_question(post(reverse("api:turns", kwargs=one)))
    assert is_question(post(reverse("api:query")))
    assert not is_question(post(reverse("api:sessions")))
    assert not is_question(post(reverse("api:turns", kwargs=one)) | {"method": "GET"})
    assert not is_question({"type": "lifespan"})


class Asking:
    """Questions at a door; each stays inside until it is let go."""

    def __init__(self) -> None:
        self.app = limit_questions(self.django)
        self.inside: list[asyncio.Event] = []

    async def django(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope.get("gives way"):
            await asyncio.to_thread(step_aside.get())
        self.inside.append(over := asyncio.Event())
        await over.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def ask(self, path: str = PAGE, **more: bool) -> "asyncio.Task[list[Message]]":
        return asyncio.create_task(self._ask(post(path) | more))

    async def _ask(self, scope: Message) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, None, send)
        return sent


def test_few_are_inside_and_each_lets_the_next_one_in() -> None:
    async def test() -> None:
        asking = Asking()
        asked = [asking.ask() for _ in range(STORED_AT_ONCE + 2)]
        await asyncio.sleep(0.01)
        assert len(asking.inside) == STORED_AT_ONCE
        asking.inside[0].set()
        await asyncio.sleep(0.01)
        assert len(asking.inside) == STORED_AT_ONCE + 1
        asked[-1].cancel()  # it leaves while it waits
        for over in asking.inside:
            over.set()
        await asyncio.gather(*asked, return_exceptions=True)
        assert len(asking.inside) == STORED_AT_ONCE + 1

    asyncio.run(test())


def test_a_text_is_checked_behind_the_others_and_beside_questions() -> None:
    async def test() -> None:
        asking = Asking()
        asked = [asking.ask(reverse("api:verify")) for _ in range(2)] + [asking.ask()]
        await asyncio.sleep(0.01)
        assert len(asking.inside) == 2
        for _each in asked:
            for over in asking.inside:
                over.set()
            await asyncio.sleep(0.01)
        assert all([await each for each in asked])

    asyncio.run(test())


def test_a_question_that_waits_for_its_own_session_gives_its_place_back() -> None:
    async def test() -> None:
        asking = Asking()
        asked = [asking.ask(**{"gives way": True}) for _ in range(STORED_AT_ONCE)]
        asked += [asking.ask() for _ in range(STORED_AT_ONCE)]
        async with asyncio.timeout(10):
            while len(asking.inside) < 2 * STORED_AT_ONCE:
                await asyncio.sleep(0.01)
        for over in asking.inside:
            over.set()
        await asyncio.gather(*asked)

    asyncio.run(test())


@pytest.mark.django_db
def test_a_question_says_that_it_is_going_to_wait_for_its_session(owner: User) -> None:
    session, said = create_session(owner), []
    ask(session, Question("What is it?"))
    with pytest.raises(TurnInProgress):
        ask(session, Question("And?"), patience=0.05, before_waiting=lambda: said.append("so"))
    assert said


@pytest.mark.parametrize(("path", "is_page"), [(PAGE, True), ("/api/v1/query", False)])
def test_beyond_the_bound_a_question_is_refused_in_words(
    path: str, is_page: bool, settings
) -> None:
    settings.ANSWERS_AT_WORK, settings.ANSWERS_WAITING = 1, 0

    async def test() -> list[Message]:
        asking = Asking()
        asked = [asking.ask() for _ in range(STORED_AT_ONCE + 1)]
        await asyncio.sleep(0.01)
        refused = await asking.ask(path)
        for each in asked:
            each.cancel()
        return refused

    start, body = asyncio.run(test())
    headers = dict(start["headers"])
    assert start["status"] == 503
    assert int(headers[b"retry-after"]) > 0
    assert b"x-request-id" in headers
    if is_page:
        assert b"<html" in body["body"]
    else:
        assert json.loads(body["body"])["error"]["code"] == "overloaded"
