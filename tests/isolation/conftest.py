"""Row-level security, under a role that it holds for."""

from collections.abc import Iterator

import pytest

from tests.isolation import application_role


@pytest.fixture
def application(transactional_db: None) -> Iterator[None]:
    """The database's restricted role exists; `as_application` connects as it."""
    application_role.create_role()
    yield
    application_role.close_pools()
