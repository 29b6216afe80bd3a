"""The product as `manage.py serve` runs it, with many people in it, and what its processes take."""

import contextlib
import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.load.clients import Client
from tests.servers import Web, come_in
from tests.surroundings import PATIENCE, PYTHON, end, free_port, wait_until

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
# The product's processes, by a word of their command.
WEB, WORKER = "uvicorn", "django\0work|celery"
WEB_WORKERS = 2
PEOPLE = """
import json
from django.db import transaction
from memory.conversations.asking import create_session
from memory.models import User
from memory.people.sign_in.links import link_path
from tests.people import token_of
with transaction.atomic(), transaction.atomic("keys"):
    people = []
    for number in range({count}):
        user = User.objects.create_user(f"load-{{number}}", f"load-{{number}}@example.org")
        people.append([token_of(user), str(create_session(user).pk)])
visitor = User.objects.get(username="owner")
print(json.dumps({{"people": people, "link": link_path(visitor)}}))
"""


@dataclass(frozen=True)
class Usage:
    """The resources used so far by the processes of one kind."""

    seconds: float
    megabytes: float


class Served:
    """One installation, its servers running; everyone named in it has a token and a session."""

    def __init__(self, web: Web, people: int) -> None:
        self.web = web
        made = json.loads(web.python(PEOPLE.format(count=people)).splitlines()[-1])
        self.people: list[tuple[str, str]] = [(token, session) for token, session in made["people"]]
        self.client = Client(web.port)
        self._used: dict[str, dict[int, Usage]] = {}
        web.environment |= {"PORT": str(web.port), "WEB_WORKERS": str(WEB_WORKERS)}
        self.process = web.spawn(PYTHON, "manage.py", "serve", "--no-link", log="serve.log")
        try:
            wait_until(self._is_up, what="the servers")
            self.cookie = _signed_in(web.url + made["link"])
        except BaseException:
            self.stop()
            raise

    def _is_up(self) -> bool:
        assert self.process.poll() is None, f"the servers ended:\n{self.web.log('serve.log')}"
        return "is running at" in self.web.log("serve.log")

    def usage(self, kind: str) -> Usage:
        """Return what the processes of the kind have taken, those that ended meanwhile too."""
        used = self._used.setdefault(kind, {})
        family = _family(self.process.pid)
        now = {pid: used_by(pid) for pid in family if re.search(kind, _command(pid))}
        used |= now
        seconds = sum(each.seconds for each in used.values())
        return Usage(seconds, sum(each.megabytes for each in now.values()))

    @property
    def restarts(self) -> int:
        """Return how many web processes had to be replaced."""
        return len(self._used.get(WEB, {})) - WEB_WORKERS

    def stop(self) -> None:
        """Stop all of it."""
        end(self.process)


def _signed_in(link: str) -> dict[str, str]:
    """Return the header that a browser sends once it has followed the link."""
    with httpx.Client(follow_redirects=True, timeout=PATIENCE) as browser:
        come_in(browser, link).raise_for_status()
        return {"cookie": "; ".join(f"{name}={it}" for name, it in browser.cookies.items())}


def used_by(pid: int) -> Usage:
    """Return what the process has taken of processor time and memory so far."""
    with contextlib.suppress(OSError):
        fields = _status(pid)
        return Usage((int(fields[11]) + int(fields[12])) / TICKS, int(fields[21]) * PAGE / 1e6)
    return Usage(0, 0)


def _status(pid: int) -> list[str]:
    """Return the fields of the process's status from its state on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def _family(pid: int) -> set[int]:
    """Return the process and all that it has started."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int(_status(int(folder.name))[1])
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


@contextlib.contextmanager
def model_process(pace: float, tokens: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run the language model in a process of its own; gives it and its port."""
    port = free_port()
    process = subprocess.Popen(
        [PYTHON, "-m", "tests.load.model", str(port), str(pace), str(tokens)],
        text=True,
        start_new_session=True,
    )
    try:
        yield process, port
    finally:
        end(process)
