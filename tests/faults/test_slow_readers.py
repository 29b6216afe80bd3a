"""Who reads slowly, or not at all, keeps nothing that others need."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from django.db import connection

from tests.servers import Web
from tests.surroundings import PATIENCE

# Each is longer than what the machine holds for who doesn't read.
PACKAGES = """
from datetime import timedelta
from django.utils import timezone
from memory.models import ExportPackage, PackagePart
from tests.people import person, token_of
for number in range({people}):
    reader = person(f"reader-{{number}}")
    package = ExportPackage.objects.create(
        owner=reader, status="ready", size=8 << 20, expires_at=timezone.now() + timedelta(days=1)
    )
    for number in range(1, 9):
        part = PackagePart(package=package, owner_id=reader.pk, number=number)
        part.payload = bytes(1 << 20)
        part.save(force_insert=True)
    print(package.pk, token_of(reader))
"""
POOL = 4


def downloads(web: Web, people: int) -> list[bytes]:
    """Return the requests by which so many people fetch their packages."""
    words = web.python(PACKAGES.format(people=people)).split()
    return [
        request_of(web, package, token)
        for package, token in zip(words[-2 * people :: 2], words[1 - 2 * people :: 2], strict=True)
    ]


def request_of(web: Web, package: str, token: str) -> bytes:
    """Return the request by which a person fetches a package, by a link that works once."""
    bearer = f"Bearer {token}"
    link = web.client().post(
        f"/api/v1/packages/{package}/link", json={}, headers={"Authorization": bearer}
    )
    assert link.status_code == 201, link.text
    head = f"Host: localhost\r\nAuthorization: {bearer}\r\n\r\n"
    return f"GET {link.json()['path']} HTTP/1.1\r\n{head}".encode()


def reading_nothing(web: Web, request: bytes) -> socket.socket:
    """Return a connection on which the file has begun to come, and is read no further."""
    reader = socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.sendall(request)
    assert reader.recv(12) == b"HTTP/1.1 200"
    return reader


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool")
@pytest.mark.slow("downloads that stall")
def test_who_reads_a_file_slowly_holds_no_connection_to_the_database(
    start_web: Callable[..., Web],
) -> None:
    web = start_web(DATABASE_POOL=str(POOL))
    requests = downloads(web, 2 * POOL)
    with ExitStack() as held:
        for request in requests:
            held.enter_context(closing(reading_nothing(web, request)))
        others = web.client("stranger", timeout=PATIENCE)
        for _ in range(POOL):
            assert others.get("/api/v1/sessions").status_code == 200


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool")
@pytest.mark.slow("many downloads at once")
def test_downloads_that_begin_at_once_give_their_connections_back(
    start_web: Callable[..., Web],
) -> None:
    """Each is answered in a thread of its own, which must not keep what it has read the rows by."""
    web = start_web(DATABASE_POOL=str(POOL))
    requests = downloads(web, 4 * POOL)
    with ExitStack() as held, ThreadPoolExecutor(len(requests)) as threads:
        begun = [threads.submit(reading_nothing, web, request) for request in requests]
        for reader in begun:
            held.enter_context(closing(reader.result()))
        assert web.client("stranger", timeout=PATIENCE).get("/api/v1/sessions").status_code == 200
