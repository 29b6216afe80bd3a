"""So many answers at work, the others in a queue that is fair by person, and no more than that."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from uuid import UUID, uuid4

import pytest

from chat.turns import admission as room
from chat.turns.admission import Admission, Overloaded, QueuePlace
from tests.surroundings import wait_until

ANN, BEN, CAT = uuid4(), uuid4(), uuid4()


class Queue:
    """Questions of people, each with a place."""

    def __init__(self, people: Sequence[UUID]) -> None:
        self.admission = Admission()
        self.people = people
        self.told: dict[int, list[int]] = {number: [] for number in range(len(people))}
        self.places: list[QueuePlace] = []
        self._stacks: list[AsyncExitStack] = []

    async def ask(self) -> None:
        for number, person in enumerate(self.people):
            stack = AsyncExitStack()
            place = self.admission.place(person, self.told[number].append)
            self.places.append(await stack.enter_async_context(place))
            self._stacks.append(stack)

    async def end(self, number: int) -> None:
        await self._stacks[number].aclose()

    async def end_all(self) -> None:
        for stack in self._stacks:
            await stack.aclose()

    def begun(self) -> list[int]:
        return [number for number, place in enumerate(self.places) if place.begun.is_set()]


@asynccontextmanager
async def asked(*people: UUID) -> AsyncIterator[Queue]:
    queue = Queue(people)
    await queue.ask()
    yield queue
    await queue.end_all()
    assert (queue.admission._at_work.total(), queue.admission._waiting) == (0, [])


def run(test: Callable[[], object]) -> None:
    asyncio.run(test())


@pytest.fixture(autouse=True)
def small(settings) -> None:
    settings.ANSWERS_AT_WORK, settings.ANSWERS_WAITING = 2, 3


def test_many_questions_of_one_person_keep_nobody_else_waiting() -> None:
    async def test() -> None:
        async with asked(ANN, ANN, ANN, ANN, BEN, CAT, BEN) as queue:
            assert queue.begun() == [0, 1]
            await queue.end(0)
            assert queue.begun() == [0, 1, 4]
            await queue.end(1)  # now nobody of those who wait has any at work but Ben
            assert queue.begun() == [0, 1, 2, 4]
            await queue.end(4)
            assert queue.begun() == [0, 1, 2, 4, 5]

    run(test)


def test_a_waiting_person_is_told_how_many_came_before() -> None:
    async def test() -> None:
        async with asked(ANN, ANN, ANN, BEN) as queue:
            assert [queue.told[number][-1:] for number in range(4)] == [[], [], [0], [1]]

    run(test)


def test_only_so_many_are_prepared_at_once(settings, monkeypatch) -> None:
    settings.ANSWERS_AT_WORK = 100
    monkeypatch.setattr(room, "PREPARED_AT_ONCE", 2)

    async def test() -> None:
        async with asked(ANN, BEN, CAT, ANN) as queue:
            assert queue.begun() == [0, 1]
            queue.admission.prepared(queue.places[0])
            queue.admission.prepared(queue.places[0])
            assert queue.begun() == [0, 1, 2]
            await queue.end(1)
            assert queue.begun() == [0, 1, 2, 3]

    run(test)


def test_who_leaves_while_waiting_leaves_no_gap() -> None:
    async def test() -> None:
        async with asked(ANN, ANN, BEN, CAT) as queue:
            await queue.end(2)
            await queue.end(0)
            assert queue.begun() == [0, 1, 3]

    run(test)


def test_beyond_the_bound_a_question_is_refused_with_when_to_come_again() -> None:
    async def test() -> None:
        async with asked(ANN, ANN, ANN, BEN) as queue:
            queue.admission.check_room()  # the fifth
            async with queue.admission.place(CAT, lambda before: None):
                with pytest.raises(Overloaded) as refusal:
                    queue.admission.check_room()
            assert 1 <= refusal.value.come_again <= 60
            queue.admission.check_room()

    run(test)


# --- Served ---------------------------------------------------------------------------------------


def test_at_three_times_the_capacity_no_accepted_answer_ends_other_than_by_itself(
    start_web, model_server
) -> None:
    said = "It is the fifteenth day of the month [1]. " * 3
    model_server.reply(said, hold_after=3)
    web = start_web(ANSWERS_AT_WORK="4", ANSWERS_WAITING="4", **model_server.environment)
    people = ["owner"] * 16 + ["colleague"] * 8
    question = {"query": "What is the Determination Date?"}
    with ExitStack() as stack:
        clients = [stack.enter_context(web.client(person)) for person in people]
        sessions = [
            client.post("/api/v1/sessions", json={}).raise_for_status().json()["session_id"]
            for client in clients
        ]

        def ask(number: int) -> tuple[int, str, str]:
            url = f"/api/v1/sessions/{sessions[number]}/turns"
            stream = {"Accept": "text/event-stream"}
            with clients[number].stream("POST", url, json=question, headers=stream) as response:
                body = response.read().decode()
                return response.status_code, response.headers.get("Retry-After", ""), body

        with ThreadPoolExecutor(len(people)) as threads:
            asked = [threads.submit(ask, number) for number in range(len(people))]
            refusals = len(people) - 4 - 4 - 2  # two more may be stored at once
            wait_until(lambda: sum(each.done() for each in asked) >= refusals, what="refusals")
            model_server.go_on()
            answers = [each.result() for each in asked]
        turns = [
            client.get(f"/api/v1/sessions/{session}/history").json()["turns"]
            for client, session in zip(clients, sessions, strict=True)
        ]
    taken = [number for number, (status, *_) in enumerate(answers) if status == 200]
    assert 8 <= len(taken) <= 10
    for number, (status, come_again, body) in enumerate(answers):
        if number in taken:
            assert [turn["status"] for turn in turns[number]] == ["complete"]
            assert turns[number][0]["failure"] is None
            assert "event: done" in body
        else:
            assert (status, turns[number]) == (503, [])  # nothing is stored
            assert 1 <= int(come_again) <= 60
            assert json.loads(body).get("error", json.loads(body))["code"] == "overloaded"
    assert 'event: waiting\ndata: {"before":' in "".join(body for *_, body in answers)
