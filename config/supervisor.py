"""The small supervisor behind `make run`: web servers on one socket, workers, and the clock.

It binds the socket itself, so that a taken port is said before anything starts and a web process
that dies can be replaced without refusing a connection. Each child leads a process group of its
own: Ctrl-C reaches the supervisor alone, which then stops them in order, and what a killed child
left behind can be swept up. The kernel ends the children of a supervisor that is killed itself.
"""

import asyncio
import contextlib
import ctypes
import http.client
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from django.conf import settings

GRACE = 10  # seconds between asking a child to stop and killing it
START_PATIENCE = 90  # seconds until the web answers and the worker takes tasks
# So often a child's pulse is looked for (config.heart, memory.jobs.signs), and so long it may show
# none, in seconds. A worker's longest step, as to scrub a large table, may take half an hour.
LOOK_EVERY, WEB_SILENCE, WORKER_SILENCE, START_SILENCE = 2, 60, 1800, 300
TOO_MANY_DEATHS, DEATHS_WITHIN = 5, 60  # deaths, seconds
LONGEST_PAUSE = 30  # seconds before what keeps dying is started again
PR_SET_PDEATHSIG = 1
# What a server listens on, and where this machine finds it then.
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
# Celery's warning is about pickled tasks; ours carry nothing.
NO_ROOT_WARNING = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser"}


class CannotServe(Exception):
    """The start failed, or a child keeps dying; the message says which."""


@dataclass
class Child:
    """A program to keep running."""

    name: str
    command: list[str]
    environment: dict[str, str]
    pass_fds: tuple[int, ...] = ()
    # The file that it touches while it lives, if it has one, and after how long it hangs.
    alive: Path | None = None
    silence: float = WEB_SILENCE
    process: str = ""
    # Whether it ends all by dying too often; without the clock, the workers look by themselves.
    is_needed: bool = True

    async def keep_running(self) -> None:
        """Start it again whenever it ends, until cancelled or it ends too often."""
        deaths: list[float] = []
        while True:
            code = await self._run_once()
            now = time.monotonic()
            deaths = [moment for moment in deaths if moment > now - DEATHS_WITHIN] + [now]
            if len(deaths) >= TOO_MANY_DEATHS and self.is_needed:
                raise CannotServe(
                    f"The {self.name} ended {TOO_MANY_DEATHS} times within {DEATHS_WITHIN} seconds "
                    f"(exit code {code}); its messages are above."
                )
            print(f"The {self.name} ended (exit code {code}); starting it again.", file=sys.stderr)
            await asyncio.sleep(min(0.1 * 2 ** len(deaths), LONGEST_PAUSE))

    async def _run_once(self) -> int:
        process = await asyncio.create_subprocess_exec(
            *self.command,
            env=self.environment | self._named(),
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=self.pass_fds,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        watching = asyncio.create_task(self._watch(process))
        try:
            return await process.wait()
        finally:
            watching.cancel()
            await _stop(process)

    def _named(self) -> dict[str, str]:
        """Return what tells it where to show its pulse, who it is, and whom it replaces."""
        if self.alive is None:
            return {}
        self.alive.unlink(missing_ok=True)
        before, self.process = self.process, str(uuid4())
        told = {"ALIVE_FILE": str(self.alive), "PROCESS": self.process}
        return told | ({"PROCESS_BEFORE": before} if before else {})

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Kill it once it has shown no pulse for long: it may be unable to end itself."""
        known, looks = 0, 0
        # Looks are counted, not time: clocks jump, and the whole machine may have slept.
        while self.alive and looks * LOOK_EVERY < max(self.silence, 0 if known else START_SILENCE):
            await asyncio.sleep(LOOK_EVERY)
            pulse = self.alive.stat().st_mtime_ns if self.alive.exists() else 0
            looks, known = (looks + 1 if pulse == known else 0), pulse
        if self.alive:
            print(f"The {self.name} hangs.", file=sys.stderr)
            os.killpg(process.pid, signal.SIGKILL)


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Ask it to stop, wait, and then kill what is left of its group."""
    if process.returncode is None:
        process.terminate()
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
    finally:  # a second Ctrl-C ends the waiting
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


_libc = ctypes.CDLL(None)  # loaded before any fork: a forked child should do as little as it can


def _end_with_parent() -> None:
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


# --- What is run -----------------------------------------------------------------------------


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address that child processes can listen on."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise CannotServe(
            f"Can't listen on {host} port {port}: {reason}. Choose another one: PORT=8001 make run"
        ) from error
    listener.set_inheritable(True)
    return listener


def web_command(descriptor: int) -> list[str]:
    """Return the command of one web process on the inherited socket."""
    # Forwarded headers are not uvicorn's business: Django and allauth read them, and believe as
    # many proxies as TRUSTED_PROXIES says, where uvicorn would take what the client wrote.
    return [
        *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
        *("--fd", str(descriptor), "--lifespan", "on", "--timeout-graceful-shutdown", "5"),
        *("--no-proxy-headers", "--no-server-header", "--no-access-log", "--log-level", "warning"),
        *("--http", "config.serving.connections:BoundedConnection"),
    ]


