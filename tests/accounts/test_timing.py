"""The time of an answer doesn't reveal whether an account exists: P09, with its full count."""

import itertools
import re
import statistics
import time
from collections.abc import Callable

import httpx
import pytest

from tests.servers import Web

pytestmark = pytest.mark.deep

# Each account is asked about once a door: no lock-out and no mail limit shortens an answer.
SAMPLES = 300
TOLERANCE = 0.005
PEOPLE = f"""
from django.contrib.auth.hashers import make_password
from memory.models import User
password = make_password("correct horse battery staple")
for number in range({SAMPLES}):
    name = f"person{{number}}"
    User.objects.create(username=name, email=f"{{name}}@example.org", password=password)
"""
addresses = itertools.count(1)


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web]) -> Web:
    web = start_web(SIGNUP="open", TRUSTED_PROXIES="1", EMAIL_URL="dummymail://")
    web.python(PEOPLE)
    return web


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/account/login/", {"login": "{}", "password": "wrong"}),
        ("/account/login/", {"login": "{}@example.org", "password": "wrong"}),
        ("/account/password/reset/", {"email": "{}@example.org"}),
        (
            "/account/signup/",
            {"email": "{}@example.org", "password1": "a b c d 1 2 3", "password2": "a b c d 1 2 3"},
        ),
    ],
    ids=["name", "address", "reset", "signup"],
)
def test_p09_known_and_unknown_take_the_same_time(
    served: Web, path: str, form: dict[str, str]
) -> None:
    times: dict[str, list[float]] = {"person": [], "nobody": []}
    bodies: dict[str, set[str]] = {"person": set(), "nobody": set()}
    for number in range(SAMPLES):
        for kind in times if number % 2 else reversed(times):
            name = f"{kind}{number}"
            filled = {field: value.format(name) for field, value in form.items()}
            spent, body = _sent(served, path, filled)
            times[kind].append(spent)
            bodies[kind].add(body.replace(name, ""))
    assert bodies["person"] == bodies["nobody"]
    person, nobody = (statistics.median(times[kind]) for kind in times)
    assert abs(person - nobody) < TOLERANCE, (person, nobody)


def _sent(served: Web, path: str, form: dict[str, str]) -> tuple[float, str]:
    address = next(addresses)
    headers = {"X-Forwarded-For": f"10.{address >> 16}.{address >> 8 & 255}.{address & 255}"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=30) as client:
        client.get(path)
        token = {"csrfmiddlewaretoken": client.cookies["csrftoken"]}
        begun = time.perf_counter()
        answer = client.post(path, data=form | token)
        spent = time.perf_counter() - begun
    shown = re.sub(r'value="\w{64}"', "", answer.text)
    return spent, f"{answer.status_code} {answer.headers.get('Location', '')} {shown}"
