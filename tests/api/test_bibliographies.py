"""Sources of sessions and documents as bibliographies: eight styles, six formats."""

import json

import bibtexparser
import pytest
import rispy

from citations.models import Document
from memory.models import User
from memory.models.people import CitationFormat
from tests.api.conftest import Api

TITLE = "BRCA1 & {co}: 50% of_it\\"
ABOUT = {
    "title": TITLE,
    "authors": ["Miki, Yoshio", "The $5 #Group"],
    "year": 1994,
    "csl": {
        "type": "article-journal",
        "container-title": "Science",
        "volume": "266",
        "page": "66-71",
        "DOI": "10.1126/science.7545954",
    },
}


@pytest.fixture
def document(owner: User) -> Document:
    return Document.objects.create(owner=owner, checksum="1", unread=[], status="ready", **ABOUT)


@pytest.mark.usefixtures("library")
def test_sources_of_a_session_are_listed_with_their_turns_page_by_page(api: Api) -> None:
    path = api.begin()
    api.ask(path, "What is PIK3CA and which drugs target it?")
    api.ask(path, "Which drugs target PIK3CA?")
    whole = api.get(f"{path}/sources").json()
    pages, cursor = [], ""
    while cursor is not None:
        page = api.get(f"{path}/sources?limit=1&cursor={cursor}").json()
        pages += page["sources"]
        cursor = page["next"]
    assert pages == whole["sources"]
    assert max(len(source["turns"]) for source in pages) == 2
    assert {turn for source in pages for turn in source["turns"]} == {1, 2}


@pytest.mark.usefixtures("library")
def test_the_style_is_the_requests_or_the_sessions_or_the_persons(api: Api, owner: User) -> None:
    path = api.begin()
    api.ask(path, "What is PIK3CA and which drugs target it?")

    def style(query: str = "") -> str:
        return str(api.get(f"{path}/sources{query}").json()["style"])

    assert style() == "apa"
    owner.citation_format = "mla"
    owner.save()
    assert style() == "mla"
    api.request("PATCH", path, {"citation_format": "ieee"})
    assert style() == "ieee"
    assert style("?style=vancouver") == "vancouver"


@pytest.mark.parametrize("style", CitationFormat.values)
@pytest.mark.parametrize("form", ["text", "html"])
def test_each_style_writes_text_and_html(
    api: Api, document: Document, style: str, form: str
) -> None:
    answer = api.get(f"/documents/{document.pk}/sources?style={style}&format={form}")
    written = answer.getvalue().decode()
    assert "Miki" in written
    assert "1994" in written
    assert "attachment" in answer["Content-Disposition"]


def test_bibtex_is_read_back_as_it_was(api: Api, document: Document) -> None:
    written = api.get(f"/documents/{document.pk}/sources?format=bibtex").getvalue().decode()
    library = bibtexparser.parse_string(
        written, append_middleware=[bibtexparser.middlewares.LatexDecodingMiddleware()]
    )
    assert library.failed_blocks == []
    [entry] = library.entries
    fields = {name: field.value for name, field in entry.fields_dict.items()}
    assert entry.entry_type == "article"
    assert fields["title"].strip("{}") == TITLE
    assert fields["author"] == "Miki, Yoshio and The $5 #Group"
    assert (fields["pages"], fields["doi"]) == ("66–71", "10.1126/science.7545954")


def test_ris_and_csl_json_are_read_back_as_they_were(api: Api, document: Document) -> None:
    path = f"/documents/{document.pk}/sources"
    [record] = rispy.loads(api.get(f"{path}?format=ris").getvalue().decode())
    assert (record["type_of_reference"], record["title"]) == ("JOUR", TITLE)
    assert (record["start_page"], record["end_page"], record["year"]) == ("66", "71", "1994")
    [item] = json.loads(api.get(f"{path}?format=csl-json").getvalue())
    assert (item["id"], item["title"]) == (str(document.pk), TITLE)


def test_chosen_documents_are_numbered_in_their_order(
    api: Api, document: Document, owner: User
) -> None:
    other = Document.objects.create(
        owner=owner, checksum="2", unread=[], status="ready", title="Other", authors=[], csl={}
    )
    answer = api.get(f"/documents/sources?ids={other.pk},{document.pk}&style=apa").json()
    assert [(row["number"], row["title"]) for row in answer["sources"]] == [
        (1, "Other"),
        (2, TITLE),
    ]
    assert answer["sources"][1]["url"] == "https://doi.org/10.1126/science.7545954"


def test_chosen_documents_without_a_year_are_told_apart_by_letters(api: Api, owner: User) -> None:
    stored = [
        Document.objects.create(
            owner=owner, checksum=title, unread=[], status="ready", title=title, authors=[author]
        )
        for title, author in (("Wings", "Ames, Ann"), ("Birds", "A. Ames"), ("Nests", "Bo Ames"))
    ]
    ids = ",".join(str(row.pk) for row in stored)
    answer = api.get(f"/documents/sources?ids={ids}&style=apa").json()
    assert [row["text"] for row in answer["sources"]] == [
        "Ames, A. (n.d.-b). Wings.",
        "Ames, A. (n.d.-a). Birds.",
        "Ames, B. (n.d.). Nests.",
    ]


def test_documents_of_others_and_unknown_ones_are_missing(
    api: Api, document: Document, strangers_api: Api
) -> None:
    unknown = "01970000-0000-7000-8000-0000000000ff"
    for path in (f"/documents/{document.pk}/sources", f"/documents/sources?ids={document.pk}"):
        assert strangers_api.get(path).status_code == 404
        assert api.get(path.replace(str(document.pk), unknown)).status_code == 404
    assert api.get(f"/documents/sources?ids={document.pk},{unknown}").status_code == 404


@pytest.mark.parametrize(("name", "known"), [("style", "harvard"), ("format", "csl-json")])
def test_an_unknown_style_or_format_is_answered_with_those_that_there_are(
    api: Api, document: Document, name: str, known: str
) -> None:
    answer = api.get(f"/documents/{document.pk}/sources?{name}=turabian")
    assert answer.status_code == 400
    assert known in answer.json()["error"]["fields"][name][0]
