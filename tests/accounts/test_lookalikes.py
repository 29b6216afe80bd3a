"""P45: what only looks like a header, a name or an address is not taken for it."""

from collections.abc import Callable

import httpx
import pytest
from django.core.mail import EmailMessage
from django.test import Client

from memory.models import User
from tests.accounts.conftest import is_signed_in, sign_in
from tests.people import PASSWORD, person
from tests.servers import Web

PROXY, SPOOF = "192.0.2.1", "198.51.100.9"
HEADERS = ("X_Forwarded_For", "x_forwarded_for", "X-Forwarded_For", "X_Forwarded-For")
# Cyrillic, Greek, full width, a letter of small capitals, letters without width, and from right to
# left: all of them look like "owner", or are folded into it by one library or another.
NAMES = (
    "\u043ewner",
    "\u03bfwner",
    "\uff4f\uff57\uff4e\uff45\uff52",
    "o\u1d21ner",
    "ow\u200bner",
    "\u202eowner",
    "owner\u00ad",
    "o\u0323wner",
)
# A dotless and a dotted i, a long s and the Kelvin sign become others by a change of case.
ADDRESSES = (
    ("mike@example.org", "m\u0131ke@example.org"),
    ("mike@example.org", "m\u0130ke@example.org"),
    ("sam@example.org", "\u017fam@example.org"),
    ("mike@example.org", "mi\u212ae@example.org"),
    ("mike@example.org", "mike@ex\u0430mple.org"),
    ("mike@example.org", "mike@\uff45xample.org"),
)


def test_p45_a_header_that_only_looks_like_the_proxys_is_not_believed(
    start_web: Callable[..., Web],
) -> None:
    web = start_web(TRUSTED_PROXIES="1")
    spoofed = [(name, SPOOF) for name in HEADERS]
    for sent in ([*spoofed, ("X-Forwarded-For", PROXY)], [("X-Forwarded-For", PROXY), *spoofed]):
        with httpx.Client(base_url=web.url, headers=sent, verify=False) as browser:
            browser.get("/account/login/")
            form = {"login": "owner", "password": PASSWORD}
            form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"]
            assert browser.post("/account/login/", data=form).status_code == 302
    assert web.rows("SELECT DISTINCT ip FROM usersessions_usersession") == [(PROXY,)]


@pytest.mark.parametrize("name", NAMES)
def test_p45_a_name_that_looks_like_anothers_signs_in_nobody(owner: User, name: str) -> None:
    browser = Client()
    assert sign_in(browser, name).status_code == 200
    assert not is_signed_in(browser)


@pytest.mark.parametrize(("address", "similar"), ADDRESSES)
def test_p45_a_password_is_mailed_to_no_address_that_looks_like_ones_own(
    db: None, address: str, similar: str, mailoutbox: list[EmailMessage]
) -> None:
    owner = person(address.partition("@")[0])
    assert owner.email == address
    Client().post("/account/password/reset/", {"email": similar})
    Client().post("/account/password/reset/", {"email": address})
    sent = [message.to for message in mailoutbox if "password/reset/key" in message.body]
    assert sent
    assert all(to == [address] for to in sent)


@pytest.mark.usefixtures("open_house")
@pytest.mark.parametrize("name", ["\u043ewner", "\uff4f\uff57\uff4e\uff45\uff52"])
def test_p45_who_signs_up_can_choose_no_name_that_looks_like_anothers(
    owner: User, name: str
) -> None:
    form = {"password1": PASSWORD, "password2": PASSWORD, "username": name}
    Client().post("/account/signup/", form | {"email": f"{name}@example.org"})
    Client().post("/account/signup/", form | {"email": "other@example.org"})
    names = list(User.objects.values_list("username", flat=True))
    assert len(names) > 1
    assert all(each.isascii() for each in names)
    assert len(set(names)) == len(names)
