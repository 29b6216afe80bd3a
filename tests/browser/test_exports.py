"""An answer with a formula, code and a table: copied with its formatting, and exported."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.model_server import ModelServer
from tests.servers import Web, come_in_by

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

ANSWER = """The **fifteenth day** of each month [1].

| Gene | Risk |
|------|-----:|
| BRCA1 | 72 % |

$$R = \\frac{a_1}{a_1 + \\sqrt{b}}$$

```python
def risk(a, b):
    return a / (a + b)  # share
```
"""
KINDS = {"Word": b"PK", "PDF": b"%PDF", "HTML": b"<!doctype", "Markdown": b"#"}
READ_HTML = """async () => {
  const [item] = await navigator.clipboard.read();
  return (await item.getType("text/html")).text();
}"""


@pytest.fixture(scope="module")
def web(start_web: "Callable[..., Web]", model_server: ModelServer) -> Web:
    return start_web(**model_server.environment)


def test_an_answer_is_copied_with_its_formatting_and_exported_from_the_menu(
    page: "Page", web: Web, model_server: ModelServer, tmp_path: Path
) -> None:
    come_in_by(page, web.sign_in_link("owner"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=web.url)
    model_server.reply(ANSWER)
    page.goto(web.url)
    page.get_by_label("Your question").fill("What is the Determination Date?")
    page.get_by_label("Your question").press("Enter")
    expect(page.locator(".written math mfrac")).to_be_visible()
    expect(page.locator(".written pre .k").first).to_be_visible()
    page.get_by_role("button", name="Copy the answer").click()
    expect(page.locator("#status")).to_have_text("Copied")
    copied = page.evaluate(READ_HTML)
    for kept in ("<strong>fifteenth day</strong>", "[1]", "<th>Gene</th>", "<td>", "<mfrac>"):
        assert kept in copied
    assert "Agreement" in copied
    assert "<a" not in copied
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("link", name="Export").click()
    for kind, begins in KINDS.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=kind, exact=True).click()
            if kind == "PDF":
                expect(page.locator("[data-working]")).to_contain_text("The file is being made.")
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.read_bytes().startswith(begins)
        expect(page.locator("[data-working]")).to_be_empty()
    first = page.get_by_label("From question")
    first.fill("2")  # beyond the only question
    assert not first.evaluate("field => field.checkValidity()")
