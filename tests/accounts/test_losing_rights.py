"""What was being read ends within seconds of the right to read it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.model_server import ModelServer
from tests.people import PASSWORD
from tests.servers import Web
from tests.surroundings import PATIENCE

pytestmark = pytest.mark.once

# A minute at 50 ms a word.
LONG = " ".join(f"word{number}" for number in range(1200)) + "."
PEOPLE = {"device": "owner", "everywhere": "colleague", "shut out": "stranger"}
SHUT_OUT = """
from memory.models import User
User.objects.filter(username={!r}).update(is_active=False)
"""


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    return start_web(**model_server.environment, LLM_RETRIES="0")


@contextmanager
def browser(served: Web, name: str) -> Iterator[httpx.Client]:
    """A browser that has signed in, and sends the CSRF token as scripts do."""
    with httpx.Client(base_url=served.url, timeout=PATIENCE) as client:
        client.get("/account/login/")
        token = client.cookies["csrftoken"]
        form = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": token}
        assert client.post("/account/login/", data=form).status_code == 302
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        yield client


@pytest.mark.parametrize("loss", PEOPLE)
def test_p06_a_stream_ends_soon_after_its_browser_is_out(
    served: Web, model_server: ModelServer, loss: str
) -> None:
    model_server.reply(LONG, delay=0.05)
    name = PEOPLE[loss]
    with browser(served, name) as reader, browser(served, name) as other:
        session = reader.post("/api/v1/sessions", json={}).json()["session_id"]
        turns = f"/api/v1/sessions/{session}/turns"
        question = {"query": "What is the Determination Date?"}
        events = {"Accept": "text/event-stream"}
        with reader.stream("POST", turns, json=question, headers=events) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line == "event: delta")
            _lose(served, other, loss, name)
            rest = list(lines)
        assert "event: done" not in rest
        assert reader.get(turns).status_code in (401, 405)
        assert reader.get("/account/settings").status_code == 302


def _lose(served: Web, other: httpx.Client, loss: str, name: str) -> None:
    if loss == "device":
        page = other.get("/account/sessions/").text
        place = page.partition('action="/account/devices/')[2].partition('"')[0]
        assert other.post(f"/account/devices/{place}").status_code == 302
    elif loss == "everywhere":
        assert other.post("/account/sessions/").status_code == 302
    else:
        served.python(SHUT_OUT.format(name))


def test_p06_a_token_of_someone_who_is_shut_out_is_dead_at_once(served: Web) -> None:
    with served.client("stranger") as client:
        assert client.get("/api/v1/sessions").status_code == 401
