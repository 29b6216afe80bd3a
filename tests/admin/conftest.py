"""Operators at the admin, and the rows that they read."""

import html
import re

import pytest
from django.http import HttpResponseBase
from django.test import Client

from memory.models import User
from tests.people import PASSWORD, person


@pytest.fixture
def boss(db: None) -> User:
    """Someone who may do everything."""
    return person("boss", is_staff=True, is_superuser=True)


@pytest.fixture
def at_admin(boss: User) -> Client:
    """The browser of whoever may do everything."""
    client = Client()
    client.force_login(boss)
    return client


def words(response: HttpResponseBase) -> str:
    """Return the words of a page, without its markup."""
    text = re.sub(r"<(script|style).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def prove(at_admin: Client, path: str) -> None:
    """Give the password again, as what comes next asks for it."""
    asked = at_admin.get(path)
    assert "/account/reauthenticate/" in asked.headers["Location"]
    at_admin.post(asked.headers["Location"], {"password": PASSWORD})
