"""Programs that tests start as forks run as they do in life."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests import forked
from tests.servers import Installation
from tests.surroundings import PATIENCE, PROGRAMS, PYTHON, end, wait_until

SHOW = """
import json, os, shutil, sys, tempfile
print(json.dumps({
    "environment": dict(os.environ), "arguments": sys.argv,
    "name": __name__, "here": os.getcwd(), "temporary": tempfile.gettempdir(),
    "on the path": shutil.which("pg_dump"),
    "ours": [name for name in sys.modules if name.split(".")[0] in ("config", "memory", "chat")],
    "settings": [name for name in sys.modules if name.startswith("django.contrib.auth")],
    "open": sorted(os.listdir("/proc/self/fd"))[:-1],
}))
"""

EMBED = """
import django; django.setup()
from memory.text.embedding import embedder
print(embedder().model, embedder().embed(["The harbour has 240 berths."]).tolist())
"""


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    return Installation(tmp_path, TMPDIR=str(tmp_path), PATH=f"{PROGRAMS}:{os.environ['PATH']}")


def test_a_fork_is_told_and_has_what_the_program_would_be_and_have_in_life(
    place: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_fork = json.loads(place.run(PYTHON, "-c", SHOW, "one", "two"))
    monkeypatch.setattr(forked, "is_test_run", False)
    assert as_fork == json.loads(place.run(PYTHON, "-c", SHOW, "one", "two"))
    assert as_fork["arguments"] == ["-c", "one", "two"]
    assert as_fork["on the path"] == str(PROGRAMS / "pg_dump")


def test_a_fork_embeds_as_a_program_does_in_life(
    place: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_fork = place.run(PYTHON, "-c", EMBED)
    monkeypatch.setattr(forked, "is_test_run", False)
    assert as_fork == place.run(PYTHON, "-c", EMBED)


def test_a_program_of_more_than_settings_starts_as_in_life(place: Installation) -> None:
    command = (PYTHON, "manage.py", "check")
    assert forked.can_be_forked(command, place.environment)
    for told in ({"PYTHONHASHSEED": "1"}, {"LD_PRELOAD": "faketime"}, {"HOME": "/"}):
        assert not forked.can_be_forked(command, place.environment | told)
    assert not forked.can_be_forked(("prlimit", *command), place.environment)


def test_a_fork_ends_as_it_says_or_is_ended_with_its_group(place: Installation) -> None:
    failing = forked.run([PYTHON, "-c", "import sys; sys.exit('No.')"], place.environment)
    assert (failing.returncode, failing.stderr) == (1, "No.\n")
    broken = forked.run([PYTHON, "-c", "1 / 0"], place.environment)
    assert broken.returncode == 1
    assert broken.stderr.endswith("ZeroDivisionError: division by zero\n")

    code = "import subprocess; subprocess.run(['sh', '-c', 'echo $$; sleep 600'])"
    fork = place.spawn(PYTHON, "-c", code, log="log")
    assert isinstance(fork, forked.Fork)
    child = int(wait_until(lambda: place.log("log").strip(), what="its child"))
    assert fork.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        fork.wait(0.01)
    assert end(fork, signal.SIGKILL) == fork.returncode == -signal.SIGKILL
    wait_until(lambda: not is_running(child), patience=PATIENCE, what="its child's end")


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
