"""Lifetimes of web sessions: an idle time after the person's last act, and an absolute time.

An act is a form that is sent, a link that is followed, or keyboard and pointer activity that the
page reports. Streams and a page's own requests are no acts.
"""

import time
from collections.abc import Mapping
from math import inf
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS

BEGUN, ACTED = "begun_at", "acted_at"
# Each note is a write: acts within this share of the idle time are one.
NOTED_EVERY = 0.05


def begin(request: HttpRequest) -> None:
    """Note that the person has just signed in."""
    request.session[BEGUN] = request.session[ACTED] = time.time()


def end_or_note(request: HttpRequest) -> None:
    """Sign the browser out if its lifetime is over; otherwise note an act of its person."""
    if get_seconds_left(request.session) <= 0:
        logout(request)
    elif settings.IDLE_MINUTES and _is_act(request):
        elapsed = time.time() - request.session[ACTED]
        if elapsed > settings.IDLE_MINUTES * 60 * NOTED_EVERY:
            request.session[ACTED] = time.time()


def get_seconds_left(session: Mapping[str, Any] | Any) -> float:
    """Return the seconds until the browser is signed out, without a further act."""
    idle = settings.IDLE_MINUTES * 60
    end_of_idle = session.get(ACTED, 0) + idle if idle else inf
    return min(end_of_idle, get_end(session)) - time.time()


def get_end(session: Mapping[str, Any] | Any) -> float:
    """Return the time at which the browser is signed out despite activity."""
    return session.get(BEGUN, 0) + settings.SESSION_COOKIE_AGE if settings.COMPLIANCE else inf


def _is_act(request: HttpRequest) -> bool:
    # Browsers send this header for links and addresses, but not for reloads by a page.
    is_followed = request.headers.get("Sec-Fetch-User") == "?1"
    return is_followed or request.method not in SAFE_METHODS
