"""Several models: which one answers, who may choose it, and the one that steps in."""

from typing import Any

import pytest
from django.test import Client

from chat import llm
from chat.llm.configuring import list_configured
from memory.conversations.asking import Question, create_session
from memory.models import Session, User
from tests.chat.llm.asking import told
from tests.pages.conversations import page

pytestmark = pytest.mark.django_db


@pytest.fixture
def models(model_server, settings) -> None:
    settings.LLM_MODELS = [
        {"name": "Large", "model": "large-model", "max_output": 50, "temperature": 1},
        {"name": "Ours", "model": "own-model", "tiers": ["research"]},
        {"name": "Away", "model": "x", "base_url": "http://127.0.0.1:9/v1", "api_key": "secret"},
    ]
    settings.LLM_RETRIES = 0


@pytest.fixture
def client(owner: User) -> Client:
    browser = Client()
    browser.force_login(owner)
    return browser


def test_the_named_model_is_asked_in_its_own_way(model_server, models) -> None:
    asked = told(model="Large")
    request = model_server.last_request
    assert [request[name] for name in ("model", "max_tokens", "temperature")] == [
        "large-model", 50, 1,
    ]  # fmt: skip
    assert asked.reply.model == "large-model"
    told(model="gone")
    assert model_server.last_request["model"] == "test-model"


def test_a_tier_has_its_own_and_others_may_not_choose_it(models, model_server) -> None:
    assert llm.choose_model("", "research") == "Ours"
    assert llm.choose_model("", "default") == "test-model"
    assert llm.choose_model("Ours", "default") == "test-model"
    assert llm.choose_model("Large", "research") == "Large"


def test_without_a_model_none_is_chosen(settings) -> None:
    settings.LLM_MODELS = [{"name": "Large", "model": "large-model"}]
    assert list_configured() == []
    assert llm.choose_model("Large", "default") == ""


def test_a_key_is_sent_only_to_its_own_server(models, model_server) -> None:
    keys = {each.name: each.api_key for each in list_configured()}
    assert (keys["Large"], keys["Away"]) == ("test-key", "secret")
    assert "secret" not in repr(list_configured())


def test_a_fallback_steps_in_before_the_first_word(models, model_server, settings) -> None:
    settings.LLM_FALLBACK_MODEL = "Large"
    asked = told(model="Away")
    assert (asked.ending, asked.reply.model) == (("Understood.", "stop"), "large-model")
    assert len(model_server.requests) == 1


def test_a_fallback_is_not_asked_for_what_no_model_mends(models, model_server, settings) -> None:
    settings.LLM_FALLBACK_MODEL = "Large"
    model_server.fail(401)
    assert told().failure == "model_key_refused"
    assert len(model_server.requests) == 1


def test_a_fallback_does_not_double_text(models, model_server, settings) -> None:
    settings.LLM_FALLBACK_MODEL = "Large"
    model_server.reply("It is the day.", break_after=2)
    assert told().ending == ("It is", "model_stream_broken")
    assert len(model_server.requests) == 1


# --- Chosen by the API and on the page ----------------------------------------------------------


def test_the_models_are_listed_without_secrets(client: Client, models, settings) -> None:
    settings.LLM_WINDOW = 8192
    answer = client.get("/api/v1/models")
    assert answer.json()["models"][0] == {"name": "test-model", "window": 8192, "default": True}
    assert "Ours" not in answer.content.decode()
    assert "127.0.0.1" not in answer.content.decode()


def test_a_session_chooses_model_and_length(client: Client, models) -> None:
    wish = {"model": "Large", "length": "brief"}
    made = client.post("/api/v1/sessions", wish, content_type="application/json").json()
    assert (made["model"], made["length"]) == ("Large", "brief")
    address = f"/api/v1/sessions/{made['session_id']}"
    for changes, expected in (
        ({"length": "thorough"}, ("Large", "thorough")),
        ({"model": None, "length": None}, (None, None)),
    ):
        changed = client.patch(address, changes, content_type="application/json").json()
        assert (changed["model"], changed["length"]) == expected


@pytest.mark.parametrize(
    "wish", [{"model": "Ours"}, {"model": "nobody"}, {"model": 7}, {"length": "endless"}]
)
def test_what_can_not_be_chosen_is_refused_by_name(client: Client, models, wish: Any) -> None:
    answer = client.post("/api/v1/sessions", wish, content_type="application/json")
    assert answer.status_code == 400
    assert set(answer.json()["error"]["fields"]) == set(wish)


def test_a_turn_has_the_length_of_its_session(owner: User) -> None:
    from chat.turns.pipeline import take_turn

    session = create_session(owner)
    assert take_turn(session, Question("What is it?")).turn.length == "normal"
    brief = create_session(owner, length="brief")
    assert take_turn(brief, Question("What is it?")).turn.length == "brief"


def test_the_page_offers_what_there_is(client: Client, owner: User, settings, models) -> None:
    session = create_session(owner)
    address = page("style", session.pk)
    shown = client.get(address)
    assert shown.status_code == 200
    assert b'name="length"' in shown.content
    assert b'value="Large"' in shown.content
    assert b'value="Ours"' not in shown.content
    client.post(address, {"style": "", "length": "brief", "model": "Large"})
    assert Session.objects.values_list("length", "model").get() == ("brief", "Large")
    assert client.post(address, {"model": "Ours"}).status_code == 400
    settings.LLM_MODELS = []
    assert b'name="model"' not in client.get(address).content
    settings.LLM_BASE_URL = settings.LLM_MODEL = ""
    assert b'name="length"' not in client.get(address).content
