"""Making an account, confirming its address, changing it: and nobody learns who has one."""

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from memory.models import AuditEvent, Consent, User
from tests.accounts.conftest import Settings, is_signed_in, sign_in
from tests.accounts.mail import link_in
from tests.people import PASSWORD

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.

FORM = {"password1": PASSWORD, "password2": PASSWORD}
Post = list[EmailMessage]


def test_sign_up_is_closed_unless_it_is_opened(client: Client, db: None) -> None:
    answer = Client().post("/account/signup/", FORM | {"email": "new@example.org"})
    assert "created by an administrator" in answer.content.decode()
    assert not User.objects.filter(email="new@example.org").exists()


@pytest.mark.usefixtures("open_house")
def test_who_signs_up_confirms_the_address_before_signing_in(post: Post) -> None:
    browser = Client()
    answer = browser.post("/account/signup/", FORM | {"email": "new@example.org"})
    assert answer["Location"] == "/account/confirm-email/"
    assert sign_in(browser, "new@example.org")["Location"] == "/account/confirm-email/"
    assert not is_signed_in(browser)
    page = browser.get(link_in(post[0]))
    assert "new@example.org" in page.content.decode()
    assert not EmailAddress.objects.get().verified  # a preview of the link confirms nothing
    browser.post(link_in(post[0]))
    assert sign_in(browser, "new@example.org").status_code == 302
    assert is_signed_in(browser)
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert actions == {
        "account.made",
        "consent.declined",
        "email.confirmed",
        "email.changed",
        "settings.listed",
        "signed_in",
    }


@pytest.mark.usefixtures("open_house")
def test_where_no_mail_can_be_sent_who_signs_up_is_told_whom_to_ask(
    owner: User, settings: object
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"  # type: ignore[attr-defined]
    answers = []
    for address in ("owner@example.org", "new@example.org"):
        browser = Client()
        browser.cookies["csrftoken"] = "a" * 32
        answer = browser.post("/account/signup/", FORM | {"email": address}, follow=True)
        answers.append(answer.content.decode())
    assert answers[0] == answers[1]
    assert "Ask an administrator for the link to confirm your address" in answers[0]


@pytest.mark.usefixtures("open_house")
def test_nobody_learns_by_signing_up_who_has_an_account(owner: User, post: Post) -> None:
    answers = []
    for address in ("owner@example.org", "nobody@example.org"):
        browser = Client()
        browser.cookies["csrftoken"] = "a" * 32
        answer = browser.post("/account/signup/", FORM | {"email": address})
        shown = browser.get(answer["Location"])
        masked = shown.content.decode().replace(address, "ADDRESS")
        answers.append((answer.status_code, answer["Location"], masked))
    assert answers[0] == answers[1]
    assert [message.subject for message in post] == [
        "You have an account already",
        "Confirm your address",
    ]


def test_a_changed_address_counts_once_it_is_confirmed(client: Client, post: Post) -> None:
    old = EmailAddress.objects.create(
        user=User.objects.get(), email="owner@example.org", primary=True, verified=True
    )
    client.post("/account/email/", {"action_add": "1", "email": "new@example.org"})
    assert User.objects.get().email == old.email
    shown = client.get("/account/email/").content.decode()
    assert "new@example.org is waiting to be confirmed" in shown
    client.post(link_in(post[0]))
    assert User.objects.get().email == "new@example.org"
    assert [address.email for address in EmailAddress.objects.all()] == ["new@example.org"]
    assert post[-1].to == ["owner@example.org"]  # the old one is told
    assert "changed from" in post[-1].body


@pytest.mark.usefixtures("open_house")
def test_who_signs_up_is_asked_what_they_allow_and_nothing_is_presumed(post: Post) -> None:
    form = Client().get("/account/signup/").content.decode()
    assert "until they expire or I delete them" in form
    assert form.count("<h2>What you allow</h2>") == 1
    assert "checked" not in form
    Client().post("/account/signup/", FORM | {"email": "new@example.org", "improve": "on"})
    decided = {row.purpose: (row.given, row.source) for row in Consent.objects.all()}
    assert decided == {
        "store": (False, "sign_up"),
        "recall": (False, "sign_up"),
        "improve": (True, "sign_up"),
    }


@pytest.mark.usefixtures("open_house")
def test_known_and_new_addresses_are_answered_alike_while_no_mail_leaves(
    settings: Settings, owner: User
) -> None:
    EmailAddress.objects.create(user=owner, email="old@example.org", verified=True, primary=True)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    for address in ("old@example.org", "new@example.org"):
        answer = Client().post("/account/signup/", FORM | {"email": address})
        assert answer.status_code == 503
    assert not User.objects.filter(email="new@example.org").exists()
