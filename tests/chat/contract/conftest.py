"""A harbour's handbook, a language model that does what it is told, and who asks both."""

from typing import Any

import pytest

from memory.models import User
from tests.api.conftest import Api
from tests.chat.extractive.material import HANDBOOK, add
from tests.model_server import ModelServer


@pytest.fixture(autouse=True)
def _handbook(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("db")
        add(HANDBOOK)


@pytest.fixture
def api(owner: User) -> Api:
    return Api(owner)


@pytest.fixture
def model(model: ModelServer, settings: Any) -> ModelServer:
    settings.LLM_RETRIES = 0
    return model
