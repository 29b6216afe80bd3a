"""Answers as they are written, by a real server with a language model that does what it is told."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx
import pytest

from chat.streams.kept_open import SLOT, Following, serve_while_connected
from tests.api.test_errors import NOT_FOUND
from tests.model_server import ModelServer
from tests.servers import Web
from tests.surroundings import wait_until

QUESTION = {"query": "What is the Determination Date?"}
SSE = {"Accept": "text/event-stream"}
# Two seconds at 50 ms a word.
LONG = " ".join(f"word{number}" for number in range(40)) + "."
TIMEOUTS = "LLM_FIRST_TOKEN_TIMEOUT", "LLM_STALL_TIMEOUT"


@dataclass(frozen=True)
class Event:
    id: str
    name: str
    data: dict[str, Any]


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    """A web server whose model is the model server."""
    # A machine that stands still for a while isn't a model that is silent.
    patient = dict.fromkeys(TIMEOUTS, "600")
    return start_web(**model_server.environment, **patient, LLM_RETRIES="0", FALLBACK="none")


@pytest.fixture(scope="module")
def neighbour(served: Web) -> Iterator[Web]:
    """Another web process with the same databases, and with little patience for the model."""
    kept = {name: value for name, value in served.environment.items() if name != "DATA_DIR"}
    other = Web(served.data_dir, served.tokens, **kept | dict.fromkeys(TIMEOUTS, "2"))
    other.start()
    yield other
    other.stop()


@pytest.fixture
def owners(served: Web) -> Iterator[httpx.Client]:
    with served.client("owner") as client:
        yield client


def begin(client: httpx.Client) -> str:
    """Begin a session and return the address of its turns."""
    session = client.post("/api/v1/sessions", json={}).raise_for_status().json()
    return f"/api/v1/sessions/{session['session_id']}/turns"


def events_of(response: httpx.Response) -> Iterator[Event]:
    """Yield the events as they arrive."""
    assert response.headers["Content-Type"].startswith("text/event-stream")
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if line and name:
            fields[name] = value
        elif "event" in fields:
            data = json.loads(fields["data"])
            yield Event(fields.get("id", ""), fields["event"], data)
            fields = {}


@contextmanager
def asking(client: httpx.Client, turns: str, **headers: str) -> Iterator[Iterator[Event]]:
    """Ask, and give the events while they come."""
    with client.stream("POST", turns, json=QUESTION, headers=SSE | headers) as response:
        assert response.status_code == 200
        yield events_of(response)


def following(client: httpx.Client, events: str, after: str = "") -> list[Event]:
    """Return the events behind the id, to the end of the stream."""
    headers = {"Last-Event-ID": after} if after else {}
    with client.stream("GET", events, headers=headers) as response:
        assert response.status_code == 200
        return list(events_of(response))


def until(events: Iterator[Event], name: str) -> Event:
    """Return the next event of that name."""
    return next(event for event in events if event.name == name)


def text_of(events: list[Event]) -> str:
    return "".join(event.data["text"] for event in events if event.name == "delta")


def test_events_come_in_order_while_the_model_writes(
    owners: httpx.Client, model_server: ModelServer
) -> None:
    model_server.reply(LONG, delay=0.05, hold_after=20)
    with asking(owners, begin(owners)) as stream:
        events = []
        while "word10" not in text_of(events):  # not saved up for the end
            events.append(next(stream))
        model_server.go_on()
        events += stream
    names = [event.name for event in events]
    assert names.count("step") == 8
    names = [name for name in names if name != "step"]
    assert names[:3] == ["turn", "rewrite", "passages"]
    assert set(names[3:-2]) == {"delta"}
    assert names[-2:] == ["citations", "done"]
    offsets = [int(event.id.removeprefix("1:")) for event in events]
    assert offsets == sorted(set(offsets))
    turn = events[-1].data
    assert text_of(events) == turn["response"] == LONG
    assert turn["status"] == "complete"


def test_a_stream_goes_on_behind_any_of_its_ids(
    owners: httpx.Client, neighbour: Web, model_server: ModelServer
) -> None:
    model_server.reply(LONG)
    turns = begin(owners)
    with asking(owners, turns) as stream:
        events = list(stream)
    door = f"{turns}/{events[0].data['turn_id']}/events"
    with neighbour.client("owner") as elsewhere:
        for number in range(0, len(events), 4):
            for client in (owners, elsewhere):
                rest = following(client, door, after=events[number].id)
                assert text_of(events[: number + 1]) + text_of(rest) == LONG
                expected = [event.id for event in events[number + 1 :] if event.name != "delta"]
                assert [event.id for event in rest if event.name != "delta"] == expected
        assert following(elsewhere, door, after=events[-1].id) == []


def test_p41_a_stream_that_is_cut_anywhere_goes_on_without_gap_or_repeat(
    owners: httpx.Client, model_server: ModelServer
) -> None:
    assert cut_while_it_is_written(owners, model_server, Random(1)) >= 10


@pytest.mark.deep
def test_p41_in_full(owners: httpx.Client, model_server: ModelServer) -> None:
    cuts, chance = 0, Random(2)
    while cuts < 200:
        model_server.reset()
        cuts += cut_while_it_is_written(owners, model_server, chance)


def cut_while_it_is_written(client: httpx.Client, model_server: ModelServer, chance: Random) -> int:
    """Read an answer by connections that end after some bytes; return how many were cut."""
    model_server.reply(LONG, delay=0.05)
    turns = begin(client)
    with asking(client, turns) as stream:
        events = [until(stream, "turn")]
    door, cuts, most = f"{turns}/{events[0].data['turn_id']}/events", 0, 900
    while events[-1].name != "done":
        headers = {"Last-Event-ID": events[-1].id}
        with client.stream("GET", door, headers=headers) as response:
            come = cut_after(response, chance.randrange(1, most))
        # One event may be longer than that.
        most = 900 if come else 2 * most
        events += come
        cuts += 1
    assert text_of(events) == events[-1].data["response"] == LONG
    offsets = [int(event.id.removeprefix("1:")) for event in events]
    assert offsets == sorted(set(offsets))
    return cuts


def cut_after(response: httpx.Response, most: int) -> list[Event]:
    """Return the events that came whole within so many bytes, and leave."""
    said = b""
    for some in response.iter_raw():
        said += some
        if len(said) >= most:
            break
    whole, found = said[:most].decode(errors="ignore").split("\n\n")[:-1], []
    for block in whole:
        fields = dict(line.partition(": ")[::2] for line in block.splitlines())
        if "event" in fields:
            found.append(Event(fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def test_other_readers_follow_the_same_answer(
    owners: httpx.Client, served: Web, neighbour: Web, model_server: ModelServer
) -> None:
    model_server.reply(LONG, delay=0.05, hold_after=20)
    turns = begin(owners)
    with asking(owners, turns) as stream:
        until(stream, "passages")
        third = [until(stream, "delta") for _ in range(3)][-1]
        identity = owners.get(turns.replace("/turns", "/history")).json()["turns"][0]["turn_id"]
        door = f"{turns}/{identity}/events"
        with neighbour.client("owner") as elsewhere, served.client("owner") as second_tab:
            for client in (elsewhere, second_tab):
                with client.stream("GET", door) as response:
                    until(events_of(response), "delta")
        model_server.go_on()
        rest = following(owners, door, after=third.id)
        last = list(stream)[-1]
    assert LONG.endswith(text_of(rest))
    assert rest[-1].data == last.data
    assert last.data["response"] == LONG
    assert len(model_server.requests) == 1


def test_an_answer_goes_on_when_its_reader_leaves(
    owners: httpx.Client, model_server: ModelServer
) -> None:
    model_server.reply(LONG, hold_after=20)
    turns = begin(owners)
    with asking(owners, turns) as stream:
        turn = until(stream, "turn").data
        until(stream, "delta")
    place = f"{turns}/{turn['turn_id']}"
    assert owners.get(place).json()["status"] == "answering"
    model_server.go_on()
    wait_until(lambda: owners.get(place).json()["status"] == "complete", what="the answer")
    assert owners.get(place).json()["response"] == LONG


def test_json_waits_for_the_whole_turn(owners: httpx.Client, model_server: ModelServer) -> None:
    model_server.reply(LONG, delay=0.02)
    response = owners.post(begin(owners), json=QUESTION)
    assert response.status_code == 201
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["X-Request-ID"]
    assert (response.json()["status"], response.json()["response"]) == ("complete", LONG)


@pytest.mark.parametrize("stall_after", [None, 3])
def test_stop_stops_within_two_seconds(
    owners: httpx.Client, model_server: ModelServer, stall_after: int | None
) -> None:
    model_server.reply(LONG * 100, delay=0.1, stall_after=stall_after)
    turns = begin(owners)
    with asking(owners, turns) as stream:
        turn = until(stream, "turn").data
        until(stream, "delta")
        stopped = owners.post(f"{turns}/{turn['turn_id']}/stop")
        said = model_server.said
        rest = list(stream)
    last = rest[-1]
    assert stopped.status_code == 202
    # Two seconds of the model's, whom a busy machine holds up as well.
    assert text_of(rest).count("word") <= said + 2 / 0.1
    assert last.name == "done"
    assert (last.data["status"], last.data["failure"]["code"]) == ("interrupted", "stopped")
    assert (LONG * 100).startswith(last.data["response"])
    assert last.data["response"]


def test_a_stopped_answer_can_be_tried_again(
    owners: httpx.Client, model_server: ModelServer
) -> None:
    model_server.reply(LONG, stall_after=3)
    model_server.reply("The second Business Day.")
    turns = begin(owners)
    with asking(owners, turns) as stream:
        turn = until(stream, "turn").data
        until(stream, "delta")
        owners.post(f"{turns}/{turn['turn_id']}/stop")
        first = list(stream)
    with owners.stream("POST", f"{turns}/{turn['turn_id']}/retry", headers=SSE) as response:
        again = list(events_of(response))
    assert again[0].data["attempt"] == 2
    assert text_of(again) == "The second Business Day."
    assert (again[-1].data["status"], again[-1].data["position"]) == ("complete", 1)
    # A reader who knows the first attempt only is told to begin anew.
    rest = following(owners, f"{turns}/{turn['turn_id']}/events", after=first[-1].id)
    assert rest[0].name == "turn"
    assert text_of(rest) == "The second Business Day."


# --- Failures of the model ------------------------------------------------------------------------

FAILURES: list[tuple[str, Callable[[ModelServer], None]]] = [
    ("model_key_refused", lambda server: server.fail(401)),
    ("model_unknown", lambda server: server.fail(404)),
    ("model_rate_limited", lambda server: server.fail(429)),
    ("context_overflow", lambda server: server.fail(400)),
    ("model_server_error", lambda server: server.fail(500)),
    ("model_silent", lambda server: server.reply(LONG, stall_after=0)),
    ("model_stalled", lambda server: server.reply(LONG, stall_after=4)),
    ("model_stream_broken", lambda server: server.reply(LONG, break_after=4)),
]


# The kinds differ in what the model's server does; what is stored of them is the same.
@pytest.mark.parametrize(("code", "order"), FAILURES)
def test_a_failure_of_the_model_is_kept_with_the_question_and_can_be_tried_again(
    owners: httpx.Client,
    neighbour: Web,
    model_server: ModelServer,
    code: str,
    order: Callable[[ModelServer], None],
) -> None:
    order(model_server)
    turns = begin(owners)
    response = neighbour.client("owner").post(turns, json=QUESTION)
    assert response.status_code == 201
    turn = response.json()
    assert (turn["status"], turn["failure"]["code"]) == ("failed", code)
    assert turn["query"] == QUESTION["query"]
    assert LONG.startswith(turn["response"])
    events = following(owners, f"{turns}/{turn['turn_id']}/events")
    assert events[-1].name == "error"
    assert (events[-1].data["code"], events[-1].data["turn"]) == (code, turn)
    assert text_of(events) == turn["response"]
    model_server.reset()
    again = owners.post(f"{turns}/{turn['turn_id']}/retry")
    assert again.status_code == 201
    assert (again.json()["status"], again.json()["response"]) == ("complete", "Understood.")


# --- Texts that begin anew, and that go on -------------------------------------------------------

LOOP = "It is the fifteenth day of the month, as the agreement says [1]. "


def test_readers_are_told_when_the_text_begins_anew(
    owners: httpx.Client, neighbour: Web, model_server: ModelServer
) -> None:
    model_server.reply(LOOP * 30, delay=0.01)
    model_server.reply(LONG, delay=0.02)
    turns = begin(owners)
    seen: list[Event] = []
    with asking(owners, turns) as stream, neighbour.client("owner") as elsewhere:
        seen.append(until(stream, "turn"))
        seen.append(until(stream, "delta"))
        events = f"{turns}/{seen[0].data['turn_id']}/events"
        with ThreadPoolExecutor(2) as threads:
            others = [
                threads.submit(following, client, events, seen[-1].id)
                for client in (elsewhere, neighbour.client("owner"))
            ]
            seen += list(stream)
            seen_elsewhere = [other.result() for other in others]
    for events_seen in (seen, *seen_elsewhere):
        assert events_seen[-1].data["response"] == LONG
        anew = max(at for at, event in enumerate(events_seen) if event.name == "turn")
        assert text_of(events_seen[anew:]) == LONG
        assert events_seen[anew].data["attempt"] == 2
    assert LOOP[:20] in text_of(seen)


def test_a_cut_answer_is_gone_on_with(owners: httpx.Client, model_server: ModelServer) -> None:
    model_server.reply("It is the fifteenth day [1]. On a weekend it is", finish="length")
    model_server.reply("", finish="length")
    model_server.reply("is the Business Day before [1].", delay=0.02)
    turns = begin(owners)
    turn = owners.post(turns, json=QUESTION).json()
    assert (turn["status"], turn["outcome"]) == ("complete", "cut")
    place = f"{turns}/{turn['turn_id']}"
    with owners.stream("POST", f"{place}/continue", headers=SSE) as response:
        assert response.status_code == 200
        events = list(events_of(response))
    whole = "It is the fifteenth day [1]. On a weekend it is the Business Day before [1]."
    names = [event.name for event in events if event.name != "step"]
    assert names[:3] == ["turn", "rewrite", "passages"]
    assert text_of(events) == whole
    done = events[-1].data
    assert (done["response"], done["outcome"], len(done["citations"])) == (whole, "answered", 2)
    again = owners.post(f"{place}/continue")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "turn_not_cut")


ROWS = [{"name": f"Item {at}", "value": "the fifteenth day [1]"} for at in range(3)]


@pytest.mark.parametrize("is_stored", [True, False])
def test_rows_of_a_structure_come_while_the_model_writes(
    owners: httpx.Client, model_server: ModelServer, *, is_stored: bool
) -> None:
    pieces = ['{"rows": [{}', *(f", {json.dumps(row)}" for row in ROWS), "]}"]
    model_server.reply("".join(pieces), pieces=pieces, hold_after=2)
    asked = {**QUESTION, "structure": "ranking"}
    place = begin(owners) if is_stored else "/api/v1/query"
    with owners.stream("POST", place, json=asked, headers=SSE) as response:
        stream = events_of(response)
        first = until(stream, "structure")
        model_server.go_on()
        later = [event for event in stream if event.name in ("structure", "done")]
    *more, done = later
    assert first.data["rows"] == [["Item 0", "the fifteenth day", ""]]
    assert first.data["columns"][0] == {"key": "name", "title": "Item"}
    rows = [row[0] for event in more for row in event.data["rows"]]
    assert (more[0].data["first"], rows) == (1, ["Item 1", "Item 2"])
    assert len(done.data["structured_output"]["rows"]) == 3


def test_who_comes_late_gets_all_rows_at_once(
    owners: httpx.Client, model_server: ModelServer
) -> None:
    model_server.reply(json.dumps({"rows": ROWS}))
    turns = begin(owners)
    turn = owners.post(turns, json={**QUESTION, "structure": "ranking"}).json()
    with owners.stream("GET", f"{turns}/{turn['turn_id']}/events", headers=SSE) as response:
        found = [event for event in events_of(response) if event.name == "structure"]
    assert [(event.data["first"], len(event.data["rows"])) for event in found] == [(0, 3)]


# --- The right to read ----------------------------------------------------------------------------


def test_a_stream_ends_when_its_session_is_erased(
    owners: httpx.Client, served: Web, model_server: ModelServer
) -> None:
    model_server.reply(LONG * 30, delay=0.05)  # for a minute
    turns = begin(owners)
    session = turns.removesuffix("/turns")
    with asking(owners, turns) as stream:
        turn = until(stream, "turn").data
        until(stream, "delta")
        assert owners.delete(session).status_code == 204
        rest = list(stream)
    assert not {"citations", "done"} & {event.name for event in rest}
    assert [event.name for event in rest].index("error") == len(rest) - 1
    assert (rest[-1].data["code"], rest[-1].data["turn"]) == ("not_found", None)
    assert owners.get(f"{turns}/{turn['turn_id']}").status_code == 404


def test_who_waits_for_an_erased_answer_is_told_so(
    owners: httpx.Client, served: Web, model_server: ModelServer
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model_server.reply(LONG, hold_after=20)  # for ever
    turns = begin(owners)
    with ThreadPoolExecutor() as threads, served.client("owner") as second:
        waiting = threads.submit(second.post, turns, json=QUESTION)
        wait_until(lambda: model_server.requests, what="the question")
        owners.delete(turns.removesuffix("/turns"))
        response = waiting.result()
    assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert response.headers["Content-Type"] == "application/json"


def test_a_stream_is_cut_soon_after_its_token_is_taken_back(
    served: Web, model_server: ModelServer
) -> None:
    model_server.reply(LONG * 30, delay=0.05)  # for a minute
    with served.client("colleague") as client:
        turns = begin(client)
        with asking(client, turns) as stream:
            until(stream, "delta")
            served.python(
                "from memory.models import ApiToken\n"
                "ApiToken.objects.filter(user__username='colleague').delete()"
            )
            rest = list(stream)
        assert "done" not in {event.name for event in rest}
        assert (rest[-1].name, rest[-1].data["code"]) == ("error", "not_found")
        assert client.get(turns.removesuffix("/turns")).status_code == 401


# --- Bodies as servers see them ---------------------------------------------------------------


def test_a_body_in_chunks_is_read(owners: httpx.Client, model_server: ModelServer) -> None:
    model_server.reply("Yes.")
    pieces = iter([b'{"query": ', b'"Is it a Business Day?"}'])
    response = owners.post(
        begin(owners), content=pieces, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 201
    assert response.json()["query"] == "Is it a Business Day?"


def test_a_body_over_the_limit_is_refused(owners: httpx.Client) -> None:
    turns = begin(owners)
    headers = {"Content-Type": "application/json"}
    whole = b'{"query": "' + b"x" * 9_000_000 + b'"}'
    for content in (whole, iter([whole[:600_000], whole[600_000:]])):
        response = owners.post(turns, content=content, headers=headers)
        assert response.status_code == 413
        assert response.json()["error"]["code"] == "body_too_large"
    assert owners.get(turns.replace("/turns", "/history")).json()["total_turns"] == 0


def test_an_export_arrives_whole(owners: httpx.Client, model_server: ModelServer) -> None:
    model_server.reply("Yes.")
    turns = begin(owners)
    for _ in range(3):
        owners.post(turns, json=QUESTION)
    export = owners.get(turns.replace("/turns", "/export"))
    history = owners.get(turns.replace("/turns", "/history")).json()
    assert export.json()["turns"] == history["turns"]
    markdown = owners.get(turns.replace("/turns", "/export?format=markdown"))
    assert markdown.text.count("\n**Question:** What is the Determination Date?\n") == 3


def test_a_client_that_waits_while_the_server_goes_down_is_asked_to_come_again() -> None:
    class Wish:
        async def serve(self, headers: Any, receive: Any, send: Any) -> None:
            await asyncio.Future()

    async def django(scope: Any, receive: Any, send: Any) -> None:
        scope[SLOT].append(Wish())

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def go_down() -> None:
        scope = {"type": "http", "method": "POST", "path": "/api/v1/query", "headers": []}
        waiting = Following(django)(scope | {"query_string": b""}, asyncio.Future, send)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(waiting, timeout=0.1)

    asyncio.run(go_down())
    assert sent[0]["status"] == 503
    assert b"retry-after" in dict(sent[0]["headers"])


@pytest.mark.parametrize("begun", [False, True])
def test_a_client_hears_of_what_goes_wrong_while_it_is_served(
    begun: bool, caplog: pytest.LogCaptureFixture
) -> None:
    start = {"type": "http.response.start", "status": 200, "headers": []}

    class Wish:
        async def serve(self, headers: Any, receive: Any, send: Any) -> None:
            async def serving() -> None:
                if begun:
                    await send(start)
                raise ValueError("a person's words")

            await serve_while_connected(receive, serving())

    async def django(scope: Any, receive: Any, send: Any) -> None:
        scope[SLOT].append(Wish())

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        await asyncio.sleep(60)

    scope = {"type": "http", "method": "POST", "path": "/api/v1/query", "headers": []}
    with caplog.at_level(logging.ERROR, "chat.streams.kept_open"):
        asyncio.run(Following(django)(scope | {"query_string": b""}, receive, send))
    [record] = caplog.records
    assert (record.message, record.error) == ("serving_raised", "ValueError")  # type: ignore[attr-defined]
    assert "words" not in str(vars(record))
    if begun:
        assert sent == [start]
    else:
        assert sent[0]["status"] == 500
        assert json.loads(sent[1]["body"])["error"]["code"] == "internal_error"
