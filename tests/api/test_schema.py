"""The API's own description: complete, valid, and shown without any other host."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from chat.api import urls
from memory.models import User
from tests.api.conftest import Api, Json, api_schema
from tests.servers import Web

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request


def test_the_schema_is_valid_and_made_without_a_warning(tmp_path: object) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=f"{tmp_path}/schema.yml")


def test_every_door_is_described() -> None:
    described = api_schema()["paths"]
    for pattern in urls.urlpatterns:
        route = str(pattern.pattern).replace("<str:", "{").replace(">", "}")
        methods = set(described[f"/api/v1/{route}"])
        offered = {"get", "post", "patch", "put", "delete"}
        assert methods == {name for name in offered if hasattr(pattern.callback.cls, name)}
        for operation in described[f"/api/v1/{route}"].values():
            assert operation["summary"]
            assert "401" in operation["responses"]


def test_the_documentation_begins_with_sessions_and_lists_every_group() -> None:
    schema = api_schema()
    listed = [tag["name"] for tag in schema["tags"]]
    used = {
        operation["tags"][0] for path in schema["paths"].values() for operation in path.values()
    }
    assert listed[:2] == ["sessions", "turns"]
    assert set(listed) == used


def test_the_examples_are_what_the_schema_says() -> None:
    checked = 0
    components = {"components": api_schema()["components"]}
    for methods in api_schema()["paths"].values():
        for operation in methods.values():
            for answer in operation["responses"].values():
                for content in answer.get("content", {}).values():
                    for example in content.get("examples", {}).values():
                        Draft202012Validator(components | content["schema"]).validate(
                            example["value"]
                        )
                        checked += 1
    assert checked > 50


def operations() -> Iterator[tuple[Json, Json]]:
    """Yield each operation, and the schema of what it answers when all is well."""
    for methods in api_schema()["paths"].values():
        for operation in methods.values():
            good = [answer for code, answer in operation["responses"].items() if code < "300"]
            content = good[0].get("content", {}).get("application/json", {})
            name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            yield operation, api_schema()["components"]["schemas"].get(name, {})


def test_every_list_has_its_pages_alike() -> None:
    pages = 0
    for operation, answer in operations():
        names = {each["name"] for each in operation.get("parameters", [])}
        assert ("next" in answer.get("properties", {})) == ("cursor" in names), operation
        assert not names & {"before", "offset", "page"}
        pages += "cursor" in names
        if "cursor" in names:
            assert "limit" in names
            assert answer["properties"]["next"]["type"] == ["string", "null"]
    assert pages >= 9


def test_every_default_is_a_value_that_is_taken() -> None:
    defaults = 0
    for operation, _ in operations():
        for parameter in operation.get("parameters", []):
            schema = parameter["schema"]
            if "default" in schema:
                Draft202012Validator(schema).validate(schema["default"])
                defaults += 1
    assert defaults > 5


def test_what_is_taken_is_closed_and_what_is_given_may_grow() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # as it is published
    for name, component in schema["components"]["schemas"].items():
        if "properties" in component:
            assert ("additionalProperties" in component) == name.endswith("Request"), name


@pytest.mark.django_db
def test_a_search_takes_the_schemas_own_defaults(api: Api) -> None:
    for path in ("search", "sessions", "documents", "consents/decisions"):
        operation = api_schema()["paths"][f"/api/v1/{path}"]["get"]
        schemas = {each["name"]: each["schema"] for each in operation["parameters"]}
        given = {name: each["default"] for name, each in schemas.items() if "default" in each}
        assert api.get(f"/{path}?{urlencode(given)}").status_code == 200


@pytest.mark.django_db
def test_the_schema_is_for_people_who_are_let_in(client: Client, owner: User) -> None:
    assert client.get("/api/schema").status_code == 401
    assert client.get("/api/docs").status_code == 302
    assert client.get("/api/schema/").status_code == 401
    assert client.get("/api/docs/").status_code == 302
    headers = Api(owner).headers
    assert client.get("/api/schema/", headers=headers).status_code == 200
    for accept in ("*/*", "text/html", "application/yaml"):
        response = client.get("/api/schema", headers=headers | {"Accept": accept})
        assert response["Content-Type"].startswith("application/json")
        assert json.loads(response.content)["openapi"] == "3.1.0"


def test_the_docs_page_works_under_its_policy(
    page: "Page", web: Web, sign_in_by_form: Callable[["Page", str], None]
) -> None:
    asked: list[str] = []
    refused: list[str] = []

    def note(request: "Request") -> None:
        asked.append(request.url)

    sign_in_by_form(page, "owner")
    page.on("request", note)
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    page.goto(f"{web.url}/api/docs")
    page.wait_for_selector("text=Begin a session")
    page.click("text=List your sessions, latest activity first")
    page.click("text=Try it out")
    with page.expect_response("**/api/v1/sessions*") as answer:
        page.click("button:has-text('Execute')")
    assert answer.value.status == 200
    assert all(url.startswith((web.url, "data:", "blob:")) for url in asked)
    assert not refused
