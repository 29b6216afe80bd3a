"""A language model's server that does what a test tells it to, over real HTTP.

    model_server.reply("It is the second Business Day [1].", delay=0.05)
    model_server.fail(401)
    model_server.refuse("Unsupported parameter: 'max_tokens' ...", lacks="max_completion_tokens")
    model_server.send(b"data: {", b"<html>", kind="text/html")

Each order is for one request, in turn; the last one is kept for all that follow. Every request is
remembered in `model_server.requests`.
"""

import asyncio
import contextlib
import hashlib
import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn

from tests.surroundings import free_port, wait_until

MESSAGES = {
    400: ("context_length_exceeded", "This model's maximum context length is 4096 tokens."),
    401: ("invalid_api_key", "Incorrect API key provided."),
    404: ("model_not_found", "The model does not exist."),
    429: ("rate_limit_exceeded", "Rate limit reached."),
    500: ("server_error", "The server had an error."),
}
Send = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Order:
    """The reply to one request."""

    text: str = "Understood."
    delay: float = 0  # seconds before each chunk
    stall_after: int | None = None  # chunks; then silence, until the client leaves
    hold_after: int | None = None  # chunks; then silence, until the test says `go_on()`
    break_after: int | None = None  # chunks; then the connection breaks
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pieces: Sequence[str] = ()  # as these the text comes, if not by words
    thoughts: Sequence[str] = ()  # come before it, as reasoning_content
    finish: str | None = "stop"  # why it says it ended
    usage: tuple[int, int] | None = None  # tokens of prompt and answer
    is_silent: bool = False  # takes the question, and says nothing until the client leaves
    raw: Iterable[bytes] | None = None  # the whole body, as it is
    kind: str = "text/event-stream"  # the content type of a raw body
    refusal: dict[str, Any] | str | None = None  # the body of a refusal, or its message
    unless: Callable[[dict[str, Any]], bool] | None = None  # of a request, if it isn't refused


