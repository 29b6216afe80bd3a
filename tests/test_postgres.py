"""The server of the tests' own, `python -m tests.postgres`, goes with whoever began it."""

import subprocess
from pathlib import Path

from tests.surroundings import PYTHON, ROOT, end, wait_until

# Writes where the server's files are, and ends only if it is told to.
COMMAND = """
import os, sys, time, urllib.parse
url = urllib.parse.urlsplit(os.environ["DATABASE_URL"])
folder = urllib.parse.parse_qs(url.query)["host"][0]
with open(sys.argv[1] + ".new", "w") as file:
    file.write(folder)
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""


def test_ending_it_ends_the_command_and_the_server(tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = [PYTHON, "-m", "tests.postgres", "--hasty", PYTHON, "-c", COMMAND, str(told)]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, text=True)
    try:
        wait_until(told.exists, what="the command")
        sockets = list(Path(told.read_text()).glob(".s.PGSQL.*"))
        assert sockets
    finally:
        assert end(process) == 128 + 15
    assert not any(socket.exists() for socket in sockets)
