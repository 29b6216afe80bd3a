"""The supervisor behind `manage.py serve`: web servers on one socket, workers, and the clock.

It restarts children that die. Each child leads a process group of its own, so that Ctrl-C reaches
the supervisor alone. The kernel ends the children of a supervisor that is killed.
"""

import asyncio
import contextlib
import ctypes
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

from config import programs
from config.programs import CannotServe

GRACE = 10  # seconds between asking a child to stop and killing it
START_PATIENCE = 90  # seconds until the web answers and the worker takes tasks
TOO_MANY_DEATHS, DEATHS_WITHIN, LONGEST_PAUSE = 5, 60, 30  # deaths; seconds
DRAINING = settings.DATA_DIR / "draining"  # while it exists, /readyz refuses new requests
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)  # loaded before any fork


@dataclass
class Child:
    """A program to keep running."""

    name: str
    command: list[str]
    environment: dict[str, str]
    pass_fds: tuple[int, ...] = ()
    # Whether the service ends if it dies too often; workers need no clock.
    is_needed: bool = True
    process: str = ""

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
        before, self.process = self.process, str(uuid4())
        told = {"PROCESS": self.process, "PROCESS_BEFORE": before}
        process = await asyncio.create_subprocess_exec(
            *self.command,
            env=self.environment | told,
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=self.pass_fds,
            start_new_session=True,
            preexec_fn=lambda: _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
        )
        try:
            return await process.wait()
        finally:  # a second Ctrl-C skips the wait
            try:
                if process.returncode is None:
                    process.terminate()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(process.wait(), GRACE)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Service:
    """The address and processes of a running service."""

    host: str
    port: int
    web_workers: int
    workers: int
    announce: Callable[[str], None]

    def run(self) -> None:
        """Serve until interrupted, or raise CannotServe."""
        folder = tempfile.TemporaryDirectory(prefix=settings.TEMPORARY_PREFIX)
        with programs.open_listening_socket(self.host, self.port) as listener, folder as path:
            asyncio.run(self._serve(listener, Path(path) / "worker-ready"))

    async def _serve(self, listener: socket.socket, ready: Path) -> None:
        DRAINING.unlink(missing_ok=True)
        serving = asyncio.create_task(self._keep_all_running(listener, ready))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, serving.cancel)
        loop.add_signal_handler(signal.SIGTERM, self._end_after_draining, serving)
        with contextlib.suppress(asyncio.CancelledError):
            await serving
        DRAINING.unlink(missing_ok=True)

    def _end_after_draining(self, serving: "asyncio.Task[None]") -> None:
        """Serve on for a while, refusing new requests; a second signal ends it at once."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, serving.cancel)
        if settings.DRAIN_SECONDS:
            DRAINING.touch()
        loop.call_later(settings.DRAIN_SECONDS, serving.cancel)

    async def _keep_all_running(self, listener: socket.socket, ready: Path) -> None:
        command, descriptors = programs.build_web_command(listener.fileno()), (listener.fileno(),)
        web = [
            Child(f"web server {number + 1}", command, dict(os.environ), descriptors)
            for number in range(self.web_workers)
        ]
        first, *others = [self._worker(number, ready) for number in range(self.workers)]
        # Celery's warning is about pickled tasks; ours carry nothing.
        quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser"}
        clock = os.environ | quiet | {"WORKER_CLASSES": ""}
        others.append(Child("clock", programs.build_clock_command(), clock, is_needed=False))
        try:
            async with asyncio.TaskGroup() as group:
                for child in (*web, first):
                    group.create_task(child.keep_running())
                await self._wait_until_up(ready)
                for child in others:  # the start doesn't wait for these
                    group.create_task(child.keep_running())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None

    def _worker(self, number: int, ready: Path) -> Child:
        classes = programs.list_classes(number, self.workers)
        told = {"WORKER_READY_FILE": str(ready), "WORKER_CLASSES": classes}
        return Child(f"worker {number + 1}", programs.build_worker_command(), os.environ | told)

    async def _wait_until_up(self, ready: Path) -> None:
        deadline = time.monotonic() + START_PATIENCE
        place = self.host, self.port
        while not (ready.exists() and await asyncio.to_thread(programs.is_answering, *place)):
            if time.monotonic() > deadline:
                missing = "web server doesn't answer" if ready.exists() else "worker isn't ready"
                raise CannotServe(f"The {missing} after {START_PATIENCE} seconds.")
            await asyncio.sleep(0.1)
        await asyncio.to_thread(self.announce, programs.format_address(*place))
