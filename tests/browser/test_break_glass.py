"""An emergency from end to end: opened by an admin, told to the person, verified by an auditor."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memory.audit import export
from tests.people import PASSWORD
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SignIn = Callable[["Page", str], None]
SCRIPT = Path(export.__file__).parent / "verify_audit.py"
REASON = "They do not answer, and their doctor asks."
FURNISH = """
from django.contrib.auth.models import Group
from memory.models import User
from memory.people.staff.roles import ensure_roles
from tests.memory.retained import session_of
from tests.people import person
person("boss", is_staff=True, is_superuser=True)
ensure_roles()
person("auditor", is_staff=True).groups.add(Group.objects.get(name="Audit"))
session = session_of(User.objects.get(username="owner"), title="About the clinic", turns=2)
print(session.pk)
"""
ANCHOR = "from memory.audit.integrity.keeping import extend_and_anchor; extend_and_anchor()"


def test_an_admin_opens_a_conversation_its_person_sees_it_and_an_auditor_verifies_it(
    web: Web, browser: "Browser", page: "Page", sign_in: SignIn, tmp_path: Path
) -> None:
    session = web.python(FURNISH).splitlines()[-1]
    sign_in(page, "boss")
    page.goto(f"{web.url}/admin/memory/session/{session}/change/")
    page.get_by_role("link", name="Open in an emergency").click()
    page.get_by_label("Password").fill(PASSWORD)  # whoever opens it proves who they are
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Reason").fill(REASON)
    page.get_by_role("button", name="Open for 30 minutes").click()
    banner = page.get_by_role("form", name="Emergency access")
    expect(banner).to_contain_text("conversations of owner, for 30 more minutes")
    expect(page.locator("article .question")).to_have_count(2)
    place = page.url
    page.get_by_role("button", name="End access").click()
    assert page.request.get(place).status == 404

    theirs = browser.new_page()
    sign_in(theirs, "owner")
    notice = theirs.get_by_role("complementary", name="Emergency access")
    expect(notice).to_contain_text("boss opened your conversations in an emergency")
    notice.get_by_role("link", name="See why").click()
    expect(theirs.get_by_text(REASON)).to_be_visible()
    expect(theirs.get_by_text("Emergency access read").first).to_be_visible()
    expect(notice).to_have_count(0)

    web.python(ANCHOR)
    auditors = browser.new_page()
    sign_in(auditors, "auditor")
    assert auditors.request.get(place).status == 403
    exported = tmp_path / "audit.jsonl"
    exported.write_bytes(auditors.request.get(f"{web.url}/admin/memory/auditevent/chain/").body())
    text = exported.read_text()
    assert '"emergency.opened"' in text
    assert REASON not in text
    assert "nothing was changed" in verified(exported)
    exported.write_text(text.replace("emergency.opened", "emergency.closed"))
    assert "was changed, or one before it is missing" in verified(exported)


def verified(exported: Path) -> str:
    """Run the exported script in a process without Django, and return its output."""
    command = [sys.executable, "-I", SCRIPT, exported]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
