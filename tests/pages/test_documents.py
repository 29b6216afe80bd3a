"""The pages of one document, and of what a conversation is limited to."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from citations.library import EXCHANGE, REREAD
from citations.models import Document, OriginalFile, Passage, SessionDocument
from citations.sources.items import build_csl_item
from memory.jobs import queue
from memory.models import AuditEvent, Job, Session, Turn, User
from tests.citations.documents import add
from tests.pages.conversations import (
    HTMX,
    MISSING,
    QUESTION,
    STREAM,
    page,
    passage_of_a_document,
    text,
    turn_of,
)
from tests.pages.test_library import stored
from tests.people import person

# One engine is enough: tests/migrations/test_updates.py opens each page on either.


def document_with_passages(owner: User | None, count: int) -> Document:
    document = stored(owner, 1, passage_count=count, page_count=count)
    Passage.objects.bulk_create(
        Passage(
            document=document,
            owner=owner,
            position=number,
            page=number + 1,
            heading=f"Part {number // 10}",
            text=f"Text <{number}>",
            tokens=3,
        )
        for number in range(count)
    )
    return document


@pytest.fixture
def long(owner: User) -> Document:
    return document_with_passages(owner, 120)


@pytest.fixture
def staff(db: None) -> Client:
    browser = Client()
    browser.force_login(person("librarian", is_staff=True, is_superuser=True))
    return browser


def positions(shown: str) -> list[int]:
    return [number for number in range(120) if f'id="passage-{number}"' in shown]


# --- Reading ------------------------------------------------------------------------------------


def test_a_document_is_read_from_its_beginning(client: Client, long: Document) -> None:
    shown = text(client.get(page("document", long.pk)))
    assert positions(shown) == list(range(50))
    assert "Text &lt;0&gt;" in shown
    assert "Part 0 · page 1" in shown
    assert "?after=49" in shown
    assert "?before=" not in shown


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_goes_on_by_page_in_both_directions(
    client: Client, long: Document, headers: dict[str, str]
) -> None:
    url = page("document", long.pk)
    assert positions(text(client.get(f"{url}?after=49", headers=headers))) == list(range(50, 100))
    last = text(client.get(f"{url}?after=99", headers=headers))
    assert positions(last) == list(range(100, 120))
    assert "?after=" not in last
    assert positions(text(client.get(f"{url}?before=70", headers=headers))) == list(range(20, 70))
    assert ("<nav" in last) == (not headers)


def test_it_opens_at_a_passage(client: Client, long: Document) -> None:
    shown = text(client.get(page("document", long.pk) + "?passage=60"))
    assert positions(shown)[:3] == [58, 59, 60]
    assert 'class="passage is-wanted" id="passage-60" aria-current="true"' in shown
    assert shown.count("is-wanted") == 1
    assert "?before=58" in shown


@pytest.mark.parametrize(
    "query", ["passage=999999", "passage=x", "after=-5", "before=0", "after=120"]
)
def test_a_place_that_is_none_breaks_nothing(client: Client, long: Document, query: str) -> None:
    assert client.get(page("document", long.pk) + f"?{query}").status_code == 200


def test_what_could_not_be_read_is_said(client: Client, owner: User) -> None:
    packed = [["comment", 2, None, []], ["page", 1, "no_text", [3]], ["chart", 1, "<b>", []]]
    document = stored(owner, 1, parts=packed, url="javascript:alert(1)")
    shown = text(client.get(page("document", document.pk)))
    assert [said in shown for said in ("2 comments", "Page 3", "Not read: no text")] == [True] * 3
    assert f'href="/library/{document.pk}#parts"' in text(client.get(page("library")))
    stored(owner, 3, unread=["Page 3 holds no text."])
    assert text(client.get(page("library"))).count("Not all read") == 2
    assert "javascript:" not in shown
    failed = stored(owner, 2, status="failed", failure="too_complex")
    shown = text(client.get(page("document", failed.pk)))
    assert "too much memory" in shown
    assert "Ask about this document" not in shown


def test_a_citation_leads_to_its_place_in_the_document(
    client: Client, session: Session, passage: Passage
) -> None:
    citation = turn_of(session, passage).citations.get()
    shown = text(client.get(page("citation", citation.pk), headers=HTMX))
    assert (
        f'href="/library/{passage.document_id}?passage=0&amp;citation={citation.pk}#cited"' in shown
    )
    path = f"{page('document', passage.document_id)}?passage=0&citation={citation.pk}"
    assert f'<mark id="cited">{citation.quote}</mark>' in text(client.get(path))


def test_a_document_takes_the_same_queries_however_long(client: Client, owner: User) -> None:
    def queries(document: Document) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page("document", document.pk)).status_code == 200
        return len(captured)

    short = document_with_passages(owner, 1)
    client.get("/library")  # the first visit from an address is noted
    few = queries(short)
    short.delete()
    assert queries(document_with_passages(owner, 120)) == few


# --- Who may ------------------------------------------------------------------------------------


def test_a_private_document_is_there_for_its_owner_alone(
    client: Client, colleague: User, staff: Client, long: Document, session: Session
) -> None:
    other = Client()
    other.force_login(colleague)
    doors = [page(name, long.pk) for name in ("document", "edit", "delete_document")]
    for browser in (other, staff):
        for url in doors:
            for headers in ({}, HTMX):
                assert browser.get(url, headers=headers).status_code == 404
                assert browser.post(url, {"title": "x"}, headers=headers).status_code in (404, 405)
    for url in doors:
        assert client.get(url).status_code == 200
        assert Client().get(url).status_code == 302
    for name in ("home", "choices", "rows"):
        for browser, seen in ((other, False), (staff, False), (client, True)):
            listed = browser.get(page(name), {"documents": str(long.pk)})
            assert listed.status_code == 200
            assert (str(long.pk) in text(listed)) is seen
    assert other.post(page("limit", session.pk), {"documents": long.pk}).status_code == 404
    long.refresh_from_db()
    assert long.title == "Number 1"


def test_a_shared_document_is_changed_by_staff_alone(client: Client, staff: Client) -> None:
    document = stored(None, 1)
    shown = text(client.get(page("document", document.pk)))
    assert page("edit", document.pk) not in shown
    assert page("delete_document", document.pk) not in shown
    for name in ("edit", "delete_document"):
        for method in (client.get, client.post):
            assert method(page(name, document.pk), {"title": "x"}).status_code == 403
    staff.post(page("edit", document.pk), {"title": "Ours", "authors": "", "year": "", "url": ""})
    document.refresh_from_db()
    assert document.title == "Ours"
    assert staff.post(page("delete_document", document.pk)).status_code == 302
    assert not Document.objects.exists()


# --- Changing -----------------------------------------------------------------------------------


def test_what_is_said_about_a_document_is_edited(client: Client, long: Document) -> None:
    url = page("edit", long.pk)
    assert 'value="Number 1"' in text(client.get(url))
    form = {
        "title": "  The\u200b  ledgers ",
        "authors": "Ames, A.\r\n\r\n Bell,  B. \r\n",
        "year": "1999",
        "url": "https://example.org/x",
    }
    response = client.post(url, form)
    assert response["Location"] == page("document", long.pk)
    long.refresh_from_db()
    assert (long.title, long.authors, long.year, long.url) == (
        "The ledgers",
        ["A. Ames", "B. Bell"],
        1999,
        "https://example.org/x",
    )
    assert AuditEvent.objects.filter(action="document.changed", subject_id=long.pk).count() == 1


def test_a_source_is_edited_whole_and_the_change_undone(client: Client, long: Document) -> None:
    before = build_csl_item(long)
    form = {
        "title": "Ledgers", "type": "chapter", "authors": "van der Berg, Ann\nWorld Bank Group",
        "editors": "Doe, Jane", "year": "1999", "month": "5", "container_title": "Books",
        "page": "1-9", "isbn": "978-0-306-40615-7", "doi": "https://doi.org/10.1000/x",
    }  # fmt: skip
    assert client.post(page("edit", long.pk), form).status_code == 302
    long.refresh_from_db()
    item = build_csl_item(long)
    assert (item["type"], item["container-title"], item["DOI"]) == ("chapter", "Books", "10.1000/x")
    assert item["author"] == [
        {"family": "van der Berg", "given": "Ann"},
        {"literal": "World Bank Group"},
    ]
    assert item["issued"] == {"date-parts": [[1999, 5]]}
    shown = text(client.get(page("edit", long.pk)))
    assert "van der Berg, Ann" in shown
    assert "Doe, Jane" in shown
    client.post(page("undo_edit", long.pk))
    long.refresh_from_db()
    assert build_csl_item(long) == before
    client.post(page("undo_edit", long.pk))
    long.refresh_from_db()
    assert build_csl_item(long) == item


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "\u200b"),
        ("title", "x" * 301),
        ("authors", "x" * 201),
        ("authors", "a\n" * 201),
        ("year", "soon"),
        ("year", "0"),
        ("year", "10000"),
        ("url", "javascript:alert(1)"),
        ("url", "example"),
        ("doi", "nonsense"),
    ],
)
def test_a_wrong_value_is_said_and_changes_nothing(
    client: Client, long: Document, field: str, value: str
) -> None:
    form = {"title": "New", "authors": "", "year": "", "url": "", field: value}
    response = client.post(page("edit", long.pk), form)
    assert response.status_code == 400
    assert "field-error" in text(response)
    assert re.search(rf'name="{field}"[^>]* autofocus', text(response))  # brought into view
    long.refresh_from_db()
    assert long.title == "Number 1"


def test_a_newer_version_asks_replaces_and_is_undone(
    client: Client, owner: User, session: Session
) -> None:
    older = add("The notary keeps the blue ledger.", owner)
    turn = turn_of(session, older.passages.get())
    newer = add("The notary keeps the red ledger.", owner)
    replace = page("replace", newer.pk, older.pk)
    assert replace in text(client.get(page("document", newer.pk)))
    assert "is no longer used for answers" in text(client.get(replace))
    assert client.post(replace)["Location"] == page("document", newer.pk)
    assert "Replaced by a newer version" in text(client.get(page("document", older.pk)))
    changed = text(client.get(page("changes", newer.pk)))
    assert "blue ledger" in changed
    assert "red ledger" in changed
    cited = text(client.get(page("citation", turn.citations.get().pk)))
    assert "From an earlier version" in cited
    assert client.post(replace).status_code == 409
    client.post(page("restore", older.pk))
    assert replace not in text(client.get(page("document", newer.pk)))
    older.refresh_from_db()
    assert older.status == Document.Status.READY


def test_deleting_is_confirmed_with_what_it_means(
    client: Client, owner: User, session: Session, staff: Client
) -> None:
    own = add("The notary keeps the blue ledger.", owner)
    turn = turn_of(session, own.passages.get())
    for headers in ({}, HTMX):
        shown = text(client.get(page("delete_document", own.pk), headers=headers))
        assert "1 answer of yours was built on it and is deleted too" in shown
    assert Document.objects.filter(pk=own.pk).exists()
    assert client.post(page("delete_document", own.pk))["Location"] == page("library")
    assert not Document.objects.exists()
    assert Turn.objects.get(pk=turn.pk).response == ""
    shared = passage_of_a_document().document
    shown = text(staff.get(page("delete_document", shared.pk)))
    assert "nobody will find it again" in shown


# --- Limits -------------------------------------------------------------------------------------


def test_a_conversation_begins_limited_to_a_document(client: Client, owner: User) -> None:
    own = add("The notary keeps the blue ledger.", owner)
    shown = text(client.get(page("home") + f"?documents={own.pk}"))
    assert f'value="{own.pk}" checked' in shown
    client.post(page("start"), {"query": QUESTION, "documents": str(own.pk)})
    session = Session.objects.get(owner=owner)
    assert [row.document_id for row in session.limited_to.all()] == [own.pk]
    assert "Limited to 1 document" in text(client.get(page("conversation", session.pk)))


def test_a_question_outlives_a_document_that_was_chosen_for_it(
    client: Client, owner: User, stranger: User
) -> None:
    kept, theirs = stored(owner, 1), stored(stranger, 2, title="Their secret")
    said = "One of the chosen documents is no longer there."
    for gone in (str(theirs.pk), MISSING):
        form = {"query": QUESTION, "documents": [gone, str(kept.pk)]}
        again = client.post(page("start"), form)
        assert again.status_code == 404
        shown = text(again)
        assert said in shown
        assert f"{QUESTION}</textarea>" in shown
        assert f'value="{kept.pk}" checked' in shown
        assert gone not in shown
        refused = client.post(page("start"), form, headers=STREAM)
        assert refused.status_code == 404
        error = json.loads(refused.content)["error"]
        assert error["code"] == "document_gone"
        assert said in error["message"]
        shown = text(client.get(page("home"), {"documents": form["documents"]}))
        assert f'value="{kept.pk}" checked' in shown
        assert gone not in shown
    assert not Session.objects.exists()


def test_a_limit_to_a_document_that_has_gone_can_be_chosen_again(
    client: Client, owner: User, session: Session
) -> None:
    kept = stored(owner, 1)
    form = {"documents": [MISSING, str(kept.pk)]}
    again = client.post(page("limit", session.pk), form)
    assert again.status_code == 404
    assert "One of the chosen documents is no longer there." in text(again)
    assert f'value="{kept.pk}" checked' in text(again)
    assert not SessionDocument.objects.exists()


def test_a_conversation_is_limited_and_freed(client: Client, owner: User, session: Session) -> None:
    rows = [stored(owner, number) for number in range(3)]
    url = page("limit", session.pk)
    assert "All documents" in text(client.get(page("conversation", session.pk)))
    client.post(url, {"documents": [str(row.pk) for row in rows[:2]]})
    assert "Limited to 2 documents" in text(client.get(page("conversation", session.pk)))
    for headers in ({}, HTMX):
        assert text(client.get(url, headers=headers)).count(" checked") == 2
    rows[0].delete()
    assert "1 document it was limited to has been deleted" in text(client.get(url))
    client.post(url, {})
    assert not SessionDocument.objects.exists()
    assert AuditEvent.objects.filter(action="session.limited").count() == 2


def test_a_search_among_the_choices_keeps_the_ticked(client: Client, owner: User) -> None:
    rows = [stored(owner, number) for number in range(30)]
    stored(owner, 99, title="Number 99", status="waiting")
    query = {"q": "number 2", "documents": str(rows[7].pk)}
    shown = text(client.get(page("choices"), query, headers=HTMX))
    assert f'value="{rows[7].pk}" checked' in shown
    assert "Number 29" in shown
    assert "Number 13" not in shown
    assert "Number 99" not in shown
    assert "No document with “xyz”" in text(client.get(page("choices"), {"q": "xyz"}))


# --- Reading again --------------------------------------------------------------------------------


@pytest.fixture
def older(owner: User) -> Document:
    """A document of the owner's that an older version has read."""
    document = add("The harbour opens at nine. It closes at five.", owner)
    Document.objects.update(reading=None)
    document.refresh_from_db()
    return document


