"""The record of processing names what this instance holds, sends and keeps."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from memory.models import Recipient, User


@pytest.mark.django_db
def test_the_record_of_processing_follows_the_settings(owner: User, settings: Any) -> None:
    settings.LLM_BASE_URL = "https://models.example.org/v1"
    Recipient.objects.create(owner=owner, host="former.example.org")
    written = StringIO()
    call_command("processing_record", stdout=written)
    record = written.getvalue()
    assert "- models.example.org (`LLM_BASE_URL`)" in record
    assert "- former.example.org: was given" in record
    assert "identity: account.EmailAddress" in record
    assert "Research: conversations 30 days" in record
