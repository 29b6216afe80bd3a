"""Recipients outside: noted before a person's words are sent, for the certificate."""

from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.forgetting.erasure import requests
from memory.forgetting.erasure.certificates import verify
from memory.forgetting.erasure.execution import carry_out
from memory.models import Certificate, Recipient, User
from memory.personal_data.recipients import get_recipients
from tests.model_server import ModelServer

AWAY = "http://127.0.0.1:9/v1"


def ask(owner: User, text: str = "What is the Determination Date?") -> None:
    asked = take_turn(create_session(owner), Question(text))
    assert asked.attempt
    answer_now(asked.attempt)


def with_model(settings: LazySettings, address: str) -> str:
    """Set a language model up; return its server's name."""
    settings.LLM_BASE_URL, settings.LLM_MODEL = address, "test-model"
    return urlsplit(address).netloc


@pytest.mark.django_db
def test_each_server_that_may_be_asked_is_noted_once_and_by_person(
    owner: User, colleague: User, model_server: ModelServer, settings: LazySettings
) -> None:
    host = with_model(settings, model_server.base_url)
    settings.LLM_MODELS = [{"name": "spare", "model": "spare", "base_url": "http://key@[::1]:9/v1"}]
    settings.LLM_FALLBACK_MODEL = "spare"
    ask(owner)
    ask(owner, "And when is the Distribution Date?")
    assert get_recipients(owner.pk) == sorted([host, "[::1]:9"])
    assert Recipient.objects.filter(owner=owner).count() == 2
    assert get_recipients(colleague.pk) == []


@pytest.mark.django_db
def test_it_is_noted_with_the_question(owner: User, settings: LazySettings) -> None:
    host = with_model(settings, AWAY)
    assert take_turn(create_session(owner), Question("What is the Determination Date?")).attempt
    assert get_recipients(owner.pk) == [host]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("stores_of_its_own")
def test_the_certificate_names_them_after_all_is_gone(
    owner: User, model_server: ModelServer, settings: LazySettings
) -> None:
    host = with_model(settings, model_server.base_url)
    ask(owner)
    for scope in ("everything", "account"):
        request = requests.ask(owner, scope, actor=owner.pk)
        requests.confirm(request, actor=owner.pk, at_once=True)
        carry_out(request)
        said = verify(Certificate.objects.get(request=request).document).content
        assert said["out_of_reach"]["recipients"] == [host], scope
    assert not Recipient.objects.exists()
