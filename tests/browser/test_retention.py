"""Forgetting in a real browser: an admin shortens a policy; a person takes their data and goes."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from tests.browser.test_every_page import violations
from tests.people import PASSWORD
from tests.servers import Web, come_in_by

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
QUESTION = "What is the Determination Date?"
WORK = "from memory.jobs import run_due; run_due()"
FURNISH = """
from datetime import timedelta
from memory.models import User
from memory.people.sign_in.links import link_path
from tests.memory.retained import session_of
from tests.people import person
boss = person("boss", is_staff=True, is_superuser=True)
researcher = person("researcher", tier="research")
days = (9, 12, 20, 2)
old = [session_of(researcher, turns=2, idle=timedelta(days=number)).pk for number in days]
print(*old, link_path(boss))
"""
WORK_AND_SWEEP = f"""
{WORK}
from memory.forgetting.retention.sweeping import sweep
from memory.models import Session
sweep()
print(*Session.objects.values_list("pk", flat=True))
"""


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web], tmp_path_factory: pytest.TempPathFactory) -> Web:
    """A server without waiting time, which searches no other program's temporary files."""
    own = tmp_path_factory.mktemp("temporary")
    return start_web(DEFAULT_TIER="research", ERASURE_GRACE="0", TMPDIR=str(own))


def left(web: Web) -> set[str]:
    """Do what waits, purge what has expired, and return the conversations that are left."""
    return set(web.python(WORK_AND_SWEEP).splitlines()[-1].split())


def wrong_with(page: "Page") -> list[str]:
    """Return what axe finds; that the admin's own frame has no landmarks is django-unfold's."""
    return [found for found in violations(page) if not found.startswith(("region", "landmark"))]


def confirm_with_password(page: "Page") -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


@pytest.mark.deep
def test_an_admin_shortens_a_policy_and_a_hold_stops_one_of_its_sessions(
    web: Web, page: "Page"
) -> None:
    held, old, older, fresh, link = web.python(FURNISH).splitlines()[-1].split()
    come_in_by(page, web.url + link)

    page.goto(f"{web.url}/admin/")
    page.get_by_role("link", name="Policies").click()
    page.get_by_role("link", name="Change: Research").click()
    page.get_by_label("Conversations", exact=True).fill("7")
    page.get_by_role("button", name="Show what would be deleted").click()
    expect(page.locator(".headline")).to_contain_text("30 days → 7 days: 3 conversations")
    assert wrong_with(page) == []
    dry_run = page.url
    with page.expect_download() as download:
        page.get_by_role("link", name="The conversations as CSV").click()
    listed = Path(download.value.path()).read_text()
    assert all(session in listed for session in (held, old, older))
    assert fresh not in listed

    page.goto(f"{web.url}/admin/memory/session/{held}/change/")
    page.get_by_role("link", name="Place a legal hold").click()
    page.get_by_label("Reason").fill("Asked for by counsel")
    page.get_by_role("button", name="Place the hold").click()
    expect(page.get_by_text("The hold is placed.")).to_be_visible()
    assert wrong_with(page) == []
    hold = page.url

    page.goto(dry_run)
    page.get_by_role("button", name="Count again").click()
    expect(page.locator(".headline")).to_contain_text("30 days → 7 days: 2 conversations")
    expect(page.locator("tbody tr").first.locator("td").last).to_have_text("1")
    page.get_by_role("button", name="Confirm: do it now").click()
    expect(page.get_by_text("Running")).to_be_visible()
    assert left(web) == {held, fresh}
    # By itself: the page looks again every few seconds.
    expect(page.locator(".headline")).to_have_text("Done")
    expect(page.get_by_role("row", name="Deleted conversations")).to_contain_text("2")
    # A held conversation is hidden once it has expired.
    assert page.request.get(f"{web.url}/admin/memory/session/{held}/change/").status == 404

    page.goto(hold)
    page.get_by_role("link", name="Release").click()
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text("The hold is released.")).to_be_visible()
    assert left(web) == {fresh}
    page.goto(f"{web.url}/admin/")
    expect(page.get_by_role("img", name="Purged")).to_contain_text("3")
    assert wrong_with(page) == []


def test_a_person_takes_their_data_erases_the_account_and_verifies_the_certificate(
    web: Web, page: "Page", sign_in: SignIn, tmp_path: Path
) -> None:
    sign_in(page, "stranger")
    page.goto(f"{web.url}/")
    page.fill("#query", QUESTION)
    page.press("#query", "Enter")
    page.locator(".sources").first.wait_for()

    page.goto(f"{web.url}/account/data")
    page.get_by_role("link", name="Make a package").click()
    confirm_with_password(page)
    page.get_by_role("button", name="Make it").click()
    web.python(WORK)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    with ZipFile(download.value.path()) as archive:
        assert QUESTION.encode() in archive.read("data.json")

    page.goto(f"{web.url}/account/data/erasure")
    page.get_by_role("link", name="Erase my account").click()
    page.get_by_label("Erase it.").check()
    page.get_by_role("button", name="Erase", exact=True).click()
    # The link is shown this once: it is copied whole, though the field shows its beginning.
    # Chromium lets pages copy that are in front; the one without windows has to be told.
    page.context.grant_permissions(["clipboard-write"], origin=web.url)
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    page.get_by_role("link", name="See how far it is").click()
    web.python(WORK)
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("Erased and verified")
    # The account is gone, and with it the way in; its certificate needs neither.
    assert "/account/login" in page.request.get(f"{web.url}/account/settings").url
    file = tmp_path / "certificate.json"
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it").click()
    download.value.save_as(file)
    assert "genuine" in web.manage("verify_certificate", str(file))

    page.goto(f"{web.url}/certificates")
    page.get_by_label("Or choose its file").set_input_files(file)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("status")).to_have_text("It is genuine and unchanged.")
    file.write_text(file.read_text().replace('"memory.turn": 1', '"memory.turn": 0'))
    page.get_by_label("Or choose its file").set_input_files(file)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("status")).to_contain_text("It has been changed")
