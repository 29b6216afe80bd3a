"""Time zone, language and colours, as the person, else the browser, else the instance says."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.conf import LazySettings
from django.test import Client

from memory.conversations.asking import create_session
from memory.models import Session, User

Shown = Callable[[], str]
MOMENT = datetime(2031, 7, 1, 22, 30, tzinfo=UTC)


@pytest.fixture
def shown_time(owner: User, client: Client) -> Shown:
    """Return how a page writes half past ten of a summer evening in Greenwich."""
    session = create_session(owner)
    Session.objects.update(expires_at=MOMENT)

    def shown() -> str:
        page = client.get(f"/conversations/{session.pk}").content.decode()
        found = re.search(r'<time [^>]*title="\w+, ([^"]*)"', page)
        return found[1] if found else ""

    return shown


def choose(client: Client, **choice: str) -> int:
    form = {"time_zone": "", "language": "", "theme": ""} | choice
    return client.post("/account/settings", form).status_code


def test_times_are_those_of_the_chosen_zone(client: Client, shown_time: Shown) -> None:
    assert shown_time() == "1 July 2031, 22:30:00 UTC"
    client.cookies["time_zone"] = "Asia/Kolkata"
    assert shown_time() == "2 July 2031, 04:00:00 IST"
    assert choose(client, time_zone="Europe/Berlin") == 302
    assert shown_time() == "2 July 2031, 00:30:00 CEST"
    assert choose(client, time_zone="") == 302
    assert shown_time() == "2 July 2031, 04:00:00 IST"


def test_only_languages_there_are_words_for_are_offered(
    client: Client, settings: LazySettings
) -> None:
    settings.LANGUAGES = [("en", "English"), ("es", "Spanish")]
    page = client.get("/account/settings", headers={"Accept-Language": "de"}).content.decode()
    assert '<option value="en">English</option>' in page
    assert "Deutsch" not in page
    assert '<html lang="en"' in page
    assert choose(client, language="de") == 400
    assert choose(client, language="en") == 302
    assert User.objects.get().language == "en"
