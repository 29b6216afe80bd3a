"""Metrics: counted across processes, read by those who run the place, and nothing personal in any.

Promise P20, as far as metrics go: no word and no name of anyone is in them.
"""

import asyncio
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connections
from django.db.utils import OperationalError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.turns.pipeline import answer_now, take_turn
from config.metrics import gauges
from config.serving.counting import counted_responses
from config.serving.deadlines import answer_in_time
from config.serving.intake import App, Message, Receive, Send, limit_body
from memory.conversations.asking import Question, create_session
from memory.jobs import enqueue
from memory.metrics import count, counting, mirror, observe
from memory.metrics.declared import BUCKETS, METRICS, PREFIX
from memory.models import Job, User
from tests.model_server import ModelServer
from tests.servers import Web
from tests.surroundings import PYTHON, ROOT, clean_environment, run

OPERATIONS = ROOT / "docs" / "operations"
LINE = re.compile(rf'({PREFIX}\w+)(\{{(?:\w+="[A-Za-z0-9_.:/-]*",?)+\}})? (\S+)')
ELSEWHERE = """
import os, signal
from memory.metrics import count
count("model_errors_total", 3, failure="elsewhere")
if not os.fork():
    count("model_errors_total", 4, failure="elsewhere")
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def afresh(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Count into a folder of the test's own."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(counting, "_own", counting._OfThisProcess())
    return tmp_path


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


@pytest.mark.once
def test_what_all_processes_counted_adds_up_though_they_were_killed(afresh: Path) -> None:
    for _ in range(2):
        setup = "import django; django.setup()"
        environment = clean_environment(DATA_DIR=str(afresh))
        done = run([PYTHON, "-c", f"{setup}\n{ELSEWHERE}"], environment)
        assert done.returncode == -signal.SIGKILL
    count("model_errors_total", failure="elsewhere")
    assert counting.counted() == {'throughline_model_errors_total{failure="elsewhere"}': 15}
    kept = {path.suffix or path.name for path in (afresh / "metrics").iterdir()}
    assert kept == {"lock", "ended", ".count"}, "those of the dead are added up"
    assert len(list((afresh / "metrics").glob("*.count"))) == 1


@pytest.mark.once
def test_a_histogram_counts_each_time_in_all_buckets_above_it(afresh: Path) -> None:
    for seconds in (0.004, 0.3, 1000.0):
        observe("step_seconds", seconds, step="find")
    found = counting.counted()
    buckets = [found[f'throughline_step_seconds_bucket{{step="find",le="{b:g}"}}'] for b in BUCKETS]
    assert buckets == sorted(buckets)
    assert (buckets[0], buckets[-1]) == (1, 2)
    assert found['throughline_step_seconds_count{step="find"}'] == 3
    assert found['throughline_step_seconds_sum{step="find"}'] == pytest.approx(1000.304)


@pytest.mark.once
def test_a_total_that_a_pool_has_counted_takes_the_place_of_the_last(afresh: Path) -> None:
    for total in (5.0, 9.0):
        mirror("connections_waited_total", total, database="default")
    assert set(counting.counted().values()) == {9}


@pytest.mark.once
def test_a_number_of_the_moment_ends_with_its_process(afresh: Path) -> None:
    waiting = 'throughline_questions_waiting{place="door"}'
    mirror("questions_waiting", 2, place="door")
    code = """
import django; django.setup()
import os, signal
from memory.metrics import counting, mirror
mirror("questions_waiting", 7, place="door")
assert set(counting.counted().values()) == {9}
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = run([PYTHON, "-c", code], clean_environment(DATA_DIR=str(afresh)))
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert counting.counted() == {waiting: 2}
    counting._begun()  # the next process, which adds up the dead
    assert counting.counted() == {waiting: 2}


@pytest.mark.once
def test_a_label_that_is_no_code_is_not_told_and_one_undeclared_is_refused(afresh: Path) -> None:
    count("model_errors_total", failure='What did "Ana" say?')
    assert counting.counted() == {'throughline_model_errors_total{failure="other"}': 1}
    with pytest.raises(LookupError):
        count("model_errors_total", person="ana")


