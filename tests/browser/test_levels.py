"""A second conversation refers to the first: consent asked, given, withdrawn; a changed fact."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.layout import layout_faults
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
WORK = "from memory.jobs import run_due; run_due()"
# The first conversation was a week ago; what its questions were asked on is printed.
A_WEEK_AGO = """
from datetime import timedelta
from django.utils.dateformat import format
from memory.models import Session, Turn
from memory.people.display import get_local_day
session = Session.objects.select_related("owner").get(pk="{session}")
week = timedelta(days=7)
for turn in session.turns.all():
    turns = Turn.objects.filter(pk=turn.pk)
    turns.update(asked_at=turn.asked_at - week, finished_at=turn.finished_at - week)
Session.objects.filter(pk=session.pk).update(
    created_at=session.created_at - week, last_activity=session.last_activity - week
)
print(format(get_local_day(session.turns.first().asked_at, session.owner), "j F"))
"""
AGAIN = "What did we discuss last week about the Determination Date?"


def ask(page: "Page", text: str) -> None:
    """Type the question and wait for its whole answer."""
    before = page.locator("article.turn .answer-foot").count()
    box = page.get_by_label("Your question")
    box.fill(text)
    box.press("Enter")
    expect(page.locator("article.turn .answer-foot")).to_have_count(before + 1)


def answer(page: "Page") -> str:
    return page.locator("article.turn").last.inner_text()


def test_a_second_conversation_refers_to_the_first(web: Web, page: "Page", sign_in: SignIn) -> None:
    with web.client("colleague") as api:
        api.post("/api/v1/consents", json={"purpose": "recall", "given": False})
        first = api.post("/api/v1/sessions", json={}).json()["session_id"]
        for query in ("What is the Determination Date?", "I live in Lisbon."):
            api.post(f"/api/v1/sessions/{first}/turns", json={"query": query})
    web.python(WORK)  # what relevance needs of them
    day = web.python(A_WEEK_AGO.format(session=first)).strip()
    sign_in(page, "colleague")
    page.goto(web.url)
    ask(page, AGAIN)
    # Asked where it is needed, and given there.
    page.get_by_role("button", name="Allow it").click()
    expect(page.get_by_text("Your decision is recorded")).to_be_visible()
    ask(page, AGAIN)
    told = page.get_by_role("link", name=f"From your conversation of {day} ")
    expect(told.first).to_be_visible()
    ask(page, "I live in Braga.")
    ask(page, "I moved to Porto")
    ask(page, "Where do I live?")
    assert "I moved to Porto" in answer(page)
    told.first.click()
    page.wait_for_url(f"**/conversations/{first}**")
    # The remembered facts, with their history; then the consent is withdrawn.
    page.goto(f"{web.url}/account/memory")
    told = page.locator("#facts .list-row").filter(has_text="“I moved to Porto”")
    told.get_by_role("link", name="what it was before").click()
    past = page.locator(".list-row").filter(has_text="“I live in Braga”")
    expect(past).to_be_in_viewport()
    assert not layout_faults(page)
    past.get_by_role("link", name="where you said it").click()
    expect(page.get_by_text("I live in Braga.").first).to_be_in_viewport()
    page.goto(f"{web.url}/account/memory")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Allow", exact=True)).to_be_visible()
    page.goto(web.url)
    ask(page, AGAIN)
    expect(page.get_by_role("link", name="From your conversation of")).to_have_count(0)
    expect(page.get_by_role("button", name="Allow it")).to_be_visible()


@pytest.mark.deep
def test_what_is_corrected_and_deleted_is_brought_back(
    web: Web, page: "Page", sign_in: SignIn
) -> None:
    with web.client("colleague") as api:
        api.post("/api/v1/consents", json={"purpose": "recall", "given": True})
        session = api.post("/api/v1/sessions", json={}).json()["session_id"]
        for query in ("I live in Konstanz.", "Please always answer briefly."):
            api.post(f"/api/v1/sessions/{session}/turns", json={"query": query})
    sign_in(page, "colleague")
    page.goto(f"{web.url}/account/memory")
    for heading in ("This conversation", "Earlier conversations", "What you told me"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    told = page.locator("#facts .list-title")
    expect(told.filter(has_text="Konstanz")).to_be_visible()
    # Corrected, and taken back.
    page.get_by_role("link", name="Correct “I live in Konstanz”").click()
    page.get_by_label("In your words").fill("I live in Bregenz")
    page.get_by_role("button", name="Save").click()
    expect(told.filter(has_text="Bregenz")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is as it was.")).to_be_visible()
    expect(told.filter(has_text="Konstanz")).to_be_visible()
    # Deleted, and brought back.
    page.get_by_role("link", name="Delete “I live in Konstanz”").click()
    page.get_by_role("button", name="Delete").click()
    expect(told.filter(has_text="Konstanz")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(told.filter(has_text="Konstanz")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


RETURNED = """
from datetime import timedelta
from django.utils import timezone
from memory.conversations.asking import create_session
from memory.models import Fact, Turn, User
owner = User.objects.get(username="colleague")
for at in range(3):
    session = create_session(owner, title=f"The lease, part {3 - at}")
    moment = timezone.now() - timedelta(days=at)
    Turn.objects.create(
        session=session, owner=owner, position=1, status="complete", query_tokens=5,
        query="What is the security deposit, and is there a parrot cage?", asked_at=moment,
    )
    session.last_position = session.turn_count = 1
    session.save()
    said = {"home": f"I live in town {3 - at}", f"uses:{at}": f"We use tool {at}"}
    for subject, text in said.items():
        Fact.objects.create(
            owner=owner, session=session, kind="fact", subject=subject, text=text,
            is_shared=True, said_in=session.turns.get().pk, valid_from=moment,
            valid_until=moment if at and subject == "home" else None,
        )
"""


@pytest.mark.deep
def test_what_is_derived_leads_to_where_it_was_said(
    web: Web, page: "Page", sign_in: SignIn
) -> None:
    with web.client("colleague") as api:
        api.post("/api/v1/consents", json={"purpose": "recall", "given": True})
    web.python(RETURNED)
    sign_in(page, "colleague")
    page.goto(f"{web.url}/account/memory")
    derived = page.locator("section", has=page.get_by_role("heading", name="Recurring topics"))
    topic = derived.get_by_role("listitem").filter(has_text="security deposit")
    expect(topic.first).to_contain_text("in 3 conversations, on 3 days")
    expect(derived).to_contain_text("“I live in town 1” ")
    expect(derived.get_by_role("listitem").filter(has_text="tool 2")).to_contain_text("tool 0")
    assert not layout_faults(page)
    topic.first.get_by_role("link", name="The lease, part 1").click()
    expect(page.locator("#turn-1")).to_be_in_viewport()
