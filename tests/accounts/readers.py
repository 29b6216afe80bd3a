"""People of whom each has everything that lets somebody in, and a package."""

import json
from contextlib import suppress
from datetime import timedelta

from allauth.account.forms import default_token_generator
from allauth.account.utils import url_str_to_user_pk, user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone

from memory.forgetting.erasure import requests
from memory.forgetting.erasure.execution import carry_out
from memory.models import ErasureRequest, ExportPackage, PackagePart, User
from memory.people.access import suspend
from memory.people.sign_in.links import link_path, redeem
from memory.people.sign_in.web_sessions import SessionStore
from memory.personal_data.packages import ask_for_package
from tests.people import person, token_of

BACKEND = "memory.people.adapters.AccountBackend"
# Longer than what the machine holds for who doesn't read.
PARTS = 8


def print_readers(first: int, last: int, *, fetches: int) -> None:
    """Make the people and print what each has, a line of JSON each.

    Of so many the third has a package that can be fetched, and the others wait for theirs.
    """
    for number in range(first, last):
        is_ready = number % fetches == 2
        reader = person(f"reader-{number}")
        secret, device = signed_in(reader)
        has = {
            "name": reader.username,
            "token": token_of(reader),
            "secret": secret,
            "device": device,
            "other": signed_in(reader)[0],
            "package": str(package_of(reader, is_ready=is_ready).pk),
            "is_ready": is_ready,
            "sign_in": link_path(reader),
            "reset": reset_path(reader),
        }
        print(json.dumps(has))


def print_packages() -> None:
    """Print of each reader's package what became of it, and its link's hash, as JSON."""
    rows = ExportPackage.objects.filter(owner__username__startswith="reader-")
    print(json.dumps(list(rows.values_list("owner__username", "status", "link_hash"))))


def print_open(*ways: tuple[str, str]) -> None:
    """Print those of the links, each to sign in and to set a password, that still let in."""
    for sign_in, reset in ways:
        person, _, token = sign_in.strip("/").removeprefix("account/link/").partition("/")
        if redeem(person, token) is not None:
            print(sign_in)
        encoded, _, key = reset.strip("/").rpartition("/")[2].partition("-")
        reader = reader_of(encoded)
        if reader.is_active and default_token_generator.check_token(reader, key):
            print(reset)


def suspended(name: str) -> None:
    """Suspend the reader."""
    suspend(User.objects.get(username=name), actor=User.objects.get(username="owner"))


class Begun(Exception):
    """The erasure has come as far as the key."""


def erased(name: str) -> None:
    """Erase the reader's account as far as the key; what is left of it is no right to anything."""
    reader = User.objects.get(username=name)
    request = requests.ask(reader, ErasureRequest.Scope.ACCOUNT, actor=reader.pk)
    requests.confirm(request, actor=reader.pk, at_once=True)
    steps = iter(range(2))

    def no_further() -> None:
        if next(steps, None) is None:
            raise Begun

    with suppress(Begun):
        carry_out(request, pulse=no_further)


def reader_of(encoded: str) -> User:
    """Return the person whom the link to set a password names."""
    return User.objects.get(pk=url_str_to_user_pk(encoded))


def signed_in(reader: User) -> tuple[str, int]:
    """Sign the person in; return the cookie, and by what its browser is signed out."""
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(reader.pk), BACKEND
    store[HASH_SESSION_KEY] = reader.get_session_auth_hash()
    now = timezone.now().timestamp()
    store["account_authentication_methods"] = [{"method": "password", "at": now}]
    store.save()
    row = UserSession.objects.create(
        user=reader, ip="127.0.0.1", user_agent="a browser", session_key=str(store.session_key)
    )
    return store.session_key.secret, row.pk  # type: ignore[union-attr]


def reset_path(reader: User) -> str:
    """Return where a new password is set, as it is mailed."""
    key = f"{user_pk_to_url_str(reader)}-{default_token_generator.make_token(reader)}"
    return f"/account/password/reset/key/{key}/"


def package_of(reader: User, *, is_ready: bool) -> ExportPackage:
    """Return a package of theirs, that can be fetched or is still to be made."""
    if not is_ready:
        return ask_for_package(reader)
    package = ExportPackage.objects.create(
        owner=reader,
        status=ExportPackage.Status.READY,
        size=PARTS << 20,
        expires_at=timezone.now() + timedelta(days=1),
    )
    for number in range(1, PARTS + 1):
        part = PackagePart(package=package, owner_id=reader.pk, number=number)
        part.payload = bytes(1 << 20)
        part.save(force_insert=True)
    return package
