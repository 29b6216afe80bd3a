"""A copy of the content database lets nobody in: each value in it is tried at every door."""

import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.conf import LazySettings, settings
from django.contrib.auth.hashers import check_password
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session as WebSession
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from memory.forgetting.erasure import requests
from memory.models import ErasureRequest, ExportPackage, User
from memory.people.api_tokens import get_default_lifetime, issue
from memory.people.sign_in import links
from memory.people.sign_in.web_sessions import SessionStore
from memory.personal_data import packages
from tests.accounts.codes import add_app, code_of, recovery_codes
from tests.accounts.conftest import is_signed_in, prove, sign_in
from tests.accounts.mail import link_in
from tests.isolation.routes import routes
from tests.people import PASSWORD

API = "/api/v1/sessions"
# Between marks that JSON, addresses and our own notations put there.
PIECES = re.compile(r"""[\s"'{}\[\](),:;/=&]+""")


# --- What a thief reads ---------------------------------------------------------------------------


def stored() -> set[str]:
    """Return every value of every table, and what is written inside it."""
    found: set[str] = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                found.update(text for value in row if value is not None for text in read(value))
    return {text for text in found if 6 <= len(text) <= 500 and text.isprintable()}


def read(value: object) -> Iterator[str]:
    """Yield what a value says: as text or in hexadecimal, in pieces, and out of base64 and zlib."""
    if isinstance(value, bytes | memoryview):
        yield bytes(value).hex()
        value = bytes(value).decode("latin-1")
    text = str(value)
    yield text
    for piece in PIECES.split(text):
        yield piece
        try:
            packed = piece.removeprefix(".")
            data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
            inside = (zlib.decompress(data) if piece != packed else data).decode()
        except (ValueError, zlib.error):
            continue
        yield from PIECES.split(inside)


# --- What it could open ---------------------------------------------------------------------------


@dataclass
class Victim:
    """A person with everything that lets someone in, and the secrets of it."""

    owner: User
    # Where they are signed in: whoever has the link to a package needs that as well.
    browser: Client
    package: ExportPackage
    secrets: dict[str, str]

    @property
    def encoded_id(self) -> str:
        return urlsafe_base64_encode(force_bytes(self.owner.pk))

    @property
    def authenticator(self) -> Authenticator:
        return Authenticator.objects.get(user=self.owner, type="totp")


def cookie(value: str, victim: Victim) -> bool:
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = value
    return is_signed_in(browser)


def token(value: str, victim: Victim) -> bool:
    answer = Client().get(API, headers={"authorization": f"Bearer {value}"})
    return answer.status_code == 200


def password(value: str, victim: Victim) -> bool:
    return check_password(value, victim.owner.password)


def app_code(value: str, victim: Victim) -> bool:
    try:
        said = code_of(value.upper())
    except ValueError:
        said = value
    return bool(victim.authenticator.wrap().validate_code(said))


def recovery_code(value: str, victim: Victim) -> bool:
    row = Authenticator.objects.get(user=victim.owner, type="recovery_codes")
    return value in row.wrap().get_unused_codes()


def sign_in_link(value: str, victim: Victim) -> bool:
    return links.redeem(victim.encoded_id, value) is not None


def reset_link(value: str, victim: Victim) -> bool:
    return default_token_generator.check_token(victim.owner, value)  # its page counts guesses


def address_link(value: str, victim: Victim) -> bool:
    said = Client().get(path(f"/account/confirm-email/{value}/"))
    return said.status_code == 200 and "new@example.org" in said.content.decode()


def package_link(value: str, victim: Victim) -> bool:
    place = f"/account/data/packages/{victim.package.pk}/file/{value}"
    return victim.browser.get(path(place)).status_code not in (404, 409)


def erasure_link(value: str, victim: Victim) -> bool:
    return Client().get(path(f"/erasures/{value}")).status_code == 200


def path(place: str) -> str:
    return place.replace("?", "%3F").replace("#", "%23")


