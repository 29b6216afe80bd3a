"""Passwords: forgotten, changed, guessed at."""

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from memory.models import AuditEvent, User
from tests.accounts.conftest import is_signed_in, sign_in
from tests.accounts.mail import link_in
from tests.people import PASSWORD
from tests.surroundings import free_port

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.
pytestmark = pytest.mark.once

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
    assert "Ask whoever runs it: they can set a new password for you" in said.pop()
    assert "example.org" not in capsys.readouterr().out


def test_a_first_password_is_told_of_as_one_and_a_new_one_as_new(owner: User, post: Post) -> None:
    owner.set_unusable_password()
    owner.save()
    for _ in range(2):
        Client().post("/account/password/reset/", {"email": "owner@example.org"})
        assert new_password(Client(), link_in(post[-1])) == 302
    assert [mail.subject for mail in post] == [
        "Set a password for your account",
        "Your account has a password",
        "A new password",
        "Your password is new",
    ]
    assert "has its password now" in post[1].body
    assert "reset" not in post[1].body.replace("/password/reset/", "")


def test_a_changed_password_signs_out_every_other_browser(client: Client, owner: User) -> None:
    other = Client()
    sign_in(other)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    changed = client.post("/account/password/change/", form)
    # To the settings: the form for the next change would look as if nothing had happened.
    assert (changed.status_code, changed["Location"]) == (302, "/account/settings")
    assert is_signed_in(client)
    assert not is_signed_in(other)


@pytest.mark.parametrize("password", ["short", "1234567890", "password", "owner@example.org"])
def test_a_weak_password_is_refused(client: Client, password: str) -> None:
    form = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    assert client.post("/account/password/change/", form).status_code == 200
    assert User.objects.get().check_password(PASSWORD)


def test_the_right_password_takes_the_lock_out_back_and_a_reset_ends_it(
    owner: User, post: Post
) -> None:
    for _ in range(5):
        sign_in(Client(), password="wrong")
    assert sign_in(Client()).status_code == 200
    Client().post("/account/password/reset/", {"email": "owner@example.org"})
    assert new_password(Client(), link_in(post[0])) == 302
    assert sign_in(Client(), password=NEW).status_code == 302


@pytest.mark.parametrize(
    "link", ["1-x-y", "zzzz-abc-def", "0-0-0", "a" * 60 + "-b-c", "owner-set-password"]
)
@pytest.mark.django_db
def test_a_link_that_is_none_is_said_to_be_none(link: str) -> None:
    answer = Client().get(f"/account/password/reset/key/{link}/", follow=True)
    assert answer.status_code == 200
    assert "link doesn’t work" in answer.content.decode()


@pytest.mark.parametrize("address", ["owner@example.org", "nobody@example.org"])
def test_a_mail_server_that_is_down_is_told_whoever_asks(
    owner: User, settings: object, address: str
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    answer = Client().post("/account/password/reset/", {"email": address})
    assert answer.status_code == 503
    assert "No mail can be sent now" in answer.content.decode()
