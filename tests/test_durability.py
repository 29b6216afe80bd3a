"""Durability when processes are killed: questions, answers, jobs, and many writers at once."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import httpx
import pytest
from django.db import connection

from memory.sqlite.patience import PROMISED_SECONDS
from tests.servers import Web
from tests.surroundings import PATIENCE, PYTHON, end, wait_until

# On PostgreSQL, whose own tests go far beyond ours, two; `make deep` kills 200 times on both.
KILLS = 4 if connection.vendor == "sqlite" else 2
KEYS = 5  # each of them by twenty at once; 200 in `make deep`
QUESTION = "What is the Determination Date?"
# An empty one takes fewer bytes, sealed.
PART_OF_AN_ANSWER = "SELECT 1 FROM memory_attempt WHERE length(partial) > 300"


def new_session(client: httpx.Client) -> str:
    return client.post("/api/v1/sessions", json={}).raise_for_status().json()["session_id"]


def history(client: httpx.Client, session: str) -> list[dict]:
    """Return all turns of the session, page by page."""
    turns: list[dict] = []
    more: str | None = ""
    while more is not None:
        where = {"limit": "100"} | ({"cursor": more} if more else {})
        answer = client.get(f"/api/v1/sessions/{session}/history", params=where)
        page = answer.raise_for_status().json()
        turns += page["turns"]
        more = page["next"]
    return turns


def ask_until_acknowledged(web, session: str, key: str) -> dict:
    """Ask as a careful client does: again with the same key until there is an answer."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with web.client("owner", timeout=10) as client:
                answer = client.post(
                    f"/api/v1/sessions/{session}/turns",
                    json={"query": f"{QUESTION} {key}"},
                    headers={"Idempotency-Key": key},
                )
        except httpx.TransportError:
            time.sleep(0.05)
            continue
        if answer.status_code == 201:
            return answer.json()
        assert answer.status_code == 409, answer.text
    raise AssertionError("never acknowledged")


def test_p35_an_acknowledged_question_is_never_lost_or_doubled(start_web) -> None:
    never_lost_or_doubled(start_web, KILLS)


@pytest.mark.deep
def test_p35_in_full(start_web) -> None:
    never_lost_or_doubled(start_web, 200)


def never_lost_or_doubled(start_web, kills: int) -> None:
    """kill -9 of the web process around a submit, the client retrying by key."""
    web = start_web(ANSWER_LEASE="2", DEFAULT_TIER="research", MAX_TURNS_PER_SESSION="1000")
    with web.client("owner") as client:
        session = new_session(client)
    acknowledged = []
    with ThreadPoolExecutor(1) as client_thread:
        for number in range(kills):
            asking = client_thread.submit(ask_until_acknowledged, web, session, f"key-{number}")
            time.sleep(0.08 * number / kills)
            web.kill()
            web.start()
            acknowledged.append(asking.result())
    with web.client("owner") as client:
        turns = history(client, session)
    assert [turn["position"] for turn in turns] == list(range(1, kills + 1))
    assert [turn["query"] for turn in turns] == [f"{QUESTION} key-{n}" for n in range(kills)]
    assert [turn["turn_id"] for turn in turns] == [turn["turn_id"] for turn in acknowledged]
    assert {turn["status"] for turn in turns} <= {"complete", "interrupted"}


def test_a_killed_server_leaves_an_interrupted_turn_that_can_be_tried_again(
    start_web, model_server
) -> None:
    said = "".join(f"It is the fifteenth day of month {number} [1]. " for number in range(20))
    model_server.reply(said, hold_after=100)
    model_server.reply("It is the fifteenth day [1].")
    options = {"ANSWER_LEASE": "2", "RESUME_INTERRUPTED": "false", "LLM_STALL_TIMEOUT": "600"}
    web = start_web(**options, **model_server.environment)
    with web.client("owner") as client:
        session = new_session(client)
        url = f"/api/v1/sessions/{session}/turns"
        stream = {"Accept": "text/event-stream"}
        with (
            pytest.raises(httpx.TransportError),
            client.stream("POST", url, json={"query": QUESTION}, headers=stream) as events,
        ):
            lines = events.iter_lines()
            next(line for line in lines if "fifteenth" in line)
            wait_until(lambda: web.rows(PART_OF_AN_ANSWER), what="a part that is stored")
            web.kill()
            list(lines)  # to the end that it has by this
        web.start()
    with web.client("owner") as client:
        turn = history(client, session)[0]
        events = client.get(f"{url}/{turn['turn_id']}/events", headers=stream).text
        assert "event: done" in events
        turn = history(client, session)[0]
        assert (turn["status"], turn["failure"]["code"]) == ("interrupted", "server_restarted")
        assert turn["response"].startswith("It is the fifteenth day")
        again = client.post(f"{url}/{turn['turn_id']}/retry").json()
        assert (again["turn_id"], again["status"]) == (turn["turn_id"], "complete")
        assert again["response"] == "It is the fifteenth day [1]."
        assert len(history(client, session)) == 1


