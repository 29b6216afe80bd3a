"""Fixtures of all tests: both databases, three people, and real servers on demand."""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import LazySettings, settings
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase
from django.test.client import ClientHandler
from hypothesis import HealthCheck, settings as drawing
from pytest_django import fixtures
from structlog.contextvars import clear_contextvars

from chat.llm import profiles
from memory.audit import append_only
from memory.conversations.asking import create_session
from memory.models import Session, User
from memory.postgresql import scope
from memory.postgresql.roles import connect_owner
from memory.sealing.cipher import key_ring
from tests import moulds
from tests.browsers import cookies_hold_secrets
from tests.lock_watch import out_of_order, watch_locks
from tests.model_server import ModelServer
from tests.people import NAMES, allow, person
from tests.servers import URLS, Blueprint, Redis, Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LASTING = {"django_content_type", "auth_permission"}
# The one without windows takes a part of the time; both are Debian's, and of one version.
BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
# In milliseconds: other tests are at work on the same machine, and what works never takes as long.
BROWSER_PATIENCE = 40_000
# Without the background flags, Chromium looks for hosts of its maker at every start.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Hypothesis draws the same examples in each run, without a deadline; tests may ask for new ones
# each time.
drawing.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
drawing.load_profile("house")
# Alone, a test that only asks for `django_db_setup` would find empty databases.
fixtures._get_databases_for_setup = lambda items: ({"default", "keys"}, set())
cookies_hold_secrets()
watch_locks()
moulds.cast_databases()
# Looked for as often as usual, garbage takes a twentieth of all processor time here.
gc.set_threshold(50_000, 20, 20)

# --- Every test ------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests with a database use both, and leave the deep ones out unless they are asked for."""
    for item in items:
        marker = item.get_closest_marker("django_db")
        if marker or {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())):
            options = {"databases": ["default", "keys"]} | (marker.kwargs if marker else {})
            item.add_marker(pytest.mark.django_db(**options), append=False)
        if "browser" in getattr(item, "fixturenames", ()):  # late sometimes on a busy machine
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("schema") and settings.DATABASE_OWNER:
            item.add_marker(pytest.mark.skip("the application's role changes no schema"))
    if "deep" not in config.option.markexpr:
        deep = [item for item in items if item.get_closest_marker("deep")]
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if not item.get_closest_marker("deep")]


def pytest_collection_finish() -> None:
    """Leave five thousand tests and their modules out of what is looked through for garbage."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _nothing_left_over(request: pytest.FixtureRequest) -> Iterator[None]:
    """Forget what a process keeps between requests; a transaction takes the rest back."""
    key_ring.clear()
    profiles.forget_profiles()
    clear_contextvars()
    if "model_server" in request.fixturenames:
        request.getfixturevalue("model_server").reset()
    yield
    if "transactional_db" in request.fixturenames:
        cache.clear()
    late, out_of_order[:] = list(out_of_order), []
    assert not late, "locks out of order (tests.lock_order):\n" + "\n".join(late)


@pytest.fixture
def stores_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search of all stores not go through what other tests left in them."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for message in (settings.BROKER_DIR / "queue").iterdir():
        message.unlink()


@pytest.fixture(scope="session", autouse=True)
def _embed_each_text_once() -> Iterator[None]:
    """Keep the real vectors of the texts that many tests embed, the sample library's above all."""
    with moulds.texts_embedded_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_emptied() -> Iterator[None]:
    """Let the end of a transactional test empty tables that the database keeps from deleting.

    What each migration writes anew, names of models and permissions, stays: it takes most of the
    time, and is the same for all tests.
    """

    def teardown(case: TransactionTestCase) -> None:
        for alias in case._databases_names(include_mirrors=False):
            with connect_owner(alias), append_only.deletion_allowed(alias):
                operations, looked = connections[alias].ops, connections[alias].introspection
                tables = set(looked.django_table_names(only_existing=True))
                operations.execute_sql_flush(operations.sql_flush(no_style(), tables - LASTING))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tests_see_everyone() -> Iterator[None]:
    """Let a test, with its threads, see the rows of all people; its requests see their own."""
    answer = ClientHandler.__call__

    def call(handler: ClientHandler, environ: dict[str, Any]) -> Any:
        with scope.whole_installation(scope.Purpose.COMMAND):
            return answer(handler, environ)

    def start(thread: Thread) -> None:
        thread.run = partial(copy_context().run, thread.run)  # type: ignore[method-assign]
        begin(thread)

    begin = Thread.start
    scope.begin_installation(scope.Purpose.COMMAND)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Thread, "start", start)
        patch.setattr(ClientHandler, "__call__", call)
        yield


