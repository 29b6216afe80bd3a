"""Template filters for the pages of an account."""

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from memory.models import OperatorAct, User
from memory.people.display import THEME_COOKIE, THEMES
from memory.people.sign_in import devices
from memory.people.staff import operators

register = template.Library()
register.filter("device", devices.describe_device)


@register.simple_tag
def single_sign_on() -> dict[str, str]:
    """Return name and address of the single sign-on provider."""
    return {"name": settings.OIDC_NAME, "url": reverse("openid_connect_login", args=["oidc"])}


@register.simple_tag
def operator_acts(person: User) -> list[OperatorAct]:
    """Return the operators' acts that gave access to the account, newest first."""
    return operators.list_operator_acts(person)


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """Return this browser's theme; empty for the system's."""
    request: HttpRequest | Any = context.get("request")
    chosen = request.COOKIES.get(THEME_COOKIE, "") if request else ""
    return chosen if chosen in THEMES else ""


@register.simple_tag
def ends_when_idle() -> bool:
    """Return whether idle browsers are signed out."""
    return bool(settings.IDLE_MINUTES)
