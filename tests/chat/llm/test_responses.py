"""What a model's server answers over HTTP, in whatever pieces it arrives."""

import random

import httpx2
import pytest

from chat.llm.transport.responses import MOST_UNFINISHED, IncomingResponse

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LONG = HEAD + b"Content-Length: 4\r\n\r\n"
# What comes, the body that it has, and whether the connection may be asked again.
WHOLE = {
    "by its length": (LONG + b"said", b"said", True),
    "empty": (HEAD + b"Content-Length: 0\r\n\r\n", b"", True),
    "in chunks": (CHUNKED + b"2\r\nsa\r\n2\r\nid\r\n0\r\n\r\n", b"said", True),
    "with trailers": (CHUNKED + b"4\r\nsaid\r\n0\r\nX-Cost: 1\r\n\r\n", b"said", True),
    "by lines of one sign": (LONG.replace(b"\r", b"") + b"said", b"said", True),
    "of two lengths": (CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\n")
                       + b"4\r\nsaid\r\n0\r\n\r\n", b"said", True),
    "and goodbye": (HEAD + b"Connection: close\r\n" + LONG[len(HEAD) :] + b"said", b"said", False),
    "of the last century": (LONG.replace(b"1.1", b"1.0") + b"said", b"said", False),
    "after a word before": (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + LONG + b"said",
                            b"said", True),
    "and another, unasked": (LONG + b"said" + LONG + b"more", b"said", False),
    "and something else": (LONG + b"said" + b"\0\0\0", b"said", False),
}  # fmt: skip
BROKEN = {
    "no HTTP": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "no length": HEAD + b"Content-Length: many\r\n\r\n",
    "no chunk": CHUNKED + b"said\r\n",
    "another protocol": b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
}


def fed(come: bytes, *, seed: int) -> tuple[IncomingResponse, bytes]:
    """Return the response, come in pieces at random, and its body."""
    response, body, chance, at = IncomingResponse(), b"", random.Random(seed), 0
    while at < len(come) and not response.is_whole:
        size = chance.choice([1, 2, 7, len(come)]) if seed else len(come)
        response.feed(come[at : at + size])
        body += response.taken()
        at += size
    return response, body


@pytest.mark.parametrize("name", WHOLE)
def test_a_response_is_the_same_in_whatever_pieces(name: str) -> None:
    come, said, may_go_on = WHOLE[name]
    for seed in range(20):
        response, body = fed(come, seed=seed)
        assert (response.status, response.has_head, response.is_whole) == (200, True, True)
        assert body == said
        assert response.headers[0] == (b"Content-Type", b"text/plain")
        assert not any(name in (b"Link", b"X-Cost") for name, _ in response.headers)
        if not seed:  # else what is behind it may not have come yet
            assert response.may_go_on == may_go_on


def test_one_that_says_nothing_of_its_length_ends_with_the_connection() -> None:
    response, body = fed(HEAD + b"\r\nsaid", seed=3)
    assert (body, response.is_whole) == (b"said", False)
    response.close()
    assert (response.is_whole, response.may_go_on) == (True, False)


@pytest.mark.parametrize("come", [b"", HEAD, LONG + b"sai", CHUNKED + b"4\r\nsaid\r\n"])
def test_one_that_is_left_in_the_middle_is_broken(come: bytes) -> None:
    response, _ = fed(come, seed=1)
    with pytest.raises(httpx2.RemoteProtocolError):
        response.close()


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_answer_is_refused(name: str) -> None:
    for seed in range(5):
        with pytest.raises(httpx2.RemoteProtocolError):
            fed(BROKEN[name], seed=seed)


@pytest.mark.parametrize(
    ("begins", "goes_on"),
    [
        (b"HTTP/1.1 200 OK\r\nX: ", b"y" * 1024),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 200),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 40),
        (CHUNKED + b"4;", b"y" * 1024),
        (CHUNKED + b"0\r\nX: ", b"y" * 1024),
        (CHUNKED + b"0\r\n", b"X: y\r\n" * 200),
    ],
)
def test_nothing_but_a_body_goes_on_for_ever(begins: bytes, goes_on: bytes) -> None:
    response = IncomingResponse()
    response.feed(begins)
    with pytest.raises(httpx2.RemoteProtocolError):
        for _ in range(2 * MOST_UNFINISHED // len(goes_on)):
            response.feed(goes_on)


def test_a_body_may_go_on() -> None:
    response, size = IncomingResponse(), 0
    response.feed(CHUNKED)
    for _ in range(500):
        response.feed(b"400\r\n" + b"y" * 1024 + b"\r\n")
        size += len(response.taken())
    assert size == 500 * 1024 > MOST_UNFINISHED