def worker_command() -> list[str]:
    """Return the command of one worker."""
    return [sys.executable, "-m", "django", "work"]


def clock_command() -> list[str]:
    """Return the command of the clock: Celery's beat, and one that hears it."""
    return [
        *(sys.executable, "-m", "celery", "--app", "config", "--quiet", "worker"),
        *("--beat", "--pool", "solo", "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def classes_of(worker: int, workers: int) -> str:
    """Return which classes of work the worker of this number takes, what goes first first.

    Of several, the first one takes no bulk work; the others begin with conversations, so that
    neither of the two that people wait for waits for the other.
    """
    if workers == 1:
        return "rights,conversations,bulk"
    return "conversations,rights,bulk" if worker else "rights,conversations"


@dataclass(frozen=True)
class Service:
    """What to serve, where, and what to say once it is up."""

    host: str
    port: int
    web_workers: int
    workers: int
    announce: Callable[[str], None]
    # Who sends people here sees this file by /readyz; so long it has to look elsewhere.
    draining: Path | None = None
    drain_seconds: float = 0

    def run(self) -> None:
        """Serve until interrupted, or raise CannotServe."""
        with (
            listening_socket(self.host, self.port) as listener,
            tempfile.TemporaryDirectory(prefix=settings.TEMPORARY_PREFIX) as folder,
        ):
            asyncio.run(self._serve(listener, Path(folder) / "worker-ready"))

    async def _serve(self, listener: socket.socket, ready: Path) -> None:
        self._drains(False)
        serving = asyncio.create_task(self._keep_all_running(listener, ready))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, serving.cancel)
        loop.add_signal_handler(signal.SIGTERM, self._end_after_draining, serving)
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        self._drains(False)

    def _end_after_draining(self, serving: "asyncio.Task[None]") -> None:
        """Serve on for a while, with nobody new sent here; a second signal ends it at once."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, serving.cancel)
        self._drains(True)
        loop.call_later(self.drain_seconds, serving.cancel)

    def _drains(self, does: bool) -> None:
        if self.draining and does and self.drain_seconds:
            self.draining.touch()
        elif self.draining:
            self.draining.unlink(missing_ok=True)

    async def _keep_all_running(self, listener: socket.socket, ready: Path) -> None:
        first, *others = self._workers(ready)
        try:
            async with asyncio.TaskGroup() as group:
                for child in (*self._web(listener, ready), first):
                    group.create_task(child.keep_running())
                await self._wait_until_up(ready)
                clock = os.environ | NO_ROOT_WARNING | {"WORKER_CLASSES": ""}
                others.append(Child("clock", clock_command(), clock, is_needed=False))
                for child in others:  # nobody waits for these
                    group.create_task(child.keep_running())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None

    def _web(self, listener: socket.socket, ready: Path) -> list[Child]:
        descriptor = listener.fileno()
        return [
            Child(
                f"web server {number + 1}",
                web_command(descriptor),
                dict(os.environ),
                (descriptor,),
                alive=ready.with_name(f"web-{number + 1}-alive"),
            )
            for number in range(self.web_workers)
        ]

    def _workers(self, ready: Path) -> list[Child]:
        environment = os.environ | {"WORKER_READY_FILE": str(ready)}
        return [
            Child(
                f"worker {number + 1}",
                worker_command(),
                environment | {"WORKER_CLASSES": classes_of(number, self.workers)},
                alive=ready.with_name(f"worker-{number + 1}-alive"),
                silence=WORKER_SILENCE + settings.JOB_LEASE + settings.JOB_SWEEP_INTERVAL,
            )
            for number in range(self.workers)
        ]

    async def _wait_until_up(self, ready: Path) -> None:
        deadline = time.monotonic() + START_PATIENCE
        while not (ready.exists() and await asyncio.to_thread(self._answers)):
            if time.monotonic() > deadline:
                missing = "web server doesn't answer" if ready.exists() else "worker isn't ready"
                raise CannotServe(f"The {missing} after {START_PATIENCE} seconds.")
            await asyncio.sleep(0.1)
        await asyncio.to_thread(self.announce, self.address)

    @property
    def address(self) -> str:
        """Return the URL at which a browser on this machine finds it."""
        host = self._local_host
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    @property
    def _local_host(self) -> str:
        return EVERY_ADDRESS.get(self.host, self.host)

    def _answers(self) -> bool:
        # Not urllib: it would ask a proxy of the environment for this machine's own address.
        connection = http.client.HTTPConnection(self._local_host, self.port, timeout=5)
        away = contextlib.suppress(OSError, http.client.HTTPException)
        with away, contextlib.closing(connection):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        return False
