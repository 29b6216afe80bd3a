"""Under COMPLIANCE=strict nobody gets anywhere without a second factor."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from memory.models import User
from memory.people.credentials import Credential, find_valid_credentials
from memory.people.sign_in.links import link_path
from memory.people.sign_in.second_factors import ENROLMENT
from tests.accounts.codes import add_app
from tests.isolation.routes import routes
from tests.people import token_of

FACTORS = "/account/2fa/"
PAGES = """
    / /library /search /account/settings /account/tokens /account/data /account/email/ /admin/
    /admin/memory/user/ /account/password/change/ /certificates /account/nothing
""".split()
PROGRAMS = ["/api/v1/sessions", "/api/v1/search?q=a", "/api/schema", "/api/v1/memory"]


@pytest.fixture(autouse=True)
def _strict(settings: Settings) -> None:
    settings.COMPLIANCE = "strict"


def test_what_enrolment_needs_exists() -> None:
    assert {route.name for route in routes()} >= ENROLMENT


@pytest.mark.parametrize("path", PAGES)
def test_a_page_leads_to_the_second_factor(client: Client, owner: User, path: str) -> None:
    User.objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
    for method in (client.get, client.post):
        answer = method(path)
        missing = path == "/account/nothing"
        assert answer.status_code == (404 if missing else 302)
        assert missing or answer["Location"] == FACTORS


@pytest.mark.parametrize("path", PROGRAMS)
def test_a_script_is_told_so(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "second_factor_needed")


def test_who_has_set_one_up_goes_on(client: Client, owner: User) -> None:
    page = client.get(FACTORS).content.decode()
    assert "Everybody here needs one" in page
    assert 'href="/account/data"' not in page
    add_app(client)
    assert client.get("/library").status_code == 200
    assert client.get("/api/v1/sessions").status_code == 200
    assert "Everybody here needs one" not in client.get(FACTORS).content.decode()
    Authenticator.objects.filter(user=owner, type="totp").delete()
    assert client.get("/library")["Location"] == FACTORS  # recovery codes alone are no factor


def test_a_token_works_with_a_second_factor_of_its_person_only(
    client: Client, owner: User, settings: Settings
) -> None:
    headers = {"Authorization": f"Bearer {token_of(owner)}"}
    browser = Credential(owner.pk, session_key=str(client.session.session_key))
    for is_enrolled in (False, True):
        if is_enrolled:
            add_app(client)
        status = Client().get("/api/v1/sessions", headers=headers).status_code
        assert status == (200 if is_enrolled else 401)
        assert bool(find_valid_credentials([browser])) is is_enrolled
    Authenticator.objects.filter(user=owner).delete()
    assert Client().get("/api/v1/sessions", headers=headers).status_code == 401
    settings.COMPLIANCE = ""
    assert Client().get("/api/v1/sessions", headers=headers).status_code == 200


def test_a_sign_in_link_leads_to_the_second_factor_and_no_further(
    client: Client, owner: User
) -> None:
    browser = Client()
    owner.refresh_from_db()
    assert browser.post(link_path(owner)).status_code == 302
    assert browser.get("/")["Location"] == FACTORS
    add_app(client)
    owner.refresh_from_db()
    assert Client().get(link_path(owner)).status_code == 410
    assert Client().post(link_path(owner)).status_code == 410
    with pytest.raises(CommandError, match="changepassword"):
        call_command("sign_in_link", "owner", "--reason", "A test")
