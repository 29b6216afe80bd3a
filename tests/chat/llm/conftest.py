import pytest


@pytest.fixture(autouse=True)
def _model(request: pytest.FixtureRequest, settings) -> None:
    """Let the model server be the model of the tests that have one."""
    if "model_server" not in request.fixturenames:
        return
    request.getfixturevalue("db")
    server = request.getfixturevalue("model_server")
    settings.LLM_BASE_URL = server.base_url
    settings.LLM_MODEL = "test-model"
    settings.LLM_API_KEY = "test-key"
    settings.LLM_FIRST_TOKEN_TIMEOUT = settings.LLM_STALL_TIMEOUT = 1
    settings.LLM_TOTAL_TIMEOUT = 10
