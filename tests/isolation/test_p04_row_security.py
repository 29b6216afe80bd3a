"""P04: the database refuses what a view forgets to filter.

Every filter by owner is left out of the product's queries; people's requests take turns over four
pooled connections of a role that row-level security holds for.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db.models import Q, QuerySet
from django.test import Client

from memory.models import DataKey, User
from memory.postgresql.scope import assume_person
from tests.isolation.application_role import MOST_CONNECTIONS, connect_as_application
from tests.isolation.belongings import CANARY, Belongings, belongings_of
from tests.isolation.routes import OWN, PERSON, routes
from tests.isolation.test_isolation import FIXED, body_of
from tests.people import token_of
from tests.surroundings import ROOT

pytestmark = pytest.mark.postgresql

OWNER = {"owner", "owner_id", "user", "user_id", "person_id"}
# Filters by owner that must have been left out, by their place in the code.
LEAST_FORGOTTEN = 20
# They end the session, or show the API's schema, which is nobody's.
SKIPPED = re.compile("logout|schema|docs")
Places = Counter[tuple[str, int]]


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Places:
    """Leave each filter by owner out of the product's queries; count them by their places."""
    places: Places = Counter()
    filtered = QuerySet._filter_or_exclude  # type: ignore[attr-defined]

    def forget(rows: Any, negate: bool, args: Any, kwargs: dict[str, Any]) -> Any:
        kept = {name: value for name, value in kwargs.items() if name not in OWNER}
        stripped = tuple(_strip(part) if isinstance(part, Q) else part for part in args)
        # A data key is looked up by its owner: another opens nothing.
        is_filter = not negate and rows.model is not DataKey
        if is_filter and (kept != kwargs or stripped != args):
            places[_find_place()] += 1
            args, kwargs = stripped, kept
        return filtered(rows, negate, args, kwargs)

    monkeypatch.setattr(QuerySet, "_filter_or_exclude", forget)
    return places


def _strip(condition: Q) -> Q:
    """Return the condition without what it says of an owner: any owner, or none, is right."""
    children = [_strip(each) if isinstance(each, Q) else each for each in condition.children]
    kept = [each for each in children if not isinstance(each, tuple) or each[0] not in OWNER]
    if len(kept) < len(children) and condition.connector == Q.OR:
        return Q()
    return Q(*kept, _connector=condition.connector, _negated=condition.negated)


def _find_place() -> tuple[str, int]:
    """Return the line of the product that filters."""
    frame: Any = sys._getframe(2)
    folders = tuple(f"{ROOT / app}/" for app in ("memory", "citations", "chat"))
    while frame and not frame.f_code.co_filename.startswith(folders):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


@pytest.fixture
def belongings(application: None, owner: User) -> Belongings:
    return belongings_of(owner)


def test_no_request_reads_a_foreign_row_though_no_query_filters_by_owner(
    belongings: Belongings, colleague: User, forgotten: Places
) -> None:
    knock(belongings, colleague, forgotten, requests=100)


@pytest.mark.deep
def test_no_request_of_a_thousand_reads_a_foreign_row_though_no_query_filters_by_owner(
    belongings: Belongings, colleague: User, forgotten: Places
) -> None:
    knock(belongings, colleague, forgotten, requests=1000)


def knock(belongings: Belongings, colleague: User, forgotten: Places, *, requests: int) -> None:
    """Let the owner and a colleague read the owner's things in turns; only the owner sees them."""
    paths = list(_paths(belongings))
    people = belongings.owner, colleague
    sessions = [_sign_in(user) for user in people]
    tokens = [f"Bearer {token_of(user)}" for user in people]

    def read(number: int) -> tuple[bool, int, bool, str]:
        who, path = number % 2, paths[number // 2 % len(paths)]
        client = Client(raise_request_exception=False)
        headers = {"Authorization": tokens[who]} if path.startswith("/api/") else {}
        if not headers:
            client.cookies.load(sessions[who])
        with connect_as_application():
            answer = client.get(path, headers=headers)
            with assume_person(people[who].pk):  # files are made while they are read
                seen = CANARY.encode() in body_of(answer)
            return who == 0, answer.status_code, seen, path

    forgotten.clear()
    with ThreadPoolExecutor(2 * MOST_CONNECTIONS) as threads:
        told = list(threads.map(read, range(requests)))
    assert not [each for each in told if not each[0] and each[2]], "foreign words were read"
    assert not [each for each in told if each[1] >= 500]
    assert sum(seen for is_owner, _status, seen, _path in told if is_owner) > requests / 10
    if requests >= len(paths):
        assert len(forgotten) >= LEAST_FORGOTTEN, forgotten


def _sign_in(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {name: morsel.value for name, morsel in client.cookies.items()}


def _paths(belongings: Belongings) -> Iterator[str]:
    """Yield the address of each route that shows something of a person's, with the owner's ids."""
    for route in routes():
        if route.access in (OWN, PERSON) and not SKIPPED.search(route.name):
            yield route.path(dict.fromkeys(route.parameters, 1) | FIXED | belongings.ids)
