"""P15: erasure survives kill -9 anywhere, and wins against whatever its person is doing."""

import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.servers import Web
from tests.surroundings import PATIENCE, PYTHON, end, wait_until

PLANT = """
from memory.conversations.asking import Question, create_session
from memory.models import User
from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from memory.jobs import run_due
for name in ("owner", "colleague"):
    person = User.objects.get(username=name)
    for number in range({sessions}):
        session = create_session(person, title=f"Kxtitle{{number:012d}}")
        for question in range(3):
            attempt = take_turn(session, Question(f"Kxquery{{number:012d}} {{question}}?")).attempt
            answer_now(attempt)
    add_document(b"The Kxpassage clause sets no fee.", file_name="a.txt", owner=person)
run_due()
"""
ASK = """
from memory.forgetting.erasure import requests
from memory.models import User
owner = User.objects.get(username="owner")
request = requests.ask(owner, "account", actor=owner.pk)
requests.confirm(request, actor=owner.pk, at_once=True)
"""
CARRY_OUT = """
import tempfile
import django; django.setup()
from django.conf import settings
# Other runs leave much in the machine's.
tempfile.tempdir = tempfile.mkdtemp(dir=settings.DATA_DIR)
from memory.forgetting.erasure.execution import carry_out
from memory.models import ErasureRequest
print("ready", flush=True)
carry_out(ErasureRequest.objects.get())
"""
STATE = """
import hashlib
from memory.models import DataKey, ErasureRequest, User
from memory.personal_data.data_map import get_ordered_models, get_person_filter
from memory.forgetting.erasure.people import count_left
request = ErasureRequest.objects.get()
colleague = User.objects.get(username="colleague")
digest = hashlib.sha256()
for model in get_ordered_models():
    mine = get_person_filter(model, colleague.pk)
    if mine is not None and model._meta.model_name not in ("apitoken",):
        for row in model._base_manager.filter(mine).order_by("pk").values_list():
            digest.update(repr(row).encode())
keys = DataKey.objects.filter(owner_id=request.person_id).count()
print(request.status, sum(count_left(request.person_id).values()), keys, digest.hexdigest())
"""


def state_of(web: Web) -> list[str]:
    """Return the request's status, the person's rows and keys, and a digest of the other's."""
    return web.python(STATE).split()[-4:]


def killed_at_random_points_it_comes_to_the_same_end(
    web: Web, *, kills: int, sessions: int
) -> None:
    web.python(PLANT.format(sessions=sessions))
    web.python(ASK)
    before = state_of(web)
    assert before[0] == "waiting"
    assert int(before[1]) > 30
    chance = random.Random(15)
    for number in range(kills):
        log = f"eraser-{number}.log"
        eraser = web.spawn(PYTHON, "-c", CARRY_OUT, log=log)
        wait_until(lambda log=log: "ready" in web.log(log), what="the eraser")
        time.sleep(chance.uniform(0, 0.6))
        end(eraser, signal.SIGKILL)
    web.run(PYTHON, "-c", CARRY_OUT)
    assert state_of(web) == ["verified", "0", "0", before[3]]


def test_p15_killed_anywhere_it_comes_to_the_same_end(blueprint) -> None:
    killed_at_random_points_it_comes_to_the_same_end(blueprint.copy(), kills=5, sessions=3)


@pytest.mark.deep
def test_p15_killed_fifty_times_it_comes_to_the_same_end(blueprint) -> None:
    for _ in range(5):
        killed_at_random_points_it_comes_to_the_same_end(blueprint.copy(), kills=10, sessions=6)


def it_wins_against_streams_and_jobs(
    web: Web, model_server, *, streams: int, seconds: float
) -> None:
    said = "".join(f"It is day {number} of the month [1]. " for number in range(400))
    model_server.reply(said, delay=0.02)
    web.start()
    with web.client("owner") as client:
        sessions = [
            client.post("/api/v1/sessions", json={}).raise_for_status().json()["session_id"]
            for _ in range(streams)
        ]

    def follow(session: str) -> bytes:
        received = b""
        headers = {"Accept": "text/event-stream"}
        body = {"query": f"What is the Determination Date in Kx{session}?"}
        try:
            with (
                web.client("owner") as own,
                own.stream(
                    "POST", f"/api/v1/sessions/{session}/turns", json=body, headers=headers
                ) as events,
            ):
                received = b"".join(events.iter_raw())
        except httpx.TransportError:
            pass
        return received

    with ThreadPoolExecutor(streams) as pool:
        reading = [pool.submit(follow, session) for session in sessions]
        wait_until(lambda: len(model_server.requests) >= streams, what="the streams")
        web.python(ASK)
        web.run(PYTHON, "-c", CARRY_OUT)
        received = [future.result(timeout=PATIENCE) for future in reading]
    assert all(received)
    assert not any(b"event: done" in each for each in received)
    with web.client("owner") as client:
        assert client.get("/api/v1/sessions").status_code == 401
    deadline = time.monotonic() + seconds
    while True:
        assert state_of(web)[:3] == ["verified", "0", "0"]
        if time.monotonic() > deadline:
            break
        time.sleep(1)
    web.python("from memory.jobs import run_due\nrun_due()")
    assert state_of(web)[:3] == ["verified", "0", "0"]
    assert "Traceback" not in web.log()


def test_p15_it_wins_against_running_streams(blueprint, model_server) -> None:
    web = blueprint.copy(**model_server.environment)
    try:
        it_wins_against_streams_and_jobs(web, model_server, streams=4, seconds=3)
    finally:
        web.stop()


@pytest.mark.deep
def test_p15_it_wins_against_twenty_streams_and_nothing_reappears(blueprint, model_server) -> None:
    web = blueprint.copy(**model_server.environment)
    try:
        it_wins_against_streams_and_jobs(web, model_server, streams=20, seconds=60)
    finally:
        web.stop()