class ModelServer:
    """An OpenAI-compatible server in a thread: /v1/chat/completions and /v1/embeddings."""

    def __init__(self) -> None:
        port = free_port()
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.environment = {
            "LLM_BASE_URL": self.base_url,
            "LLM_MODEL": "test-model",
            "LLM_API_KEY": "test-key",
        }
        self._goes_on = threading.Event()
        self.reset()
        config = uvicorn.Config(
            self, port=port, lifespan="off", log_level="critical", timeout_graceful_shutdown=0
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        wait_until(lambda: self._server.started, what="the model server")

    def reset(self) -> None:
        """Forget orders and requests; until told otherwise, reply "Understood."."""
        self.requests: list[dict[str, Any]] = []
        self.told: dict[str, Any] = {}
        # How often vectors were asked for; what is answered then, a body or what makes it of the
        # texts, if not those that depend on the text alone; with which status, after how long.
        self.embedded, self.vectors_status, self.vectors_after = 0, 200, 0.0
        self.vectors: Any = None
        # How often a client left before all was sent, and how many pieces were.
        self.left = self.said = 0
        self._orders = deque([Order()])
        self._fresh = True
        self.go_on()
        self._goes_on = threading.Event()

    def reply(self, text: str, **how: Any) -> None:
        """Answer a request with the text; `how` is delay, hold_after, break_after, finish …"""
        self._order(Order(text, **how))

    def go_on(self) -> None:
        """Say the rest of what is held, and of what would be until the next test."""
        self._goes_on.set()

    def fail(self, status: int, **headers: str) -> None:
        """Refuse a request: 400 (context length exceeded), 401, 404, 429 or 500."""
        self._order(Order(status=status, headers=headers))

    def refuse(
        self,
        body: dict[str, Any] | str,
        *,
        status: int = 400,
        unless: Callable[[dict[str, Any]], bool] | None = None,
    ) -> None:
        """Refuse a request with the message or body, unless it is as it should be."""
        self._order(Order(status=status, refusal=body, unless=unless))

    def send(self, *raw: bytes, raw_of: Iterable[bytes] | None = None, **how: Any) -> None:
        """Send a body as it is, piece by piece; `how` is kind, headers, delay, break_after."""
        self._order(Order(raw=raw if raw_of is None else raw_of, **how))

    def tell(self, path: str, body: Any) -> None:
        """Answer requests to another path, such as /props, with the body."""
        self.told[path] = body

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)

    @property
    def last_request(self) -> dict[str, Any]:
        return self.requests[-1]

    def _order(self, order: Order) -> None:
        if self._fresh:
            self._orders.clear()
            self._fresh = False
        self._orders.append(order)

    def _next_order(self) -> Order:
        return self._orders.popleft() if len(self._orders) > 1 else self._orders[0]

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Send) -> None:
        received = await _body(receive)
        body = json.loads(received) if received else {}
        if scope["path"].endswith("/embeddings"):
            await self._embed(send, receive, body["input"])
            return
        if not scope["path"].endswith("/chat/completions"):
            told = self.told.get(scope["path"])
            await _answer_json(
                send, 404 if told is None else 200, told or {"error": "no such path"}
            )
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append(body | {"headers": headers})
        order = self._next_order()
        if order.unless and order.unless(body):
            order = Order()
        if order.refusal is not None:
            await _answer_json(send, order.status, _refusal(order.refusal), order.headers)
        elif order.status != 200:
            code, message = MESSAGES[order.status]
            error = {"error": {"message": message, "code": code, "type": code, "param": None}}
            await _answer_json(send, order.status, error, order.headers)
        elif order.is_silent:
            await _until_client_leaves(receive)
        elif order.raw is not None:
            await self._raw(send, receive, order)
        elif body.get("stream"):
            await self._stream(send, receive, order, body)
        else:
            await asyncio.sleep(order.delay)
            await _answer_json(send, 200, _completion(order, body["model"]))

    async def _embed(self, send: Send, receive: Any, texts: list[str] | str) -> None:
        self.embedded += 1
        if self.vectors_after:
            leaving = asyncio.ensure_future(_until_client_leaves(receive))
            await asyncio.wait([leaving], timeout=self.vectors_after)
            leaving.cancel()
        answer = self.vectors if self.vectors is not None else _embeddings(texts)
        if callable(answer):
            answer = answer([texts] if isinstance(texts, str) else texts)
        await _answer_json(send, self.vectors_status, answer)

    async def _raw(self, send: Send, receive: Any, order: Order) -> None:
        headers = {"content-type": order.kind} | order.headers
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        leaving = asyncio.ensure_future(_until_client_leaves(receive))
        for number, piece in enumerate(order.raw or ()):
            if number == order.break_after:
                raise ConnectionResetError
            if leaving.done():
                self.left += 1
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(order.delay if not number else 0)
        if order.stall_after is not None:
            await leaving
            return
        leaving.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _stream(self, send: Send, receive: Any, order: Order, body: dict[str, Any]) -> None:
        goes_on, kind = self._goes_on, [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": kind})
        for thought in order.thoughts:
            await _send_event(send, _chunk(body["model"], {"reasoning_content": thought}))
        pieces = order.pieces or re.findall(r"\s*\S+\s*$|\s*\S+", order.text)
        for number, piece in enumerate(pieces):
            if number == order.break_after:
                raise ConnectionResetError  # uvicorn drops the connection in the middle of the body
            if number == order.stall_after:
                await _until_client_leaves(receive)
                return
            while number == order.hold_after and not goes_on.is_set():
                await asyncio.sleep(0.01)
            await asyncio.sleep(order.delay)
            if goes_on is not self._goes_on:
                return  # another test has begun
            self.said += 1
            await _send_event(send, _chunk(body["model"], {"content": piece}))
        if order.finish:
            await _send_event(send, _chunk(body["model"], {}, finish_reason=order.finish))
        if (body.get("stream_options") or {}).get("include_usage"):
            await _send_event(send, _chunk(body["model"], None) | {"usage": _usage(order)})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def _refusal(body: dict[str, Any] | str) -> dict[str, Any]:
    if isinstance(body, dict):
        return body
    return {"error": {"message": body, "type": "invalid_request_error", "code": None}}


async def _body(receive: Any) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def _answer_json(
    send: Send, status: int, payload: Any, headers: dict[str, str] | None = None
) -> None:
    given = {"content-type": "application/json"} | (headers or {})
    pairs = [(name.encode(), value.encode()) for name, value in given.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": _body_of(payload)})


def _body_of(payload: Any) -> bytes:
    return payload if isinstance(payload, bytes) else json.dumps(payload).encode()


async def _until_client_leaves(receive: Any) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass


async def _send_event(send: Send, payload: dict[str, Any]) -> None:
    data = f"data: {json.dumps(payload)}\n\n".encode()
    await send({"type": "http.response.body", "body": data, "more_body": True})


def _chunk(
    model: str, delta: dict[str, Any] | None, finish_reason: str | None = None
) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": [] if delta is None else [choice],
    }


def _completion(order: Order, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(order.pieces) or order.text}
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": order.finish}],
        "usage": _usage(order),
    }


def _usage(order: Order) -> dict[str, int]:
    prompt, answer = order.usage or (100, len(order.text.split()))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
    }


def _embeddings(texts: list[str] | str) -> dict[str, Any]:
    texts = [texts] if isinstance(texts, str) else texts
    rows = [
        {"index": number, "object": "embedding", "embedding": list(_vector(text))}
        for number, text in enumerate(texts)
    ]
    return {"object": "list", "model": "test-embedding", "data": rows, "usage": _usage(Order(""))}


def _vector(text: str) -> Iterator[float]:
    """Yield 8 numbers that depend on the text alone."""
    for byte in hashlib.sha256(text.encode()).digest()[:8]:
        yield byte / 255 - 0.5
