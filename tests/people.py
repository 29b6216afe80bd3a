"""The three people of every test: the owner, a colleague beside them, and a stranger."""

import json

from memory.models import Consent, Purpose, Scope, User
from memory.people.api_tokens import get_default_lifetime, issue
from memory.personal_data import consent

PASSWORD = "correct horse battery staple"
NAMES = ("owner", "colleague", "stranger")


def person(username: str, **fields: object) -> User:
    """Make an account that signs in with PASSWORD."""
    return User.objects.create_user(username, f"{username}@example.org", PASSWORD, **fields)


def allow(owner: User, *, given: bool = True) -> None:
    """Allow that what is said is recalled in other conversations, or allow it no longer."""
    consent.decide(owner, {Purpose.RECALL: given}, source=Consent.Source.API)


def token_of(user: User, scope: Scope = Scope.WRITE) -> str:
    """Return a new API token of the person."""
    return issue(user, lifetime=get_default_lifetime(), scope=scope)[1]


def print_populace() -> None:
    """Make the three people in the database of this process and print their API tokens as JSON."""
    print(json.dumps({name: token_of(person(name)) for name in NAMES}))
