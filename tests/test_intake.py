"""Limits of request bodies, on the real server: small, except for a signed-in person's document."""

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from select import select
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from django.conf import settings

from chat.uploads.admission import BodyRefused, TooManyUploads
from config.serving import bodies
from config.serving.bodies import LargeBodies
from tests.people import PASSWORD
from tests.servers import Web
from tests.surroundings import PATIENCE

LIMIT = 3_000_000
LARGE = b"A line of a long text that goes on. " * 60_000  # 2.2 MB: more than other bodies may have
TOO_LARGE = b"x" * (LIMIT + 200_000)
DOCUMENTS = "/api/v1/documents"


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web]) -> Web:
    return start_web(MAX_DOCUMENT_BYTES=str(LIMIT))


def send(
    client: httpx.Client, data: bytes, path: str = DOCUMENTS, **options: object
) -> httpx.Response:
    return client.post(path, files={"file": ("large.txt", data)}, **options)  # type: ignore[arg-type]


def documents(web: Web) -> int:
    listed = web.client("owner").get(f"{DOCUMENTS}?whose=mine").json()["documents"]
    return len(listed)


def signed_in(web: Web) -> httpx.Client:
    """Return a browser in which the owner has signed in."""
    client = web.client()
    page = client.get("/account/login/").text
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    form = {"login": "owner", "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    assert client.post("/account/login/", data=form).status_code == 302
    return client


def talk(web: Web, head: str, body: bytes) -> bytes:
    """Send a request as it stands, and return the answer."""
    address = urlsplit(web.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as client:
        head = (
            f"{head}\r\nHost: {address.netloc}\r\nAuthorization: Bearer {web.tokens['owner']}\r\n"
        )
        client.sendall(head.encode())
        try:
            client.sendall(body)
            client.shutdown(socket.SHUT_WR)
        except OSError:  # refused while it was sent
            pass
        answer = b""
        try:
            while piece := client.recv(65_536):
                answer += piece
        except OSError:
            pass
        return answer


def form(data: bytes) -> bytes:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    return head + data + b"\r\n--b--\r\n"


def test_a_document_may_be_larger_than_other_bodies(web: Web) -> None:
    added = send(web.client("owner"), LARGE)
    assert added.status_code == 201, added.text
    assert added.json()["size"] == len(LARGE)
    web.client("owner").delete(f"{DOCUMENTS}/{added.json()['document_id']}")


def test_a_document_may_come_in_chunks(web: Web) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    pieces = iter([form(LARGE + b"chunked")[:1_500_000], form(LARGE + b"chunked")[1_500_000:]])
    added = web.client("owner").post(DOCUMENTS, content=pieces, headers=headers)
    assert added.status_code == 201, added.text
    web.client("owner").delete(f"{DOCUMENTS}/{added.json()['document_id']}")


def test_a_document_that_is_too_large_is_413_in_words(web: Web) -> None:
    refused = send(web.client("owner"), TOO_LARGE)
    assert refused.status_code == 413
    assert refused.json()["error"]["code"] == "body_too_large"
    assert "A document may have at most 2.9" in refused.json()["error"]["message"]


def test_only_a_form_to_the_library_may_be_large(web: Web) -> None:
    client = web.client("owner")
    body = {"text": LARGE.decode(), "title": "Large"}
    assert client.post(DOCUMENTS, json=body).status_code == 413
    assert send(client, LARGE, path="/api/v1/sessions").status_code == 413
    assert send(client, LARGE, path="/account/login/").status_code == 413


@pytest.mark.parametrize("token", [None, "0" * 64, "x y"])
def test_nobody_unknown_sends_a_large_body(web: Web, token: str | None) -> None:
    client = web.client()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    refused = send(client, LARGE, headers=headers)
    assert refused.status_code == 401
    assert refused.json()["error"]["code"] == "not_authenticated"
    page = send(client, LARGE, path="/library/upload", headers={"Cookie": "sessionid=nobody"})
    assert page.status_code == 401
    assert "Sign in before you send a document" in page.text


def test_the_page_says_that_a_form_is_too_large(web: Web) -> None:
    client = signed_in(web)
    refused = send(client, TOO_LARGE, path="/library/upload")
    assert refused.status_code == 413
    assert refused.headers["content-type"].startswith("text/html")
    assert "and so may all documents of one form together" in refused.text
    script = send(client, TOO_LARGE, path="/library/upload", headers={"HX-Request": "true"})
    assert script.json()["error"]["code"] == "body_too_large"


def test_a_length_that_is_a_lie_stores_nothing(web: Web) -> None:
    body = form(LARGE)
    post = f"POST {DOCUMENTS} HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b"
    before = documents(web)
    # It says less than it sends: the rest is no request.
    less = talk(web, f"{post}\r\nContent-Length: 100\r\nConnection: close", b"\r\n" + body)
    assert b" 201 " not in less.partition(b"\r\n")[0]
    # It says more, and leaves in the middle.
    more = talk(web, f"{post}\r\nContent-Length: {len(body) + 10_000}", b"\r\n" + body)
    assert b" 201 " not in more.partition(b"\r\n")[0]
    # It says nothing, and sends without end.
    chunk = b"%x\r\n" % 100_000 + b"x" * 100_000 + b"\r\n"
    chunks = b"\r\n" + chunk * 40
    endless = talk(web, f"{post}\r\nTransfer-Encoding: chunked", chunks)
    assert b" 413 " in endless.partition(b"\r\n")[0]
    assert documents(web) == before


def test_files_stay_in_memory() -> None:
    # Django's server side spools a body, and its parser a file, to disk above this size.
    assert settings.FILE_UPLOAD_MAX_MEMORY_SIZE >= settings.MAX_UPLOAD_BYTES
    assert settings.MAX_UPLOAD_BYTES > settings.MAX_DOCUMENT_BYTES
    assert all("Memory" in handler for handler in settings.FILE_UPLOAD_HANDLERS)


HOUSE = (
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Opener-Policy",
    "Cache-Control",
    "Content-Language",
)


def test_what_is_refused_before_django_has_the_headers_of_everything_else(web: Web) -> None:
    client = signed_in(web)
    usual = client.get("/account/login/", headers={"Accept-Language": "en"}).headers
    page = send(client, TOO_LARGE, path="/library/upload").headers
    program = send(web.client("owner"), TOO_LARGE).headers
    assert usual.keys() >= {"content-security-policy", "x-request-id"}
    for name in HOUSE:
        expected = "no-store" if name == "Cache-Control" else usual.get(name)
        if name == "Content-Security-Policy":
            expected = client.get("/library").headers[name]
        assert page.get(name) == program.get(name) == expected, name
    assert len({page["x-request-id"], program["x-request-id"], usual["x-request-id"]}) == 3


def test_a_token_that_only_reads_is_told_so_whatever_the_size(web: Web) -> None:
    read = web.python(
        "from memory.models import Scope, User\n"
        "from tests.people import token_of\n"
        "print(token_of(User.objects.get(username='owner'), Scope.READ))"
    ).split()[-1]
    client = web.client()
    answers = [
        send(client, data, headers={"Authorization": f"Bearer {read}"}) for data in (b"x", LARGE)
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["error"]["code"] == "insufficient_scope"


@contextmanager
def silent(web: Web, person: str) -> Iterator[socket.socket]:
    """Have someone begin to send a large document, and say no more."""
    address = urlsplit(web.url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as client:
        head = (
            f"POST {DOCUMENTS} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            f"Authorization: Bearer {web.tokens[person]}\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 2500000\r\n\r\n"
        )
        client.sendall(head.encode() + form(LARGE)[:1000])
        yield client


def test_senders_who_say_nothing_stand_in_nobodys_way(web: Web) -> None:
    with ExitStack() as senders:
        first, *_others = (
            senders.enter_context(silent(web, person))
            for person in ("owner", "stranger", "owner", "owner")
        )
        added = send(web.client("colleague"), LARGE + b"in time")
        answered, *_ = select([first], [], [], 0)
        assert not answered, "it is waited for still"
    assert added.status_code == 201
    web.client("colleague").delete(f"{DOCUMENTS}/{added.json()['document_id']}")


# --- Places, with less patience -------------------------------------------------------------------


async def reason_of(waiting: Any) -> Any:
    with pytest.raises(BodyRefused) as refused:
        async with waiting:
            pass
    return refused.value.reason


def test_a_person_sends_one_large_body_at_a_time_and_all_together_a_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "LARGE_AT_ONCE", 2)
    monkeypatch.setattr(bodies, "PLACE_SECONDS", 0.1)

    async def tried() -> None:
        large, person = LargeBodies(), uuid4()
        async with large.place(person):
            assert await reason_of(large.place(person)) is TooManyUploads
            async with large.place(uuid4()):
                assert await reason_of(large.place(uuid4())) is TooManyUploads
        async with large.place(person):
            pass

    asyncio.run(tried())