def test_a_document_that_an_older_version_has_read_can_be_read_again(
    client: Client, older: Document
) -> None:
    shown = text(client.get(page("document", older.pk)))
    assert f'action="{page("reread", older.pk)}"' in shown
    assert "An older version read this document." in shown
    assert client.post(page("reread", older.pk))["Location"] == page("document", older.pk)

    shown = text(client.get(page("document", older.pk)))
    assert "Waiting to be read again" in shown
    assert 'hx-trigger="every 2s"' in shown
    assert page("reread", older.pk) not in shown
    assert "The harbour opens at nine." in shown
    queue.run_due()
    shown = text(client.get(page("document", older.pk)))
    assert "<dt>Read again</dt><dd>0 passages changed</dd>" in shown
    assert page("reread", older.pk) not in shown
    assert "An older version" not in shown


def test_how_far_it_is_read_again_is_told_on_its_page_and_in_the_list(
    client: Client, older: Document
) -> None:
    client.post(page("reread", older.pk))
    row = page("rows") + f"?documents={older.pk}"
    for kind, told in ((REREAD, "Being read again: 10%"), (EXCHANGE, "Being read again: 60%")):
        Job.objects.filter(kind__in=[REREAD, EXCHANGE]).update(kind=kind, progress=40, total=80)
        assert told in text(client.get(page("document", older.pk)))
        shown = text(client.get(row))
        assert told in shown
        assert 'data-status="waiting"' in shown


