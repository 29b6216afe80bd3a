"""Metrics: counted across processes, read by those who run the place, and nothing personal in any.

Promise P20, as far as metrics go: no word and no name of anyone is in them.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections
from django.db.utils import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client import Counter, Gauge, Histogram, generate_latest
from pytest_django import DjangoAssertNumQueries

from chat.turns.pipeline import answer_now, take_turn
from config.metrics import gauges
from config.serving.bodies import App, Message, Receive, Send, limit_body
from config.serving.counting import count_responses
from memory.conversations.asking import Question, create_session
from memory.jobs import enqueue
from memory.metrics import counting, files
from memory.metrics.counting import count, mirror, observe
from memory.metrics.declared import METRICS, PREFIX
from memory.models import Job, Session, User
from memory.tasks import clean_up_all
from tests.memory.summaries.told import condensed, told as told_session
from tests.model_server import ModelServer
from tests.servers import Web
from tests.surroundings import PYTHON, ROOT, clean_environment, run

OPERATIONS = ROOT / "docs" / "operations"
LINE = re.compile(rf'({PREFIX}\w+)(\{{(?:\w+="[A-Za-z0-9_.:/+-]*",?)+\}})? (\S+)')
ELSEWHERE = """
import os, signal
from memory.metrics.counting import count, mirror
count("model_errors_total", 3, failure="elsewhere")
mirror("questions_waiting", 7, place="storing")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Count into a folder of the test's own."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "metrics"))
    counting.get_counts.cache_clear()
    yield tmp_path
    counting.get_counts.cache_clear()


def counted() -> dict[str, float]:
    """Return what all processes have counted, by name and labels."""
    return told(generate_latest(counting.get_counts().collector()).decode())


def told(text: str | None = None) -> dict[str, float]:
    """Return the numbers of the page, by name and labels; fail if a line is no metric."""
    text = text or Client().get("/metrics").content.decode()
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            known = LINE.fullmatch(line)
            assert known, line
            found[known[1] + (known[2] or "")] = float(known[3])
    return found


# --- Counting -------------------------------------------------------------------------------------


def test_counts_of_killed_processes_stay_and_their_files_are_taken_over(afresh: Path) -> None:
    environment = clean_environment(DATA_DIR=str(afresh))
    for _ in range(2):
        code = f"import django; django.setup()\n{ELSEWHERE}"
        done = run([PYTHON, "-c", code], environment)
        assert done.returncode == -signal.SIGKILL
    count("model_errors_total", failure="elsewhere")
    found = counted()
    assert found['throughline_model_errors_total{failure="elsewhere"}'] == 7
    assert not any("waiting" in name for name in found), "a gauge ends with its process"
    assert len(list((afresh / "metrics").glob("counter_*.db"))) == 1


def test_a_label_that_is_no_code_is_not_told(afresh: Path) -> None:
    count("model_errors_total", failure='What did "Ana" say?')
    assert counted()['throughline_model_errors_total{failure="other"}'] == 1


def test_many_labels_let_no_file_grow(afresh: Path) -> None:
    for number in range(1000):
        observe("step_seconds", 1, step=f"step_number_{number:040d}")
    sizes = {path.name: path.stat().st_size for path in (afresh / "metrics").glob("*.db")}
    assert set(sizes.values()) == set(files.BYTES.values())


def test_without_room_a_process_counts_for_itself(
    afresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "/dev/null/metrics")
    count("model_errors_total", failure="away")
    assert counted()['throughline_model_errors_total{failure="away"}'] == 1


