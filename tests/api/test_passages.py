"""Passages for programs: retrieval alone, and the verification of any text."""

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations import verification
from memory.models import Turn, User
from tests.api.conftest import Api
from tests.api.test_errors import NOT_FOUND
from tests.citations.documents import add

pytestmark = pytest.mark.django_db

HARBOUR = (
    "The harbour has 240 berths. Dogs are welcome on every quay.\n\n"
    "The breakwater was finished on 14 May 1931 by two hundred workers."
)
MILL = "The mill grinds rye on Mondays. It was built in 1802."


def test_passages_are_ranked_and_paged(api: Api) -> None:
    harbour, mill = add(HARBOUR), add(MILL, api.user)
    for number in range(3):
        add(f"Berth number {number} lies behind the harbour office.")
    path = f"/passages?q={quote('How many berths does the harbour have?')}&limit=2"
    page = api.get(path).json()
    best = page["passages"][0]
    assert (best["rank"], best["document_id"]) == (1, str(harbour.pk))
    assert "240 berths" in best["text"]
    assert 0 < best["score"] <= 1
    seen = [each["passage_id"] for each in page["passages"]]
    while page["next"]:
        page = api.get(f"{path}&cursor={page['next']}").json()
        seen += [each["passage_id"] for each in page["passages"]]
    assert len(seen) == len(set(seen)) > 2
    limited = api.get(f"{path}&documents={mill.pk}").json()["passages"]
    assert {each["document_id"] for each in limited} <= {str(mill.pk)}
    assert not Turn.objects.exists()


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("The harbour has 240 berths.", ["supported"]),
        ("The harbour has 240 berths. The mayor sings opera in Milan.", ["supported", "other"]),
        ("The breakwater was finished on 14 May 1962.", ["other"]),
        ("Who is the harbour master?", []),
    ],
)
def test_each_claim_of_a_text_is_checked(api: Api, text: str, states: list[str]) -> None:
    document = add(HARBOUR)
    answer = api.post("/verify", {"text": text}).json()
    told = ["supported" if each["state"] == "supported" else "other" for each in answer["claims"]]
    assert told == states
    for claim in answer["claims"]:
        assert text[claim["start"] : claim["end"]] == claim["text"]
        for each in claim["passages"]:
            assert each["document_id"] == str(document.pk)
            place = slice(each["passage_start"], each["passage_end"])
            assert each["quote"] == each["text"][place]


def test_what_a_stranger_may_not_read_is_neither_found_nor_evidence(
    api: Api, colleague: User
) -> None:
    theirs = add(HARBOUR, colleague)
    assert api.get("/passages?q=berths").json()["passages"] == []
    [claim] = api.post("/verify", {"text": "The harbour has 240 berths."}).json()["claims"]
    assert (claim["state"], claim["passages"]) == ("unsupported", [])
    for response in (
        api.get(f"/passages?q=berths&documents={theirs.pk}"),
        api.post("/verify", {"text": "Any.", "documents": [str(theirs.pk)]}),
    ):
        assert (response.status_code, response.content) == (404, NOT_FOUND)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/passages", None),
        ("GET", "/passages?q=%20", None),
        ("GET", "/passages?q=berths&limit=101", None),
        ("GET", "/passages?q=berths&cursor=x", None),
        ("POST", "/verify", {}),
        ("POST", "/verify", {"text": 7}),
        ("POST", "/verify", {"text": "x" * 32_001}),
        ("POST", "/verify", {"text": "Any.", "style": "apa"}),
    ],
)
def test_what_is_asked_wrongly_is_refused(
    api: Api, method: str, path: str, body: dict[str, object] | None
) -> None:
    assert api.request(method, path, body).status_code == 400


def test_a_long_text_costs_a_bounded_number_of_searches(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MOST_CLAIMS", 2)
    add(HARBOUR)
    text = " ".join(f"The harbour has {number} berths." for number in range(9))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = api.post("/verify", {"text": text}).json()
    assert (len(answer["claims"]), answer["left_out"]) == (2, 7)
    assert len(queries) < 60
