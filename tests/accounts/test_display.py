"""Time zone, language and colours, as the person, else the browser, else the instance says."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.conf import LazySettings
from django.test import Client

from memory.conversations.asking import create_session
from memory.models import Session, User
from memory.people.display import zone_names

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


@pytest.mark.once
def test_times_are_those_of_the_chosen_zone(client: Client, shown_time: Shown) -> None:
    assert shown_time() == "1 July 2031, 22:30:00 UTC"
    client.cookies["time_zone"] = "Asia/Kolkata"
    assert shown_time() == "2 July 2031, 04:00:00 IST"
    assert choose(client, time_zone="Europe/Berlin") == 302
    assert shown_time() == "2 July 2031, 00:30:00 CEST"
    assert choose(client, time_zone="") == 302
    assert shown_time() == "2 July 2031, 04:00:00 IST"


@pytest.mark.parametrize("zone", ["../../etc/passwd", "Mars/Base", "\x00", "", "é", "x" * 5000])
@pytest.mark.once
def test_a_zone_that_is_none_is_passed_over(client: Client, shown_time: Shown, zone: str) -> None:
    client.cookies["time_zone"] = zone
    assert shown_time() == "1 July 2031, 22:30:00 UTC"
    if zone:
        assert choose(client, time_zone=zone) == 400


@pytest.mark.once
def test_the_next_request_is_not_in_the_zone_of_the_last(client: Client) -> None:
    from django.utils import timezone

    choose(client, time_zone="Asia/Tokyo")
    client.get("/account/settings")
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.once
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


@pytest.mark.once
def test_a_single_language_is_no_choice(client: Client) -> None:
    assert 'name="language"' not in client.get("/account/settings").content.decode()
    choose(client, language="de")
    assert User.objects.get().language == ""


@pytest.mark.once
def test_colours_are_kept_for_the_browser(client: Client) -> None:
    choose(client, theme="dark")
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.cookies["theme"] = '"><script>'
    assert "data-theme" not in client.get("/").content.decode()
    choose(client, theme="")
    assert "data-theme" not in client.get("/").content.decode()


@pytest.mark.once
def test_zones_are_named_by_places() -> None:
    names = zone_names()
    assert {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"} <= set(names)
    assert not {"EST5EDT", "Etc/GMT+1", "localtime"} & set(names)