def test_p41_an_answer_is_followed_exactly_at_another_process_and_goes_on_by_itself(
    start_web, model_server
) -> None:
    """A reader changes the process in the middle, ahead of the row; then the writing one dies."""
    said = "".join(f"It is the fifteenth day of month {number} [1]. " for number in range(30))
    model_server.reply(said, delay=0.05)
    model_server.reply("It is the fifteenth day [1].")
    web = start_web(ANSWER_LEASE="2", **model_server.environment)
    other = Web(web.data_dir, web.tokens, **web.engine, **model_server.environment)
    other.environment["ANSWER_LEASE"] = "2"
    other.start()
    stream = {"Accept": "text/event-stream"}
    try:
        with web.client("owner") as client, other.client("owner") as elsewhere:
            url = f"/api/v1/sessions/{new_session(client)}/turns"
            with client.stream("POST", url, json={"query": QUESTION}, headers=stream) as events:
                first = read_until(events, said[:100])
            turn = first[0][1]["turn_id"]
            after = stream | {"Last-Event-ID": first[-1][2]}
            with elsewhere.stream("GET", f"{url}/{turn}/events", headers=after) as events:
                seen, whole = text_of(first), said
                for name, data, _ in sent(events):
                    if name == "delta":
                        seen += data["text"]
                        assert whole.startswith(seen)
                    if name == "turn":
                        assert (data["attempt"], data["resumed"]) == (2, True)
                        seen, whole = "", "It is the fifteenth day [1]."
                    if len(seen) > 200 and web.process.poll() is None:
                        web.kill()
                assert seen == whole
                assert (name, data["status"], data["failure"]) == ("done", "complete", None)
    finally:
        other.stop()


def test_a_server_that_is_stopped_leaves_its_answers_to_the_next_one(
    start_web, model_server
) -> None:
    model_server.reply("It is the fifteenth day of the month [1]. " * 30, delay=0.05)
    model_server.reply("It is the fifteenth day [1].")
    web = start_web(**model_server.environment)  # of a dead process it would only know in 30 s
    with web.client("owner") as client:
        session = new_session(client)
        url, stream = f"/api/v1/sessions/{session}/turns", {"Accept": "text/event-stream"}
        with client.stream("POST", url, json={"query": QUESTION}, headers=stream) as events:
            turn = read_until(events, "It is")[0][1]["turn_id"]
        end(web.process)
        web.start()
        with client.stream("GET", f"{url}/{turn}/events", headers=stream) as events:
            read = list(sent(events))
    assert read[-1][0] == "done"
    assert (
        text_of([event for event in read if event[2].startswith("2:")]) == read[-1][1]["response"]
    )
    assert (read[-1][1]["status"], read[-1][1]["failure"]) == ("complete", None)


def sent(events: httpx.Response) -> Iterator[tuple[str, dict, str]]:
    """Yield each event's name, data and id."""
    found: dict[str, str] = {}
    for line in events.iter_lines():
        name, _, value = line.partition(": ")
        if line and name:
            found[name] = value
        elif not line and "event" in found:
            yield found["event"], json.loads(found["data"]), found.get("id", "")
            found = {}


def text_of(events: list[tuple[str, dict, str]]) -> str:
    return "".join(data["text"] for name, data, _ in events if name == "delta")


def read_until(events: httpx.Response, text: str) -> list[tuple[str, dict, str]]:
    """Return the events up to that which tells the last of the text."""
    read: list[tuple[str, dict, str]] = []
    for event in sent(events):
        read.append(event)
        if len(text_of(read)) >= len(text):
            break
    return read


@pytest.fixture(scope="module")
def shared(start_web) -> Web:
    """A server that nobody kills."""
    return start_web(DEFAULT_TIER="research", MAX_TURNS_PER_SESSION="1000")


