"""The owner's rows, each text with a canary that nobody else may ever see."""

import hashlib
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from django.apps import apps
from django.db.models import Model
from django.test import Client
from django.utils import timezone
from fido2.cose import ES256
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorAttestationResponse,
    AuthenticatorData,
    CollectedClientData,
    RegistrationResponse,
)
from uuid_utils.compat import uuid7

from chat.forms.conversations import QuestionForm
from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from citations.models import Document
from memory.audit.recording import record
from memory.conversations.asking import create_session
from memory.conversations.editing import rate_answer
from memory.forgetting.erasure.certificates import issue as issue_certificate
from memory.forgetting.erasure.requests import ask
from memory.jobs.queue import run_due
from memory.models import (
    Certificate,
    Consent,
    Entity,
    ErasureRequest,
    ExportPackage,
    Fact,
    Purpose,
    Scope,
    Summary,
    Turn,
    User,
)
from memory.people.api_tokens import get_default_lifetime, issue
from memory.personal_data import consent
from memory.personal_data.packages import ask_for_package
from memory.recall.facts.managing import write

CANARY = "Kanarienvogel"
KEY = "the-key-of-the-owner"
SECRET = f"The {CANARY} clause sets the termination fee at 4711 guilders. " * 3
QUESTION = f"What termination fee does the {CANARY} clause set?"


@dataclass(frozen=True)
class Belongings:
    """The ids that other people will try, by the names that routes have for them."""

    owner: User
    ids: dict[str, Any]


def belongings_of(owner: User) -> Belongings:
    """Give the owner a conversation, a private document, a token, a passkey and a device."""
    document = add_document(SECRET.encode(), file_name=f"{CANARY}.txt", owner=owner)
    run_due()
    session = create_session(owner, title=f"{CANARY} title", metadata={"note": CANARY})
    # As the page on which a conversation begins asks it: only that door has no conversation yet.
    form = QuestionForm({"query": QUESTION, "idempotency_key": KEY})
    assert form.is_valid()
    attempt = take_turn(session, form.question("new")).attempt
    assert attempt
    turn = answer_now(attempt)
    rate_answer(turn, rating=1, feedback=f"{CANARY} feedback")
    run_due()
    assert CANARY in turn.response
    assert Document.objects.get(pk=document.pk).status == Document.Status.READY
    token, _ = issue(
        owner, lifetime=get_default_lifetime(), scope=Scope.WRITE, name=f"{CANARY} token"
    )
    key = Authenticator.objects.create(
        pk=555_001, user=owner, type="webauthn", data={"name": CANARY, "credential": _passkey()}
    )
    return Belongings(
        owner,
        {
            "session_id": session.pk,
            "turn_id": turn.pk,
            "document_id": document.pk,
            "older_id": document.pk,
            "citation_id": turn.citations.all()[0].pk,
            "entity_id": _entity(owner).pk,
            "summary_id": _summary(owner, turn).pk,
            "fact_id": _fact(owner).pk,
            "token_id": token.pk,
            "pk": key.pk,
            "device_id": _device(owner).pk,
            "package_id": _package(owner).pk,
            "erasure_id": ask(owner, ErasureRequest.Scope.EVERYTHING, actor=owner.pk).pk,
            "certificate_id": _certificate().pk,
        },
    )


def _entity(owner: User) -> Entity:
    """Return what the owner's conversation remembers of its secret."""
    return next(row for row in Entity.objects.filter(owner=owner) if CANARY in row.name)


def _summary(owner: User, turn: Turn) -> Summary:
    """Return what the owner's conversation would be in few words, were it long."""
    return Summary.objects.create(
        session=turn.session,
        owner=owner,
        kind=Summary.Kind.SEGMENT,
        first_position=1,
        last_position=5,
        text=f"The {CANARY} clause.",
        topics=[CANARY],
        model="extract",
        tokens_before=80,
        tokens_after=8,
    )


def _fact(owner: User) -> Fact:
    """Return what is remembered of the owner themselves."""
    consent.decide(owner, {Purpose.RECALL: True}, source=Consent.Source.API)
    return write(owner, text=f"My company is called {CANARY}", kind="fact")


def _package(owner: User) -> ExportPackage:
    package = ask_for_package(owner)
    run_due()
    package.refresh_from_db()
    assert package.status == package.Status.READY
    return package


def _certificate() -> Certificate:
    """Return a certificate of someone who is gone; anyone may see it."""
    request = ErasureRequest.objects.create(
        scope=ErasureRequest.Scope.ACCOUNT, status="verified", person_id=uuid7()
    )
    return issue_certificate(request, record("erasure.verified", actor=None, subject=request))


def _passkey() -> dict[str, Any]:
    """Return what a browser sends when it has made a passkey."""
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    made = AttestedCredentialData.create(
        Aaguid.NONE, b"an id of a key..", ES256.from_cryptography_key(public)
    )
    host = hashlib.sha256(b"testserver").digest()
    attestation = AttestationObject.create(
        "none", AuthenticatorData.create(host, 0x45, 0, made), {}
    )
    client = CollectedClientData.create("webauthn.create", b"challenge", "http://testserver")
    answer = AuthenticatorAttestationResponse(client_data=client, attestation_object=attestation)
    return dict(RegistrationResponse(raw_id=made.credential_id, response=answer))


def _device(owner: User) -> UserSession:
    browser = Client()
    browser.force_login(owner)
    return UserSession.objects.create(
        pk=555_002,
        user=owner,
        session_key=browser.session.session_key,
        ip="192.0.2.1",
        user_agent=CANARY,
        last_seen_at=timezone.now(),
    )


def digest(owner: User) -> str:
    """Return a digest of every row that belongs to the person, whatever app it is of."""
    found = hashlib.sha256()
    for model in apps.get_models():
        for row in _rows_of(model, owner):
            found.update(repr(row).encode())
    return found.hexdigest()


def _rows_of(model: type[Model], owner: User) -> Any:
    if model is User:
        return User.objects.filter(pk=owner.pk).values_list()
    # Neither what counts requests nor the log of who did what belongs to what may not change.
    fields = {field.name for field in model._meta.fields if field.related_model is User}
    name = next(iter(fields & {"owner", "user"}), None)
    if name is None:
        return []
    return model._base_manager.filter(**{name: owner}).order_by("pk").values_list()
