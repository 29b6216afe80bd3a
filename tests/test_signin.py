"""One-time sign-in links, and tokens of the API."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memory.models import ApiToken, AuditEvent, User
from memory.people.api_tokens import MAX_NAME_LENGTH, find_token
from memory.people.sign_in.links import link_path, redeem, tokens
from memory.people.staff import operators
from tests.accounts.mail import link_in
from tests.people import PASSWORD


def signed_in(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def parts(link: str) -> tuple[str, str]:
    return tuple(link.split("/")[-2:])  # type: ignore[return-value]


def test_a_link_signs_in_and_leads_home(owner: User, client: Client) -> None:
    answer = client.post(link_path(owner))
    assert answer.status_code == 302
    assert signed_in(client) == str(owner.pk)
    assert AuditEvent.objects.filter(action="signed_in_by_link").count() == 1
    assert UserSession.objects.get().user_id == owner.pk


GUARDED = ("/account/password/set/", "/account/2fa/totp/activate/", "/account/tokens/new")


def test_who_has_no_password_sets_one_after_the_link(owner: User, client: Client) -> None:
    owner.set_unusable_password()
    owner.save()
    client.post(link_path(owner))
    for path in GUARDED:
        assert client.get(path).status_code == 200, path
    new = {"password1": "four words of mine", "password2": "four words of mine"}
    assert client.post("/account/password/set/", new).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password("four words of mine")


NEW = {"password1": "four words of mine", "password2": "four words of mine"}


def test_who_forgot_the_password_sets_a_new_one_after_the_link(
    owner: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    elsewhere = Client()
    elsewhere.force_login(owner)
    client.post(link_path(owner))
    page = client.get("/account/password/change/").content.decode()
    assert "the old one isn’t asked for" in page
    assert "oldpassword" not in page
    assert client.post("/account/password/change/", NEW).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(NEW["password1"])
    assert AuditEvent.objects.filter(action="password.changed", subject_id=owner.pk).exists()
    assert [mail.to for mail in mailoutbox] == [[owner.email]]
    assert signed_in(client)
    assert elsewhere.get("/account/settings").status_code == 302


@pytest.mark.parametrize("came_by", ["link long ago", "password", "another's link"])
def test_the_old_password_is_asked_of_who_did_not_just_come_by_a_link(
    owner: User, colleague: User, client: Client, came_by: str
) -> None:
    if came_by == "link long ago":
        client.post(link_path(owner))
        session = client.session
        session["account_authentication_methods"][0]["at"] -= 301
        session.save()
    elif came_by == "password":
        client.post("/account/login/", {"login": "owner", "password": PASSWORD})
    else:
        client.post(link_path(colleague))
        client.post("/account/logout/")
        client.post("/account/login/", {"login": "owner", "password": PASSWORD})
    assert signed_in(client) == str(owner.pk)
    assert client.post("/account/password/change/", NEW).status_code == 200
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)
    assert "oldpassword" in client.get("/account/password/change/").content.decode()


def test_who_forgot_it_is_told_of_the_mail_or_whom_to_ask(
    owner: User, client: Client, settings: Settings
) -> None:
    client.post("/account/login/", {"login": "owner", "password": PASSWORD})
    path = "/account/password/change/"
    assert "Ask an administrator" in client.get(path).content.decode()
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    page = client.get(path).content.decode()
    assert "Have a link mailed" in page
    assert "/account/password/reset/" in page
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "Ask an administrator" in client.get(path).content.decode()


def test_the_mail_sets_a_new_password_for_who_is_signed_in(
    owner: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    client.post("/account/login/", {"login": "owner", "password": PASSWORD})
    client.post("/account/password/reset/", {"email": owner.email})
    form = client.get(link_in(mailoutbox[0]), follow=True)
    assert client.post(form.request["PATH_INFO"], NEW).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(NEW["password1"])


def test_a_link_used_long_ago_proves_nothing(owner: User, client: Client) -> None:
    owner.set_unusable_password()
    owner.save()
    client.post(link_path(owner))
    session = client.session
    session["account_authentication_methods"][0]["at"] -= 301
    session.save()
    for path in GUARDED:
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "Ask an administrator for a new link" in answer.content.decode()


def test_a_link_works_once(owner: User) -> None:
    link = link_path(owner)
    first, second = Client(), Client()
    first.post(link)
    answer = second.post(link)
    assert answer.status_code == 410
    assert signed_in(second) is None
    assert b"/account/login" in answer.content


def test_a_link_made_and_used_within_one_second_of_another_sign_in_works_once(
    owner: User,
) -> None:
    owner.last_login = timezone.now().replace(microsecond=1)
    owner.save()
    link = link_path(owner)
    User.objects.filter(pk=owner.pk).update(last_login=owner.last_login.replace(microsecond=2))
    assert redeem(*parts(link)) is None


def test_a_link_ends_after_an_hour(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    link = link_path(owner)
    now = tokens._now()

    def later(minutes: int) -> datetime:
        return now + timedelta(minutes=minutes)

    monkeypatch.setattr(tokens, "_now", lambda: later(61))
    assert redeem(*parts(link)) is None
    monkeypatch.setattr(tokens, "_now", lambda: later(59))
    assert redeem(*parts(link)) == owner


def test_a_link_ends_with_a_new_password(owner: User) -> None:
    link = link_path(owner)
    owner.set_password("another one")
    owner.save()
    assert redeem(*parts(link)) is None


def test_a_link_ends_with_the_account(owner: User) -> None:
    link = link_path(owner)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert redeem(*parts(link)) is None


def test_a_link_of_one_person_signs_nobody_else_in(owner: User, stranger: User) -> None:
    theirs, mine = parts(link_path(stranger)), parts(link_path(owner))
    assert redeem(mine[0], theirs[1]) is None
    assert redeem(theirs[0], mine[1]) is None


@pytest.mark.parametrize("encoded", ["x", "%00", "MQ", "____", "é", "a" * 500])
@pytest.mark.parametrize("token", ["x", "-", "zzz-zzz", "a" * 500, "%00"])
@pytest.mark.django_db
def test_garbage_is_answered_like_a_used_link(client: Client, encoded: str, token: str) -> None:
    assert client.get(f"/account/link/{encoded}/{token}").status_code == 410
    assert client.post(f"/account/link/{encoded}/{token}").status_code == 410


def test_what_only_opens_the_link_neither_uses_it_up_nor_is_signed_in(owner: User) -> None:
    link = link_path(owner)
    scanner, browser = Client(), Client(enforce_csrf_checks=True)
    assert scanner.head(link).status_code == 405
    for _ in range(2):
        assert b"Sign in as owner" in scanner.get(link).content
    assert signed_in(scanner) is None
    assert browser.post(link).status_code == 403, "another's page could send it"
    assert signed_in(browser) is None
    token = browser.get(link).context["csrf_token"]
    assert browser.post(link, {"csrfmiddlewaretoken": token}).status_code == 302
    assert signed_in(browser) == str(owner.pk)
    assert scanner.get(link).status_code == 410


def test_who_is_someone_else_is_told_so_before(owner: User, colleague: User) -> None:
    browser = Client()
    browser.force_login(colleague)
    page = browser.get(link_path(owner)).content.decode()
    assert f"You are signed in as {colleague.username} now" in page
    assert signed_in(browser) == str(colleague.pk)


@pytest.mark.django_db(transaction=True)
def test_of_many_uses_at_once_one_signs_in(owner: User) -> None:
    link = link_path(owner)

    def use(_: int) -> bool:
        try:
            return redeem(*parts(link)) is not None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(use, range(16))) == 1


def test_the_command_prints_the_link_alone_on_its_last_line(
    owner: User, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("sign_in_link", "owner", "--base-url", "http://testserver/")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("http://testserver/account/link/")
    assert client.post(last).status_code == 302


def test_a_link_leads_to_where_the_server_said_that_it_is(
    owner: User, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ADDRESS_FILE, settings.PORT = tmp_path / "address", 8123
    for address in ("http://127.0.0.1:8123", "http://127.0.0.1:9000"):
        call_command("sign_in_link", "owner")
        assert capsys.readouterr().out.splitlines()[-1].startswith(f"{address}/account/link/")
        settings.ADDRESS_FILE.write_text("http://127.0.0.1:9000/")


def test_there_is_no_link_for_an_account_that_cannot_sign_in(owner: User) -> None:
    with pytest.raises(CommandError, match="no account 'nobody'"):
        call_command("sign_in_link", "nobody")
    User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(CommandError, match="not active"):
        call_command("sign_in_link", "owner")


def test_the_command_prints_a_token_alone_on_its_last_line(
    owner: User, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--days", "7", "--name", "Nightly", "--scope", "read", "--reason", "a test"]
    call_command("create_token", "owner", *options)
    token = capsys.readouterr().out.splitlines()[-1]
    row = find_token(token)
    assert row
    assert (row.user, row.name, row.scope) == (owner, "Nightly", "read")
    assert timedelta(days=6) < row.expiry - timezone.now() <= timedelta(days=7)
    assert token not in str(ApiToken.objects.values())


def test_tokens_made_without_a_name_are_told_apart(owner: User) -> None:
    for reason in ("Nightly\nimport", "Nightly import", "w" * 600, "w" * 600):
        call_command("create_token", "owner", "--reason", reason)
    names = [row.name for row in ApiToken.objects.order_by("id")]
    assert names[:2] == ["Nightly import", "Nightly import (2)"]
    assert len(set(names)) == 4
    assert max(map(len, names)) <= MAX_NAME_LENGTH


@pytest.mark.parametrize("days", ["0", "-3"])
def test_a_token_has_to_live(owner: User, days: str) -> None:
    with pytest.raises(CommandError, match="at least one day"):
        call_command("create_token", "owner", "--days", days)


def test_only_staff_have_tokens_that_administer(owner: User) -> None:
    with pytest.raises(CommandError, match="A token that administers"):
        call_command("create_token", "owner", "--scope", "admin")
    assert not ApiToken.objects.exists()


def test_whoever_opens_an_account_at_a_terminal_is_named_to_its_person(
    owner: User, stranger: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_USER", "jane")
    client.post(link_path(owner))
    with pytest.raises(CommandError, match="--reason"):
        call_command("sign_in_link", "owner")
    with pytest.raises(CommandError, match="--reason"):
        call_command("create_token", "owner")
    with pytest.raises(CommandError, match="--reason"):
        call_command("sign_in_link", "owner", "--reason", "  ")
    assert not ApiToken.objects.exists()
    call_command("sign_in_link", "owner", "--reason", "They lost their phone")
    call_command("create_token", "owner", "--reason", "Nightly <import>")
    lines = AuditEvent.objects.filter(action__endswith=".by_operator").order_by("id")
    assert [line.action for line in lines] == ["link.by_operator", "token.by_operator"]
    assert {line.operator for line in lines} == {operators.get_operator()}
    assert operators.get_operator().endswith("(sudo: jane)")
    page = client.get("/account/sessions/").content.decode()
    assert "Made by" in page
    assert "(sudo: jane)" in page
    assert "They lost their phone" in page
    assert "Nightly &lt;import&gt;" in page
    assert operators.list_operator_acts(stranger) == []


def test_an_account_that_nobody_has_come_into_is_opened_without_a_reason(owner: User) -> None:
    call_command("sign_in_link", "owner")
    assert [act.reason for act in operators.list_operator_acts(owner)] == [""]