def test_p37_one_key_used_in_parallel_makes_one_turn(shared: Web) -> None:
    one_turn_for_each_key(shared, keys=KEYS)


@pytest.mark.deep
def test_p37_in_full(shared: Web) -> None:
    one_turn_for_each_key(shared, keys=200)


def asked(client: httpx.Client, session: str, key: str) -> httpx.Response:
    """Ask as a careful client does: again where the server is too busy, or the connection broke."""
    body, headers = {"query": f"{QUESTION} {key}"}, {"Idempotency-Key": f"{session} {key}"}
    for _ in range(PATIENCE):
        try:
            answer = client.post(f"/api/v1/sessions/{session}/turns", json=body, headers=headers)
        except httpx.TransportError:
            continue
        if answer.status_code != 503:
            return answer
        time.sleep(1)
    raise AssertionError("never acknowledged")


def one_turn_for_each_key(web: Web, *, keys: int) -> None:
    with web.client("owner") as client, ThreadPoolExecutor(20) as pool:
        session, firsts = new_session(client), []
        for number in range(keys):
            answers = list(pool.map(partial(asked, client, session), [f"key-{number}"] * 20))
            assert {answer.status_code for answer in answers} == {201}
            assert len({answer.content for answer in answers}) == 1
            firsts.append(answers[0].json()["turn_id"])
        assert [turn["turn_id"] for turn in history(client, session)] == firsts


def test_p39_parallel_questions_of_two_tabs_have_one_order(shared: Web) -> None:
    all_have_one_order(shared, questions=20)


@pytest.mark.deep
def test_p39_in_full(shared: Web) -> None:
    all_have_one_order(shared, questions=50)


def all_have_one_order(web: Web, *, questions: int) -> None:
    """Two tabs ask all at once; what readers see meanwhile is how the conversation begins."""
    with web.client("owner") as first, web.client("owner") as second:
        session = new_session(first)
        seen: list[list[str]] = []
        has_ended = Event()

        def ask(number: int) -> int:
            tab = (first, second)[number % 2]
            return asked(tab, session, f"key-{number}").status_code

        def look(tab: httpx.Client) -> None:
            while not has_ended.wait(0.05):
                seen.append([turn["turn_id"] for turn in history(tab, session)])

        with ThreadPoolExecutor(questions + 2) as pool:
            looking = [pool.submit(look, tab) for tab in (first, second)]
            codes = list(pool.map(ask, range(questions)))
            has_ended.set()
        assert [each.result() for each in looking] == [None, None]
        turns = history(first, session)
    assert set(codes) <= {201, 409}
    assert [turn["position"] for turn in turns] == list(range(1, codes.count(201) + 1))
    order = [turn["turn_id"] for turn in turns]
    assert len(seen) > 2
    for begun in seen:
        assert begun == order[: len(begun)]


def test_p44_a_limit_lets_exactly_as_many_through_as_it_says(start_web) -> None:
    exactly_as_many(start_web, questions=20, limit=4)


@pytest.mark.deep
def test_p44_in_full(start_web) -> None:
    exactly_as_many(start_web, questions=100, limit=20)


def exactly_as_many(start_web, *, questions: int, limit: int) -> None:
    """Each question is asked in a conversation of its own, all at once."""
    web = start_web(TURNS_PER_HOUR=str(limit))
    with web.client("owner") as client, ThreadPoolExecutor(questions) as pool:
        sessions = [new_session(client) for _ in range(questions)]
        answers = list(pool.map(partial(asked, client, key="once"), sessions))
        codes = Counter(answer.status_code for answer in answers)
        assert codes == {201: limit, 429: questions - limit}
        kept = [len(history(client, session)) for session in sessions]
        assert sum(kept) == limit


WRITERS = """
import os, sys, time
from memory.conversations.asking import Question, ask
from memory.conversations.attempts import Ending, end_alone
from memory.models import Session, User
from memory.sqlite.patience import patience
from memory.text.token_counting import count_tokens

def write():
    owner = User.objects.get(username="owner")
    session = Session.objects.get(pk=sys.argv[1])
    for number in range(int(sys.argv[2])):
        asked = ask(session, Question(f"Question {number}?"), patience=60)
        began = time.monotonic()
        end_alone(asked.attempt, Ending(status="complete", text="Answer."))
        print(f"written in {time.monotonic() - began:.4f}", flush=True)
    os._exit(0)

# Forks, since what each of them would import, or read to count tokens, takes most of the time.
count_tokens("a")
with patience(float(sys.argv[3])):
    children = [os.fork() or write() for _ in range(16)]
sys.exit(any([os.waitpid(child, 0)[1] for child in children]))
"""
POSITIONS = "SELECT position FROM memory_turn WHERE session_id = '{}' ORDER BY position"


