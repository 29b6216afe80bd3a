"""A manager of retention, and the people concerned."""

import pytest

from memory.models import Tier, User
from tests.people import person


@pytest.fixture
def admin() -> User:
    return person("admin", is_staff=True)


@pytest.fixture
def researcher() -> User:
    return person("researcher", tier=Tier.RESEARCH)