Door = Callable[[str, Victim], bool]
# Last those that work once: what lies before them would find them used.
DOORS: dict[str, Door] = {
    "cookie": cookie,
    "token": token,
    "password": password,
    "app code": app_code,
    "recovery code": recovery_code,
    "reset link": reset_link,
    "address link": address_link,
    "erasure link": erasure_link,
    "package link": package_link,
    "sign-in link": sign_in_link,
}
# The routes whose address is a secret, and the door that tries them.
SECRET_PATHS = {
    "sign_in_once": "sign-in link",
    "account_confirm_email": "address link",
    "account_reset_password_from_key": "reset link",
    "chat:erasure_status": "erasure link",
    "chat:package_file": "package link",
    "api:package_file": "package link",
}


@pytest.fixture
def before(db: None) -> set[str]:
    """The stored values of a new installation without activity."""
    return stored()


@pytest.fixture
def victim(before: set[str], owner: User, mailoutbox: list[EmailMessage]) -> Victim:
    address = {"user": owner, "email": "owner@example.org", "primary": True, "verified": True}
    EmailAddress.objects.create(**address)
    browser = Client()
    sign_in(browser)
    prove(browser)
    secrets = {"password": PASSWORD, "app code": add_app(browser)}
    cache.clear()  # the code that added it may be used again
    secrets["recovery code"] = recovery_codes(owner)[0]
    added = EmailAddress.objects.create(user=owner, email="new@example.org")
    secrets["address link"] = EmailConfirmationHMAC(added).key
    secrets["cookie"] = browser.cookies[settings.SESSION_COOKIE_NAME].value
    stranger = Client()  # someone who has forgotten a password, and is half-way to another
    stranger.post("/account/password/reset/", {"email": "owner@example.org"})
    secrets["reset link"] = last_part(mailoutbox).partition("-")[2]
    stranger.get(link_in(mailoutbox[-1]))
    _row, secrets["token"] = issue(owner, lifetime=get_default_lifetime())
    secrets["package link"] = (link := packages.make_link(package := ready(owner))).token
    assert link.until
    wish = requests.ask(owner, ErasureRequest.Scope.EVERYTHING, actor=owner.pk)
    secrets["erasure link"] = requests.confirm(wish, actor=owner.pk)
    owner.refresh_from_db()
    secrets["sign-in link"] = links.tokens.make_token(owner)
    return Victim(owner, browser, package, secrets)


def ready(owner: User) -> ExportPackage:
    row = packages.ask_for_package(owner)
    until = row.created_at + packages.LONGEST_LINK
    ExportPackage.objects.filter(pk=row.pk).update(status="ready", expires_at=until)
    row.refresh_from_db()
    return row


def last_part(mail: list[EmailMessage]) -> str:
    return link_in(mail[-1]).rstrip("/").rpartition("/")[2]


# --- Tried ----------------------------------------------------------------------------------------


def test_each_address_that_is_a_secret_is_a_door_that_is_tried() -> None:
    named = {"token", "key", "encoded_id", "uidb36"}
    secret = {route.name for route in routes() if named & set(route.parameters)}
    assert secret == set(SECRET_PATHS)
    assert set(SECRET_PATHS.values()) <= set(DOORS)


def test_nothing_in_a_copy_of_the_content_database_lets_anyone_in(
    before: set[str], victim: Victim
) -> None:
    copied = stored()
    assert WebSession.objects.first().pk in copied
    assert not set(victim.secrets.values()) & copied
    tried = copied - before
    assert len(tried) > 100
    opened = [(door, value) for door in DOORS for value in tried if DOORS[door](value, victim)]
    assert opened == []
    assert set(victim.secrets) == set(DOORS)
    shut = [door for door in DOORS if not DOORS[door](victim.secrets[door], victim)]
    assert shut == []


@pytest.mark.django_db
def test_a_session_opens_under_the_key_before_and_from_before_it_was_encrypted(
    settings: LazySettings,
) -> None:
    kept = {"_auth_user_id": "someone", "number": 7}
    sealed, old = SessionStore().encode(kept), DatabaseStore().encode(kept)
    assert SessionStore().decode(old) == kept
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 9, [settings.SECRET_KEY]
    assert SessionStore().decode(sealed) == kept
    settings.SECRET_KEY_FALLBACKS = []
    assert SessionStore().decode(sealed) == {}
    for damaged in (sealed[:-8] + "AAAAAAA=", sealed[:-1], sealed[:9], "1$", "1$é"):
        assert SessionStore().decode(damaged) == {}
