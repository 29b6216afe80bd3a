"""Connections to a model's server: in the clear and by TLS, and how often they are read."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from chat.llm.transport import network
from chat.llm.transport.network import SHORTEST_PAUSE, Transport
from tests.surroundings import PATIENCE

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """The certificate of 127.0.0.1, with its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    place, pem = tmp_path / "server.pem", serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    place.write_bytes(key.private_bytes(pem, *plain) + made.public_bytes(pem))
    return place


async def asked(
    serve: Serve,
    *,
    times: int = 1,
    by_tls: Path | None = None,
    trusts: Path | None = None,
    patience: float = PATIENCE,
) -> list[httpx2.Response]:
    """Return what a server of our own answers."""
    served, trusted = None, ssl.create_default_context(cafile=trusts)
    if by_tls:
        served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        served.load_cert_chain(by_tls)
    server = await asyncio.start_server(serve, "localhost", 0, ssl=served)
    port, scheme = server.sockets[0].getsockname()[1], "https" if by_tls else "http"
    transport = Transport(trusted, httpx2.Limits(max_keepalive_connections=1))
    async with httpx2.AsyncClient(transport=transport, timeout=patience) as client:
        try:
            return [await client.get(f"{scheme}://localhost:{port}/") for _ in range(times)]
        finally:
            await transport.aclose()
            server.close()
            await asyncio.sleep(0.05)  # until each end has heard of the other's


@asynccontextmanager
async def client_of(serve: Serve) -> AsyncIterator[tuple[httpx2.AsyncClient, str]]:
    """Give a client, and the address of a server of our own."""
    server = await asyncio.start_server(serve, "localhost", 0)
    transport = Transport(ssl.create_default_context(), httpx2.Limits())
    async with httpx2.AsyncClient(transport=transport) as client:
        yield client, f"http://localhost:{server.sockets[0].getsockname()[1]}/"
    server.close()


def talking(words: int, pause: float) -> Serve:
    """Return a server that says a word at a time."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(words):
            writer.write(b"word ")
            await asyncio.sleep(pause)
        writer.close()

    return talk


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer whatever is asked over the connection, as long as it stays."""
    with suppress(asyncio.IncompleteReadError):
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(HEAD % 4 + b"said")
    writer.close()


async def test_a_server_is_asked_over_one_connection_for_as_long_as_it_stays() -> None:
    connections = []

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        await answer(reader, writer)

    answers = await asked(counted, times=3)
    assert [each.text for each in answers] == ["said"] * 3
    assert len(connections) == 1


async def test_one_that_the_server_has_closed_is_not_asked_again() -> None:
    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD % 4 + b"said")
        await writer.drain()
        writer.close()

    answers = await asked(once, times=3)
    assert [each.text for each in answers] == ["said"] * 3


async def test_by_tls_it_is_asked_if_its_certificate_is_trusted(certificate: Path) -> None:
    (said,) = await asked(answer, by_tls=certificate, trusts=certificate)
    assert said.text == "said"
    with pytest.raises(httpx2.ConnectError):
        await asked(answer, by_tls=certificate)


async def test_silence_and_a_connection_that_breaks_are_told_by_their_names() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def broken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD % 9 + b"half")
        await writer.drain()
        writer.transport.abort()

    with pytest.raises(httpx2.ReadTimeout):
        await asked(silent, patience=1)
    with pytest.raises((httpx2.ReadError, httpx2.RemoteProtocolError)):
        await asked(broken)


async def test_what_comes_in_short_order_is_read_together_and_what_comes_first_at_once() -> None:
    words, pause = 40, SHORTEST_PAUSE / 10

    read: list[bytes] = []
    async with (
        client_of(talking(words, pause)) as (client, place),
        client.stream("GET", place) as response,
    ):
        async for piece in response.aiter_raw():
            read.append(piece)
    assert b"".join(read) == b"word " * words
    assert len(read) < words / 2
    assert len(read[0]) < len(b"word ") * 5  # counted, since both ends are held up together


async def test_streams_are_read_at_the_same_moments_whenever_their_words_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "READS_A_SECOND", 1)  # as where very many are read
    streams, pause = 8, 0.3

    moments: list[float] = []

    async def read(client: httpx2.AsyncClient, place: str, number: int) -> None:
        await asyncio.sleep(number * pause / streams)
        async with client.stream("GET", place) as response:
            pieces = [asyncio.get_running_loop().time() async for _ in response.aiter_raw()]
        moments.extend(pieces[1:-1])  # the first word is read as it comes, and so is the end

    async with client_of(talking(6, pause)) as (client, place):
        await asyncio.gather(*(read(client, place, number) for number in range(streams)))
    moments.sort()
    together = 1 + sum(later - earlier > 0.01 for earlier, later in pairwise(moments))
    assert together < len(moments) / 3


async def test_a_header_of_two_lines_is_not_sent() -> None:
    async with client_of(answer) as (client, place):
        with pytest.raises(httpx2.LocalProtocolError):
            await client.get(place, headers={"Authorization": "Bearer key\r\nX-More: yes"})


async def test_one_whose_answer_was_not_read_to_its_end_is_not_asked_again() -> None:
    connections = []

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            writer.write(HEAD % 1_000_000)
            while not writer.is_closing():
                writer.write(b"word ")
                await writer.drain()
                await asyncio.sleep(0.01)

    async with client_of(endless) as (client, place):
        for _ in range(2):
            async with client.stream("GET", place) as response:
                assert await anext(response.aiter_raw())
    await asyncio.sleep(0.05)
    assert len(connections) == 2
    assert all(each.is_closing() for each in connections)
