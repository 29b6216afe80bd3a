"""P06: what is being read, fetched or made ends within seconds of the right to it."""

import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

import httpx
import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import AsyncClient

from citations.deletion import delete_document
from citations.ingestion.originals import bring_original
from citations.models import Document, OriginalFile
from memory.errors import NotFound
from memory.models import ExportPackage, User
from memory.people import streaming
from memory.people.access import end_all_access
from memory.personal_data.packages import ask_for_package
from tests.citations.documents import add
from tests.faults.test_slow_readers import request_of
from tests.model_server import ModelServer
from tests.people import PASSWORD, person
from tests.servers import Web
from tests.surroundings import PATIENCE, wait_until

WAYS = (
    "device",
    "everywhere",
    "button",
    "password changed",
    "password reset",
    "suspended",
    "erased",
)
# Signing out browsers keeps the tokens of programs.
OF_ALL_ACCESS = WAYS[2:]
# Those by which an answer is stopped as well, and not only no longer read.
STOP = ("suspended", "erased")
WITHIN = 5.0
FEW, ALL = 20, 200
# Of so many people one fetches a package, and the others wait for theirs to be made.
FETCHES = 9
QUESTION = {"query": "What is the Determination Date?"}
READERS = "from tests.accounts import readers; readers."


@pytest.fixture(scope="module")
def served(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    environment = model_server.environment | {"LLM_RETRIES": "0", "LLM_STALL_TIMEOUT": "600"}
    return start_web(**environment)


def test_p06_whatever_is_open_ends_soon_after_the_right_to_it(
    served: Web, model_server: ModelServer
) -> None:
    assert max(lose_rights(served, model_server, 0, FEW)) <= WITHIN


@pytest.mark.deep
def test_p06_two_hundred_times(served: Web, model_server: ModelServer) -> None:
    took: list[float] = []
    for first in range(FEW, FEW + ALL, FEW):
        took += lose_rights(served, model_server, first, first + FEW)
    assert max(took) <= WITHIN


def lose_rights(served: Web, model_server: ModelServer, first: int, last: int) -> list[float]:
    """Let so many people lose what lets them in, all at once, each in the next of the ways.

    Return after how many seconds each of what was open had ended.
    """
    model_server.reply("word " * 100, hold_after=3)
    made = served.python(f"{READERS}print_readers({first}, {last}, fetches={FETCHES})")
    people = [json.loads(line) for line in made.splitlines()]
    ways = {one["name"]: WAYS[at % len(WAYS)] for at, one in enumerate(people)}
    with ThreadPoolExecutor(len(people)) as threads:
        trials = [threads.submit(trial, served, one, ways[one["name"]]) for one in people]
    took = [
        (seconds, way, what)
        for done, way in zip(trials, ways.values(), strict=True)
        for what, seconds in done.result().items()
    ]
    late = [each for each in took if each[0] > WITHIN]
    print(f"{len(took)} ended, the last after {max(took)[0]:.1f} s; late: {late}", flush=True)
    links = [(one["sign_in"], one["reset"]) for one in people if ways[one["name"]] in OF_ALL_ACCESS]
    assert not served.python(f"{READERS}print_open(*{links!r})")
    packages = json.loads(served.python(f"{READERS}print_packages()"))
    for name, status, link in packages:
        if (way := ways.get(name)) in OF_ALL_ACCESS:
            # Of who is erased it goes with the rest, and can't be made: its key is gone.
            assert link == "", way
            assert status in ("ready", "discarded") or way == "erased", (way, status)
    return [seconds for seconds, _, _ in took]


def trial(served: Web, one: dict[str, Any], way: str) -> dict[str, float]:
    """Return after how many seconds each of what was open had ended."""
    with ExitStack() as held, ThreadPoolExecutor(3) as threads:
        rests = opened(served, one, way, held)
        lose(served, one, way)
        lost = time.monotonic()
        ends = {what: threads.submit(rest) for what, rest in rests.items()}
        took = {what: end.result() - lost for what, end in ends.items()}
    assert_dead(served, one, way)
    return took


def opened(
    served: Web, one: dict[str, Any], way: str, held: ExitStack
) -> dict[str, Callable[[], float]]:
    """Open all that can be; return for each what reads the rest of it, and tells when it ended."""
    reader = held.enter_context(browser(served, one["secret"]))
    made = send_until_taken(reader, reader.build_request("POST", "/api/v1/sessions", json={}))
    made.read()
    assert made.status_code == 201, made.text
    session = made.json()["session_id"]
    rests = {"answer": stream(reader, f"/api/v1/sessions/{session}/turns", way)}
    if way in OF_ALL_ACCESS:
        api = held.enter_context(program(served, one))
        rests["query"] = stream(api, "/api/v1/query", way)
        if one["is_ready"]:
            rests["package"] = download(served, one)
    return rests


def send_until_taken(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """Send a request, and again while the server is too busy with so many others."""

    def taken() -> httpx.Response | None:
        response = client.send(request, stream=True)
        if response.status_code == 503:
            response.close()
            return None
        return response

    return wait_until(taken, what="an answer")


def stream(client: httpx.Client, path: str, way: str) -> Callable[[], float]:
    """Ask, and return once something has come of the answer."""
    events = {"Accept": "text/event-stream"}
    request = client.build_request("POST", path, json=QUESTION, headers=events)
    lines = send_until_taken(client, request).iter_lines()
    assert next(line for line in lines if line == "event: delta")

    def rest() -> float:
        latest = time.monotonic() + 3 * WITHIN
        for line in lines:  # something comes every two seconds
            assert line != "event: done" or way in STOP
            if line == "event: done" or time.monotonic() > latest:
                break
        return time.monotonic()

    return rest


def download(served: Web, one: dict[str, Any]) -> Callable[[], float]:
    """Begin to fetch the package, and read no further for a while."""
    request = request_of(served, one["package"], one["token"])
    reader = socket.socket()
    # Enough that what the machine holds is read at once, and less than the file.
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
    reader.settimeout(PATIENCE)
    reader.connect(("127.0.0.1", served.port))
    reader.sendall(request)
    assert reader.recv(12) == b"HTTP/1.1 200"

    def rest() -> float:
        time.sleep(streaming.RECHECK_SECONDS)
        came = 0
        with closing(reader), suppress(ConnectionError):
            while piece := reader.recv(1 << 16):
                came += len(piece)
        assert came < 8 << 20
        return time.monotonic()

    return rest


def browser(served: Web, secret: str) -> httpx.Client:
    """A browser that is signed in, and sends the CSRF token as scripts do."""
    cookies, headers = {"sessionid": secret, "csrftoken": "x" * 32}, {"X-CSRFToken": "x" * 32}
    return httpx.Client(
        base_url=served.url, timeout=PATIENCE, cookies=cookies, headers=headers, verify=False
    )


def program(served: Web, one: dict[str, Any]) -> httpx.Client:
    """A program that has the person's token."""
    headers = {"Authorization": f"Bearer {one['token']}"}
    return httpx.Client(base_url=served.url, timeout=PATIENCE, headers=headers, verify=False)


def lose(served: Web, one: dict[str, Any], way: str) -> None:
    """Let the person, or whoever is in as them, lose what let them in."""
    if way in STOP:
        served.python(f"{READERS}{way}({one['name']!r})")
        return
    answers: list[httpx.Response] = []

    def is_done() -> bool:
        answers.append(lost_by(other, one, way))
        return answers[-1].status_code == 302

    with browser(served, one["other"]) as other:
        wait_until(is_done, what=way)
    # A refused request is tried again, because very many come from one address; one told to come
    # again later may then find the work done.
    assert len(answers) > 1 or "log" not in answers[0].headers["location"], way


def lost_by(other: httpx.Client, one: dict[str, Any], way: str) -> httpx.Response:
    new = {"password1": f"{PASSWORD} of late", "password2": f"{PASSWORD} of late"}
    if way == "device":
        return other.post(f"/account/devices/{one['device']}")
    if way == "everywhere":
        return other.post("/account/sessions/")
    if way == "button":
        return other.post("/account/access/end")
    if way == "password changed":
        return other.post("/account/password/change/", data={"oldpassword": PASSWORD} | new)
    other.cookies.delete("sessionid")
    form = other.get(one["reset"], follow_redirects=True)
    return other.post(form.url.path, data=new)


def assert_dead(served: Web, one: dict[str, Any], way: str) -> None:
    """Nothing that let them in does so any more."""
    with browser(served, one["secret"]) as reader:
        assert reader.get("/account/settings").status_code == 302
    if way not in OF_ALL_ACCESS:
        return
    with program(served, one) as api:
        assert api.get("/api/v1/sessions").status_code == 401


# --- In this process ------------------------------------------------------------------------------


async def pieces_until(client: AsyncClient, path: str, lose: Callable[[], object]) -> bytes:
    """Return what comes of a file whose reader loses the right to it after the first piece."""
    response = await client.get(path)
    assert response.status_code == 200
    came: AsyncIterator[bytes] = response.streaming_content  # type: ignore[attr-defined]
    found = await anext(came)
    await sync_to_async(lose)()
    with pytest.raises(NotFound):
        while True:
            found += await anext(came)
    return found


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "RECHECK_SECONDS", 0.0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("at_once")
def test_p06_a_document_that_is_withdrawn_comes_no_further(owner: User) -> None:
    shared = add("The deposit is due in May.")
    OriginalFile.objects.all().delete()
    bring_original(shared, bytes(4 * streaming.PIECE))
    client = AsyncClient()
    client.force_login(owner)
    path = f"/library/{shared.pk}/original"
    came = async_to_sync(pieces_until)(
        client, path, lambda: delete_document(Document.objects.get(pk=shared.pk), actor=None)
    )
    assert len(came) == streaming.PIECE


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("at_once")
def test_p06_who_is_no_longer_of_the_staff_reads_no_further_in_the_audit() -> None:
    boss = person("boss", is_staff=True, is_superuser=True)
    client = AsyncClient()
    client.force_login(boss)
    for change in ({"is_superuser": False}, {"is_staff": False}, {"is_active": False}):
        User.objects.filter(pk=boss.pk).update(is_staff=True, is_superuser=True, is_active=True)
        lose = partial(User.objects.filter(pk=boss.pk).update, **change)
        async_to_sync(pieces_until)(client, "/admin/memory/auditevent/csv/", lose)


@pytest.mark.django_db
def test_p06_what_is_being_made_for_who_is_out_is_made_no_further(owner: User) -> None:
    package = ask_for_package(owner)
    end_all_access(owner, actor=owner)
    package.refresh_from_db()
    assert package.status == ExportPackage.Status.DISCARDED