def test_p38_sixteen_processes_write_at_once(blueprint) -> None:
    all_write_at_once(blueprint, turns=5, patience=PATIENCE)  # beside other tests


@pytest.mark.deep
def test_p38_in_full(blueprint) -> None:
    all_write_at_once(blueprint, turns=150, patience=PROMISED_SECONDS)


def all_write_at_once(blueprint, *, turns: int, patience: float) -> None:
    """No "database is locked": IMMEDIATE transactions wait. Positions are gapless."""
    installation = blueprint.copy(MAX_TURNS_PER_SESSION="5000")
    make = (
        "from memory.conversations.asking import create_session\nfrom memory.models import User\n"
    )
    make += "print(create_session(User.objects.get(username='owner')).pk.hex)"
    session = installation.python(make).split()[-1]
    code = f"import django; django.setup()\n{WRITERS}"
    told = (session, str(turns), str(patience))
    writers = installation.spawn(PYTHON, "-c", code, *told, log="writers.log")
    assert writers.wait(timeout=1800) == 0, installation.log("writers.log")
    assert "locked" not in installation.log("writers.log")
    took = sorted(map(float, re.findall(r"written in (\S+)", installation.log("writers.log"))))
    assert len(took) == 16 * turns
    half, most = took[len(took) // 2], took[len(took) * 99 // 100]
    print(f"written in {1000 * half:.0f} ms at the median, {1000 * most:.0f} at the 99th of 100")
    positions = [position for (position,) in installation.rows(POSITIONS.format(session))]
    assert positions == list(range(1, 16 * turns + 1))


UNDONE = """
SELECT 1 FROM memory_job WHERE kind = 'ingest' AND status <> 'done'
UNION ALL SELECT 1 FROM citations_document WHERE status <> 'ready'
"""
PASSAGES = """
SELECT (SELECT sum(passage_count) FROM citations_document),
    (SELECT count(*) FROM citations_passage)
"""
UNREAD = "SELECT 1 FROM citations_document WHERE status <> 'ready'"


def test_p36_jobs_survive_killed_workers_and_a_wiped_broker(start_web, redis_server) -> None:
    none_lost_or_done_twice(start_web, redis_server, papers=20, kills=2)


@pytest.mark.deep
def test_p36_in_full(start_web, redis_server) -> None:
    none_lost_or_done_twice(start_web, redis_server, papers=4000, kills=60)


def none_lost_or_done_twice(start_web, redis_server, *, papers: int, kills: int) -> None:
    """Workers are killed and all of Redis is wiped meanwhile: each document is cut once."""
    web = start_web(JOB_LEASE="5", JOB_SWEEP_INTERVAL="1", CELERY_BROKER_URL=redis_server.url)
    folder = web.data_dir / "papers"
    folder.mkdir()
    for number in range(papers):
        (folder / f"{number}.md").write_text(f"# Paper {number}\n\nFact {number} of it is known.")
    web.manage("ingest", "--background", str(folder))
    for _ in range(kills):
        web.start_worker()
        time.sleep(1.5)
        web.kill_worker()
        redis_server.wipe()
    web.start_worker()
    wait_until(lambda: not web.rows(UNDONE), patience=PATIENCE + papers, what="all jobs done")
    ((counted, there),) = web.rows(PASSAGES)
    assert counted == there >= papers


def test_a_worker_is_woken_by_the_database_alone(start_web) -> None:
    """Its next look is an hour away, and the broker isn't there at all."""
    web = start_web(CELERY_BROKER_URL="redis://127.0.0.1:1/0", JOB_SWEEP_INTERVAL="3600")
    web.start_worker()
    for number in range(2):
        paper = web.data_dir / f"paper-{number}.md"
        paper.write_text(f"# A paper\n\nIts fact {number} is known to all.")
        web.manage("ingest", "--background", str(paper))
        wait_until(lambda: not web.rows(UNREAD), what="the paper")
