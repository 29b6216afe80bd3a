"""Browsers without scripts that sign in as people do, and mail that can be read."""

import pytest
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from memory.models import User
from tests.people import PASSWORD


@pytest.fixture
def client(owner: User) -> Client:
    """A browser in which the owner has signed in, and has just proved again who they are."""
    browser = Client()
    assert sign_in(browser).status_code == 302
    prove(browser)
    return browser


@pytest.fixture
def open_house(settings: Settings, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """Anyone may sign up, and confirms their address; tests/accounts/test_timing.py can wait."""
    monkeypatch.setattr("memory.people.forms.SIGN_UP_SECONDS", 0.0)
    settings.SIGNUP = "open"
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.fixture
def post(mailoutbox: list[EmailMessage]) -> list[EmailMessage]:
    """The mail that was sent."""
    return mailoutbox


def sign_in(browser: Client, login: str = "owner", password: str = PASSWORD) -> HttpResponse:
    """Send the sign-in form."""
    return browser.post("/account/login/", {"login": login, "password": password})


def prove(browser: Client, password: str = PASSWORD) -> None:
    """Answer "Is it you?" by the password."""
    answer = browser.post("/account/reauthenticate/", {"password": password})
    assert answer.status_code == 302
    assert "reauthenticate" not in answer["Location"]


def is_signed_in(browser: Client) -> bool:
    return browser.get("/account/settings").status_code == 200
