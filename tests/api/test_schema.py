"""The API's own description: complete, valid, and shown without any other host."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from chat.api import urls
from memory.models import User
from tests.api.conftest import Api, api_schema
from tests.servers import Web

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request


@pytest.mark.once
def test_the_schema_is_valid_and_made_without_a_warning(tmp_path: object) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=f"{tmp_path}/schema.yml")


@pytest.mark.once
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


@pytest.mark.once
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


@pytest.mark.once
def test_the_docs_page_works_under_its_policy(
    page: "Page", web: Web, sign_in: Callable[["Page", str], None]
) -> None:
    asked: list[str] = []
    refused: list[str] = []

    def note(request: "Request") -> None:
        asked.append(request.url)

    sign_in(page, "owner")
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
