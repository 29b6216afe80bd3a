"""The audit's feed: real receivers that refuse, stall or fail get every event, in order."""

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memory import jobs
from memory.audit import destinations, feed, recording
from memory.audit.integrity import keeping
from memory.checks.values import receivers
from memory.models import AuditFeed, AuditLink, Job, User

pytestmark = pytest.mark.django_db

SECRET = "10.9.8.7"


class Receiver(ThreadingHTTPServer):
    """An HTTP server that answers each batch as it is told: a status, or None to stall."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[int | None] = []
        self.taken: list[dict[str, Any]] = []
        self.stalled = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://key:secret@127.0.0.1:{self.server_port}/audit"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.server.answers.pop(0) if self.server.answers else 200
        if status is None:
            self.server.stalled.wait(10)
            return
        if status == 200:
            assert self.headers["Authorization"].startswith("Basic ")
            self.server.taken += body
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    server = Receiver()
    settings.AUDIT_FEED = [server.address]
    yield server
    server.stalled.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def small(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'anchors.jsonl'}"]
    monkeypatch.setattr(feed, "BATCH", 4)
    monkeypatch.setattr(destinations, "SECONDS", 0.3)


def write(owner: User, count: int = 10) -> None:
    for number in range(count):
        recording.record(f"test.{number}", actor=owner.pk, subject=owner, reason=SECRET)


def run_feed() -> bool:
    """Do what a worker does by the clock; return whether there was something to send."""
    keeping.extend_and_anchor()
    feed.enqueue_feed()
    done = [jobs.run(job.pk) for job in Job.objects.unfinished().filter(kind=feed.FEED)]
    return any(done)


def make_due(later: timedelta = timedelta(0)) -> None:
    """Let time pass since the last failure."""
    for row in AuditFeed.objects.exclude(failing_since=None):
        AuditFeed.objects.update(
            retry_at=timezone.now(), failing_since=(row.failing_since or timezone.now()) - later
        )


def numbers() -> list[int]:
    return list(AuditLink.objects.order_by("number").values_list("number", flat=True))


@pytest.mark.parametrize("failure", ["refused", None, 500, 302])
def test_a_receiver_that_fails_gets_every_event_once_it_takes_them(
    receiver: Receiver, owner: User, settings: Any, failure: Any
) -> None:
    write(owner)
    if failure == "refused":
        settings.AUDIT_FEED = ["http://127.0.0.1:9/audit"]
    else:
        receiver.answers = [200, failure]
    assert run_feed()
    row = AuditFeed.objects.get()
    assert row.failing_since is not None
    assert not run_feed(), "it isn't tried again at once"
    assert feed.measure_lag()[0] == len(numbers()) - len(receiver.taken) > 0
    settings.AUDIT_FEED = [receiver.address]
    make_due()
    assert run_feed()
    assert [event["number"] for event in receiver.taken] == numbers()
    assert feed.measure_lag() == (0, 0.0)
    assert not run_feed()
    assert Job.objects.filter(kind=feed.FEED).count() == 1


def test_what_is_sent_has_ids_and_digests_only(receiver: Receiver, owner: User) -> None:
    write(owner, 1)
    run_feed()
    (event,) = [each for each in receiver.taken if each["action"] == "test.0"]
    assert event["actor_id"] == owner.pk.hex
    assert len(event["reason"]) == 32
    assert SECRET not in json.dumps(receiver.taken)


def test_a_batch_is_sent_again_if_its_sender_died(receiver: Receiver, owner: User) -> None:
    write(owner, 3)
    keeping.extend_and_anchor()
    AuditFeed.objects.create(
        name=feed._name(receiver.address), retry_at=timezone.now() + feed.CLAIM
    )
    assert not run_feed(), "another sender has it"
    AuditFeed.objects.update(retry_at=timezone.now())
    run_feed()
    AuditFeed.objects.update(number=-1)
    run_feed()
    assert [event["number"] for event in receiver.taken] == numbers() * 2


def test_staff_are_told_once_of_a_receiver_that_is_away(
    receiver: Receiver, owner: User, admin: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=admin.pk).update(email="boss@example.org")
    write(owner, 1)
    receiver.answers = [500] * 3
    run_feed()
    assert not mailoutbox
    for _time in range(2):
        make_due(feed.LATE)
        run_feed()
    assert len(mailoutbox) == 1
    assert "secret" not in mailoutbox[0].body


def take_stream(listener: socket.socket, wrap: Callable[[socket.socket], socket.socket]) -> bytes:
    connection = wrap(listener.accept()[0])
    with connection:
        return b"".join(iter(lambda: connection.recv(4096), b""))


def split_frames(data: bytes) -> list[str]:
    found = []
    while data:
        length, _space, rest = data.partition(b" ")
        found.append(rest[: int(length)].decode())
        data = rest[int(length) :]
    return found


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "tls.pem"
    command = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        f"-addext subjectAltName=DNS:localhost -keyout {file} -out {tmp_path}/cert.pem"
    )
    subprocess.run(command.split(), check=True, capture_output=True)
    file.write_text(file.read_text() + (tmp_path / "cert.pem").read_text())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    return file


@pytest.mark.parametrize("scheme", ["syslog", "syslog+tls"])
def test_a_syslog_server_gets_framed_messages_in_order(
    owner: User, settings: Any, certificate: Path, scheme: str
) -> None:
    def wrap(connection: socket.socket) -> socket.socket:
        if scheme == "syslog":
            return connection
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        return context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=True)

    write(owner, 3)
    with socket.create_server(("localhost", 0)) as listener:
        settings.AUDIT_FEED = [f"{scheme}://localhost:{listener.getsockname()[1]}"]
        received: list[bytes] = []
        thread = threading.Thread(target=lambda: received.append(take_stream(listener, wrap)))
        thread.start()
        run_feed()
        thread.join(5)
    messages = split_frames(received[0])
    assert messages[0].startswith("<109>1 20")
    sent = [json.loads(message.split(" - ", 1)[1])["number"] for message in messages]
    assert sent == numbers()[: len(sent)]
    assert AuditFeed.objects.get().number == sent[-1]


@pytest.mark.parametrize("scheme", ["syslog", "syslog+tls"])
def test_what_a_syslog_server_left_unread_is_not_taken(
    owner: User, settings: Any, scheme: str
) -> None:
    write(owner, 3)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.AUDIT_FEED = [f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"]
        run_feed()  # the kernel takes the bytes, and nobody reads them
    row = AuditFeed.objects.get()
    assert (row.number, row.failing_since is None) == (-1, False)


def test_a_datagram_has_one_event(owner: User, settings: Any) -> None:
    write(owner, 3)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        settings.AUDIT_FEED = [f"syslog+udp://127.0.0.1:{listener.getsockname()[1]}"]
        run_feed()
        listener.settimeout(2)
        received = [listener.recv(4096).decode() for _number in numbers()]
    assert [json.loads(each.split(" - ", 1)[1])["number"] for each in received] == numbers()


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("https://siem.example/in", True),
        ("syslog+tls://siem.example", True),
        ("http://127.0.0.1:8080/in", True),
        ("http://siem.example/in", False),
        ("siem.example", False),
    ],
)
def test_a_receiver_that_can_not_be_used_is_refused_at_start(
    settings: Any, address: str, is_allowed: bool
) -> None:
    settings.AUDIT_FEED = [address]
    assert (receivers(None) == []) is is_allowed
