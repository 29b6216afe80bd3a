"""Who reads slowly, or not at all, keeps nothing that others need."""

import socket
from collections.abc import Callable
from contextlib import ExitStack, closing

import pytest
from django.db import connection

from tests.servers import Web

# Longer than what the machine holds for who doesn't read.
PACKAGE = """
from datetime import timedelta
from django.utils import timezone
from memory.models import ExportPackage, PackagePart, User
person = User.objects.get(username="owner")
package = ExportPackage.objects.create(
    owner=person, status="ready", size=16 << 20, expires_at=timezone.now() + timedelta(days=1)
)
for number in range(1, 17):
    part = PackagePart(package=package, owner_id=person.pk, number=number)
    part.payload = bytes(1 << 20)
    part.save(force_insert=True)
print(package.pk)
"""
POOL = 4


def reading_nothing(web: Web, package: str) -> socket.socket:
    """Return a connection on which the package has begun to come, and is read no further."""
    link = web.client("owner").post(f"/api/v1/packages/{package}/link", json={})
    assert link.status_code == 201, link.text
    reader = socket.create_connection(("127.0.0.1", web.port), timeout=30)
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    token = web.tokens["owner"]
    head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    reader.sendall(f"GET {link.json()['path']} HTTP/1.1\r\n{head}".encode())
    assert reader.recv(12) == b"HTTP/1.1 200"
    return reader


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no pool")
@pytest.mark.slow("downloads that stall")
def test_who_reads_a_file_slowly_holds_no_connection_to_the_database(
    start_web: Callable[..., Web],
) -> None:
    web = start_web(DATABASE_POOL=str(POOL))
    package = web.python(PACKAGE).split()[-1]
    with ExitStack() as held:
        for _ in range(2 * POOL):
            held.enter_context(closing(reading_nothing(web, package)))
        others = web.client("stranger", timeout=20)
        for _ in range(POOL):
            assert others.get("/api/v1/sessions").status_code == 200
