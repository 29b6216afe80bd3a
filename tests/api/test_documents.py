"""Documents over the API: added as files and as text, listed, read, changed, removed."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from citations import library
from citations.index.scope import Scope as Within
from citations.library import EXCHANGE, REREAD
from citations.models import Document, OriginalFile, Passage
from memory.jobs import queue
from memory.models import AuditEvent, Job, Scope, Session, User
from tests.api.conftest import Api, Json, hold_against_schema
from tests.api.test_errors import NOT_FOUND
from tests.api.test_isolation import MALFORMED, UNKNOWN
from tests.citations.documents import add, found_by_words

pytestmark = pytest.mark.django_db

TEXT = "The notary keeps the blue ledger in the north cabinet."


def send(api: Api, data: bytes, name: str = "ledger.md", **fields: Any) -> HttpResponse:
    """Upload a file as a form; the answer fits the schema."""
    path = "/api/v1/documents"
    form = {"file": SimpleUploadedFile(name, data), **fields}
    response = api.client.post(path, form, headers=api.headers)
    hold_against_schema("POST", path, response)
    return response


@pytest.fixture
def staff(db: None) -> Api:
    """The program of someone who helps to run the library, with all rights."""
    from tests.people import person

    return Api(person("librarian", is_staff=True, is_superuser=True), scope=Scope.ADMIN)


@pytest.fixture
def own(api: Api) -> Json:
    """A private document of the owner's, read and ready."""
    body = {"text": TEXT, "title": "Ledgers", "authors": ["Ames, A."], "year": 2020}
    response = api.post("/documents", body)
    assert response.status_code == 201, response.content
    queue.run_due()
    return api.get(f"/documents/{response.json()['document_id']}").json()


def error(response: HttpResponse) -> Json:
    return json.loads(response.content)["error"]


def test_a_document_has_its_profile_and_its_passages_their_layout(api: Api) -> None:
    text = (
        "# Harbour\n\n## Berths\n\nA berth pass is a permit to moor.\n\nBring:\n\n- the berth pass"
    )
    body = {"title": "Harbour", "text": text, "media_type": "text/markdown"}
    added = api.post("/documents", body).json()
    assert (added["about"], added["outline"], added["questions"]) == (None, [], [])
    queue.run_due()
    found = api.get(f"/documents/{added['document_id']}").json()
    assert (found["language"], found["date"], found["progress"]) == ("en", None, None)
    assert found["outline"] == [{"level": 0, "heading": "Berths", "page": None, "position": 0}]
    assert found["questions"] == []
    (passage,) = api.get(f"/documents/{added['document_id']}/passages").json()["passages"]
    assert [part["kind"] for part in passage["layout"]] == ["paragraph", "paragraph", "item"]


def test_the_progress_of_reading_is_in_pages_and_then_in_passages(api: Api) -> None:
    added = api.post("/documents", {"title": "Ledgers", "text": TEXT}).json()
    Job.objects.filter(subject=added["document_id"]).update(progress=120, total=589)
    Document.objects.update(page_count=589)

    def progress() -> Any:
        return api.get(f"/documents/{added['document_id']}").json()["progress"]

    assert progress() == {"unit": "pages", "done": 120, "total": 589}
    Document.objects.update(passage_count=900)
    assert progress()["unit"] == "passages"


# --- Adding -----------------------------------------------------------------------------------


def test_a_file_is_added_read_and_found(api: Api) -> None:
    response = send(api, b"# Ledgers\n\n" + TEXT.encode(), authors=["Ames, A.", "Bell, B."], year=7)
    assert response.status_code == 201
    document = response.json()
    assert document["title"] == "Ledgers"
    assert document["file_name"] == "ledger.md"
    assert (document["authors"], document["year"]) == (["Ames, A.", "Bell, B."], 7)
    assert (document["media_type"], document["status"]) == ("text/markdown", "waiting")
    assert document["size"] == len(TEXT) + 11
    assert not document["shared"]
    queue.run_due()
    read = api.get(f"/documents/{document['document_id']}").json()
    assert (read["status"], read["passage_count"], read["failure"]) == ("ready", 1, None)
    turn = api.ask(api.begin(), "Who keeps the blue ledger?")
    assert [source["document_id"] for source in turn["sources"]] == [document["document_id"]]


