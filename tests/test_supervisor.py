"""The supervisor: one command starts everything, one Ctrl-C ends it, and nothing is left behind."""

import asyncio
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, suppress

import httpx
import psutil
import pytest

from config import programs, supervisor
from config.programs import CannotServe
from config.supervisor import Child, Service
from tests.servers import Blueprint, Web, come_in
from tests.surroundings import PATIENCE, PYTHON, ROOT, Program, end, free_port, run, wait_until

ADDRESS = re.compile(r"^Throughline \S+ is running at (http://\S+/)$", re.MULTILINE)
ANOTHER = re.compile(r"Another one: (\S+) manage\.py sign_in_link admin --reason")
LINK = re.compile(r"^Sign in once with: (http://\S+)$", re.MULTILINE)


class Serving:
    """`manage.py serve` in an installation of its own."""

    def __init__(self, place: Web) -> None:
        self.place = place
        self.process: Program | None = None

    def start(self) -> float:
        """Start it and return the processor time until it said where it is."""
        (self.place.data_dir / "serve.log").unlink(missing_ok=True)
        self.process = self.place.spawn(PYTHON, "manage.py", "serve", log="serve.log")
        wait_until(self._running, what="the address")
        times = [each.cpu_times() for each in (psutil.Process(self.process.pid), *self.children())]
        return sum(each.user + each.system for each in times)

    def said(self) -> str:
        return self.place.log("serve.log")

    def children(self) -> list[psutil.Process]:
        assert self.process
        return psutil.Process(self.process.pid).children(recursive=True)

    def named(self, word: str) -> list[psutil.Process]:
        return [child for child in self.children() if word in command_of(child)]

    def _running(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.said()
        return bool(ADDRESS.search(self.said()))


def command_of(process: psutil.Process) -> str:
    """Return the process's command line, empty if it has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # or a zombie
        return ""


def gone(processes: list[psutil.Process]) -> bool:
    return not any(runs(process) for process in processes)


def runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def serving(blueprint: Blueprint) -> Iterator[Serving]:
    place = blueprint.copy(WEB_WORKERS="2")
    place.environment["PORT"] = str(place.port)
    serving = Serving(place)
    yield serving
    if serving.process and serving.process.poll() is None:
        end(serving.process)


@pytest.mark.deep
def test_a_day_with_it(serving: Serving) -> None:
    """Start in seconds, sign in by the link once, stop with Ctrl-C, start again, with one of each
    and for all the network: what dies then is started again, but for the supervisor, which nothing
    outlives.
    """
    assert serving.start() < 15  # of processor time
    with serving.place.client() as anyone:
        wait_until(lambda: anyone.get("/readyz").json()["status"] == "ok", what="all parts")
    signs_in_by_the_link_once(serving)
    children = serving.children()
    assert len(serving.named("uvicorn")) == 2
    wait_until(lambda: len(serving.named("django work")) == 2, what="the second worker")
    workers = [each.environ()["WORKER_CLASSES"] for each in serving.named("django work")]
    assert sorted(workers) == ["conversations,rights,bulk", "rights,conversations"]

    assert serving.process
    serving.process.send_signal(signal.SIGINT)
    assert serving.process.wait(PATIENCE) == 0
    wait_until(lambda: gone(children), what="the end of all processes")
    assert "Traceback" not in serving.said()
    assert "Error" not in serving.said()

    serving.place.environment |= {"HOST": "0.0.0.0", "ALLOWED_HOSTS": "box.example.org"}
    serving.place.environment |= {"WEB_WORKERS": "1", "WORKERS": "1"}
    serving.start()
    explains_by_which_names_it_answers(serving)
    starts_what_dies_again(serving)
    is_outlived_by_nothing(serving)


def signs_in_by_the_link_once(serving: Serving) -> None:
    link = LINK.findall(serving.said())[0]
    # Commands given for another terminal work from here, regardless of the path.
    assert (ROOT / ANOTHER.findall(serving.said())[0]).samefile(PYTHON)
    with serving.place.client() as first, serving.place.client() as second:
        assert come_in(first, link).status_code == 200
        assert first.cookies.get("sessionid")
        assert second.get(link).status_code == 410
        assert not second.cookies.get("sessionid")


def explains_by_which_names_it_answers(serving: Serving) -> None:
    assert "Browsers are answered under these names only: box.example.org" in serving.said()
    page, elsewhere = "/account/login/", {"Host": "else.example"}
    with serving.place.client() as browser:
        assert browser.get(page).status_code == 200
        assert browser.get(page, headers=elsewhere).status_code == 400


def starts_what_dies_again(serving: Serving) -> None:
    killed = [
        *serving.named("uvicorn"),
        *serving.named("django work"),
        *serving.named("celery")[:1],
    ]
    assert len(killed) == 3
    for process in killed:
        process.kill()
    wait_until(lambda: gone(killed), what="their end")
    wait_until(lambda: serving.named("uvicorn"), what="the web server")
    wait_until(lambda: serving.named("django work"), what="the worker")
    wait_until(lambda: serving.named("celery"), what="the clock")
    assert wait_until(lambda: answers(serving.place.url), what="an answer")
    assert "starting it again" in serving.said()


def is_outlived_by_nothing(serving: Serving) -> None:
    children = serving.children()
    assert len(children) >= 3
    assert serving.process
    serving.process.kill()
    serving.process.wait()
    wait_until(lambda: gone(children), what="the end of the children")


def test_a_taken_port_is_said_before_anything_starts(serving: Serving) -> None:
    with closing(socket.create_server(("127.0.0.1", serving.place.port))):
        done = run([PYTHON, "manage.py", "serve"], serving.place.environment)
    assert done.returncode == 1
    assert done.stderr == (
        f"CommandError: Can't listen on 127.0.0.1 port {serving.place.port}: address already in "
        "use. Choose another one: PORT=8001 make run\n"
    )


def test_what_keeps_dying_ends_the_start(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        programs, "build_worker_command", lambda: [PYTHON, "-c", "raise SystemExit('no broker')"]
    )
    announced: list[str] = []
    service = Service("127.0.0.1", free_port(), web_workers=0, workers=1, announce=announced.append)
    with pytest.raises(CannotServe, match=r"worker 1 ended 5 times .* \(exit code 1\)"):
        service.run()
    assert "no broker" in capfd.readouterr().err
    assert not announced


def test_a_clock_that_keeps_dying_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supervisor, "TOO_MANY_DEATHS", 2)
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.01)
    command = [PYTHON, "-S", "-c", "raise SystemExit('no broker')"]
    clock = Child("clock", command, {}, is_needed=False)

    said: list[str] = []

    async def three_deaths() -> None:
        running = asyncio.create_task(clock.keep_running())
        async with asyncio.timeout(PATIENCE):
            while not running.done() and "".join(said).count("starting it again") < 3:
                await asyncio.sleep(0.05)
                said.append(capfd.readouterr().err)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    asyncio.run(three_deaths())


def test_what_never_answers_ends_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeping = [PYTHON, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(programs, "build_worker_command", lambda: sleeping)
    monkeypatch.setattr(supervisor, "START_PATIENCE", 0.5)
    service = Service("127.0.0.1", free_port(), web_workers=0, workers=1, announce=print)
    with pytest.raises(CannotServe, match="worker isn't ready"):
        service.run()
    mine = psutil.Process().children(recursive=True)
    assert gone([child for child in mine if command_of(child) == " ".join(sleeping)])


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),
        ("::", "http://[::1]:8000/"),
        ("box.example.org", "http://box.example.org:8000/"),
    ],
)
def test_the_address_is_one_that_a_browser_here_can_open(host: str, address: str) -> None:
    assert programs.format_address(host, 8000) == address


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False
