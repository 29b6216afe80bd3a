"""Logs: one JSON object a line, with the request's id and nothing that a person said."""

import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import structlog
from django.test import Client, RequestFactory
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from config.logs import build_logging_config
from tests.servers import Web

ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
Logged = Callable[..., dict[str, Any]]


def written(message: str, name: str = "test", *, as_json: bool, **options: Any) -> str:
    """Return what a message becomes on its way out."""
    structured = build_logging_config(level="INFO", as_json=as_json)["formatters"]["structured"]
    factory = structured.pop("()")
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(factory(**structured))
    logger = logging.Logger(name)
    logger.addHandler(handler)
    logger.error(message, **options)
    return stream.getvalue()


@pytest.fixture
def logged() -> Logged:
    """Return what a message becomes for machines."""
    return lambda *said, **options: json.loads(written(*said, as_json=True, **options))


def test_a_line_is_json_with_time_level_and_logger(logged: Logged) -> None:
    line = logged("turn_context", extra={"turns_loaded": 3})
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "turn_context",
        "level": "error",
        "logger": "test",
        "turns_loaded": 3,
    }


def test_an_error_keeps_its_kind_and_place_but_not_its_words(logged: Logged) -> None:
    question = "Canary: am I ill?"
    try:
        raise ValueError(f"can't answer {question}")
    except ValueError:
        line = logged("it_failed", exc_info=True)
    assert line["error"] == "ValueError"
    assert "test_an_error_keeps" in line["traceback"][-1]
    assert "Canary" not in json.dumps(line)


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize(
    ("message", "name", "extra"),
    [
        ("it_failed", "test", {}),
        ("Internal Server Error: /", "django.request", {"status_code": 500}),
        ("Task memory.tasks.work raised unexpected: Canary", "celery.app.trace", {"data": {}}),
        ("Task exception was never retrieved\nfuture: <Task Canary>", "asyncio", {}),
    ],
)
def test_the_words_of_an_error_stay_out_of_both_forms(
    as_json: bool, message: str, name: str, extra: dict[str, Any]
) -> None:
    try:
        try:
            raise KeyError("Canary of the cause")
        except KeyError as cause:
            raise ValueError("Canary: am I ill?") from cause
    except ValueError:
        told = written(message, name, as_json=as_json, exc_info=True, extra=extra)
    assert "Canary" not in told
    assert "ValueError" in told
    assert "test_the_words_of_an_error_stay_out" in told


def test_what_is_refused_by_a_rule_has_no_traceback(logged: Logged) -> None:
    for status, has_one in ((400, False), (403, False), (500, True)):
        try:
            raise ValueError
        except ValueError:
            line = logged("Refused", exc_info=True, extra={"status_code": status})
        assert ("traceback" in line) == has_one


def test_the_query_string_of_a_request_stays_out(logged: Logged) -> None:
    line = logged("Not Found: %s", extra={"request": "<WSGIRequest: GET '/?q=Canary'>"})
    assert "Canary" not in json.dumps(line)


def test_the_request_id_is_bound_while_a_request_is_handled(logged: Logged) -> None:
    with structlog.contextvars.bound_contextvars(request_id="17"):
        assert logged("inside")["request_id"] == "17"
    assert "request_id" not in logged("outside")


def test_every_answer_carries_an_id_of_our_own_making() -> None:
    headers = {"X-Request-ID": "theirs"}
    first, second = (Client().get("/healthz", headers=headers)["X-Request-ID"] for _ in "ab")
    assert ID.fullmatch(first)
    assert first != second


def paths(found: URLResolver, before: str = "/") -> Iterator[str]:
    """Yield every address of the product as it is written."""
    for pattern in found.url_patterns:
        here = before + str(pattern.pattern).replace("^", "").rstrip("$")
        yield from paths(pattern, here) if isinstance(pattern, URLResolver) else [here]


def test_no_line_has_a_path_that_opens_something(logged: Logged) -> None:
    secret = re.compile(r"<str:token>|\(\?P<key>[^)]*\)")
    opening = [path for path in paths(get_resolver()) if secret.search(path)]
    assert len(opening) >= 6
    for path in opening:
        asked = re.sub(r"<[^>]*>|\(\?P<[^)]*\)", "name", secret.sub("Canary", path))
        line = logged(f"Internal Server Error: {asked}")
        assert "Canary" not in json.dumps(line), asked
    assert logged("Not Found: /library/17")["event"] == "Not Found: /library/17"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/am I ill", "…"),
        ("/api/v1/documents/am I ill", "/api/v1/documents/<str:document_id>"),
        (f"/library/{UUID(int=17)}", f"/library/{UUID(int=17)}"),
    ],
)
def test_what_someone_typed_into_a_path_stays_out(logged: Logged, path: str, shown: str) -> None:
    request = RequestFactory().get("/")
    request.path = path
    with suppress(Resolver404):
        request.resolver_match = resolve(path)
    line = logged(f"Not Found: {path}", extra={"request": request, "status_code": 404})
    assert line["event"] == f"Not Found: {shown}"


def test_what_celery_says_of_a_task_has_neither_arguments_nor_words(logged: Logged) -> None:
    try:
        raise ValueError("Canary: am I ill?")
    except ValueError as error:
        context = {"name": "memory.tasks.work", "exc": repr(error), "args": "Canary"}
        told = "Task memory.tasks.work raised unexpected: ValueError('Canary: am I ill?')"
        line = logged(told, name="celery.app.trace", exc_info=True, extra={"data": context})
    assert (line["event"], line["task"]) == ("task_raised", "memory.tasks.work")
    assert line["error"] == "ValueError"
    assert "Canary" not in json.dumps(line)


def test_the_servers_lines_are_json_and_carry_the_id_of_the_answer(web: Web) -> None:
    answer = web.client().get("/no-such-page?q=Canary")
    assert answer.status_code == 404
    lines = [json.loads(line) for line in web.log().splitlines()]
    mine = [line for line in lines if line.get("request_id") == answer.headers["X-Request-ID"]]
    assert [line["event"] for line in mine] == ["Not Found: …"]
    assert "Canary" not in web.log()
