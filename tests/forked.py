"""Programs of ours as forks of one that has loaded the libraries: a start costs a third.

What a program runs is its own: settings, models and all modules of the product are loaded after the
fork, in the program's environment. What it finds there are libraries that know no settings, the
product's code and its regular expressions, compiled, and the tokenizer (tests/nursery.py). What
the product starts itself, supervisor and readers, starts as in life; and so does all outside of a
test run, for what is measured there.
"""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from tests import moulds
from tests.surroundings import PATIENCE, PYTHON, ROOT, clean_environment, documented_variables

MOST_SAID = 1 << 16
is_test_run = False
# What a program may be told beside its settings. Any other variable could be read by a library as
# that is loaded: who is told of one starts as in life. PATH is read where a program is looked for.
TOLD = {"ALIVE_FILE", "PATH", "PROCESS", "PROCESS_BEFORE", "TMPDIR", "WORKER_READY_FILE"}
# What our programs load as they start is said by one that starts as in life.
SAY = """
import dataclasses, pickle, sys
from re import _compiler
compile, patterns, texts, known = _compiler.compile, [], set(), set(sys.modules)
def listed(pattern, flags=0):
    patterns.append((pattern, int(flags)))
    return compile(pattern, flags)
def noted(text, *names):
    texts.add(text)
    exec(text, *names)
_compiler.compile, dataclasses.exec = listed, noted
import config.asgi, celery.bin.celery, chat.management.commands.work, onnx, uvicorn.main
with open(sys.argv[1], "wb") as file:
    new = {name: module for name, module in sys.modules.items() if name not in known}
    files = {name: getattr(module, "__file__", None) for name, module in new.items()}
    pickle.dump((files, patterns, texts), file)
"""


class Fork:
    """What subprocess.Popen is to a program that was started: the same, for a fork."""

    def __init__(self, nursery: "Nursery", pid: int, args: Sequence[str]) -> None:
        self.pid, self.args, self.returncode = pid, args, None
        self._nursery = nursery
        self._polls = threading.Lock()

    def poll(self) -> int | None:
        """Return how it ended, or None while it runs."""
        with self._polls:
            if self.returncode is None:
                self.returncode = self._nursery.ended(self.pid)
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return how it ended; raise TimeoutExpired if it runs for longer, in seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 0.001
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            time.sleep(pause := min(2 * pause, 0.05))
        return code

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that has the libraries loaded, and what is said to it."""

    def __init__(self) -> None:
        self.environment = clean_environment(OPENBLAS_NUM_THREADS="1")
        del self.environment["DJANGO_SETTINGS_MODULE"]
        mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            command = [PYTHON, "-m", "tests.nursery", str(its.fileno()), str(loads())]
            # It ends with the last of us that holds the other end of the socket.
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                start_new_session=True,
            )
        self._line = mine
        self._speaks = threading.Lock()
        self.spent = 0.0

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], files: Mapping[int, int]
    ) -> Fork:
        """Start what Python would run with these arguments, its files by the number it knows."""
        order = {"arguments": arguments, "environment": environment, "numbers": list(files)}
        return Fork(self, self._asked(order, list(files.values())), [PYTHON, *arguments])

    def ended(self, pid: int) -> int | None:
        """Return how the fork ended, if it has."""
        code, spent = self._asked({"poll": pid}, [])
        self.spent += spent
        return code  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the process end; programs that run go on."""
        self._line.close()
        self._process.wait(PATIENCE)

    def _asked(self, order: Mapping[str, object], files: Sequence[int]) -> Any:
        with self._speaks:
            socket.send_fds(self._line, [json.dumps(order).encode()], files)
            said = self._line.recv(MOST_SAID)
        assert said, "the nursery of programs has ended"
        return json.loads(said)


def loads() -> Path:
    """Return the file that names what the nursery loads."""
    return moulds.made(moulds.place(*moulds.PRODUCT, "tests/forked.py") / "loads.pickle", _say)


def _say(half: Path) -> None:
    installation = half.with_name(f"{half.name}-data")
    environment = clean_environment(DATA_DIR=str(installation), PYTHONWARNINGS="ignore")
    subprocess.run([PYTHON, "-c", SAY, str(half)], cwd=ROOT, env=environment, check=True)
    shutil.rmtree(installation, ignore_errors=True)


def start(
    command: Sequence[str],
    environment: Mapping[str, str],
    stdout: IO[str],
    stderr: IO[str],
    pass_fds: Sequence[int] = (),
) -> Fork:
    """Start a program that can be forked, in a process group of its own."""
    with open(os.devnull) as nothing:
        files = dict(enumerate(file.fileno() for file in (nothing, stdout, stderr)))
        files |= {descriptor: descriptor for descriptor in pass_fds}
        return nursery().start(command[1:], environment, files)


@cache
def nursery() -> Nursery:
    """Return the one of this test run, which `is_test_run` says is one."""
    made = Nursery()
    atexit.register(made.close)
    return made


def spent() -> float:
    """Return the processor time of the forks that have ended, in seconds."""
    return nursery().spent if nursery.cache_info().currsize else 0.0


def run(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, as a fork if it can be one, and return what it has said."""
    if not can_be_forked(command, environment):
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    with TemporaryFile("w+") as stdout, TemporaryFile("w+") as stderr:
        code = start(command, environment, stdout, stderr).wait()
        said = [file.seek(0) or file.read() for file in (stdout, stderr)]
    return subprocess.CompletedProcess(command, code, *said)


def can_be_forked(command: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Return whether the program runs as a fork as it would in life."""
    surroundings = {name: value for name, value in clean_environment().items() if name not in TOLD}
    return (
        is_test_run
        and command[0] == PYTHON
        and command[1] in {"-m", "-c", "manage.py"}
        and environment.keys() <= documented_variables() | TOLD | surroundings.keys()
        and all(environment.get(name) == value for name, value in surroundings.items())
    )
