"""A browser without JavaScript, signed in, and something for it to look at."""

import pytest
from django.test import Client

from citations.models import Passage
from memory.conversations.asking import create_session
from memory.models import Session, User
from tests.pages.conversations import passage_of_a_document


@pytest.fixture
def client(owner: User) -> Client:
    """A browser in which the owner has signed in."""
    browser = Client()
    browser.force_login(owner)
    return browser


@pytest.fixture
def session(owner: User) -> Session:
    return create_session(owner, title="Dates")


@pytest.fixture
def passage(db: None) -> Passage:
    return passage_of_a_document()
