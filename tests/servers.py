"""Real servers for tests: the product as it is served, and Redis."""

import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import psycopg

from config.programs import build_web_command, build_worker_command, open_listening_socket
from tests import moulds
from tests.surroundings import (
    PATIENCE,
    PYTHON,
    ROOT,
    UNLIMITED,
    Program,
    clean_environment,
    end,
    free_port,
    run,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The variables that choose the engine of a test run.
ALIASES = {"DATABASE_URL": "default", "KEYS_DATABASE_URL": "keys"}
URLS = tuple(ALIASES)
OWNER = "DATABASE_OWNER_URL"
# As manage.py does: a program that a test runs sees all people.
SET_UP = """
import django
from memory.postgresql import scope
django.setup()
scope.begin_installation(scope.Purpose.COMMAND)
"""
PREPARE = """
from django.core.management import call_command
from django.utils import timezone
from memory.jobs import run_due
from memory.models import Job
from tests.moulds import texts_embedded_once
from tests.people import print_populace
with texts_embedded_once():
    call_command("prepare")
    run_due()
    Job.objects.filter(status="waiting").update(due_at=timezone.now())
    run_due()  # with the units, which wait for others
print_populace()
"""
TOKENS = "tokens.json"
FILES = {"default": "throughline.sqlite3", "keys": "keys.sqlite3"}
numbers = itertools.count(1)


def get_owner_url(url: str) -> str:
    """Return the address as its tables' owner has it, behind row-level security too."""
    owner = urlsplit(os.environ.get(OWNER, url)).netloc
    return urlsplit(url)._replace(netloc=owner).geturl()


def copy_migrated(data_dir: Path) -> None:
    """Let SQLite's databases be there as far as others have migrated them already."""
    for alias, name in FILES.items():
        if moulds.migrated(alias).exists():
            shutil.copyfile(moulds.migrated(alias), data_dir / name)


class Installation:
    """A DATA_DIR and databases of its own: what one `make run` would have."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.data_dir = data_dir
        owner = {OWNER: os.environ[OWNER]} if OWNER in os.environ and environment else {}
        self.environment = clean_environment(DATA_DIR=str(data_dir), **owner | environment)

    def manage(self, *arguments: str) -> str:
        """Return what the management command prints; fail with all of its output if it fails."""
        return self.run(PYTHON, "manage.py", *arguments)

    def python(self, code: str) -> str:
        """Return what the Python code prints, run in this installation with Django set up."""
        return self.run(PYTHON, "-c", f"{SET_UP}\n{code}")

    def run(self, *command: str) -> str:
        """Return what the program prints; fail with all of its output if it fails."""
        done = run(command, self.environment)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows, asked for beside the product: that is faster, and keeps nothing open."""
        if url := self.environment.get("DATABASE_URL"):
            with psycopg.connect(get_owner_url(url)) as database:
                return database.execute(query).fetchall()
        with closing(sqlite3.connect(self.data_dir / FILES["default"])) as file:
            return file.execute(query).fetchall()

    def spawn(self, *command: str, log: str, pass_fds: Sequence[int] = ()) -> Program:
        """Start a program in a process group of its own, its output in the log file."""
        with (self.data_dir / log).open("a") as output:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                text=True,
                start_new_session=True,
                pass_fds=pass_fds,
            )

    def log(self, name: str = "web.log") -> str:
        """Return what a started program has written so far."""
        return (self.data_dir / name).read_text()


def come_in(reader: httpx.Client, link: str) -> httpx.Response:
    """Open a sign-in link and press its button, as a browser does; return the page behind it."""
    reader.get(link)
    proof = {"csrfmiddlewaretoken": reader.cookies.get("csrftoken", "")}
    return reader.post(link, data=proof, follow_redirects=True)


def come_in_by(page: "Page", link: str) -> None:
    """Open a sign-in link in a browser and press its button."""
    page.goto(link)
    page.get_by_role("button", name="Sign in as").click()
    page.wait_for_url(lambda place: "/account/link/" not in place)


