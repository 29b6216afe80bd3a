"""Language models at the admin: what is known of them, and the test that asks them."""

import pytest
from django.test import Client
from django.urls import reverse

from chat.llm import profiles
from chat.models import ModelProfile
from memory.models import AuditEvent
from tests.admin.conftest import words
from tests.admin.test_rights import granted

pytestmark = pytest.mark.django_db


@pytest.fixture
def profile(model_server, settings) -> ModelProfile:
    settings.LLM_BASE_URL = model_server.base_url.replace("//", "//someone:s3cr3t@")
    settings.LLM_MODEL, settings.LLM_API_KEY = "test-model", "test-key"
    profiles.ensure()
    profiles.ensure()
    return ModelProfile.objects.get()


def test_what_is_known_is_shown_without_secrets(at_admin: Client, profile: ModelProfile) -> None:
    ModelProfile.objects.update(window=8192, takes_system=False)
    for address in (
        reverse("admin:chat_modelprofile_changelist"),
        reverse("admin:chat_modelprofile_change", args=[profile.pk]),
    ):
        shown = at_admin.get(address)
        assert "8192" in words(shown).replace(",", "").replace("\xa0", "")
        assert b"s3cr3t" not in shown.content
        assert b"test-key" not in shown.content


def test_a_test_is_recorded_and_tells_its_result(
    at_admin: Client, profile: ModelProfile, model_server
) -> None:
    model_server.reply("OK")
    address = reverse("admin:chat_modelprofile_test", args=[profile.pk])
    answer = at_admin.post(address, follow=True)
    assert "The model answers." in words(answer)
    profile.refresh_from_db()
    assert profile.probed_at
    assert profile.takes_system
    assert AuditEvent.objects.filter(action="model.probed", subject_id=profile.pk).count() == 1


def test_only_those_who_may_test_it(profile: ModelProfile, model_server, at_admin: Client) -> None:
    address = reverse("admin:chat_modelprofile_test", args=[profile.pk])
    assert granted("view_modelprofile").post(address).status_code == 403
    assert at_admin.get(address).status_code == 403
    assert model_server.requests == []
