"""The memory of a conversation, in the dialog: corrected, removed, brought back, by keyboard."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]


def test_it_is_changed_where_it_stands(web: Web, page: "Page", sign_in: SignIn) -> None:
    with web.client("owner") as api:
        session = api.post("/api/v1/sessions", json={}).json()["session_id"]
        place = f"/api/v1/sessions/{session}"
        api.post(f"{place}/turns", json={"query": "What is the Determination Date?"})
        api.post(f"{place}/memory/entities", json={"name": "Backup Servicer", "kind": "term"})
    sign_in(page, "owner")
    page.goto(f"{web.url}/conversations/{session}")
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("link", name="What it remembers").click()
    dialog = page.get_by_role("dialog", name="What this conversation remembers")
    held_back = dialog.get_by_role("button", name="Held back")
    held_back.press("Enter")
    dialog.locator(".standing[aria-pressed=true]", has_text="Held back").wait_for()
    expect(held_back).to_be_focused()
    dialog.get_by_role("button", name="Remove Backup Servicer").press("Enter")
    undo = dialog.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(dialog.get_by_role("link", name="Edit Backup Servicer")).to_have_count(0)
    page.keyboard.press("Enter")
    edit = dialog.get_by_role("link", name="Edit Backup Servicer")
    edit.press("Enter")
    dialog.get_by_label("Name").first.fill("Standby Servicer")
    page.keyboard.press("Enter")
    edited = dialog.get_by_role("link", name="Edit Standby Servicer")
    expect(edited).to_be_focused()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
