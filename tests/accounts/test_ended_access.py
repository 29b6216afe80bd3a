"""Access that is ended is ended everywhere."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from io import StringIO

import pytest
from allauth.usersessions.models import UserSession
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import connections, transaction
from django.http import HttpResponse
from django.test import Client

from config.management.commands import changepassword
from memory.models import ApiToken, AuditEvent, ExportPackage, OperatorAct, User
from memory.people import access
from memory.people.api_tokens import get_default_lifetime, issue
from memory.people.sign_in.links import link_path
from memory.personal_data import packages
from tests.accounts.conftest import is_signed_in, sign_in
from tests.accounts.mail import link_in
from tests.people import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def package(owner: User) -> ExportPackage:
    row = packages.ask_for_package(owner)
    ExportPackage.objects.filter(pk=row.pk).update(
        status=ExportPackage.Status.READY, expires_at=row.created_at + timedelta(days=1)
    )
    row.refresh_from_db()
    return row


@pytest.fixture
def ways_in(owner: User, package: ExportPackage) -> Client:
    """Another browser, a token and a link of the owner's."""
    browser = Client()
    sign_in(browser)
    issue(owner, lifetime=get_default_lifetime())
    packages.make_link(package)
    return browser


def left(owner: User) -> tuple[int, int]:
    linked = ExportPackage.objects.filter(owner=owner).exclude(link_hash="")
    return ApiToken.objects.owned(owner).count(), linked.count()


def test_the_person_ends_all_access_but_this_browsers(
    client: Client, owner: User, ways_in: Client
) -> None:
    sign_in(client)
    asked = client.get("/account/access/end")
    assert "This browser stays signed in" in asked.content.decode()
    assert left(owner) == (1, 1)
    client.post("/account/access/end")
    assert left(owner) == (0, 0)
    assert is_signed_in(client)
    assert not is_signed_in(ways_in)
    assert AuditEvent.objects.filter(action="access.ended", subject_id=owner.pk).count() == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_token_that_is_made_in_that_moment_ends_too(client: Client, owner: User) -> None:
    """A thief in another browser makes one for as long as they can."""
    form = {"name": "a thief's", "scope": "write", "days": "30"}

    def make() -> HttpResponse:
        try:
            return client.post("/account/tokens/new", form)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thief:
        with transaction.atomic():
            access.end_all_access(owner, actor=owner)
            making = thief.submit(make)
            wait([making], timeout=0.5)  # it has been let in, and waits, or is done
        assert making.result().status_code == 302
    assert not ApiToken.objects.exists()
    assert not is_signed_in(client)


def test_a_new_password_ends_what_the_old_one_had_opened(
    client: Client, owner: User, ways_in: Client
) -> None:
    sign_in(client)
    new = "quite-another-password-9"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert client.post("/account/password/change/", form).status_code == 302
    assert left(owner) == (0, 0)
    assert is_signed_in(client)
    assert not is_signed_in(ways_in)
    assert UserSession.objects.get().user == owner


def by_button(browser: Client, owner: User, colleague: User) -> None:
    browser.post("/account/access/end")


def by_suspension(browser: Client, owner: User, colleague: User) -> None:
    access.suspend(owner, actor=colleague)
    access.readmit(owner, actor=colleague)


@pytest.mark.parametrize("end", [by_button, by_suspension])
def test_links_that_were_sent_before_open_nothing(
    client: Client, owner: User, colleague: User, post: list[EmailMessage], end: Callable[..., None]
) -> None:
    sign_in(client)
    Client().post("/account/password/reset/", {"email": owner.email})
    owner.refresh_from_db()
    to_sign_in, to_reset = link_path(owner), link_in(post[-1])
    assert b"password1" in Client().get(to_reset, follow=True).content
    end(client, owner, colleague)
    assert b"password1" not in Client().get(to_reset, follow=True).content
    assert Client().post(to_sign_in).status_code == 410
    owner.refresh_from_db()
    assert Client().post(link_path(owner)).status_code == 302


def test_a_password_set_at_a_terminal_ends_what_the_old_one_had_opened_and_is_told(
    client: Client, owner: User, ways_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["short", "short", "quite-another-1", "quite-other-1", *["quite-another-9"] * 2])
    monkeypatch.setattr(changepassword, "getpass", lambda _prompt: next(typed))
    with pytest.raises(CommandError, match="--reason"):
        call_command("changepassword", "owner")
    call_command("changepassword", "owner", "--reason", "They forgot <it>", stderr=StringIO())
    assert list(typed) == []
    assert left(owner) == (0, 0)
    assert not is_signed_in(ways_in)
    unsaid = AuditEvent.objects.filter(actor_id=None).exclude(action__startswith="command.")
    ended, opened = unsaid.order_by("-id")[:2]
    assert (opened.action, ended.action) == ("password.by_operator", "access.ended")
    assert OperatorAct.objects.count() == 1
    sign_in(client, password="quite-another-9")
    page = client.get("/account/sessions/").content.decode()
    assert "A new password" in page
    assert "They forgot &lt;it&gt;" in page