def test_what_was_just_read_offers_nothing(client: Client, owner: User) -> None:
    document = add("The harbour opens at nine.", owner)
    shown = text(client.get(page("document", document.pk)))
    assert "ead again" not in shown
    client.post(page("reread", document.pk))
    shown = text(client.get(page("document", document.pk)))
    assert "This document is up to date: the newest version has read it." in shown


def test_without_its_file_the_page_says_so_and_asks_for_it(client: Client, older: Document) -> None:
    OriginalFile.objects.all().delete()
    shown = text(client.get(page("document", older.pk)))
    assert "its file was not kept. Add the same file once more" in shown
    assert page("reread", older.pk) not in shown
    client.post(page("reread", older.pk))
    assert "The file of this document was not kept." in text(client.get(page("library")))
    assert not Job.objects.filter(kind=REREAD).exists()


def test_adding_the_same_file_once_more_says_that_it_is_read_again(
    client: Client, older: Document
) -> None:
    OriginalFile.objects.all().delete()
    data = b"The harbour opens at nine. It closes at five."
    for told in ("It is in the library already, and is being read again:", "already:"):
        file = SimpleUploadedFile("note.txt", data)
        assert told in text(client.post(page("upload"), {"file": file}))
        queue.run_due()
    older.refresh_from_db()
    assert (older.is_outdated, older.passages_changed) == (False, 0)


