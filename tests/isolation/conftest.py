"""Row-level security, under a role that it holds for."""

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.isolation import application_role


@pytest.fixture
def application(transactional_db: None) -> Iterator[None]:
    """The database's restricted role exists; `connect_as_application` connects as it."""
    application_role.create_role()
    yield
    application_role.close_pools()


@pytest.fixture(autouse=True)
def skip_without_roles(request: pytest.FixtureRequest) -> None:
    """Skip, on SQLite, the tests of row-level security that need PostgreSQL."""
    is_secured = "row_security" in request.path.name
    needs_roles = is_secured and request.node.get_closest_marker("postgresql")
    if needs_roles and connection.vendor != "postgresql":
        pytest.skip("SQLite has no roles")
