"""docs/operations/nginx.conf in a real nginx, before a real server: what it passes and logs."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.model_server import ModelServer
from tests.people import PASSWORD
from tests.servers import Web
from tests.surroundings import PATIENCE, ROOT, end, free_port, wait_until

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
pytestmark = [
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed"),
]
HOST = "throughline.example.org"
AROUND = """
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/started.log;
events {{}}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
{conf}
}}
"""
MAKE_CERTIFICATE = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
SESSIONS = "/api/v1/sessions"
SPOOF = {"X-Forwarded-For": "198.51.100.9"}


class Proxied:
    """The product behind a proxy, as its clients see it."""

    def __init__(self, web: Web, folder: Path, port: int) -> None:
        self.web, self.folder, self.url = web, folder, f"https://127.0.0.1:{port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, headers={"Host": HOST} | headers, verify=False, timeout=PATIENCE
        )

    def program(self) -> httpx.Client:
        return self.client(Authorization=f"Bearer {self.web.tokens['owner']}")

    def answers(self) -> bool:
        with self.client() as client:
            try:
                return client.get("/account/login/").status_code == 200
            except httpx.TransportError:
                return False


@pytest.fixture(scope="module")
def proxied(
    start_web: Callable[..., Web],
    model_server: ModelServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Proxied]:
    web = start_web(
        **model_server.environment,
        HTTPS="true",
        TRUSTED_PROXIES="1",
        ALLOWED_HOSTS=f"{HOST},127.0.0.1",
    )
    folder, port = tmp_path_factory.mktemp("proxy"), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    files = ["-keyout", str(key), "-out", str(certificate)]
    made = ["openssl", *MAKE_CERTIFICATE.split(), f"/CN={HOST}", *files]
    subprocess.run(made, check=True, capture_output=True)
    conf = (ROOT / "docs" / "operations" / "nginx.conf").read_text()
    for theirs, ours in {
        "127.0.0.1:8000": f"127.0.0.1:{web.port}",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/throughline.pem": str(certificate),
        "/etc/ssl/private/throughline.key": str(key),
        "/var/log/nginx/": f"{folder}/",
    }.items():
        assert theirs in conf
        conf = conf.replace(theirs, ours)
    user = "user root;" if os.geteuid() == 0 else ""
    place = folder / "nginx.conf"
    place.write_text(AROUND.format(user=user, folder=folder, conf=conf))
    command = [str(NGINX), "-c", str(place), "-e", str(folder / "started.log")]
    proxy = subprocess.Popen(command, start_new_session=True, text=True)
    product = Proxied(web, folder, port)
    try:
        wait_until(product.answers, what="the proxy")
        yield product
    finally:
        end(proxy)


def test_a_stream_comes_piece_by_piece(proxied: Proxied, model_server: ModelServer) -> None:
    model_server.reply("word " * 40, hold_after=5)
    with proxied.program() as client:
        session = client.post(SESSIONS, json={}).json()["session_id"]
        question = {"query": "What is the Determination Date?"}
        events = {"Accept": "text/event-stream"}
        turns = f"{SESSIONS}/{session}/turns"
        with client.stream("POST", turns, json=question, headers=events) as answer:
            lines = answer.iter_lines()
            assert next(line for line in lines if line == "event: delta")
            model_server.go_on()  # the model holds the rest until the first piece has come
            assert next(line for line in lines if line == "event: done")


def test_bodies_are_bounded_and_documents_have_a_bound_of_their_own(proxied: Proxied) -> None:
    with proxied.program() as client:
        assert client.post(SESSIONS, content=b"x" * (3 << 19)).status_code == 413
        file = {"file": ("long.txt", b"It says very little. " * 100_000, "text/plain")}
        assert client.post("/api/v1/documents", files=file).status_code in (201, 202)
        too_large = client.post("/api/v1/documents", content=b"x" * (22 << 20))
        assert too_large.status_code == 413


def test_who_is_in_front_is_said_by_the_proxy_alone(proxied: Proxied) -> None:
    with proxied.client(Origin=f"https://{HOST}", **SPOOF) as browser:
        browser.get("/account/login/")
        token = browser.cookies["csrftoken"]
        form = {"login": "owner", "password": PASSWORD, "csrfmiddlewaretoken": token}
        answer = browser.post(
            "/account/login/", data=form, headers={"Cookie": f"csrftoken={token}"}
        )
        assert answer.status_code == 302
        assert "Secure" in answer.headers["Set-Cookie"]
        assert "Strict-Transport-Security" in answer.headers
    assert proxied.web.rows("SELECT DISTINCT ip FROM usersessions_usersession") == [("127.0.0.1",)]


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/healthz"])
def test_what_is_for_inside_is_not_found(proxied: Proxied, path: str) -> None:
    with proxied.client() as client:
        assert client.get(path).status_code == 404


def test_the_log_has_no_path_that_lets_somebody_in(proxied: Proxied) -> None:
    secret = "b3Blbi1zZXNhbWU"
    opens = ["/account/link/", "/account/password/reset/key/", "/erasures/", "/packages/1/file/"]
    with proxied.client() as client:
        for path in opens:
            client.get(f"{path}{secret}?next={secret}", headers={"Referer": f"/{secret}"})

    def logged() -> str:
        return (proxied.folder / "throughline.log").read_text()

    wait_until(lambda: all(f"{path}..." in logged() for path in opens), what="the log")
    for log in proxied.folder.glob("*.log"):
        assert secret not in log.read_text()
