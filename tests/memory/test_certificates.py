"""Certificates of erasure: genuine and unchanged, or not; by page and command; nothing personal."""

import json
from base64 import b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from memory.audit import recording
from memory.forgetting.erasure import certificates
from memory.forgetting.erasure.certificates import verify
from memory.models import Certificate, ErasureRequest, User
from memory.sealing.signing import get_public_keys

pytestmark = pytest.mark.django_db
VERIFIED = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def certificate(owner: User) -> Certificate:
    request = ErasureRequest.objects.create(
        scope="account",
        status="verified",
        person_id=owner.pk,
        actor_id=owner.pk,
        counts={"memory.turn": 7},
        searched=[{"store": "default database", "searched": True, "bytes": 4096, "found": 0}],
        sample_count=3,
        verified_at=VERIFIED,
        recipients=["api.example.com"],
    )
    event = recording.record("erasure.verified", actor=owner.pk, subject=request)
    return certificates.issue(request, event)


def test_it_is_genuine_and_says_what_was_done(certificate: Certificate) -> None:
    verdict = verify(certificate.document)
    assert verdict.is_valid
    assert verdict.content["rows"] == {"memory.turn": 7}
    assert verdict.content["audit"]["event"]
    assert verdict.content["method"][0] == "key destroyed"
    assert verdict.content["verification"]["stores"][0]["found"] == 0


def test_it_names_what_it_does_not_reach(certificate: Certificate) -> None:
    said = verify(certificate.document).content["out_of_reach"]
    assert said["recipients"] == ["api.example.com"]
    assert said["recipients_noted_since"]
    assert said["backups"] == {"made_before": VERIFIED.isoformat(), "kept_until": None}
    shown = Client().get(f"/certificates/{certificate.pk}").content.decode()
    assert "<li>api.example.com</li>" in shown
    assert "How long they are kept is not known here." in shown
    assert "without a backup of the keys" in shown


def test_nothing_personal_is_in_it(certificate: Certificate, owner: User) -> None:
    for personal in (str(owner.pk), owner.pk.hex, owner.username, owner.email):
        assert personal not in certificate.document


def test_anyone_can_check_it_with_the_public_key_alone(certificate: Certificate) -> None:
    said = json.loads(certificate.document)
    signature = b64decode(said.pop("signature"))
    public = Ed25519PublicKey.from_public_bytes(b64decode(get_public_keys()[said["key"]]))
    plain = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    public.verify(signature, plain.encode())


def test_its_form_doesn_t_matter_and_each_of_its_members_does(certificate: Certificate) -> None:
    said = json.loads(certificate.document)
    assert verify(json.dumps(dict(reversed(said.items())))).is_valid
    for name in said:
        for value in ("x", 0, {}):
            assert not verify(json.dumps(said | {name: value})).is_valid, name
        assert not verify(json.dumps({key: said[key] for key in said if key != name})).is_valid
    assert not verify(json.dumps(said | {"more": 1})).is_valid


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"type": 1}', "[" * 100_000, "x" * 200_000, "\0"]
)
def test_what_is_no_certificate_is_not_one(text: str) -> None:
    assert not verify(text).is_valid


def test_a_new_key_leaves_old_certificates_valid(
    certificate: Certificate, settings: object
) -> None:
    old = settings.CERTIFICATE_KEY_FILE.read_text().strip()
    new = urlsafe_b64encode(bytes(range(32))).decode()
    settings.CERTIFICATE_KEY = f"{new},{old}"
    assert verify(certificate.document).is_valid
    assert json.loads(certificates.format_signed_content({}))["key"] != certificate.key
    settings.CERTIFICATE_KEY = new
    verdict = verify(certificate.document)
    assert not verdict.is_valid
    assert "does not belong to this instance" in verdict.reason


def test_the_command_verifies_a_file(certificate: Certificate, tmp_path: Path) -> None:
    file, said = tmp_path / "certificate.json", StringIO()
    file.write_text(certificate.document)
    call_command("verify_certificate", str(file), stdout=said)
    assert "genuine" in said.getvalue()
    assert '"memory.turn": 7' in said.getvalue()
    file.write_text(certificate.document.replace('"memory.turn": 7', '"memory.turn": 8'))
    with pytest.raises(CommandError, match="changed"):
        call_command("verify_certificate", str(file))


def test_the_page_verifies_what_is_pasted_or_uploaded(certificate: Certificate) -> None:
    browser = Client()
    text = certificate.document
    assert "genuine" in browser.post("/certificates", {"text": text}).content.decode()
    file = SimpleUploadedFile("certificate.json", text.encode())
    assert "genuine" in browser.post("/certificates", {"file": file}).content.decode()
    changed = browser.post("/certificates", {"text": text.replace("account", "accounts")})
    assert "has been changed" in changed.content.decode()
    assert browser.post("/certificates", {}).status_code == 400
    garbage = SimpleUploadedFile("x", b"\xff\xfe\x00")
    assert "not a certificate" in browser.post("/certificates", {"file": garbage}).content.decode()
