"""A client that costs little: what it takes of the processor is not there for the product."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

# Status codes of a refusal for lack of capacity.
REFUSALS = (409, 429, 503)
# In a stream that began at the door.
REFUSED = re.compile(rb'"turn":\s?null,\s?"status":\s?(\d+)')
TURN_ID = re.compile(rb'"turn_id":\s?"([0-9a-f-]{36})"')


@dataclass
class Answer:
    """One answer over HTTP, its body as it comes."""

    status: int
    headers: Mapping[str, str]
    pieces: AsyncIterator[bytes]

    async def body(self) -> bytes:
        """Return the rest of the body."""
        return b"".join([piece async for piece in self.pieces])


@dataclass(frozen=True)
class Client:
    """Asks one server; each request has a connection of its own."""

    port: int

    async def request(
        self, method: str, path: str, headers: Mapping[str, str], body: object = None
    ) -> Answer:
        """Send a request and return its answer as soon as its head has come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        sent = b"" if body is None else json.dumps(body).encode()
        fields = {
            "host": f"127.0.0.1:{self.port}",
            "connection": "close",
            "content-length": str(len(sent)),
            "content-type": "application/json",
        } | headers
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {it}" for name, it in fields.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + sent)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        told = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head)
        }
        return Answer(int(head[0].split()[1]), told, _pieces(reader, writer, told))


async def _pieces(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: Mapping[str, str]
) -> AsyncIterator[bytes]:
    try:
        if "chunked" not in headers.get("transfer-encoding", ""):
            length = headers.get("content-length")
            yield await (reader.read() if length is None else reader.readexactly(int(length)))
            return
        while size := int(await reader.readline(), 16):
            yield (await reader.readexactly(size + 2))[:-2]
    finally:
        writer.close()


@dataclass
class Asked:
    """The outcome of one question, with times in seconds since the scenario began."""

    session: str
    token: str
    sent: float
    status: int = 0
    retry_after: bool = False
    turn: str = ""
    # After how long it was told that there is no room.
    refused_after: float | None = None
    first: float | None = None
    ended: float | None = None
    # How often the stream broke off and was taken up again.
    resumed: int = 0
    events: int = 0
    trouble: str = ""
    # The turn's status afterwards, and whether its stored text is complete.
    kept: str = ""
    whole: bool = False
    headers: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def taken(self) -> bool:
        return bool(self.turn)


async def ask(client: Client, asked: Asked, question: str, begun: float) -> None:
    """Ask, follow the answer to its end, and take a broken stream up again."""
    asked.headers = {"authorization": f"Bearer {asked.token}", "accept": "text/event-stream"}
    path = f"/api/v1/sessions/{asked.session}/turns"
    try:
        answer = await client.request("POST", path, asked.headers, {"query": question})
        asked.status = answer.status
        asked.retry_after = "retry-after" in answer.headers
        if answer.status not in (200, 201):
            await answer.body()
            if answer.status in REFUSALS:
                asked.refused_after = time.monotonic() - begun - asked.sent
            return
        await _follow(answer, asked, begun)
    except (OSError, EOFError, ValueError) as error:
        asked.trouble = type(error).__name__
    while asked.taken and asked.ended is None and asked.resumed < 5:
        await _take_up_again(client, asked, begun)


async def _take_up_again(client: Client, asked: Asked, begun: float) -> None:
    asked.resumed += 1
    path = f"/api/v1/sessions/{asked.session}/turns/{asked.turn}/events"
    try:
        await asyncio.sleep(1)
        await _follow(await client.request("GET", path, asked.headers), asked, begun)
    except (OSError, EOFError, ValueError) as error:
        asked.trouble = type(error).__name__


async def _follow(answer: Answer, asked: Asked, begun: float) -> None:
    async for piece in answer.pieces:
        if not asked.turn and (named := TURN_ID.search(piece)):
            asked.turn = named[1].decode()
        if not asked.turn and (status := REFUSED.search(piece)):
            asked.status = int(status[1])
            asked.retry_after = b'"retry_after":' in piece
            if asked.status in REFUSALS:
                asked.refused_after = time.monotonic() - begun - asked.sent
            continue
        if b"event: delta" in piece:
            asked.events += 1
            asked.first = asked.first or time.monotonic() - begun
        if b"event: done" in piece or b"event: error" in piece:
            asked.ended = time.monotonic() - begun


async def look_again(client: Client, asked: Asked, expected: str) -> None:
    """Note what the product has kept of the question, and whether the answer is whole."""
    path = f"/api/v1/sessions/{asked.session}/turns/{asked.turn}"
    headers = {"authorization": f"Bearer {asked.token}"}
    answer = await client.request("GET", path, headers)
    if answer.status != 200:
        asked.kept = f"HTTP {answer.status}"
        return
    turn = json.loads(await answer.body())
    asked.kept = turn["status"]
    asked.whole = _words(expected) in _words(turn["response"])


def _words(text: str) -> str:
    return "".join(re.findall(r"[A-Za-z]+", re.sub(r"\[\d+\]", "", text)))
