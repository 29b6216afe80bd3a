"""How much a request may bring, on the real server: little, but a document from who is known."""

import re
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings

from tests.people import PASSWORD
from tests.servers import Web

pytestmark = pytest.mark.once

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
    with socket.create_connection((address.hostname, address.port), timeout=20) as client:
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
    assert "A document may have 2.9" in refused.json()["error"]["message"]


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
    assert "and so may several in one form" in refused.text
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
