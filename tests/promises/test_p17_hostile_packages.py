"""P17: a package that someone has changed is refused in words, or does no more than a true one."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.audit.append_only import deletion_allowed
from memory.conversations.asking import create_session
from memory.forgetting.deletion import erase_session
from memory.models import RetentionPolicy, Session, User
from memory.personal_data.importing import Unfit, take_in
from memory.sealing import ledger
from memory.sealing.cipher import destroy_data_keys, key_ring
from tests.people import person
from tests.promises.packed import packed

pytestmark = pytest.mark.django_db

Data = dict[str, Any]


@pytest.fixture
def package(db: None) -> Data:
    """The package of someone with one conversation, who is here no more."""
    someone = person("traveller")
    create_session(someone, title="On herons")
    data: Data = packed(someone).data
    with deletion_allowed():
        User.objects.get(pk=someone.pk).delete()
    destroy_data_keys(someone.pk)
    key_ring.clear()
    return data


def session_of(package: Data) -> Data:
    row: Data = package["tables"]["memory.session"][0]
    return row


def test_nothing_lives_longer_than_what_is_begun_here(package: Data) -> None:
    session_of(package)["expires_at"] = "9999-12-31T23:59:59+00:00"
    session_of(package)["kept_until"] = "9000-01-01T00:00:00+00:00"
    package["made_at"] = "2020-01-01T00:00:00+00:00"
    someone = take_in(package)
    lifetime = RetentionPolicy.objects.ruling(someone.tier).lifetime
    session = Session.objects.get(owner=someone)
    latest = timezone.now() + timedelta(seconds=lifetime)
    assert session.expires_at <= latest
    assert session.kept_until
    assert session.kept_until <= latest


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("last_activity", "9000-01-01T00:00:00+00:00"),
        ("expires_at", "2026-11-30T00:00:00"),
        ("expires_at", None),
        ("title", ["a", "list"]),
        ("title", None),
        ("turn_count", -5),
        ("turn_count", 2**70),
        ("strategy", "x" * 500),
        ("strategy", "another"),
        ("id", "1"),
        ("id", ["a", "list"]),
    ],
)
def test_a_value_that_a_field_can_not_have_is_named(
    package: Data, field: str, value: object
) -> None:
    session_of(package)[field] = value
    with pytest.raises(Unfit, match=f"session.{field}"):
        take_in(package)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"tables": []}, "tables"),
        ({"tables": {"memory.session": 5}}, "memory.session"),
        ({"tables": {"memory.session": [5]}}, "memory.session"),
        ({"tables": {"memory.session": [{}]}}, "memory.session"),
        ({"about_you": []}, "about_you"),
        ({"about_you": {"memory.user": [{}]}}, "memory.user"),
        ({"made_at": "2020-01-01T00:00:00"}, "made_at"),
        ({"made_at": "2999-01-01T00:00:00+00:00"}, "made_at"),
        ({"made_at": 5}, "made_at"),
    ],
)
def test_a_member_that_is_something_else_is_named(package: Data, changes: Data, named: str) -> None:
    with pytest.raises(Unfit, match=named):
        take_in(package | changes)


def test_what_was_erased_here_is_not_taken_in(package: Data) -> None:
    other = person("other")
    session = create_session(other)
    erase_session(session, actor=other)
    ledger.note(Session(pk=session_of(package)["id"]))
    with pytest.raises(Unfit, match="erased here"):
        take_in(package)


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with ZipFile(bomb, "w", ZIP_DEFLATED) as archive:
        archive.writestr("data.json", b"[" + b" " * 2_000_000 + b"]")
    with pytest.raises(CommandError, match="too large"):
        call_command("import_package", bomb, "--most", "1")
    with pytest.raises(CommandError, match="can't be read as a package"):
        call_command("import_package", bomb, "--most", "3")


def test_no_value_of_a_package_ends_in_an_error_without_words(package: Data) -> None:
    odd = [None, [], {}, "x", -1, 2**70, 1.5, True, "9999-12-31T23:59:59+00:00", "\ud800"]
    for name in session_of(package):
        for value in odd:
            changed = json.loads(json.dumps(package))
            session_of(changed)[name] = value
            try:
                taken = take_in(changed)
            except Unfit:
                continue
            with deletion_allowed():
                taken.delete()
            destroy_data_keys(taken.pk)