@pytest.fixture
def owner(db: None) -> User:
    """The person whom the test is about."""
    return person("owner")


@pytest.fixture
def consenting(owner: User) -> User:
    """The same person, who allows to be remembered from one conversation to another."""
    allow(owner)
    return owner


@pytest.fixture
def session(owner: User) -> Session:
    """A new conversation of the owner's."""
    return create_session(owner)


@pytest.fixture
def colleague(db: None) -> User:
    """Someone who shares the library with the owner, and nothing else."""
    return person("colleague")


@pytest.fixture
def stranger(db: None) -> User:
    """Someone who has nothing to do with the owner."""
    return person("stranger")


@pytest.fixture
def library(db: None) -> None:
    """The sample library, ready to be searched."""
    from tests import sample_library

    sample_library.load()


# --- Servers -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Set up the databases; PostgreSQL drops none that a thread of a test still has open."""
    yield
    with django_db_blocker.unblock():
        for each in connections.all():
            if each.vendor == "postgresql":
                with each.cursor() as cursor:
                    cursor.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )


@pytest.fixture(scope="session")
def blueprint(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Blueprint:
    """An installation with sample library and people, prepared once to be copied."""
    engine = {name: os.environ[name] for name in URLS if name in os.environ}
    if engine:  # a copy of what was migrated for tests takes a tenth of migrating it
        request.getfixturevalue("django_db_setup")
    return Blueprint(tmp_path_factory.mktemp("installations"), engine)


@pytest.fixture(scope="module")
def start_web(blueprint: Blueprint) -> Iterator[Callable[..., Web]]:
    """Start web servers: `start_web(LLM_BASE_URL=...)`, each with databases of its own."""
    started: list[Web] = []

    def start(**environment: str) -> Web:
        started.append(web := blueprint.copy(**environment))
        web.start()
        return web

    yield start
    for web in started:
        web.stop()


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web]) -> Web:
    """A web server for the tests of one module, without a model and without a worker."""
    return start_web()


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    """A programmable language model's server; orders and requests are forgotten after each test."""
    server = ModelServer()
    yield server
    server.stop()


@pytest.fixture
def model(model_server: ModelServer, settings: LazySettings) -> ModelServer:
    """The language model's server, configured."""
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    return model_server


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """A real Redis of its own, empty at first."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    server = Redis(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


# --- Browser -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Debian's Chromium, for one module without async tests: a loop of its own runs there."""
    yield from started_browser()


def started_browser() -> Iterator["Browser"]:
    """Start Chromium, and end it when the generator goes on."""
    if not (installed := [path for path in BROWSERS if Path(path).exists()]):
        pytest.skip("chromium is not installed")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=BROWSER_PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=installed[0], args=CHROMIUM_ARGUMENTS, headless=True
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """A page of a new, empty profile; an error in the page's scripts fails the test."""
    context = browser.new_context()
    context.set_default_timeout(BROWSER_PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    # A busy browser skips the animation between two pages, and says so as if it were an error.
    skipped = "Transition was aborted"
    page.on("pageerror", lambda error: skipped in str(error) or errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors


@pytest.fixture
def sign_in_by_form(web: Web) -> Callable[["Page", str], None]:
    """Sign a person in as people do: `sign_in_by_form(page, "owner")`."""

    def through_the_form(page: "Page", name: str) -> None:
        from tests.people import PASSWORD

        assert name in NAMES
        page.goto(f"{web.url}/account/login/")
        page.fill("input[name=login]", name)
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(lambda url: "/account/login" not in url)

    return through_the_form
