"""Passwords: forgotten, changed, guessed at."""

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from memory.models import AuditEvent, User
from tests.accounts.conftest import is_signed_in, sign_in
from tests.accounts.mail import link_in
from tests.people import PASSWORD

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.

NEW = "a wholly different one"
Post = list[EmailMessage]


def new_password(browser: Client, link: str, password: str = NEW) -> int:
    form = browser.get(link, follow=True)
    url = form.request["PATH_INFO"]
    return browser.post(url, {"password1": password, "password2": password}).status_code


def test_a_forgotten_password_is_set_anew_by_mail_once(client: Client, post: Post) -> None:
    Client().post("/account/password/reset/", {"email": "owner@example.org"})
    link = link_in(post[0])
    assert "user name is owner" in post[0].body
    browser = Client()
    assert new_password(browser, link) == 302
    assert not is_signed_in(browser)  # the second factor is still asked for
    assert not is_signed_in(client)  # and whoever was in is out
    assert sign_in(Client(), password=PASSWORD).status_code == 200
    assert sign_in(browser, password=NEW).status_code == 302
    assert "link doesn’t work" in Client().get(link, follow=True).content.decode()
    assert AuditEvent.objects.filter(action="password.reset").count() == 1


def test_where_no_mail_can_be_sent_it_is_said_whom_to_ask_and_not_who_has_an_account(
    owner: User, settings: object, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"  # type: ignore[attr-defined]
    path = "/account/password/reset/"
    pages = [Client().post(path, {"email": f"{who}@example.org"}) for who in ("owner", "nobody")]
    pages.append(Client().get(path))
    said = {page.content.decode() for page in pages}
    assert len(said) == 1
    assert "Ask an administrator to set a new password for you" in said.pop()
    assert "example.org" not in capsys.readouterr().out


def test_a_changed_password_signs_out_every_other_browser(client: Client, owner: User) -> None:
    other = Client()
    sign_in(other)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    changed = client.post("/account/password/change/", form)
    # To the settings: the form for the next change would look as if nothing had happened.
    assert (changed.status_code, changed["Location"]) == (302, "/account/settings")
    assert is_signed_in(client)
    assert not is_signed_in(other)
