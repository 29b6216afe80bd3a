"""Certificates and requests in the admin: how an erasure went, and the proof of it."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.audit import recording
from memory.forgetting.erasure import certificates, requests
from memory.models import AuditEvent, Certificate, ErasureRequest, User
from tests.admin.conftest import words

# One engine is enough: tests/migrations opens each page of the admin on either.
pytestmark = pytest.mark.django_db


@pytest.fixture
def certificate(owner: User) -> Certificate:
    """The certificate of an erasure that has been verified."""
    request = requests.ask(owner, ErasureRequest.Scope.EVERYTHING, actor=owner.pk)
    request.status, request.verified_at = ErasureRequest.Status.VERIFIED, timezone.now()
    request.counts = {"memory.turn": 1204}
    request.save()
    event = recording.record("erasure.verified", actor=owner.pk, subject=request)
    return certificates.issue(request, event)


def page_of(at_admin: Client, certificate: Certificate) -> str:
    place = reverse("admin:memory_certificate_change", args=[certificate.pk])
    return words(at_admin.get(place))


def test_a_certificate_is_read_and_found_genuine(
    at_admin: Client, certificate: Certificate, owner: User
) -> None:
    said = page_of(at_admin, certificate)
    assert "It is genuine and unchanged." in said
    assert "Scope everything" in said
    assert "rows deleted, storage scrubbed" in said
    assert str(owner.pk) not in said


def test_a_changed_certificate_is_found_out(at_admin: Client, certificate: Certificate) -> None:
    changed = certificate.document.replace("1204", "1205")
    Certificate.objects.filter(pk=certificate.pk).update(document=changed)
    assert "It has been changed" in page_of(at_admin, certificate)


def test_a_certificate_is_taken_away_as_it_was_signed(
    at_admin: Client, boss: User, certificate: Certificate
) -> None:
    place = reverse("admin:memory_certificate_download", args=[certificate.pk])
    answer = at_admin.get(place)
    assert f"certificate-{certificate.pk}.json" in answer.headers["Content-Disposition"]
    assert certificates.verify(answer.content.decode()).is_valid
    assert json.loads(answer.content)["request"] == str(certificate.request_id)
    assert AuditEvent.objects.filter(actor_id=boss.pk, action="certificate.fetched").exists()


def test_a_request_shows_its_steps_its_counts_and_its_certificate(
    at_admin: Client, certificate: Certificate
) -> None:
    place = reverse("admin:memory_erasurerequest_change", args=[certificate.request_id])
    answer = at_admin.get(place)
    said = words(answer)
    assert "Erased and verified" in said
    assert "Questions 1,204" in said
    proof = reverse("admin:memory_certificate_change", args=[certificate.pk])
    assert proof in answer.content.decode()
    assert "Cancel the request" not in said