# Counts until it is told to stop, on a file system that is full by then.
COUNTS_ON = """
import django; django.setup()
import sys
from memory.metrics.counting import count, observe
count("model_errors_total", failure="early")
print("begun", flush=True)
sys.stdin.readline()
for number in range(200):
    count("model_errors_total", failure=f"late-{number}")
    observe("step_seconds", 1, step=f"late-{number}")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_file_system_ends_no_process_that_counts(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        environment = clean_environment(DATA_DIR=str(tmp_path))
        environment["PROMETHEUS_MULTIPROC_DIR"] = str(small)
        early, late = (_counting(environment) for _ in "ab")
        for process in (early, late):  # the second one has no room from its beginning
            assert process.stdout
            assert process.stdout.readline() == "begun\n"
            with suppress(OSError), (small / "filler").open("ab") as filler:
                filler.write(bytes(8 << 20))
        assert [process.communicate("\n") and process.returncode for process in (early, late)] == [
            0,
            0,
        ]
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def _counting(environment: dict[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [PYTHON, "-c", COUNTS_ON],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


# --- Responses, wherever they are made ------------------------------------------------------------

API = "/api/v1/query"


def answered(
    app: App, path: str = API, method: str = "POST", body: bytes = b"{}", **headers: str
) -> dict[str, float]:
    """Return what is counted of the responses and refused questions when the app has answered."""
    fields = [(name.replace("_", "-").encode(), it.encode()) for name, it in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": b""}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    fields.append((b"host", b"testserver"))
    asyncio.run(count_responses(app)({**scope, "headers": fields}, receive, send))  # type: ignore[arg-type]
    assert sum(message["type"] == "http.response.start" for message in sent) == 1
    found = counted()
    return {key: found[key] for key in found if "_seconds" not in key and "{" in key}


def responses(part: str, status: str) -> dict[str, float]:
    return {f'throughline_responses_total{{part="{part}",status="{status}"}}': 1}


def refused_for(reason: str) -> dict[str, float]:
    return {f'throughline_questions_refused_total{{reason="{reason}"}}': 1}


def saying(status: int, **headers: str) -> App:
    async def app(_scope: Message, receive: Receive, send: Send) -> None:
        await receive()
        fields = [(name.replace("_", "-").encode(), it.encode()) for name, it in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": b""})

    return app


@pytest.mark.django_db(transaction=True)
def test_each_response_is_counted_once_wherever_it_is_made(afresh: Path) -> None:
    small = {"content_length": "99999999"}
    cases: list[tuple[App, dict[str, str], dict[str, float]]] = [
        (saying(200), {}, responses("api", "2xx")),
        (saying(503, Retry_After="3"), {}, responses("api", "refused") | refused_for("overloaded")),
        (saying(429, Retry_After="3"), {}, responses("api", "4xx") | refused_for("limit_reached")),
        (saying(503), {}, responses("api", "5xx") | refused_for("failed")),
        (saying(500), {"path": "/library"}, responses("pages", "5xx")),
        (limit_body(saying(200)), small, responses("api", "4xx") | refused_for("too_large")),
    ]
    for app, request, expected in cases:
        counting.get_counts.cache_clear()
        shutil.rmtree(afresh / "metrics", ignore_errors=True)
        assert answered(app, **request) == expected  # type: ignore[arg-type]


# --- The page -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_page_explains_every_metric_once(afresh: Path) -> None:
    for name, metric in METRICS.items():
        verb = {Counter: count, Gauge: mirror, Histogram: observe}[metric.kind]
        verb(name, 1, **dict.fromkeys(metric.labels, "a"))
    page = Client().get("/metrics")
    assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    named = re.findall(r"^# TYPE throughline_(\w+) ", page.content.decode(), re.MULTILINE)
    assert sorted(named) == sorted([*METRICS, *gauges.GAUGES, *gauges.SAMPLED])


@pytest.mark.django_db
def test_an_answer_is_counted_with_its_steps_tokens_and_claims(
    afresh: Path, owner: User, library: None, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        asked = take_turn(create_session(owner), Question("What is the Determination Date?"))
        turn = answer_now(asked.attempt)
    found = told()
    assert found['throughline_turns_total{outcome="answered",status="complete"}'] == 1
    model = f'model="{turn.model}"'
    assert found[f'throughline_tokens_total{{kind="answer",{model}}}'] == turn.response_tokens
    assert found[f'throughline_tokens_total{{kind="prompt",{model}}}'] == turn.prompt_tokens > 0
    assert found["throughline_first_piece_seconds_count"] == 1
    steps = {key for key in found if key.startswith("throughline_step_seconds_count")}
    assert {
        f'throughline_step_seconds_count{{step="{name}"}}' for name in ("searched", "recorded")
    } <= (steps)
    claims = sum(number for key, number in found.items() if "claims_total" in key)
    assert claims == turn.claims.count()
    assert found['throughline_open_answers{status="answering"}'] == 0


@pytest.mark.postgresql
@pytest.mark.django_db
def test_what_is_costly_to_count_is_counted_by_the_clock(owner: User, library: None) -> None:
    assert "throughline_sessions" not in told()
    session = create_session(owner)
    answer_now(take_turn(session, Question("What is the Determination Date?")).attempt)
    create_session(owner)
    later = timezone.now() - timedelta(minutes=10)
    Session.objects.filter(pk=session.pk).update(created_at=later)
    clean_up_all()
    create_session(owner)  # is counted a quarter of an hour later
    found = told()
    assert (found["throughline_sessions"], found["throughline_people_active"]) == (2, 1)
    assert 590 < found["throughline_session_seconds"] < 660
    sizes = {key for key, number in found.items() if "storage_bytes" in key and number > 0}
    assert len(sizes) >= 2


@pytest.mark.django_db
def test_turns_from_the_third_on_tell_whether_memory_found_what_they_cite(
    afresh: Path, owner: User, library: None
) -> None:
    session = create_session(owner)
    for question in (
        "What is the Determination Date?",
        "And what happens if it falls on a weekend?",
        "What about the Closing Date, same rule?",
        "Thank you!",
    ):
        answer_now(take_turn(session, Question(question)).attempt)
    found = {key: number for key, number in counted().items() if "memory_turns" in key}
    assert found == {
        'throughline_memory_turns_total{result="hit"}': 1,
        'throughline_memory_turns_total{result="uncited"}': 1,
    }


@pytest.mark.django_db
def test_a_prompt_that_overflows_is_counted_and_sent_again_smaller(
    afresh: Path, owner: User, library: None, model: ModelServer
) -> None:
    model.refuse("request (9000 tokens) exceeds the available context size (2048 tokens)")
    model.reply("The Determination Date is the fifteenth day of each calendar month [1].")
    asked = take_turn(create_session(owner), Question("What is the Determination Date?"))
    assert answer_now(asked.attempt).status == "complete"
    assert counted()["throughline_context_overflows_total"] == 1


@pytest.mark.django_db
def test_summaries_are_counted_with_the_tokens_before_and_after(
    afresh: Path, owner: User, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        made = condensed(told_session(owner, 20))
    found = {key: number for key, number in counted().items() if "conden" in key}
    assert found['throughline_condensations_total{kind="segment"}'] == 4
    for when in ("before", "after"):
        total = sum(number for key, number in found.items() if f'when="{when}"' in key)
        assert total == sum(getattr(row, f"tokens_{when}") for row in made)


@pytest.mark.django_db
def test_work_that_waits_is_told_by_class_and_age(owner: User) -> None:
    enqueue("embed_turn", owner.pk)
    Job.objects.update(due_at="2026-01-01T00:00Z")
    enqueue("retention_sweep", owner.pk)
    found = told()
    assert found['throughline_jobs_waiting{class="rights"}'] == 1
    assert found['throughline_oldest_job_seconds{class="conversations"}'] > 86_400
    assert found['throughline_oldest_job_seconds{class="rights"}'] < 60
    assert found['throughline_jobs_waiting{class="bulk"}'] == 0


@pytest.mark.django_db
def test_the_page_takes_few_statements_however_much_there_is(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        take_turn(create_session(owner), Question(f"What is clause {number}?"))
    # Its two databases, answers, jobs twice, erasures twice, the purge's lag twice, the samples.
    with django_assert_num_queries(11):
        assert Client().get("/metrics").status_code == 200


@pytest.mark.django_db
def test_a_database_that_is_away_is_said_and_the_rest_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: object) -> gauges.Value:
        raise OperationalError

    monkeypatch.setattr(connections["keys"], "cursor", away)
    monkeypatch.setitem(gauges.GAUGES, "purge_lag_seconds", ("Late.", "", away))
    found = told()
    assert found['throughline_database_up{database="keys"}'] == 0
    assert found['throughline_database_up{database="default"}'] == 1
    assert "throughline_purge_lag_seconds" not in found
    assert "throughline_erasures_under_way" in found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("where", "token", "status"),
    [
        ({}, "", 200),
        ({"REMOTE_ADDR": "::1"}, "", 200),
        ({"REMOTE_ADDR": "10.1.2.3"}, "", 404),
        ({"REMOTE_ADDR": "unix:"}, "", 404),
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, "", 404),
        ({}, "right", 404),
        ({"HTTP_AUTHORIZATION": "Bearer wrong"}, "right", 404),
        ({"HTTP_AUTHORIZATION": "Bearer right", "REMOTE_ADDR": "10.1.2.3"}, "right", 200),
    ],
)
def test_only_who_runs_the_place_reads_it(
    where: dict[str, str], token: str, status: int, settings: LazySettings
) -> None:
    settings.METRICS_TOKEN = token
    assert Client().get("/metrics", **where).status_code == status


def test_it_can_only_be_read() -> None:
    assert Client().post("/metrics").status_code == 405


# --- Nothing personal -----------------------------------------------------------------------------


def test_p20_no_metric_and_no_file_of_them_holds_a_word_or_a_name(
    start_web: Callable[..., Web], model_server: ModelServer
) -> None:
    web = start_web(**model_server.environment, METRICS_TOKEN="let me in")
    owner = web.client("owner")
    session = owner.post("/api/v1/sessions", json={"title": "Kxcanary title"}).json()["session_id"]
    model_server.reply("The Kxcanary date is the fifteenth day of each calendar month [1].")
    model_server.refuse("Kxcanary went wrong.")
    for question in ("What is the Kxcanary Determination Date?", "What is the Determination Date?"):
        owner.post(f"/api/v1/sessions/{session}/turns", json={"query": question})
    owner.get("/api/v1/search", params={"q": "Kxcanary"})
    owner.get("/Kxcanary/page")
    owner.post("/api/v1/documents", json={"title": "Kxcanary", "text": "Kxcanary says so."})
    reader = web.client()
    reader.headers["Authorization"] = "Bearer let me in"
    page = reader.get("/metrics").text
    assert sum(number for key, number in told(page).items() if "turns_total" in key) == 2
    assert told(page)['throughline_responses_total{part="pages",status="4xx"}'] >= 1
    files = b"".join(path.read_bytes() for path in (web.data_dir / "metrics").iterdir())
    for canary in ("kxcanary", "owner", session):
        assert canary not in page.lower()
        assert canary.encode() not in files.lower()
