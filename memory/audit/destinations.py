"""External destinations: a file, a syslog server over UDP, TCP or TLS, and an HTTP address."""

import os
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
from django.utils import timezone

SECONDS = 5  # to reach a destination, and for each of its answers
PORTS = {"syslog": 514, "syslog+udp": 514, "syslog+tls": 6514}
# RFC 5424: log audit (13), notice (5).
PRIORITY = 13 * 8 + 5


def send(documents: Sequence[str], place: str) -> None:
    """Send the documents in order; raises OSError or HTTPError unless all were accepted."""
    parts = urlsplit(place)
    if parts.scheme in ("http", "https"):
        for document in documents:
            _post(document, place)
    elif parts.scheme in PORTS:
        address = parts.hostname or "localhost", parts.port or PORTS[parts.scheme]
        messages = [_format_syslog_message(document) for document in documents]
        if parts.scheme == "syslog+udp":
            _send_datagrams(messages, address)
        else:
            _send_stream(messages, address, is_encrypted=parts.scheme == "syslog+tls")
    else:
        _append(documents, Path(parts.path))


def _post(document: str, place: str) -> None:
    """Post the document; only the status of the response is read."""
    headers = {"Content-Type": "application/json"}
    with httpx2.stream(
        "POST", place, content=document, headers=headers, timeout=SECONDS
    ) as response:
        response.raise_for_status()


def _append(documents: Sequence[str], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, "".join(f"{document}\n" for document in documents).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _format_syslog_message(document: str) -> bytes:
    head = f"<{PRIORITY}>1 {timezone.now().isoformat()} {socket.gethostname()} throughline"
    return f"{head} {os.getpid()} audit - {document}".encode()


def _send_datagrams(messages: Sequence[bytes], address: tuple[str, int]) -> None:
    """Send each message as one datagram (RFC 5426), without confirmation."""
    family, kind, protocol, _name, resolved = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[
        0
    ]
    with socket.socket(family, kind, protocol) as connection:
        connection.connect(resolved)
        for message in messages:
            connection.send(message)


def _send_stream(
    messages: Sequence[bytes], address: tuple[str, int], *, is_encrypted: bool
) -> None:
    """Send with the length before each message (RFC 6587, 5425), and wait for the other's close.

    Syslog confirms nothing. But a receiver that read all of it closes in turn, while one that died
    resets the connection, or is silent until the timeout.
    """
    frames = b"".join(b"%d %s" % (len(message), message) for message in messages)
    with socket.create_connection(address, timeout=SECONDS) as plain:
        if not is_encrypted:
            plain.sendall(frames)
            plain.shutdown(socket.SHUT_WR)
            _wait_for_end(plain)
            return
        context = ssl.create_default_context()
        with context.wrap_socket(plain, server_hostname=address[0]) as sealed:
            sealed.sendall(frames)
            with suppress(ssl.SSLEOFError):  # closed without TLS's own end, as is common
                sealed.unwrap()


def _wait_for_end(connection: socket.socket) -> None:
    if connection.recv(1):
        raise ConnectionError("The receiver answered instead of closing.")