def test_why_it_could_not_be_read_again_is_told_and_it_may_be_tried_once_more(
    client: Client, older: Document
) -> None:
    Document.objects.update(rereading_failure="too_complex")
    shown = text(client.get(page("document", older.pk)))
    assert "It could not be read again, so it stays as it was:" in shown
    assert "too much memory" in shown
    assert page("reread", older.pk) in shown


def test_only_who_may_change_a_document_may_have_it_read_again(
    client: Client, colleague: User, staff: Client, older: Document
) -> None:
    other = Client()
    other.force_login(colleague)
    for browser in (other, staff):
        assert browser.post(page("reread", older.pk)).status_code == 404
        assert browser.post(page("reread", MISSING)).status_code == 404
    assert client.get(page("reread", older.pk)).status_code == 405
    shared = add("The library opens at ten.")
    Document.objects.update(reading=None)
    assert "ead again" not in text(client.get(page("document", shared.pk)))
    assert client.post(page("reread", shared.pk)).status_code == 403
    assert not Job.objects.filter(kind=REREAD).exists()
    assert page("reread", shared.pk) in text(staff.get(page("document", shared.pk)))
    assert staff.post(page("reread", shared.pk)).status_code == 302
    assert Job.objects.get(kind=REREAD).subject == shared.pk


def test_a_cited_passage_that_was_replaced_is_shown_as_it_was_cited(
    client: Client, session: Session, owner: User
) -> None:
    document = add("Before. It is the fifteenth day. After.", owner)
    citation = turn_of(session, document.passages.get()).citations.get()
    Document.objects.update(reading=None)
    for original in OriginalFile.objects.all():
        original.file = b"It is another day."
        original.save()
    client.post(page("reread", document.pk))
    queue.run_due()
    assert "It is another day." in text(client.get(page("document", document.pk)))
    for headers in ({}, HTMX):
        shown = text(client.get(page("citation", citation.pk), headers=headers))
        assert "Before. <mark>It is the fifteenth day.</mark> After." in shown
        assert "The document has been read again since." in shown
        assert "?passage=" not in shown
