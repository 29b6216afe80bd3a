"""P44: whatever a person can have this do, or keep, has a bound; here stands which, and its test.

The list is held against the product: a table, a route, a kind of file or a limit that is new fails
until it is in it.
"""

import re
from http import HTTPMethod
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client

from citations.formats.kinds import BY_SUFFIX, FORMATS
from memory.models import User
from memory.people.rate_limits import REACHED
from tests.citations.hostile import FILES
from tests.isolation.routes import OWN, PERSON, Route, routes
from tests.isolation.test_isolation import FIXED, NOWHERE
from tests.people import token_of
from tests.surroundings import ROOT


class Bound(NamedTuple):
    """A bound of a number that could grow, and the test that shows it."""

    by: str
    shown_by: str


HERE = "tests/promises/test_p44_bounds.py"
REQUEST = Bound(
    "at most some for each request, and those are counted",
    f"{HERE}::test_p44_whatever_changes_something_counts_as_a_request",
)
TURN = Bound(
    "made with a turn, of which an hour has a limit and a conversation a most",
    "tests/test_durability.py::test_p44_a_limit_lets_exactly_as_many_through_as_it_says",
)
DOCUMENT = Bound(
    "made with a document, of which an hour has a limit, and each a size",
    "tests/citations/test_ingestion.py::test_so_many_documents_an_hour_and_no_more",
)
SIGN_UP = Bound(
    "one for an account, made by whoever may",
    "tests/accounts/test_signing_up.py::test_sign_up_is_closed_unless_it_is_opened",
)
# By table: those with rows of a person.
TABLES = {
    "memory.User": SIGN_UP,
    "memory.Usage": Bound(
        "one for a person and kind of limit",
        "tests/memory/test_limits.py::test_a_new_window_begins_anew_in_the_same_row",
    ),
    "memory.Recipient": TURN,
    "memory.ApiToken": REQUEST,
    "memory.AuditAddress": REQUEST,
    "memory.AuditDetail": REQUEST,
    "memory.SavedFilter": Bound(
        "twenty of a person", "tests/admin/test_saved_filters.py::test_p44_filters_are_bounded"
    ),
    "memory.Session": REQUEST,
    "memory.Turn": TURN,
    "memory.RewriteSource": TURN,
    "memory.IdempotencyKey": TURN,
    "memory.Attempt": TURN,
    "memory.VectorBlock": TURN,
    "memory.WordBlock": TURN,
    "memory.Summary": TURN,
    "memory.Entity": Bound(
        "so many for a conversation",
        "tests/memory/test_entities.py::test_a_session_remembers_only_so_much",
    ),
    "memory.Fact": Bound(
        "so many for a person",
        "tests/chat/test_remembering.py::test_of_one_person_only_so_many_facts_are_kept",
    ),
    "memory.ExportPackage": REQUEST,
    "memory.PackagePart": REQUEST,
    "memory.OperatorAct": Bound(
        "one for each command of those who run the place",
        "tests/accounts/test_ended_access.py::"
        "test_a_password_set_at_a_terminal_ends_what_the_old_one_had_opened_and_is_told",
    ),
    "memory.EmergencyAccess": Bound(
        "one for each act of an admin, who gives a reason",
        "tests/admin/test_emergencies.py::"
        "test_p07_each_opening_is_one_row_with_its_reason_and_lasts_thirty_minutes",
    ),
    "memory.Consent": REQUEST,
    "citations.Document": DOCUMENT,
    "citations.OriginalFile": DOCUMENT,
    "citations.DrawnPage": Bound(
        "so many bytes of all documents together",
        "tests/citations/test_pages.py::test_of_all_pictures_the_oldest_make_room",
    ),
    "citations.Passage": DOCUMENT,
    "citations.PassageVectors": DOCUMENT,
    "citations.UnitVectors": DOCUMENT,
    "citations.PassageWords": DOCUMENT,
    "citations.Source": TURN,
    "citations.Claim": TURN,
    "citations.Citation": TURN,
    "citations.SessionDocument": REQUEST,
    "citations.DocumentStanding": REQUEST,
    "citations.TurnDocument": TURN,
    "citations.OfferedDocument": TURN,
    "chat.ContextRecord": TURN,
    "chat.ContextTurn": TURN,
    "chat.ContextPassage": TURN,
    "chat.ContextFact": TURN,
    "chat.ContextEarlier": TURN,
}
# By setting.
LIMITS = {
    "TURNS_PER_HOUR": "tests/memory/test_limits.py::test_a_hundred_at_once_get_exactly_the_limit",
    "UPLOADS_PER_HOUR": DOCUMENT.shown_by,
    "REQUESTS_PER_MINUTE": REQUEST.shown_by,
}


def test_p44_each_table_of_a_persons_rows_has_a_bound_and_its_test() -> None:
    of_people = {
        model._meta.label
        for model in apps.get_models()
        if getattr(getattr(model, "handling", None), "person", "")
    }
    assert of_people == TABLES.keys()
    for bound in TABLES.values():
        assert is_there(bound.shown_by), bound.shown_by
    for shown_by in LIMITS.values():
        assert is_there(shown_by), shown_by


def is_there(test: str) -> bool:
    file, _, name = test.partition("::")
    text = Path(ROOT / file).read_text() if Path(ROOT / file).exists() else ""
    return f"def {name}(" in text


def test_p44_each_limit_of_a_person_is_in_the_list() -> None:
    assert {name for name in dir(settings) if name.endswith(("_HOUR", "_MINUTE"))} == LIMITS.keys()
    assert len(REACHED) == len(LIMITS)


def test_p44_for_each_kind_of_file_there_is_a_hostile_one() -> None:
    attacked = {BY_SUFFIX.get(Path(each.name).suffix) for each in FILES.values()}
    assert attacked - {None} == FORMATS.keys()


# --- Requests ------------------------------------------------------------------------------------

# Around accounts, where limits are of their own (tests/accounts/test_guessing.py).
BY_ALLAUTH = re.compile(r"(account|mfa|usersessions)_")
# Nothing is stored by these, which answer a GET only.
DOCUMENTATION = {"schema", "docs", "api/docs/", "api/schema/"}


def ours() -> list[Route]:
    """Return the routes of people which are not around accounts."""
    return [
        route
        for route in routes()
        if route.access in (PERSON, OWN)
        and not BY_ALLAUTH.match(route.name)
        and route.name not in DOCUMENTATION
    ]


@pytest.mark.django_db
def test_p44_whatever_changes_something_counts_as_a_request(owner: User, settings: Any) -> None:
    settings.REQUESTS_PER_MINUTE = 0
    bearer, browser = Client(), Client()
    browser.force_login(owner)
    token = {"Authorization": f"Bearer {token_of(owner)}"}
    counted = 0
    for route in ours():
        path = route.path(FIXED | NOWHERE)
        if route.name.startswith("api:"):
            methods = (HTTPMethod.GET, HTTPMethod.POST, HTTPMethod.PATCH, HTTPMethod.DELETE)
            answers = [bearer.generic(each, path, headers=token) for each in methods]
        else:
            answers = [browser.post(path)]
        for answer in answers:
            assert answer.status_code in (429, 405), (route.name, answer.status_code)
            counted += answer.status_code == 429
            assert answer.status_code == 405 or answer.headers["Retry-After"]
    assert counted > 100
    assert browser.get("/").status_code == 200, "pages can be read"
