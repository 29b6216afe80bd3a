"""Clients of the API whose every answer is held against the API's own schema."""

import json
from functools import cache
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from memory.models import Scope, User
from tests.people import token_of

Json = dict[str, Any]


@cache
def api_schema() -> Json:
    """Return the schema, with objects that may have no other members than it says."""
    schema = json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))
    for component in schema["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
    return schema


def hold_against_schema(method: str, path: str, response: HttpResponse) -> None:
    """Fail unless the schema foresees the answer: its status, its type, and all of its members."""
    route = "/" + resolve(path).route.replace("<str:", "{").replace(">", "}")
    operation = api_schema()["paths"][route].get(method.lower())
    if operation is None:
        assert response.status_code in {404, 405}
        return
    foreseen = operation["responses"][str(response.status_code)].get("content", {})
    media_type = response.get("Content-Type", "").partition(";")[0]
    if response.status_code == 204:
        assert not foreseen
        return
    assert media_type in foreseen, (route, response.status_code, media_type)
    if media_type == "text/event-stream":
        hold_events_against_schema(foreseen[media_type]["schema"], response)
    if media_type == "application/json":
        whole = {"components": api_schema()["components"], **foreseen[media_type]["schema"]}
        body = response.getvalue()
        if response.streaming:
            response.streaming_content = [body]
        Draft202012Validator(whole).validate(json.loads(body))


def hold_events_against_schema(schema: Json, response: HttpResponse) -> None:
    """Fail unless each event of the stream is one of the schema's, in its data too."""
    components = {"components": api_schema()["components"]}
    text = response.getvalue().decode()
    events = [
        dict(line.split(": ", 1) for line in lines.splitlines()) for lines in text.split("\n\n")
    ]
    for event in filter(None, events):
        Draft202012Validator(components | schema).validate(event)
        kinds = components["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        kind = kinds["discriminator"]["mapping"][event["event"]].rpartition("/")[2]
        data = components["components"]["schemas"][kind]["properties"]["data"]
        whole = components | data["contentSchema"]
        Draft202012Validator(whole).validate(json.loads(event["data"]))


class Api:
    """A program with a person's token; `api.post("/sessions", {"title": "Dates"})`."""

    def __init__(self, user: User, *, scope: Scope = Scope.WRITE) -> None:
        self.user = user
        self.headers = {"Authorization": f"Bearer {token_of(user, scope)}"}
        self.client = Client(raise_request_exception=False)

    def request(
        self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str
    ) -> HttpResponse:
        """Send the body as JSON, or as it is if `raw`; return the answer, which fits the schema."""
        sent = json.dumps({} if body is None else body).encode() if raw is None else raw
        response = self.client.generic(
            method,
            path := f"/api/v1{path}",
            b"" if method in {"GET", "DELETE"} and raw is None else sent,
            content_type="application/json",
            headers=self.headers
            | {name.replace("_", "-"): value for name, value in headers.items()},
        )
        hold_against_schema(method, path.partition("?")[0], response)
        return response

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.request("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.request("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> HttpResponse:
        return self.request("DELETE", path, **headers)

    def begin(self, **values: Any) -> str:
        """Begin a session and return its path."""
        response = self.post("/sessions", values)
        assert response.status_code == 201, response.content
        return f"/sessions/{response.json()['session_id']}"

    def ask(self, session: str, query: str, **values: Any) -> Json:
        """Ask a question and return the whole turn."""
        response = self.post(f"{session}/turns", {"query": query, **values})
        assert response.status_code == 201, response.content
        return response.json()


@pytest.fixture
def api(owner: User) -> Api:
    """The owner's program."""
    return Api(owner)


@pytest.fixture
def strangers_api(stranger: User) -> Api:
    """The stranger's program."""
    return Api(stranger)
