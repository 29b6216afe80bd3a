"""A disk that is really full: 503 and told, nothing lost, and back without a restart."""

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.db import connection

from tests.servers import Blueprint, Web
from tests.surroundings import wait_until

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the disk of PostgreSQL is its own"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk"),
]
API = "/api/v1/sessions"
QUESTION = {"query": "What is the Determination Date?"}
ROOM, LEFT = 12 << 20, 256 << 10


@pytest.fixture
def on_a_small_disk(blueprint: Blueprint, tmp_path: Path) -> Iterator[Web]:
    """The product with a disk of its own, that has little room."""
    origin, disk = blueprint.copy().data_dir, tmp_path / "disk"
    disk.mkdir()
    size = sum(file.stat().st_size for file in origin.rglob("*") if file.is_file()) + ROOM
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be made here")
    web = Web(shutil.copytree(origin, disk / "data"), blueprint.tokens)
    try:
        web.start()
        yield web
    finally:
        web.stop()
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(web: Web) -> Path:
    """Write until there is hardly any room left; return the file."""
    filler = web.data_dir / "filler"
    with filler.open("wb", buffering=0) as file:
        for piece in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"\0" * piece)
            except OSError:
                continue
    os.truncate(filler, filler.stat().st_size - LEFT)
    return filler


def written(web: Web) -> list[str]:
    """Begin conversations until one is refused as it should be; return those that were begun."""
    api, begun = web.client("owner", timeout=30), []
    for number in range(200):
        answer = api.post(API, json={"title": f"Number {number}"})
        if answer.status_code != 201:
            is_told(answer)
            return begun
        begun.append(answer.json()["session_id"])
    raise AssertionError("the disk isn't full")


def is_told(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "unavailable"
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.slow("fills a disk")
def test_a_full_disk_is_told_loses_nothing_and_serves_again_once_there_is_room(
    on_a_small_disk: Web,
) -> None:
    web, api, reader = on_a_small_disk, on_a_small_disk.client("owner"), on_a_small_disk.client()
    assert reader.get(web.sign_in_link("owner"), follow_redirects=True).status_code == 200
    before = api.post(API, json={"title": "Before"}).json()["session_id"]
    filler = fill(web)
    begun = [before, *written(web)]
    is_told(api.post(f"{API}/{before}/turns", json=QUESTION))
    assert web.client().get("/readyz").status_code == 503
    assert web.client().get("/healthz").status_code == 200
    for session in begun:  # what was acknowledged is there, and can be read
        assert reader.get(f"/conversations/{session}").status_code == 200
    filler.unlink()
    emptied = time.monotonic()
    wait_until(lambda: api.post(API, json={"title": "After"}).status_code == 201, patience=30)
    print(f"serves again after {time.monotonic() - emptied:.1f} s; {len(begun)} had been begun")
    assert api.post(f"{API}/{before}/turns", json=QUESTION).status_code == 201
    assert web.client().get("/readyz").json()["checks"]["database"] == "ok"
    web.kill()
    for name in ("throughline.sqlite3", "keys.sqlite3"):
        with closing(sqlite3.connect(web.data_dir / name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