def test_text_is_added_with_what_is_said_about_it(own: Json) -> None:
    assert (own["title"], own["authors"], own["year"], own["url"]) == (
        "Ledgers",
        ["Ames, A."],
        2020,
        None,
    )
    assert (own["status"], own["file_name"], own["media_type"]) == ("ready", "", "text/plain")


def test_markdown_as_text_has_headings(api: Api) -> None:
    text = f"# Ledgers\n\n## Cabinet\n\n{TEXT}"
    body = {"text": text, "title": "Ledgers", "media_type": "text/markdown"}
    document = api.post("/documents", body).json()
    queue.run_due()
    passages = api.get(f"/documents/{document['document_id']}/passages").json()["passages"]
    assert [(passage["heading"], passage["text"]) for passage in passages] == [("Cabinet", TEXT)]


def test_the_same_file_again_is_the_same_document(api: Api, strangers_api: Api) -> None:
    first, again = send(api, TEXT.encode()), send(api, TEXT.encode(), name="copy.md")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    theirs = send(strangers_api, TEXT.encode())
    assert theirs.status_code == 201
    assert theirs.json()["document_id"] != first.json()["document_id"]


@pytest.mark.parametrize(
    ("data", "name", "status", "code"),
    [
        (b"", "empty.txt", 400, "empty"),
        (b"   \n", "blank.md", 400, "empty"),
        (b"%PDF-1.7 nothing else", "broken.pdf", 400, "broken"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 50, "picture.png", 415, "unsupported"),
        (b"abc\x00def\x01\x02", "binary.txt", 400, "binary"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_leaves_nothing(
    api: Api, data: bytes, name: str, status: int, code: str
) -> None:
    response = send(api, data, name)
    assert (response.status_code, error(response)["code"]) == (status, code)
    assert error(response)["message"]
    assert not Document.objects.exists()
    assert not Job.objects.exists()
    assert not AuditEvent.objects.filter(subject="citations.document").exists()


def test_a_file_over_the_limit_is_413(api: Api, settings: Any) -> None:
    settings.MAX_DOCUMENT_BYTES = 1000
    response = send(api, b"x" * 1001)
    assert (response.status_code, error(response)["code"]) == (413, "too_large")
    settings.MAX_UPLOAD_BYTES = 1000
    response = send(api, b"x" * 1001)
    assert (response.status_code, error(response)["code"]) == (413, "body_too_large")
    assert not Document.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", None),
        ("text", ""),
        ("text", "a\0b"),
        ("title", None),
        ("title", "\u200b"),
        ("title", "x" * 301),
        ("authors", "Ames"),
        ("authors", [1]),
        ("authors", ["x" * 201]),
        ("authors", ["x"] * 51),
        ("year", "2020"),
        ("year", 0),
        ("year", 10_000),
        ("url", "javascript:alert(1)"),
        ("url", "ftp://example.org/"),
        ("url", 17),
        ("media_type", "text/html"),
        ("shared", "yes"),
        ("owner", UNKNOWN),
        ("status", "ready"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_added(api: Api, field: str, value: Any) -> None:
    body = {"text": TEXT, "title": "Ledgers", field: value}
    if value is None:
        del body[field]
    response = api.post("/documents", body)
    assert response.status_code == 400
    assert any(name.startswith(field) for name in error(response)["fields"])
    assert not Document.objects.exists()


@pytest.mark.parametrize("fields", [{"owner": UNKNOWN}, {"year": "x"}, {"shared": "perhaps"}])
def test_a_wrong_field_of_a_form_is_named(api: Api, fields: Json) -> None:
    response = send(api, TEXT.encode(), **fields)
    assert response.status_code == 400
    assert set(error(response)["fields"]) == set(fields)


def test_a_form_without_a_file_is_refused(api: Api) -> None:
    response = api.client.post("/api/v1/documents", {"title": "x"}, headers=api.headers)
    assert response.status_code == 400
    assert "file" in error(response)["fields"]


# --- The shared library ------------------------------------------------------------------------


def test_staff_add_for_everyone(staff: Api, api: Api) -> None:
    added = send(staff, TEXT.encode(), shared="true")
    assert added.status_code == 201
    assert added.json()["shared"]
    path = f"/documents/{added.json()['document_id']}"
    assert api.get(path).json() == added.json()
    assert api.patch(path, {"title": "Mine"}).status_code == 403
    assert api.delete(path).status_code == 403
    assert Document.objects.get().title != "Mine"
    assert staff.patch(path, {"title": "Ours"}).json()["title"] == "Ours"
    assert staff.delete(path).status_code == 204
    assert api.get(path).content == NOT_FOUND
    acts = AuditEvent.objects.filter(subject="citations.document").order_by("pk")
    acts = acts.exclude(action="document.read")
    assert [(event.action, event.actor_id) for event in acts] == [
        ("document.added", staff.user.pk),
        ("document.changed", staff.user.pk),
        ("document.removed", staff.user.pk),
    ]


def test_others_do_not_add_for_everyone(api: Api) -> None:
    refused = [
        send(api, TEXT.encode(), shared="true"),
        api.post("/documents", {"text": TEXT, "title": "x", "shared": True}),
    ]
    assert [response.status_code for response in refused] == [403, 403]
    assert not Document.objects.exists()


def test_a_token_that_only_writes_does_not_reach_the_library(staff: Api) -> None:
    shared = add(TEXT)
    program = Api(staff.user)
    for response in (
        program.post("/documents", {"text": TEXT, "title": "x", "shared": True}),
        program.patch(f"/documents/{shared.pk}", {"title": "Mine"}),
        program.delete(f"/documents/{shared.pk}"),
    ):
        assert (response.status_code, error(response)["code"]) == (403, "insufficient_scope")
    assert program.post("/documents", {"text": TEXT, "title": "x"}).status_code == 201


# --- Listing and reading ------------------------------------------------------------------------


def all_pages(api: Api, query: str) -> list[str]:
    titles: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = api.get(f"/documents?{query}&cursor={cursor}").json()
        titles += [document["title"] for document in page["documents"]]
        cursor = page["next"]
    return titles


def stored(owner: User | None, number: int, **fields: Any) -> Document:
    return Document.objects.create(
        owner=owner,
        title=f"Number {number}",
        authors=["Ames, A."],
        unread=[],
        media_type="text/plain",
        checksum=f"{number:064}",
        **{"status": "ready", **fields},
    )


def test_documents_are_listed_newest_first_each_once(api: Api, stranger: User) -> None:
    rows = [stored(api.user if number % 3 else None, number) for number in range(11)]
    stored(stranger, 99)
    expected = [row.title for row in reversed(rows)]
    for limit in (1, 4, 11, 100):
        assert all_pages(api, f"limit={limit}") == expected
    assert len(all_pages(api, "whose=mine")) + len(all_pages(api, "whose=library")) == 11
    assert "Number 0" in all_pages(api, "whose=library")


def test_documents_are_searched_in_bounded_stretches(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "SCANNED", 4)
    for number in range(11):
        stored(api.user, number, file_name="Straße.txt" if number == 3 else "")
    assert all_pages(api, "q=NUMBER 3") == ["Number 3"]
    assert all_pages(api, "q=strasse") == ["Number 3"]
    assert len(all_pages(api, "q=ames&limit=2")) == 11
    assert all_pages(api, "q=nothing") == []


def test_documents_are_filtered_by_status(api: Api) -> None:
    stored(api.user, 1, status="failed", failure="broken")
    stored(api.user, 2, status="waiting")
    failed = api.get("/documents?status=failed").json()["documents"]
    assert [row["failure"]["code"] for row in failed] == ["broken"]
    assert "damaged" in failed[0]["failure"]["message"]
    assert all_pages(api, "status=waiting") == ["Number 2"]


@pytest.mark.parametrize(
    "query",
    [
        "cursor=x",
        "cursor=1.2",
        "limit=0",
        "limit=101",
        "limit=1_0",
        "limit=%D9%A3",
        "limit=1&limit=2",
        "whose=theirs",
        "status=gone",
    ],
)
def test_a_wrong_query_is_400(api: Api, query: str) -> None:
    response = api.get(f"/documents?{query}")
    assert response.status_code == 400
    assert query.split("=")[0] in error(response)["fields"]


def test_passages_are_read_by_page(api: Api) -> None:
    document = stored(api.user, 1, passage_count=7)
    Passage.objects.bulk_create(
        Passage(
            document=document,
            owner=api.user,
            position=number,
            page=number // 2 + 1,
            heading="H",
            text=f"Text {number}",
            tokens=2,
        )
        for number in range(7)
    )
    path, cursor, texts = f"/documents/{document.pk}/passages", "", []
    while cursor is not None:
        page = api.get(f"{path}?limit=3&cursor={cursor}").json()
        texts += [passage["text"] for passage in page["passages"]]
        cursor = page["next"]
    assert texts == [f"Text {number}" for number in range(7)]
    assert api.get(f"{path}?cursor=6").json()["passages"] == []


def test_lists_take_the_same_queries_however_long(api: Api) -> None:
    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get(path).status_code == 200
        return len(captured)

    first = stored(api.user, 0)
    for place in ("/documents", "/sessions"):
        api.get(place)  # the first one of a minute notes more
    few = [queries(path) for path in ("/documents", "/documents?q=number", "/sessions")]
    for number in range(1, 50):
        stored(api.user if number % 2 else None, number)
    for _ in range(5):
        api.begin(document_context=[str(first.pk)])
    assert [queries(p) for p in ("/documents", "/documents?q=number", "/sessions")] == [
        few[0],
        few[1],
        # and the documents that they are limited to
        few[2] + 1,
    ]


# --- Changing and removing -----------------------------------------------------------------------


def test_what_is_said_about_a_document_is_changed(api: Api, own: Json) -> None:
    path = f"/documents/{own['document_id']}"
    about = {"title": "Books", "authors": [], "year": None, "url": "https://example.org/b"}
    changed = api.patch(path, about).json()
    assert changed == own | about | {"csl": changed["csl"]}
    assert api.patch(path, {"url": None}).json()["url"] is None
    assert api.patch(path, {}).status_code == 200
    assert AuditEvent.objects.filter(action="document.changed").count() == 2
    for wrong in ({"status": "failed"}, {"title": ""}, {"title": None}, {"shared": True}):
        assert api.patch(path, wrong).status_code == 400


def test_a_source_is_changed_as_csl_json(api: Api, own: Json) -> None:
    path = f"/documents/{own['document_id']}"
    item = {
        "type": "book",
        "title": "Ledgers",
        "author": [{"family": "Doe", "given": "Jane"}],
        "issued": {"date-parts": [[1999, 5]]},
        "ISBN": "9780306406157",
        "language": "en",
    }
    changed = api.patch(path, {"csl": item}).json()
    assert changed["csl"] == {"id": own["document_id"]} | item
    assert (changed["title"], changed["authors"], changed["year"]) == (
        "Ledgers",
        ["Jane Doe"],
        1999,
    )
    wrong = {"ISBN": "9780306406158", "DOI": "x", "unheard": 1, "issued": {"year": 2023, "day": 40}}
    refused = api.patch(path, {"csl": wrong})
    assert refused.status_code == 400
    assert all(name in refused.text for name in ("ISBN", "DOI", "unheard"))
    assert api.patch(path, {"csl": None}).json()["csl"]["title"] == "Ledgers"


def test_a_newer_version_is_told_and_replaces_the_older_one(api: Api, stranger: User) -> None:
    older = send(api, TEXT.encode()).json()["document_id"]
    queue.run_due()
    told = send(api, TEXT.encode() + b"More.").json()
    assert [row["document_id"] for row in told["older_versions"]] == [older]
    assert told["supersedes"] is None
    form = {"text": "The ledgers are gone.", "title": "New", "supersedes": older}
    newer = api.post("/documents", form).json()
    assert newer["supersedes"] == older
    queue.run_due()
    assert api.get(f"/documents/{older}").json()["status"] == "replaced"
    changes = api.get(f"/documents/{newer['document_id']}/changes").json()
    assert [row["text"] for row in changes["added"]] == ["The ledgers are gone."]
    assert (len(changes["gone"]), changes["cut"]) == (1, False)
    again = api.post("/documents", {**form, "text": "Gone."})
    assert (again.status_code, error(again)["code"]) == (409, "not_replaceable")
    assert api.patch(f"/documents/{newer['document_id']}", {"supersedes": None}).status_code == 200
    assert api.get(f"/documents/{older}").json()["status"] == "ready"
    assert api.get(f"/documents/{newer['document_id']}/changes").status_code == 404
    theirs = add("Theirs.", stranger)
    for wanted in (str(theirs.pk), "nonsense"):
        assert api.post("/documents", {**form, "supersedes": wanted}).status_code == 404


def test_sources_are_imported_from_a_file_after_a_preview(api: Api, own: Json) -> None:
    entry = b"@book{x, title={Ledgers}, isbn={978-0-306-40615-7}}"

    def imported(**fields: str) -> Json:
        file = SimpleUploadedFile("a.bib", entry)
        response = api.client.post(
            "/api/v1/documents/import", {"file": file, **fields}, headers=api.headers
        )
        return response.json()  # type: ignore[no-any-return]

    seen = imported(preview="true")
    assert [row["by"] for row in seen["matches"]] == ["title"]
    path = f"/documents/{own['document_id']}"
    assert "ISBN" not in api.get(path).json()["csl"]
    assert imported()["applied"]
    assert api.get(path).json()["csl"]["ISBN"] == "9780306406157"


def test_a_new_title_is_searched_by(api: Api, own: Json) -> None:
    api.patch(f"/documents/{own['document_id']}", {"title": "Zanzibar"})
    queue.run_due()
    found = found_by_words("zanzibar", Within(owner=api.user.pk))
    assert [str(document) for document in found] == [own["document_id"]]


def test_a_document_is_removed_with_its_passages(api: Api, own: Json) -> None:
    path = f"/documents/{own['document_id']}"
    assert api.delete(path).status_code == 204
    assert api.get(path).content == api.get(f"{path}/passages").content == NOT_FOUND
    assert not Document.objects.exists()
    assert not Passage.objects.exists()


DOORS = [
    ("GET", "", None),
    ("PATCH", "", {"title": "Mine now"}),
    ("PATCH", "", {"nonsense": 1}),
    ("DELETE", "", None),
    ("GET", "/passages", None),
    ("GET", "/passages?limit=0", None),
]


def test_a_private_document_is_not_there_for_a_stranger(strangers_api: Api, own: Json) -> None:
    before = all_rows_of_documents()
    for identity in (own["document_id"], UNKNOWN):
        for method, end, body in DOORS:
            response = strangers_api.request(method, f"/documents/{identity}{end}", body)
            assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert strangers_api.get("/documents").json()["documents"] == []
    assert strangers_api.get("/documents?q=ledgers").json()["documents"] == []
    assert all_rows_of_documents() == before


def all_rows_of_documents() -> list[Any]:
    return [*Document.objects.order_by("pk").values_list(), *Passage.objects.values_list()]


@pytest.mark.parametrize("identity", MALFORMED, ids=lambda text: text[:20])
def test_a_malformed_id_is_an_unknown_document(api: Api, identity: str) -> None:
    for method, end, body in DOORS:
        response = api.client.generic(
            method,
            f"/api/v1/documents/{identity}{end}",
            b"" if body is None else b"{}",
            content_type="application/json",
            headers=api.headers,
        )
        assert (response.status_code, response.content) == (404, NOT_FOUND)


# --- document_context -----------------------------------------------------------------------------


def test_a_session_is_limited_to_documents(api: Api, own: Json, library: None) -> None:
    path = api.begin(document_context=[own["document_id"]])
    assert api.get(path).json()["document_context"] == [own["document_id"]]
    limited = api.ask(path, "Which mutation raises the risk of breast cancer?")
    assert {source["document_id"] for source in limited["sources"]} <= {own["document_id"]}
    assert api.patch(path, {"document_context": []}).json()["document_context"] is None
    free = api.ask(path, "Which mutation raises the risk of breast cancer?")
    assert own["document_id"] not in {source["document_id"] for source in free["sources"]}
    assert free["sources"]


def test_a_session_is_limited_to_what_one_may_read(api: Api, stranger: User, own: Json) -> None:
    theirs = stored(stranger, 1)
    path = api.begin(title="Kept", document_context=[own["document_id"]])
    for identity in (str(theirs.pk), UNKNOWN, "none"):
        wanted = {"document_context": [own["document_id"], identity]}
        for response in (api.post("/sessions", wanted), api.patch(path, {"title": "x", **wanted})):
            assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert Session.objects.count() == 1
    kept = api.get(path).json()
    assert (kept["title"], kept["document_context"]) == ("Kept", [own["document_id"]])


def test_a_limit_outlives_its_documents(api: Api, own: Json, library: None) -> None:
    path = api.begin(document_context=[own["document_id"]])
    api.delete(f"/documents/{own['document_id']}")
    assert api.get(path).json()["document_context"] == []
    turn = api.ask(path, "Which mutation raises the risk of breast cancer?")
    assert turn["sources"] == []
    assert api.patch(path, {"document_context": None}).json()["document_context"] is None


@pytest.mark.parametrize("value", ["all", {}, [1], [None], 17, [UNKNOWN] * 101])
def test_a_wrong_document_context_is_400(api: Api, value: Any) -> None:
    assert api.post("/sessions", {"document_context": value}).status_code == 400


# --- Reading again --------------------------------------------------------------------------------


@pytest.fixture
def older(own: Json) -> str:
    """The path of a document of the owner's that an older version has read."""
    Document.objects.update(reading=None)
    return f"/documents/{own['document_id']}"


def test_a_document_is_read_again_and_says_what_changed(api: Api, older: str) -> None:
    assert (api.get(older).json()["outdated"], api.get(older).json()["passages_changed"]) == (
        True,
        None,
    )
    for original in OriginalFile.objects.all():
        original.file = b"The notary keeps the green ledger in the south cabinet."
        original.save()
    for _ in range(2):  # once however often it is asked
        response = api.post(f"{older}/reread")
        assert (response.status_code, response.json()["status"]) == (202, "ready")
    Job.objects.filter(kind=REREAD).update(progress=3, total=9)
    assert api.get(older).json()["progress"] == {"unit": "characters", "done": 3, "total": 9}
    Job.objects.filter(kind=REREAD).update(kind=EXCHANGE)
    assert api.get(older).json()["progress"]["unit"] == "passages"
    Job.objects.filter(kind=EXCHANGE).update(kind=REREAD)
    queue.run_due()
    read = api.get(older).json()
    assert (read["outdated"], read["passages_changed"], read["progress"]) == (False, 1, None)
    (passage,) = api.get(f"{older}/passages").json()["passages"]
    assert "green ledger" in passage["text"]
    again = api.post(f"{older}/reread")
    assert (again.status_code, error(again)["code"]) == (409, "read_already")


def test_without_its_file_a_document_stays_as_it_was(api: Api, older: str) -> None:
    OriginalFile.objects.all().delete()
    response = api.post(f"{older}/reread")
    assert (response.status_code, error(response)["code"]) == (409, "original_not_kept")
    assert not Job.objects.filter(kind=REREAD).exists()


def test_a_failure_of_reading_again_is_told(api: Api, older: str) -> None:
    Document.objects.update(rereading_failure="too_complex")
    read = api.get(older).json()
    assert (read["status"], read["failure"]) == ("ready", None)
    assert read["rereading_failure"]["code"] == "too_complex"
    assert api.post(f"{older}/reread").json()["rereading_failure"] is None


def test_foreign_and_missing_documents_are_not_read_again(
    api: Api, strangers_api: Api, staff: Api, older: str
) -> None:
    for program in (strangers_api, staff):
        for path in (older, f"/documents/{UNKNOWN}", f"/documents/{MALFORMED[0]}"):
            response = program.post(f"{path}/reread")
            assert (response.status_code, response.content) == (404, NOT_FOUND)
    shared = f"/documents/{add(TEXT).pk}"
    Document.objects.update(reading=None)
    assert api.post(f"{shared}/reread").status_code == 403
    assert not Job.objects.filter(kind=REREAD).exists()
    assert staff.post(f"{shared}/reread").status_code == 202


def test_a_list_with_documents_being_read_again_takes_one_query_for_all(api: Api) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get("/documents").status_code == 200
        return len(captured)

    for number in range(3):
        queue.enqueue(REREAD, stored(api.user, number).pk)
    api.get("/documents")  # the first one of a minute notes more
    few = queries()
    for number in range(3, 40):
        queue.enqueue(REREAD, stored(api.user, number).pk)
    assert queries() == few


# --- The file itself ------------------------------------------------------------------------------

PAGE = b"<!doctype html><title>Ledger</title><script>alert(1)</script><p>The blue ledger.</p>"


def test_the_file_of_a_document_is_fetched_and_never_shown(api: Api) -> None:
    added = send(api, PAGE, "Ledger \u202elmth.exe.html").json()
    path = f"/api/v1/documents/{added['document_id']}/original"
    waiting = api.client.get(path, headers=api.headers)
    assert b"".join(waiting.streaming_content) == PAGE  # type: ignore[attr-defined]
    queue.run_due()
    response = api.client.get(path, headers=api.headers)
    assert b"".join(response.streaming_content) == PAGE  # type: ignore[attr-defined]
    told = response.headers
    assert told["Content-Type"] == "application/octet-stream"
    assert told["X-Content-Type-Options"] == "nosniff"
    assert told["Content-Disposition"] == 'attachment; filename="Ledger lmth.exe.html"'
    assert told["Content-Length"] == str(len(PAGE))
    assert told["Cache-Control"] == "no-store"
    event = AuditEvent.objects.filter(action="document.fetched").last()
    assert event is not None
    assert str(event.subject_id) == added["document_id"]


def test_a_file_that_was_not_kept_is_not_found(api: Api, own: Json) -> None:
    OriginalFile.objects.all().delete()
    assert api.get(f"/documents/{own['document_id']}/original").content == NOT_FOUND
    assert not AuditEvent.objects.filter(action="document.fetched").exists()


def test_anothers_file_is_not_found(api: Api, own: Json, stranger: User) -> None:
    response = Api(stranger).get(f"/documents/{own['document_id']}/original")
    assert (response.status_code, response.content) == (404, NOT_FOUND)
