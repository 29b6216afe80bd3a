"""The library in a real browser: files in, followed, found, opened, edited, asked, deleted."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
LEDGER = b"""# The ledgers of the harbour

The notary keeps the blue ledger in the north cabinet.

## Weights

Every weight is entered twice, by the porter and by the clerk.
"""
PEPPER = b"Pepper is weighed by the sack, and never by the grain."
SPICES = b"Saffron is weighed in grains, and pepper by the sack."


def file(name: str, data: bytes) -> Any:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web]) -> Web:
    web = start_web()
    web.start_worker()
    return web


def test_documents_from_upload_to_deletion(page: "Page", web: Web, sign_in: SignIn) -> None:
    sign_in(page, "owner")
    page.get_by_role("navigation").get_by_role("link", name="Library", exact=True).click()
    expect(page.get_by_role("heading", name="Library", level=1)).to_be_visible()

    # One of three is broken; the others go on.
    broken = file("broken.pdf", b"%PDF-1.7 nothing")
    files = [file("ledger.md", LEDGER), broken, file("spices.txt", SPICES)]
    page.get_by_label("Add documents").set_input_files(files)
    expect(page.locator(".outcome.is-refused")).to_contain_text("broken.pdf")
    expect(page.locator(".outcome.is-refused")).to_contain_text("damaged")
    ledger = page.locator(".document", has_text="The ledgers of the harbour")
    expect(ledger).to_contain_text("Private to you")
    expect(ledger).to_contain_text("Ready")
    expect(page.locator(".document", has_text="Spices")).to_contain_text("Ready")
    expect(page.locator(".outcome")).to_have_count(1)

    # Found by a word of its title.
    page.get_by_role("searchbox", name="Search titles, authors and file names").fill("harbour")
    expect(page.locator(".document-link")).to_have_text(["The ledgers of the harbour"])
    page.get_by_label("Whose documents").select_option("library")
    expect(page.get_by_text("No document fits")).to_be_visible()
    page.get_by_label("Whose documents").select_option("mine")

    # Read, edited.
    page.locator(".document-link").click()
    expect(page.locator(".passage").first).to_contain_text("the blue ledger")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Authors").fill("Ames, A.\nBell, B.")
    page.get_by_label("Year").fill("1899")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".document-credit")).to_have_text("A. Ames; B. Bell · 1899")

    # Asked, limited to it; its citation opens the document at the passage.
    page.get_by_role("link", name="Ask about this document").click()
    expect(page.get_by_label("The ledgers of the harbour")).to_be_checked()
    page.get_by_label("Your question").fill("Who keeps the blue ledger?")
    page.keyboard.press("Enter")
    expect(page.locator(".prose")).to_contain_text("notary")
    expect(page.locator(".limit-words")).to_have_text("Limited to 1 document")
    page.locator(".citation").first.click()
    page.get_by_role("link", name="Open in the document").click()
    expect(page.locator(".passage.is-wanted")).to_contain_text("The notary keeps")
    expect(page.locator(".passage.is-wanted")).to_be_in_viewport()

    # Deleted, once it is clear what goes.
    page.locator(".document-actions").get_by_text("Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 answer of yours was built on it")
    dialog.get_by_text("Keep it").click()
    expect(dialog).to_be_hidden()
    page.locator(".document-actions").get_by_text("Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.locator(".document-link", has_text="ledgers")).to_have_count(0)
    expect(page.locator(".document-link", has_text="Spices")).to_have_count(1)


def test_a_conversation_is_limited_in_its_dialog(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "colleague")
    page.get_by_text("Search only in…").click()
    chooser = page.locator(".chooser")
    chooser.get_by_role("searchbox").fill("pooling")
    expect(chooser.get_by_role("checkbox")).to_have_count(1)
    chooser.get_by_role("checkbox").check()
    # Ticked documents stay ticked during a search for others.
    chooser.get_by_role("searchbox").fill("TP53")
    expect(chooser.get_by_role("checkbox", checked=True)).to_have_count(1)
    expect(chooser.get_by_role("checkbox")).to_have_count(2)
    page.get_by_label("Your question").fill("What is the Determination Date?")
    page.keyboard.press("Enter")
    expect(page.locator(".prose")).to_contain_text("fifteenth day")
    # Documents added here are searched here, too.
    page.get_by_label("Add documents").set_input_files([file("spices.txt", SPICES)])
    expect(page.locator(".limit-words")).to_have_text("Limited to 2 documents")

    page.locator(".limit-chip").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", checked=True)).to_have_count(2)
    dialog.get_by_role("searchbox").press("Enter")  # sends nothing
    expect(dialog).to_be_visible()
    for title in ("Spices", "Pooling"):
        dialog.get_by_role("checkbox", name=title).uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".limit-words")).to_have_text("All documents")


@pytest.mark.deep
def test_a_question_is_given_back_when_a_chosen_document_has_gone(
    page: "Page", web: Web, sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    page.goto(f"{web.url}/library")
    page.get_by_label("Add documents").set_input_files([file("pepper.txt", PEPPER)])
    pepper = page.locator(".document", has_text="Pepper")
    expect(pepper).to_contain_text("Ready")
    pepper.get_by_role("link").click()
    page.get_by_role("link", name="Ask about this document").click()
    ticked = page.locator(".chooser").get_by_role("checkbox", checked=True)
    expect(ticked).to_have_count(1)
    gone = ticked.get_attribute("value")
    page.request.post(
        f"{web.url}/library/{gone}/delete",
        form={
            "csrfmiddlewaretoken": page.locator("[name=csrfmiddlewaretoken]").first.input_value()
        },
        headers={"Referer": web.url},
    )
    page.get_by_label("Your question").fill("How is it weighed?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("One of the chosen documents is no longer there.")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_value("How is it weighed?")
    # It is not offered any more: the same question is answered at once.
    expect(page.locator(f".chooser input[value='{gone}']")).to_have_count(0)
    expect(ticked).to_have_count(0)
    page.get_by_label("Your question").press("Enter")
    expect(page.locator(".question")).to_have_text("How is it weighed?")


def test_files_that_are_being_read_are_followed_by_one_request(
    page: "Page", web: Web, sign_in: SignIn
) -> None:
    web.kill_worker()
    sign_in(page, "stranger")
    page.goto(f"{web.url}/library")
    asked: list[str] = []
    page.on("request", lambda request: "/library/" in request.url and asked.append(request.url))
    names = [f"sack {number}.txt" for number in range(12)]
    page.get_by_label("Add documents").set_input_files(
        [file(name, f"What is in {name}".encode()) for name in names]
    )
    expect(page.locator(".document[data-status=waiting]")).to_have_count(12)
    asked.clear()
    with page.expect_request(re.compile("documents=")):
        pass  # however long a busy machine takes to the first
    page.wait_for_timeout(2_500)
    assert len(asked) <= 3, asked
    assert asked[-1].count("documents=") == 12
    web.start_worker()
    expect(page.locator(".document[data-status=waiting]")).to_have_count(0)
    expect(page.locator(".document[data-status=ready]", has_text="Sack")).to_have_count(12)


@pytest.mark.deep
def test_an_answer_says_by_itself_when_what_it_missed_is_in_the_library(
    page: "Page", web: Web, sign_in: SignIn
) -> None:
    web.kill_worker()
    sign_in(page, "stranger")
    page.goto(f"{web.url}/library")
    page.get_by_label("Add documents").set_input_files(
        file("lantern.txt", b"The lantern of the lighthouse is lit at dusk.")
    )
    expect(page.locator(".document[data-status=waiting]", has_text="lantern")).to_have_count(1)
    page.goto(web.url)
    ask = page.get_by_label("Your question")
    ask.fill("When is the lantern lit?")
    ask.press("Enter")
    notice = page.locator("#outcome-1")
    expect(notice).to_contain_text("1 document is still being read: Lantern.")
    again = page.get_by_role("button", name="Ask again")
    again.focus()
    web.start_worker()
    expect(notice).to_contain_text("They are in the library now.")
    expect(again).to_be_focused()
    again.click()
    expect(page.locator("#turn-2 .prose")).to_contain_text("at dusk")


@pytest.mark.deep
def test_files_are_dropped_anywhere(page: "Page", web: Web, sign_in: SignIn) -> None:
    sign_in(page, "stranger")
    page.goto(f"{web.url}/library")
    transfer = page.evaluate_handle(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["Salt is measured in the cellar."], "salt.txt"));
          return transfer;
        }"""
    )
    page.locator("main").dispatch_event("dragover", {"dataTransfer": transfer})
    expect(page.get_by_text("Drop files anywhere on this page")).to_be_visible()
    page.locator("main").dispatch_event("drop", {"dataTransfer": transfer})
    expect(page.locator(".document", has_text="Salt")).to_contain_text("Ready")
    expect(page.get_by_text("Drop files anywhere on this page")).to_be_hidden()


