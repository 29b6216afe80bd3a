"""The API under whatever its own schema allows, and what it doesn't, by three kinds of people.

Schemathesis makes the requests from the schema alone, valid and invalid ones, and a real server
answers them. No answer may be a server error or anything that the schema doesn't say, no invalid
request may be taken, and nothing is answered to who hasn't signed in.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.api.conftest import api_schema
from tests.servers import Web
from tests.surroundings import PATIENCE

ROLES = ("anonymous", "person", "staff")


def operations() -> dict[str, Any]:
    """Return the schema's operations by their names."""
    found = schemathesis.openapi.from_dict(deepcopy(api_schema())).get_all_operations()
    return {operation.ok().label: operation.ok() for operation in found}


OPERATIONS = operations()
EXAMPLES, DEEP_EXAMPLES = 3, 120
UNCHECKED = {
    # Some invalid data fits the schema: a question of white space, an invalid file. It gets 400.
    "positive_data_acceptance",
    # Both need requests that follow from each other; the tests of each endpoint make them.
    "use_after_free",
    "ensure_resource_availability",
    "object_level_authorization",
}
MAKE_STAFF = """
from memory.models import Scope, User
from tests.people import token_of
User.objects.filter(username="colleague").update(is_staff=True, is_superuser=True)
print(token_of(User.objects.get(username="colleague"), Scope.ADMIN))
"""


@dataclass
class Role:
    """The role of a request, and the ids that it can ask for."""

    headers: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def role(web: Web) -> Callable[[str], Role]:
    """Return each of the three kinds of people, with a session, a turn and a document."""
    tokens = {"person": web.tokens["owner"]}
    tokens["staff"] = web.python(MAKE_STAFF).splitlines()[-1]
    made = {"anonymous": Role()}
    for name, token in tokens.items():
        made[name] = Role({"Authorization": f"Bearer {token}"})
        with web.client() as client:
            client.headers.update(made[name].headers)
            session = client.post("/api/v1/sessions", json={}).json()["session_id"]
            turns = f"/api/v1/sessions/{session}/turns"
            turn = client.post(turns, json={"query": "What is the Closing Date?"}).json()
            documents = client.get("/api/v1/documents").json()["documents"]
        own = {"session_id": session, "turn_id": turn["turn_id"]}
        made[name].own = own | {"document_id": documents[0]["document_id"]}
    return made.__getitem__


def fuzz(operation: Any, someone: Role, url: str, *, examples: int) -> None:
    """Make requests of the operation, and hold each answer against the schema."""
    of_ones_own = [{}] if operation.method.upper() == "DELETE" else [{}, someone.own]
    strategies = [
        operation.as_strategy(generation_mode=mode, path_parameters=path(operation, own))
        for mode in GenerationMode
        for own in of_ones_own
    ]
    names = [name for name in CHECKS.get_all_names() if name not in UNCHECKED]

    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(strategies))
    def ask(case: Any) -> None:
        response = case.call(base_url=url, headers=someone.headers, timeout=PATIENCE)
        # Too large is refused before anything is read, whatever else is wrong.
        too_large = response.status_code == 413
        checks = [
            CHECKS.get_one(name)
            for name in names
            if not (too_large and name == "negative_data_rejection")
        ]
        case.validate_response(response, checks=checks, headers=someone.headers)
        if not someone.headers:
            assert response.status_code == 401

    ask()


def path(operation: Any, own: dict[str, str]) -> dict[str, str] | None:
    """Return one's own ids for the operation's path, as far as it has places for them."""
    places = {name: value for name, value in own.items() if f"{{{name}}}" in operation.path}
    return places or None


@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize("label", OPERATIONS)
def test_p45_nothing_but_what_the_schema_says(
    web: Web, role: Callable[[str], Role], label: str, name: str
) -> None:
    # An anonymous request is always refused, and drawing a valid one takes ten times as long.
    fuzz(OPERATIONS[label], role(name), web.url, examples=1 if name == "anonymous" else EXAMPLES)


@pytest.mark.deep
@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize("label", OPERATIONS)
def test_p45_nothing_but_what_the_schema_says_however_long_it_is_tried(
    web: Web, role: Callable[[str], Role], label: str, name: str
) -> None:
    fuzz(OPERATIONS[label], role(name), web.url, examples=DEEP_EXAMPLES)
