"""Who writes to SQLite waits in line: in order, not for ever, and without holding up the rest."""

import gc
import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import pytest
from django.db import OperationalError, connection, connections, transaction

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.models import Job, Turn, User
from memory.outages import is_passing
from memory.sqlite import turns
from memory.sqlite.turns import NoTurn, ThreadLine, WriteLine, long_patience
from tests.surroundings import PYTHON, ROOT, wait_until

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers"),
]
NOBODY = UUID(int=0)
WRITERS = """
import sqlite3, sys, threading, time
from memory.sqlite.turns import WriteLine
path, line = sys.argv[1], WriteLine.of(sys.argv[1])
begin = float(sys.argv[2])
def write():
    database = sqlite3.connect(path, timeout=20, isolation_level=None)
    time.sleep(max(0, begin - time.time()))
    for _ in range(8):
        turn = line.turn()
        number = database.execute("SELECT number FROM writes").fetchone()[0]
        time.sleep(0.002)
        database.execute("UPDATE writes SET number = ?", [number + 1])
        turn.give()
threads = [threading.Thread(target=write) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
EAGER = """
import sys
from memory.sqlite.turns import WriteLine
line = WriteLine.of(sys.argv[1])
while True:
    turn = line.turn()
    print("wrote", flush=True)
    turn.give()
"""


def test_writers_of_several_processes_take_turns_and_none_writes_over_another(
    tmp_path: Path,
) -> None:
    path = tmp_path / "writes.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE writes (number int)")
        database.execute("INSERT INTO writes VALUES (0)")
        begin = str(time.time() + 0.7)
        writers = [
            subprocess.Popen([PYTHON, "-c", WRITERS, str(path), begin], cwd=ROOT) for _ in range(3)
        ]
        assert [writer.wait(60) for writer in writers] == [0, 0, 0]
        assert database.execute("SELECT number FROM writes").fetchone() == (3 * 6 * 8,)


def test_who_has_just_written_lets_the_process_come_first_that_waits(tmp_path: Path) -> None:
    path, wrote = str(tmp_path / "a"), tmp_path / "wrote"
    line = WriteLine.of(path)
    turn = line.turn()
    with wrote.open("w") as output:
        other = subprocess.Popen([PYTHON, "-c", EAGER, path], cwd=ROOT, stdout=output)
    for _ in range(8):
        wait_until(lambda: somebody_is_next(line), what="the other process in the line")
        before = wrote.stat().st_size
        turn.give()
        turn = line.turn()
        assert wrote.stat().st_size > before
    other.kill()
    other.wait()
    turn.give()


def somebody_is_next(line: WriteLine) -> bool:
    """Whether another process waits for this one's turn to end."""
    if free := line._locked(turns.NEXT):
        line._unlock(turns.NEXT)
    return not free


def test_a_turn_comes_in_order_and_ends_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.1)
    line = WriteLine.of(str(tmp_path / "a"))
    turn = line.turn()
    with ThreadPoolExecutor(1) as other, pytest.raises(NoTurn):
        other.submit(line.turn).result()
    turn.give()
    turn.give()  # twice is once
    line.turn().give()


def test_threads_are_served_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    line, served = WriteLine.of(str(tmp_path / "a")), []
    turn = line.turn()

    def write(number: int) -> None:
        mine = line.turn()
        served.append(number)
        mine.give()

    with ThreadPoolExecutor(20) as threads:
        for number in range(20):
            threads.submit(write, number)
            wait_until(lambda: len(line._threads._waiting) == number + 1)  # noqa: B023
        turn.give()
    assert served == list(range(20))


def test_who_gives_up_stands_in_nobodys_way(tmp_path: Path) -> None:
    line = ThreadLine()
    assert line.acquire(timeout=0)
    assert not line.acquire(timeout=0)
    line.release()
    assert line.acquire(timeout=0)


def test_another_process_is_waited_for_and_its_death_gives_its_turn_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "a")
    code = "import sys; from memory.sqlite.turns import WriteLine; turn = WriteLine.of(sys.argv[1])"
    other = subprocess.Popen(
        [PYTHON, "-c", f"{code}.turn(); print('mine', flush=True); sys.stdin.read()", path],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout
    assert other.stdout.readline() == "mine\n"
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.1)
    with pytest.raises(NoTurn):
        WriteLine.of(path).turn()
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 10)
    other.kill()
    WriteLine.of(path).turn().give()
    other.communicate()


def test_a_fork_has_no_turn_and_gives_none_back(tmp_path: Path) -> None:
    line = WriteLine.of(str(tmp_path / "a"))
    turn = line.turn()
    if not (child := os.fork()):
        turn.give()
        free = line._threads.acquire(timeout=0)  # its own line is empty
        taken = not line._locked(turns.NOW)  # and its parent's turn holds
        os._exit(0 if free and taken else 1)
    assert os.waitpid(child, 0)[1] == 0
    turn.give()


# --- Django's connections -------------------------------------------------------------------------


@pytest.fixture
def busy(transactional_db: None) -> Iterator[None]:
    """Let another thread write, in a transaction that doesn't end before the test does."""
    begun, over = Event(), Event()

    def write() -> None:
        with transaction.atomic():
            begun.set()
            over.wait(30)
        connection.close()

    writer = Thread(target=write)
    writer.start()
    assert begun.wait(30)
    yield
    over.set()
    writer.join()


def begin() -> None:
    with transaction.atomic():
        pass


def write_alone() -> None:
    Job.objects.filter(pk=NOBODY).update(fence=1)


@pytest.mark.parametrize("act", [begin, write_alone])
@pytest.mark.usefixtures("busy")
def test_who_waits_in_vain_hears_that_the_database_is_locked(
    act: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.1)
    with pytest.raises(OperationalError, match="locked") as raised:
        act()
    assert is_passing(raised.value)


def test_an_answer_that_was_promised_waits_longer_than_who_may_still_be_refused(
    transactional_db: None, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = take_turn(create_session(owner), Question("What is the Determination Date?"))
    line = WriteLine.of(str(connection.settings_dict["NAME"]))
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0)
    begun, waited_for = Event(), []

    def write() -> None:
        with long_patience(), transaction.atomic():
            begun.set()
            waited_for.append(wait_until(lambda: len(line._threads._waiting)))
        connection.close()

    writer = Thread(target=write)
    writer.start()
    assert begun.wait(30)
    with pytest.raises(OperationalError, match="locked"):
        begin()
    assert asked.attempt
    assert answer_now(asked.attempt).status == Turn.Status.COMPLETE
    writer.join()
    assert waited_for == [1]


@pytest.mark.usefixtures("busy")
def test_who_reads_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0)
    assert not Job.objects.filter(pk=NOBODY).exists()


def test_a_turn_ends_with_its_transaction_however_that_ends(transactional_db: None) -> None:
    line = WriteLine.of(str(connection.settings_dict["NAME"]))

    def is_free() -> bool:
        free = line._threads.acquire(timeout=0)
        if free:
            line._threads.release()
        return free

    with transaction.atomic():
        assert not is_free()
    assert is_free()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        _ = 1 / 0
    assert is_free()
    with pytest.raises(OperationalError), transaction.atomic():
        connection.cursor().execute("SELECT nothing")
    assert is_free()

    def die() -> None:
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        assert not is_free()
        del connections["default"]

    forgetful = Thread(target=die)
    forgetful.start()
    forgetful.join()
    gc.collect()
    line.turn().give()  # whoever forgot its transaction has given its turn back
