"""P33: what can't be recorded isn't read. P34: nothing that is sent is written into the log."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import resolve

from memory.audit import accesses, recording
from memory.audit.integrity import keeping
from memory.audit.integrity.checking import check
from memory.models import AuditEvent, AuditLink, User
from tests.isolation.belongings import CANARY, Belongings, belongings_of
from tests.isolation.routes import OWN, PERSON, routes
from tests.isolation.test_isolation import FIXED, body_of
from tests.people import person

deep = pytest.mark.deep
TRIALS = [10, pytest.param(250, marks=deep)]  # of each of two ways


@contextmanager
def locked() -> Iterator[None]:
    """Hold SQLite's write lock in another connection."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def full() -> Iterator[None]:
    """Let the database's file grow no further, and fill it."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler (text TEXT)")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        with pytest.raises(OperationalError, match="full"):
            for _row in range(100_000):
                cursor.execute("INSERT INTO filler VALUES (hex(zeroblob(20)))")
        with pytest.raises(OperationalError, match="full"):
            for _row in range(1000):
                recording.record("test.filler", actor=None, subject=User(pk=uuid4()))
        yield
        cursor.execute(f"PRAGMA max_page_count = {2**30}")
        cursor.execute("DROP TABLE filler")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a lock and a file of SQLite's")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize("fail", [locked, full])
def test_p33_no_byte_is_served_that_can_not_be_recorded(
    owner: User,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    fail: Callable[[], Any],
    trials: int,
) -> None:
    belongings = belongings_of(owner)
    client = Client(raise_request_exception=False)
    client.force_login(owner)
    paths = _list_pages(client, belongings)
    settings.AUDIT = "strict"
    monkeypatch.setattr(accesses, "REQUEST_SECONDS", 0.02)
    refused = 0
    with fail():
        for path in islice(cycle(paths), trials):
            answer = client.get(path)
            content = body_of(answer)
            refused += answer.status_code == 503
            # In a full file a small event may still fit into a page.
            assert CANARY.encode() not in content or _is_recorded(path)
    assert refused == trials if fail is locked else refused > trials / 2


def _is_recorded(path: str) -> bool:
    access = accesses.find_access(resolve(path.partition("?")[0]))
    assert access
    done = AuditEvent.objects.filter(outcome=AuditEvent.Outcome.DONE)
    return done.filter(action=access.action, subject_id=access.subject_id).exists()


def _list_pages(client: Client, belongings: Belongings) -> list[str]:
    """Return the addresses that show what the owner has."""
    paths = []
    for route in routes():
        is_read = set(route.parameters) & set(accesses.OBJECTS) or route.name in accesses.LISTS
        if route.access in (OWN, PERSON) and is_read:
            with transaction.atomic():
                answer = client.get(path := route.path(FIXED | belongings.ids))
                if answer.status_code == 200 and CANARY.encode() in body_of(answer):
                    paths.append(path)
                transaction.set_rollback(True)
    assert len(paths) > 20
    return paths


# --- P34 ------------------------------------------------------------------------------------------

HOSTILE = (
    "\r\nX-Forged: yes\r\n\r\n{canary}",
    "\x1b[2J\x1b[31m{canary}",
    '"}}\n{{"type":"event","number":1,"values":["{canary}"]}}',
    "\u202e{canary}\u2066\u200f",
    "{canary}'; DELETE FROM memory_auditevent; --",
)
SENT = "Rohrdommel"


def send_everywhere(owner: User, text: str) -> list[str]:
    """Send the text as a name, an agent, a path and a file's name; return what was recorded."""
    before = AuditEvent.objects.count()
    User.objects.filter(pk=owner.pk).update(username=f"owner {text}"[:150])
    headers = {"User-Agent": text, "X-Request-ID": text}
    client = Client(raise_request_exception=False, headers=headers)
    client.post("/account/login/", {"login": text, "password": text})
    client.force_login(owner)
    file = SimpleUploadedFile("x.txt", b"A text on fees.")
    file.name = f"{text}.txt"
    assert client.post("/library/upload", {"file": file}).status_code == 200
    for path in ("/conversations/{}", "/api/v1/sessions/{}", "/{}"):
        assert client.get(path.format(quote(text))).status_code == 404
    assert client.get("/account/settings", {"q": text}).status_code == 200
    return list(AuditEvent.objects.order_by("id").values_list("action", flat=True)[before:])


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("hostile", HOSTILE, ids=["lines", "ansi", "json", "bidi", "sql"])
def test_p34_nothing_that_is_sent_is_written_into_the_log(
    owner: User, hostile: str, tmp_path: Path, settings: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'anchors.jsonl'}"]
    with transaction.atomic():
        expected = send_everywhere(owner, "harmless")
        transaction.set_rollback(True)
    assert send_everywhere(owner, hostile.format(canary=SENT)) == expected
    keeping.extend_and_anchor()
    call_command("audit", "export", str(tmp_path / "out"))
    exported = (tmp_path / "out" / "audit.jsonl").read_text()
    kinds = Counter(json.loads(line)["type"] for line in exported.splitlines())
    assert kinds["event"] == AuditLink.objects.count()
    admin = Client()
    admin.force_login(person("boss", is_staff=True, is_superuser=True))
    listed = body_of(admin.get("/admin/memory/auditevent/csv/")).decode()
    rows = repr(list(AuditEvent.objects.values_list()))
    for shown in (exported, listed, rows, capfd.readouterr().err):
        assert SENT not in shown
    assert check(anchors=keeping.read_local_anchors()).faults == []
