"""Devices: the browsers in which a person has signed in, described, last seen, and signed out.

A device is allauth's row beside Django's session. Its address and user agent are kept so that a
person recognises it, and no longer than the session.
"""

import re
import time
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session as WebSession
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import audit
from memory.errors import NotFound
from memory.jobs.batches import delete_in_batches
from memory.models import User
from memory.outages import is_passing
from memory.people.sign_in import web_lifetimes
from memory.sqlite.patience import patience

SEEN = "seen_at"
# Seldom, because each time costs a write.
SEEN_EVERY_SECONDS = 300
# Longest wait for noting it, in seconds.
NOTE_WAITS = 0.2
# A row is written a moment before or after the session that it belongs to.
GRACE = timedelta(hours=1)
# Rows of a transaction that is short enough not to be noticed.
AT_ONCE = 1000

# The first match counts: many browsers also name the ones that they derive from.
BROWSERS = (
    ("Edge", r"\bEdg(e|A|iOS)?/"),
    ("Opera", r"\bOPR/|\bOpera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"\b(Firefox|FxiOS)/"),
    ("Chrome", r"\b(Headless)?Chrom(e|ium)/|\bCriOS/"),
    ("Safari", r"\bSafari/"),
)
SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
)


def describe_device(user_agent: str) -> str:
    """Return browser and system in words, as far as the user agent names them."""
    browser, system = (
        _find_first_match(BROWSERS, user_agent),
        _find_first_match(SYSTEMS, user_agent),
    )
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Another device")


def _find_first_match(kinds: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in kinds if re.search(pattern, user_agent)), "")


def remember(request: HttpRequest) -> None:
    """Note the device of a session that has just begun, or is still in use."""
    request.session[SEEN] = int(time.time())
    UserSession.objects.create_from_request(request)


@receiver(user_logged_in)
def begin(request: HttpRequest, **kwargs: Any) -> None:
    request.session[SEEN] = int(time.time())
    web_lifetimes.begin(request)


def note_use(request: HttpRequest) -> None:
    """Note every few minutes that a signed-in browser is in use, if the database can write."""
    seen = request.session.get(SEEN, 0)
    if time.time() - seen > SEEN_EVERY_SECONDS and _note_device(request):
        request.session[SEEN] = int(time.time())


def _note_device(request: HttpRequest) -> bool:
    """Note that the device is in use; return whether the database could write just now."""
    try:
        with patience(NOTE_WAITS), transaction.atomic():
            UserSession.objects.create_from_request(request)
    except DatabaseError as error:
        if not is_passing(error):
            raise
        return False
    return True


def sign_out(user: User, device_id: int) -> None:
    """End the person's session in that browser, or raise NotFound."""
    with transaction.atomic():
        device = UserSession.objects.filter(user=user, pk=device_id).first()
        if device is None:
            raise NotFound
        audit.record("device.signed_out", actor=user.pk, subject=user)
        device.end()


def purge_ended() -> int:
    """Delete expired sessions and devices without a session; return how many devices."""
    return _purge_expired() + _purge_left()


def _purge_expired() -> int:
    """Delete the sessions that have expired, each with its device."""
    gone = 0
    expired = WebSession.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    while keys := list(expired.values_list("pk", flat=True)[:AT_ONCE]):
        with transaction.atomic():
            gone += UserSession.objects.filter(session_key__in=keys).delete()[0]
            WebSession.objects.filter(pk__in=keys).delete()
    return gone


def _purge_left() -> int:
    """Delete the devices whose browser session is deleted."""
    session = WebSession.objects.filter(pk=OuterRef("session_key"))
    left = UserSession.objects.filter(~Exists(session), last_seen_at__lt=timezone.now() - GRACE)
    return delete_in_batches(left.order_by("pk"))
