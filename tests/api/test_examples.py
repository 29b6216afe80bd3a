"""The examples of the API do what they say, when they are copied one after another."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chat.views.examples import ADDRESS, FOLDER, LANGUAGES, STEPS, read_example
from tests.servers import Web
from tests.surroundings import PYTHON

if TYPE_CHECKING:
    from playwright.sync_api import Page


MARK = "--- {} ---"


def joined(ending: str, web: Web, tell: str) -> str:
    """Return all steps of a language, each after a line that tells its name."""
    steps = [
        f"{tell.format(MARK.format(name))}\n{read_example(f'{name}.{ending}')}" for name in STEPS
    ]
    whole = "\n\n".join(steps).replace(ADDRESS, web.url)
    return whole.replace("your-token", web.tokens["owner"])


def by_step(output: str) -> dict[str, str]:
    """Return what each step printed."""
    pieces = re.split(r"--- (\w+) ---\n", output)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def assert_all_happened(printed: dict[str, str]) -> None:
    assert set(printed) == set(STEPS)
    assert re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", printed["begin"])
    assert "fifteenth day" in printed["ask"]
    assert "[^1]: " in printed["ask"]
    assert "preceding Business Day" in printed["stream"]
    assert "preceding Business Day" in printed["resume"]
    assert re.search(r"waiting|ready", printed["upload"])
    assert "preceding Business Day" in printed["query"]
    assert "fifteenth day" in printed["passages"]
    assert re.search(r"\bsupported\b", printed["passages"])
    assert "Determination Date" in printed["search"]
    assert "boosted" in printed["memory"]
    assert "Backup Servicer" in printed["memory"]
    assert re.search(r"I moved to Porto.*I live in Lisbon", printed["facts"], re.DOTALL)
    assert "400" in printed["errors"]
    assert "invalid_request" in printed["errors"]


def test_every_step_is_there_in_every_language() -> None:
    files = {file.name for file in FOLDER.iterdir()}
    assert files == {f"{name}.{ending}" for name in STEPS for ending in LANGUAGES}


def test_curl(web: Web, tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    script = "set -eu -o pipefail\n" + joined("sh", web, "echo; echo '{}'")
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert_all_happened(by_step(done.stdout))
    assert "Determination Date" in (tmp_path / "conversation.md").read_text()


def test_python(web: Web, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(joined("py", web, "print('{}')"))
    done = subprocess.run(
        [PYTHON, program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert_all_happened(by_step(done.stdout))
    assert "Determination Date" in (tmp_path / "conversation.md").read_text()


def test_javascript(page: "Page", web: Web) -> None:
    lines: list[str] = []
    page.on("console", lambda line: lines.append(line.text))
    page.goto(f"{web.url}/healthz")
    page.evaluate(f"async () => {{\n{joined('js', web, 'console.log(`{}`);')}\n}}")
    printed = by_step("\n".join(lines) + "\n")
    assert_all_happened(printed)
    assert "Determination Date" in printed["export"]


def test_the_page_shows_them_with_its_own_address(
    page: "Page", web: Web, sign_in_by_form: Callable[["Page", str], None]
) -> None:
    refused: list[str] = []
    sign_in_by_form(page, "owner")
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    page.goto(f"{web.url}/api/examples")
    shown = page.locator("pre").all_text_contents()
    expected = [
        read_example(f"{name}.{ending}").replace(ADDRESS, web.url)
        for name in STEPS
        for ending in LANGUAGES
    ]
    assert shown == expected
    page.get_by_text("Python", exact=True).first.click()
    assert page.locator("pre").nth(1).is_visible()
    assert not page.locator("pre").first.is_visible()  # one language at a time
    assert not refused


def test_strangers_are_asked_to_sign_in(web: Web) -> None:
    response = web.client().get("/api/examples")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/account/login/")


def test_no_example_has_anything_but_json_in_its_bodies() -> None:
    for name in ("ask", "stream", "query", "errors", "begin"):
        for body in re.findall(r"--json '(.*?)'", read_example(f"{name}.sh"), re.DOTALL):
            json.loads(body)
