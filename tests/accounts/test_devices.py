"""Devices: named in words, signed out one by one or all, and forgotten with their session."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as WebSession
from django.test import Client
from django.utils import timezone

from memory.models import AuditEvent, User
from memory.people.sign_in import devices
from tests.accounts.conftest import is_signed_in, sign_in
from tests.people import person

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
            "like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", "Another device"),
        ("", "Another device"),
        ("<script>alert(1)</script>", "Another device"),
    ],
)
def test_a_device_is_named_in_words(user_agent: str, words: str) -> None:
    assert devices.describe_device(user_agent) == words


@pytest.fixture
def other(owner: User) -> Client:
    """Another browser of the owner's."""
    browser = Client(headers={"User-Agent": FIREFOX})
    sign_in(browser)
    return browser


def device_of(browser: Client) -> UserSession:
    return UserSession.objects.get(session_key=browser.session.session_key)


def test_one_device_is_signed_out_and_no_other(client: Client, other: Client) -> None:
    shown = client.get("/account/sessions/").content.decode()
    assert "Firefox on Linux" in shown
    assert shown.count("this device") == 1
    client.post(f"/account/devices/{device_of(other).pk}")
    assert not is_signed_in(other)
    assert is_signed_in(client)
    assert AuditEvent.objects.filter(action="device.signed_out").count() == 1


def test_nobody_signs_out_the_device_of_another(other: Client) -> None:
    person("colleague")
    thief = Client()
    sign_in(thief, "colleague")
    for pk in (device_of(other).pk, 10**9):
        assert thief.post(f"/account/devices/{pk}").status_code == 404
    assert is_signed_in(other)


def test_use_is_noted_every_few_minutes(client: Client) -> None:
    device = device_of(client)
    long_ago = timezone.now() - timedelta(days=2)
    UserSession.objects.filter(pk=device.pk).update(last_seen_at=long_ago)
    is_signed_in(client)
    assert device_of(client).last_seen_at == long_ago
    session = client.session
    session[devices.SEEN] -= devices.SEEN_EVERY_SECONDS + 1
    session.save()
    is_signed_in(client)
    assert device_of(client).last_seen_at > timezone.now() - timedelta(minutes=1)


def test_a_device_is_forgotten_with_its_session(client: Client, other: Client) -> None:
    WebSession.objects.filter(pk=other.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    UserSession.objects.update(last_seen_at=timezone.now() - timedelta(hours=2))
    assert devices.purge_ended() == 1
    assert [device.session_key for device in UserSession.objects.all()] == [
        client.session.session_key
    ]