class Web(Installation):
    """The web server in a process of its own and, on demand, the worker in another."""

    def __init__(self, data_dir: Path, tokens: Mapping[str, str], **environment: str) -> None:
        super().__init__(data_dir, **UNLIMITED | environment)
        # Another one with these works on the same databases.
        self.engine = {name: environment[name] for name in URLS if name in environment}
        self.tokens = tokens
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Program | None = None
        self.worker: Program | None = None
        self._clients: list[httpx.Client] = []

    def client(self, person: str | None = None, *, timeout: float = PATIENCE) -> httpx.Client:
        """Return an HTTP client, with the API token of owner, colleague or stranger if named."""
        headers = {"Authorization": f"Bearer {self.tokens[person]}"} if person else {}
        # Nothing here speaks TLS, and to read the machine's certificates takes each client 24 ms.
        client = httpx.Client(base_url=self.url, headers=headers, timeout=timeout, verify=False)
        self._clients.append(client)
        return client

    def sign_in_link(self, person: str) -> str:
        """Return a one-time link that signs the person in."""
        return self.manage(
            "sign_in_link", person, "--base-url", self.url, "--reason", "a test"
        ).split()[-1]

    def start(self) -> None:
        """Start the web server and wait until it answers."""
        with open_listening_socket("127.0.0.1", self.port) as listener:
            descriptor = listener.fileno()
            self.process = self.spawn(
                *build_web_command(descriptor), log="web.log", pass_fds=[descriptor]
            )
        wait_until(self._answers, what="the web server")

    def kill(self) -> None:
        """Kill the web server as `kill -9` does; `start` brings it back on the same address."""
        if self.process:
            end(self.process, signal.SIGKILL)

    def start_worker(self) -> None:
        """Start the Celery worker with its beat and wait until it takes tasks."""
        ready = self.data_dir / "worker.ready"
        ready.unlink(missing_ok=True)
        self.environment["WORKER_READY_FILE"] = str(ready)
        self.worker = self.spawn(*build_worker_command(), log="worker.log")
        wait_until(ready.exists, what="the worker")

    def kill_worker(self) -> None:
        """Kill worker, pool and beat as `kill -9` does."""
        if self.worker:
            end(self.worker, signal.SIGKILL)

    def stop(self) -> None:
        """Stop whatever runs, and close the clients."""
        for client in self._clients:
            client.close()
        # A worker would first finish what it has begun; nothing is lost with it (memory.jobs).
        self.kill_worker()
        if self.process:
            end(self.process)

    def _answers(self) -> bool:
        assert self.process
        assert self.process.poll() is None, f"the web server ended:\n{self.log()}"
        try:
            return httpx.get(f"{self.url}/healthz", timeout=5, verify=False).status_code == 200
        except httpx.TransportError:
            return False


class Blueprint:
    """An installation prepared once: migrated, sample library loaded, three people with tokens."""

    def __init__(self, folder: Path, engine: Mapping[str, str]) -> None:
        """Prepare it; `engine` is empty for SQLite, or the URLs of a PostgreSQL server."""
        self._folder = folder
        self._engine = engine
        self._number = next(numbers)
        if engine:
            self._prepare(folder / "original")
            self._original = folder / "original"
        else:  # one for all lanes
            mould = moulds.place(*moulds.PRODUCT, "tests/people.py", "tests/servers.py")
            self._original = moulds.made(mould / "installation", self._prepare, fresh=True)
        self.tokens = json.loads((self._original / TOKENS).read_text())

    def copy(self, **environment: str) -> Web:
        """Return a copy with databases of its own, in the environment, not yet started."""
        folder = self._folder / f"copy-{next(numbers)}"
        shutil.copytree(self._original, folder)
        databases = self._databases(copied=True)
        return Web(folder, self.tokens, **databases | environment)

    def _prepare(self, data_dir: Path) -> None:
        original = Installation(data_dir, **self._databases())
        data_dir.mkdir(mode=0o700)
        if not self._engine:
            copy_migrated(data_dir)
        (data_dir / TOKENS).write_text(original.python(PREPARE).splitlines()[-1])

    def _databases(self, *, copied: bool = False) -> dict[str, str]:
        number = next(numbers) if copied else self._number
        return {
            variable: self._create(variable, url, number, copied=copied)
            for variable, url in self._engine.items()
        }

    def _create(self, variable: str, url: str, number: int, *, copied: bool) -> str:
        name = f"{variable.lower()}_{number}"
        migrated = moulds.templates.get(ALIASES[variable], "template0")
        template = f"{variable.lower()}_{self._number}" if copied else migrated
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return urlsplit(url)._replace(path=f"/{name}").geturl()


class Redis:
    """A Redis server of its own that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--save", "", "--dir", str(folder)],
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        wait_until(self._answers, what="redis-server")

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal: SIGSTOP freezes it, SIGKILL kills it."""
        os.kill(self._process.pid, number)

    def wipe(self) -> None:
        """Delete all that it has, as FLUSHALL does."""
        import redis

        redis.from_url(self.url).flushall()

    def stop(self) -> None:
        end(self._process)

    def _answers(self) -> bool:
        import redis

        try:
            return bool(redis.from_url(self.url).ping())
        except redis.ConnectionError:
            return False