@pytest.mark.deep
def test_the_library_fits_a_phone(page: "Page", web: Web, sign_in: SignIn) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, "colleague")
    page.goto(f"{web.url}/library")
    expect(page.locator(".document").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator(".document-link").first.click()
    expect(page.locator(".document-page")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.deep
def test_files_are_added_where_one_asks(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    chooser = page.get_by_label("Add documents")
    chooser.focus()
    expect(chooser).to_be_focused()
    chooser.set_input_files([file("empty.txt", b""), file("pepper.txt", PEPPER)])
    refused = page.locator(".outcome.is-refused")
    expect(refused).to_contain_text("empty.txt")
    expect(refused.get_by_role("alert")).to_be_visible()
    expect(page.locator(".attached .document", has_text="Pepper")).to_contain_text("Ready")
    page.get_by_label("Your question").fill("How is pepper weighed?")
    page.keyboard.press("Enter")
    expect(page.locator(".prose")).to_contain_text("by the sack")
    dropped = page.evaluate_handle(
        """() => {
            const brought = new DataTransfer();
            brought.items.add(new File(["Cloves are counted by the porter."], "cloves.txt"));
            return brought;
        }"""
    )
    page.dispatch_event("main", "drop", {"dataTransfer": dropped})
    expect(page.locator(".attached .document", has_text="Cloves")).to_contain_text("Ready")
