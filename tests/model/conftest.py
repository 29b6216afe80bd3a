"""A real model, where one runs: `make test-model` starts it."""

import os

import pytest

from tests.real_model import MODEL


@pytest.fixture(autouse=True)
def _real_model(settings) -> None:
    url = os.environ.get("REAL_MODEL_URL")
    if not url:
        pytest.skip("no real model: `make test-model` starts one")
    settings.LLM_BASE_URL = url
    settings.LLM_MODEL = MODEL
    settings.LLM_API_KEY = ""
    settings.LLM_STALL_TIMEOUT = settings.LLM_ASK_TIMEOUT = 300
    settings.LLM_REWRITE_TIMEOUT = 120
    settings.LLM_TOTAL_TIMEOUT = 600
