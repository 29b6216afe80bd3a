"""The internals of allauth in use, which any version of allauth may change."""

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from memory.people.sign_in import allauth_internals as internals
from tests.surroundings import ROOT

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.

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
