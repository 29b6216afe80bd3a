"""What the house uses of allauth's internals, which allauth may change with any version."""

import ast
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.cache import SessionStore
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.test import RequestFactory

from memory.models import User
from memory.people.sign_in import allauth_internals as internals
from tests.people import person
from tests.surroundings import ROOT

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.
pytestmark = pytest.mark.once

CHANGED = "allauth has changed {name}: look at how memory.people calls it, and at its new code"
# By name: how the house calls it.
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "filter_users_by_email": (
        internals.filter_users_by_email,
        ("login",),
        {"prefer_verified": True, "for_login": True},
    ),
    "get_authentication_records": (internals.get_authentication_records, ("request", "user"), {}),
    "get_reauthentication_flows": (internals.get_reauthentication_flows, ("user",), {}),
    "get_user_by_username": (internals.get_user_by_username, ("login",), {}),
    "raise_if_reauthentication_required": (
        internals.raise_if_reauthentication_required,
        ("request",),
        {"app": "allauth.account"},
    ),
    "ratelimit.consume": (
        internals.ratelimit.consume,
        ("request",),
        {"app": "a", "action": "b", "config": {}, "key": "k", "limit_get": True},
    ),
    "ratelimit.clear": (
        internals.ratelimit.clear,
        ("request",),
        {"app": "a", "action": "b", "config": {}, "key": "k"},
    ),
    "ratelimit.get_ip": (internals.ratelimit.get_ip, ("request",), {}),
    "ratelimit.RateLimitUsage": (internals.ratelimit.RateLimitUsage, (), {"usage": []}),
    "ratelimit.respond_429": (internals.ratelimit.respond_429, ("request",), {}),
    "record_authentication": (
        internals.record_authentication,
        ("request", "user"),
        {"method": "link"},
    ),
    "request_password_reset": (
        internals.request_password_reset,
        ("request", "address", [], None),
        {},
    ),
    "TOTP": (internals.TOTP, ("instance",), {}),
    "TOTP._mark_code_used": (internals.TOTP._mark_code_used, ("self", "code"), {}),
}


def test_nothing_else_imports_what_allauth_keeps_to_itself() -> None:
    for app in ("config", "memory", "citations", "chat"):
        for file in (ROOT / app).rglob("*.py"):
            imported = [
                node.module or ""
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.ImportFrom)
            ]
            inside = [name for name in imported if ".internal" in name]
            assert file.name == "allauth_internals.py" or not inside, (file, inside)


@pytest.mark.parametrize("name", CALLS)
def test_each_can_be_called_as_the_house_calls_it(name: str) -> None:
    function, arguments, options = CALLS[name]
    try:
        inspect.signature(function).bind(*arguments, **options)
    except TypeError as error:
        pytest.fail(f"{CHANGED.format(name=name)} ({error})")


def test_every_name_is_held_to_something() -> None:
    assert {name.partition(".")[0] for name in CALLS} == set(internals.__all__)


@pytest.fixture
def request_(rf: RequestFactory) -> Iterator[HttpRequest]:
    request = rf.get("/")
    request.session, request.user = SessionStore(), AnonymousUser()
    with context.request_context(request):
        yield request


def test_a_record_of_a_sign_in_says_when_and_how(request_: HttpRequest, owner: User) -> None:
    request_.user = owner
    internals.record_authentication(request_, owner, method="link")
    (record,) = internals.get_authentication_records(request_, owner)
    assert record["method"] == "link", CHANGED.format(name="record_authentication")
    assert record["at"] > 0, CHANGED.format(name="get_authentication_records")


def test_accounts_are_found_by_confirmed_address_and_by_any_casing_of_the_name(db: None) -> None:
    one, other = person("One"), person("other")
    for user, is_confirmed in ((one, True), (other, False)):
        EmailAddress.objects.create(user=user, email="a@example.org", verified=is_confirmed)
    found = internals.filter_users_by_email("A@example.org", prefer_verified=True, for_login=True)
    assert found == [one], CHANGED.format(name="filter_users_by_email")
    named = internals.get_user_by_username("oNE")
    assert named == one, CHANGED.format(name="get_user_by_username")


def test_who_has_a_password_proves_by_it_and_who_has_none_by_nothing(owner: User) -> None:
    flows = internals.get_reauthentication_flows(owner)
    assert [flow["id"] for flow in flows] == ["reauthenticate"], CHANGED.format(
        name="get_reauthentication_flows"
    )
    owner.set_unusable_password()
    assert internals.get_reauthentication_flows(owner) == []


def test_who_has_not_proved_it_lately_is_sent_to_do_so(request_: HttpRequest, owner: User) -> None:
    request_.user = owner
    with pytest.raises(ReauthenticationRequired):
        internals.raise_if_reauthentication_required(request_, app="allauth.account")
    internals.record_authentication(request_, owner, method="password", reauthenticated=True)
    internals.raise_if_reauthentication_required(request_, app="allauth.account")


def test_a_guess_is_counted_refused_beyond_its_number_and_taken_back(
    request_: HttpRequest, db: None
) -> None:
    def guess() -> Any:
        return internals.ratelimit.consume(
            request_,
            app="memory",
            action="guess",
            config={"guess": "1/5m/key"},
            key="contract",
            limit_get=True,
        )

    usage = guess()
    assert usage is not None
    assert guess() is None, CHANGED.format(name="ratelimit.consume")
    usage.rollback()
    assert guess() is not None, CHANGED.format(name="the usage's rollback")
    assert internals.ratelimit.respond_429(request_).status_code == 429


def test_a_code_is_used_once(owner: User) -> None:
    app = internals.TOTP(Authenticator(user=owner, type=Authenticator.Type.TOTP))
    assert app._mark_code_used("123456"), CHANGED.format(name="TOTP._mark_code_used")
    assert not app._mark_code_used("123456"), CHANGED.format(name="TOTP._mark_code_used")


def test_a_password_link_goes_to_the_address_given(
    request_: HttpRequest, owner: User, mailoutbox: list[EmailMessage]
) -> None:
    internals.request_password_reset(request_, "mine@example.org", [owner], None)
    assert [mail.to for mail in mailoutbox] == [["mine@example.org"]], CHANGED.format(
        name="request_password_reset"
    )
