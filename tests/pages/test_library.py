"""The library's pages without JavaScript: files in, the list, and who sees what."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.views.library.listing import MOST_ROWS, SHOWN
from citations.models import Document
from citations.readers.file_failures import MESSAGES
from citations.session_focus.document_scope import scope_session
from memory.conversations.asking import create_session
from memory.models import AuditEvent, Job, User
from tests.citations.documents import add
from tests.pages.conversations import HTMX, MISSING, page, text
from tests.people import person

TEXT = b"The notary keeps the blue ledger in the north cabinet."


def upload(client: Client, *files: tuple[str, bytes], **fields: Any) -> HttpResponse:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(page("upload"), {"file": sent, **fields.pop("form", {})}, **fields)


@pytest.mark.parametrize("kind", ["RTF", "mail (.eml)", "OpenDocument", "CSV", "Markdown"])
def test_a_kind_that_a_refusal_names_is_named_wherever_files_are_asked_for(
    client: Client, kind: str
) -> None:
    places = [Path(name).read_text() for name in ("docs/using.md",)]
    places += [text(client.get(page("library"))), str(MESSAGES["unsupported"])]
    assert all(kind in " ".join(place.split()) for place in places)


def stored(owner: User | None, number: int, **fields: Any) -> Document:
    """Store a document without a file."""
    return Document.objects.create(
        owner=owner,
        checksum=f"{number:064}",
        **{
            "title": f"Number {number}",
            "authors": ["Ames, A."],
            "unread": [],
            "media_type": "text/plain",
            "status": "ready",
        }
        | fields,
    )


def titles(response: HttpResponse) -> list[str]:
    return [row.document.title for row in response.context["listing"].rows]


# --- Files in -------------------------------------------------------------------------------------


def test_files_are_added_each_with_its_own_outcome(client: Client, owner: User) -> None:
    response = upload(client, ("good.md", TEXT), ("bad.pdf", b"%PDF-1.7 ?"), ("more.txt", TEXT * 2))
    assert response.status_code == 200
    shown = text(response)
    assert re.search(r"<strong>bad\.pdf</strong>\s+<span[^>]*>The file is damaged", shown)
    assert shown.count("It is being read.") == 2
    assert Document.objects.filter(owner=owner).count() == 2
    assert {row.file_name for row in Document.objects.all()} == {"good.md", "more.txt"}
    again = text(upload(client, ("good.md", TEXT)))
    known = next(row for row in Document.objects.all() if row.file_name == "good.md")
    assert "It is in the library already" in again
    assert f'<a href="{page("document", known.pk)}"' in again
    assert Document.objects.count() == 2


def test_nothing_is_added_by_a_form_with_no_file_or_too_many(client: Client) -> None:
    assert "Choose a file first" in text(upload(client))
    many = upload(client, *((f"{number}.txt", TEXT) for number in range(21)))
    assert many.status_code == 400
    assert "At most 20 files at a time" in text(many)
    assert not Document.objects.exists()


def test_a_script_gets_the_row_or_the_reason(client: Client) -> None:
    added = upload(client, ("good.md", TEXT), headers=HTMX)
    assert added.status_code == 201
    assert text(added).strip().startswith('<li class="document"')
    assert 'data-status="waiting"' in text(added)
    again = upload(client, ("other name.md", TEXT), headers=HTMX)
    assert again.status_code == 200
    assert "It is in the library already" in text(again)
    assert page("document", Document.objects.get().pk) in text(again)
    refused = upload(client, ("bad.pdf", b"%PDF-1.7 ?"), headers=HTMX)
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "broken"


def test_a_file_added_in_a_limited_conversation_joins_its_limit(
    client: Client, owner: User, stranger: User
) -> None:
    session, other = create_session(owner), create_session(stranger)
    upload(client, ("free.md", b"Nothing is limited."), form={"session": session.pk}, headers=HTMX)
    assert not session.limited_to.exists()
    scope_session(session, [stored(None, 1).pk])
    added = upload(client, ("good.md", TEXT), form={"session": session.pk}, headers=HTMX)
    assert added.status_code == 201
    assert "Limited to 2 documents" in text(added)
    again = upload(client, ("same.md", TEXT), form={"session": session.pk}, headers=HTMX)
    assert "Limited to 2 documents" in text(again)
    names = {limit.document.title for limit in session.limited_to.select_related("document")}
    assert names == {"Number 1", "Good"}
    for wrong in (other.pk, "nothing"):
        refused = upload(client, ("new.md", b"New."), form={"session": wrong}, headers=HTMX)
        assert refused.status_code == 404
    assert Document.objects.count() == 3


def test_titles_are_read_in_their_own_direction(client: Client, owner: User) -> None:
    stored(owner, 1, title="سياسة الإجازات")
    create_session(owner, title="ما هو الموضوع")
    listed = text(client.get(page("library")))
    assert re.search(r'class="document-link" dir="auto"[^>]*>سياسة', listed)
    assert re.search(r'class="conversation-link" dir="auto"[^>]*>ما هو', listed)


def test_a_file_that_is_too_large_is_413(client: Client, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    response = upload(client, ("large.md", b"x" * 200))
    assert response.status_code == 413
    assert "A document may have" in text(response)


def test_only_staff_add_for_everyone(client: Client, colleague: User) -> None:
    assert 'name="shared"' not in text(client.get(page("library")))
    assert upload(client, ("good.md", TEXT), form={"shared": "yes"}).status_code == 403
    assert not Document.objects.exists()
    staff = Client()
    staff.force_login(person("librarian", is_staff=True, is_superuser=True))
    assert "For everyone" in text(staff.get(page("library")))
    upload(staff, ("good.md", TEXT), form={"shared": "yes"})
    upload(staff, ("mine.md", TEXT + b" Mine."), form={"shared": "no"})
    assert titles(client.get(page("library"))) == ["Good"]
    assert AuditEvent.objects.filter(action="document.added").count() == 2


# --- The list -------------------------------------------------------------------------------------


def test_an_empty_library_says_what_to_do(client: Client) -> None:
    assert "No documents yet" in text(client.get(page("library")))
    assert "No document fits" in text(client.get(page("library"), {"q": "x"}))


def test_documents_are_listed_newest_first_and_by_page(client: Client, owner: User) -> None:
    for number in range(SHOWN + 5):
        stored(owner if number % 2 else None, number)
    expected = [f"Number {number}" for number in reversed(range(SHOWN + 5))]
    first = client.get(page("library"))
    assert titles(first) == expected[:SHOWN]
    link = re.search(r'quiet-button" href="([^"]+)"', text(first))
    assert link
    for headers in ({}, HTMX):
        assert titles(client.get(link[1], headers=headers)) == expected[SHOWN:]


def test_the_list_is_searched_and_filtered(client: Client, owner: User) -> None:
    stored(owner, 1, title="Ledgers of the north", media_type="application/pdf")
    stored(owner, 2, authors=["Bell, B."], status="failed", failure="encrypted")
    stored(None, 3, file_name="north.docx")

    def found(**query: str) -> list[str]:
        return titles(client.get(page("library"), query))

    assert found(q="NORTH") == ["Number 3", "Ledgers of the north"]
    assert found(q="ledgers north") == ["Ledgers of the north"]
    assert found(q="bell") == ["Number 2"]
    assert found(q="bell ledgers") == []
    assert found(whose="mine") == ["Number 2", "Ledgers of the north"]
    assert found(whose="library") == ["Number 3"]
    assert found(status="failed") == ["Number 2"]
    assert found(kind="pdf") == ["Ledgers of the north"]
    assert len(found(kind="nonsense", status="nonsense", whose="nonsense")) == 3
    shown = text(client.get(page("library"), {"status": "failed"}))
    assert "protected by a password" in shown


def test_a_page_of_a_search_keeps_what_was_asked(client: Client, owner: User) -> None:
    for number in range(SHOWN + 1):
        stored(owner, number)
    shown = text(client.get(page("library"), {"q": "number & ames", "whose": "mine"}))
    assert "No document fits" in shown
    shown = text(client.get(page("library"), {"q": "number ames", "whose": "mine"}))
    assert "?q=number+ames&amp;whose=mine&amp;after=" in shown


@pytest.mark.parametrize("after", ["x", "1.2", "1." + MISSING[:8]])
def test_a_broken_cursor_is_not_found(client: Client, after: str) -> None:
    assert client.get(page("library"), {"after": after}).status_code == 404


def test_a_document_that_is_being_read_shows_how_far(client: Client, owner: User) -> None:
    document = stored(owner, 1, status="waiting")
    row = f"{page('rows')}?documents={document.pk}"
    assert "Waiting to be read" in text(client.get(row))
    Job.objects.create(kind="x", subject=document.pk, status="running", progress=30, total=80)
    shown = text(client.get(row))
    assert "Being read: 8%" in shown
    assert '<progress max="100" value="8"' in shown
    Document.objects.update(page_count=80)
    assert "Being read: page 31 of 80" in text(client.get(row))
    Document.objects.update(passage_count=1500)
    Job.objects.update(progress=1200, total=1500)
    assert "Being indexed: passage 1,201 of 1,500" in text(client.get(row))
    assert '<meta http-equiv="refresh"' in text(client.get(page("library")))
    Document.objects.update(status="ready")
    assert 'data-status="ready"' in text(client.get(row))


def test_many_documents_that_are_being_read_are_one_question(
    client: Client, owner: User, stranger: User
) -> None:
    rows = [stored(owner, number, status="waiting") for number in range(MOST_ROWS + 1)]
    theirs = stored(stranger, 999, status="waiting")

    def asked(chosen: list[Document]) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as captured:
            ids = [str(row.pk) for row in chosen]
            shown = client.get(page("rows"), {"documents": ids}, headers=HTMX)
        assert shown.status_code == 200
        return text(shown).count('<li class="document"'), len(captured)

    assert asked([theirs])[0] == 0
    few, many = asked(rows[:2]), asked([theirs, *rows])
    assert (few[0], many[0]) == (2, MOST_ROWS - 1)
    assert few[1] == many[1]
    assert client.get(page("rows"), {"documents": "x"}).status_code == 404


def test_a_row_asks_whether_its_document_replaces_an_older_version(
    client: Client, owner: User
) -> None:
    older, newer = (stored(owner, number, file_name="fees.md") for number in (1, 2))
    for row, asks in ((older, False), (newer, True)):
        shown = client.get(page("rows"), {"documents": str(row.pk)}, headers=HTMX)
        assert ("Does it replace an older version?" in text(shown)) is asks


@pytest.mark.parametrize("where", ["library", "choices", "home", "conversations", "search", "rows"])
def test_an_address_with_a_character_no_database_takes_is_no_error(
    client: Client, where: str
) -> None:
    names = ("q", "whose", "status", "kind", "after", "documents", "since", "archived", "before")
    for name in names:
        for value in ("\x00", "a\x00"):
            for headers in ({}, HTMX):
                answer = client.get(page(where), {name: value}, headers=headers)
                assert answer.status_code in (200, 400, 404), name


def test_a_long_title_of_markup_stays_text(client: Client, owner: User) -> None:
    stored(owner, 1, title="<b>" + "x" * 290, authors=["<i>"])
    shown = text(client.get(page("library")))
    assert "&lt;b&gt;xxx" in shown
    assert "<b>xxx" not in shown


def test_read_rows_ask_for_replacing_in_the_same_queries_however_many(
    client: Client, owner: User
) -> None:
    documents = [add(f"The notary keeps ledger {number}.", owner) for number in range(6)]

    def rows(count: int) -> tuple[str, int]:
        chosen = {"documents": [each.pk for each in documents[:count]]}
        with CaptureQueriesContext(connection) as context:
            shown = text(client.get(page("rows"), chosen))
        return shown, len(context)

    rows(2)
    shown, few = rows(2)
    assert shown.count("Does it replace an older version?") == 1  # the oldest replaces none
    assert rows(6)[1] == few


def test_the_list_takes_the_same_queries_however_long(client: Client, owner: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page("library")).status_code == 200
        return len(captured)

    stored(owner, 0, status="waiting")
    stored(None, 1)
    queries()  # the first read in a quarter of an hour is recorded
    few = queries()
    for number in range(2, 50):
        stored(owner if number % 2 else None, number, status="waiting" if number % 3 else "ready")
    assert queries() == few