@pytest.mark.once
def test_a_full_file_and_a_folder_that_is_none_stop_nobody(
    afresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6000):
        count("model_errors_total", failure=f"failure_number_{number:040d}")
    assert 1000 < len(counting.counted()) < 6000
    monkeypatch.setattr(counting, "_own", counting._OfThisProcess())
    monkeypatch.setattr(counting, "_folder", lambda: Path("/dev/null/metrics"))
    count("model_errors_total", failure="away")


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
    asyncio.run(counted_responses(app)({**scope, "headers": fields}, receive, send))  # type: ignore[arg-type]
    assert sum(message["type"] == "http.response.start" for message in sent) == 1
    found = counting.counted()
    return {key: found[key] for key in found if "_seconds" not in key}


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


async def late(scope: Message, receive: Receive, send: Send) -> None:
    await receive()
    await asyncio.sleep(60)


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_each_response_is_counted_once_wherever_it_is_made(afresh: Path) -> None:
    small = {"content_length": "99999999"}
    cases: list[tuple[App, dict[str, str], dict[str, float]]] = [
        (saying(200), {}, responses("api", "2xx")),
        (saying(503, Retry_After="3"), {}, responses("api", "refused") | refused_for("overloaded")),
        (saying(429, Retry_After="3"), {}, responses("api", "4xx") | refused_for("limit_reached")),
        (saying(503), {}, responses("api", "5xx") | refused_for("failed")),
        (saying(500), {"path": "/library"}, responses("pages", "5xx")),
        (answer_in_time(late, seconds=0.05), {}, responses("api", "5xx") | refused_for("failed")),
        (limit_body(saying(200)), small, responses("api", "4xx") | refused_for("too_large")),
    ]
    for app, request, expected in cases:
        counting._own = counting._OfThisProcess()  # type: ignore[misc]
        shutil.rmtree(afresh / "metrics", ignore_errors=True)
        assert answered(app, **request) == expected  # type: ignore[arg-type]


# --- The page -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_page_names_and_explains_every_metric_once(afresh: Path) -> None:
    page = Client().get("/metrics")
    assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    named = Counter(re.findall(r"^# TYPE throughline_(\w+) ", page.content.decode(), re.MULTILINE))
    assert named == Counter([*METRICS, *gauges.GAUGES])


@pytest.mark.django_db
def test_an_answer_is_counted_with_its_steps_tokens_and_claims(
    afresh: Path, owner: User, library: None, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        asked = take_turn(create_session(owner), Question("What is the Determination Date?"))
        turn = answer_now(asked.attempt)
    found = told()
    assert found['throughline_turns_total{status="complete",outcome="answered"}'] == 1
    model = f'model="{turn.model}"'
    assert found[f'throughline_tokens_total{{kind="answer",{model}}}'] == turn.response_tokens
    assert found[f'throughline_tokens_total{{kind="prompt",{model}}}'] == turn.prompt_tokens > 0
    assert found["throughline_first_piece_seconds_count"] == 1
    steps = {key for key in found if key.startswith("throughline_step_seconds_count")}
    assert {f'throughline_step_seconds_count{{step="{name}"}}' for name in ("find", "record")} <= (
        steps
    )
    claims = sum(number for key, number in found.items() if "claims_total" in key)
    assert claims == turn.claims.count()
    assert found['throughline_open_answers{status="answering"}'] == 0


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
    # Its two databases, answers, jobs twice, erasures twice, the purge's lag twice.
    with django_assert_num_queries(10):
        assert Client().get("/metrics").status_code == 200


@pytest.mark.django_db
def test_a_database_that_is_away_is_said_and_the_rest_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: object) -> Iterator[gauges.Value]:
        raise OperationalError

    monkeypatch.setattr(connections["keys"], "cursor", away)
    monkeypatch.setitem(gauges.GAUGES, "purge_lag_seconds", gauges.Gauge("Late.", away))
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


@pytest.mark.once
@pytest.mark.slow("a server, a model that says and fails with canaries, and their metrics")
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
