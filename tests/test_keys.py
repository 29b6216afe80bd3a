"""Rotating the master key: nobody loses a word, wherever it is interrupted."""

import hashlib
import signal
import sqlite3
from base64 import urlsafe_b64decode
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.keywrap import aes_key_wrap
from django.core.management import CommandError, call_command
from pytest_django import Settings
from uuid_utils.compat import uuid4

from memory.management.commands import rotate_keys
from memory.models import DataKey
from memory.sealing.cipher import (
    MasterKeyError,
    UnsealError,
    add_master_key,
    get_master_keys,
    key_ring,
    rewrap_data_keys,
    seal,
    select_stale_data_keys,
    unseal,
)
from tests.servers import Installation, copy_migrated
from tests.surroundings import PYTHON, end, wait_until

PLACE = "memory_turn|1|query"
Sealed = dict[UUID, bytes]


@pytest.fixture(autouse=True)
def _own_key_file(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MASTER_KEY_FILE = tmp_path / "master.key"
    monkeypatch.setattr(rotate_keys, "SETTLING", 0)


@pytest.fixture
def sealed(db: None) -> Sealed:
    """The messages of seven people, each sealed under the person's key."""
    return {who: seal(who.bytes, owner=who, place=PLACE) for who in (uuid4() for _ in range(7))}


def all_open(sealed: Sealed) -> bool:
    key_ring.clear()
    return all(unseal(value, owner=who, place=PLACE) == who.bytes for who, value in sealed.items())


def test_a_rotation_changes_the_master_key_and_nothing_that_was_said(
    sealed: Sealed, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    before = settings.MASTER_KEY_FILE.read_text()
    call_command("rotate_keys", "--batch", "3")
    assert "7 data keys were wrapped anew" in capsys.readouterr().out
    after = settings.MASTER_KEY_FILE.read_text()
    assert before.strip() not in after
    assert len(after.split()) == 1
    assert settings.MASTER_KEY_FILE.stat().st_mode & 0o777 == 0o600
    assert set(DataKey.objects.values_list("master", flat=True)) == set(get_master_keys())
    assert all_open(sealed)


def test_the_old_master_key_opens_nothing_any_more(sealed: Sealed, settings: Settings) -> None:
    before = settings.MASTER_KEY_FILE.read_text()
    call_command("rotate_keys")
    settings.MASTER_KEY_FILE.write_text(before)
    key_ring.clear()
    with pytest.raises(MasterKeyError):
        unseal(next(iter(sealed.values())), owner=next(iter(sealed)), place=PLACE)


def test_a_wrapped_key_opens_for_its_own_person_and_version_only(sealed: Sealed) -> None:
    first, second = list(sealed)[:2]
    mine, theirs = (DataKey.objects.get(owner_id=who) for who in (first, second))
    DataKey.objects.filter(pk=theirs.pk).update(wrapped=mine.wrapped)
    DataKey.objects.filter(pk=mine.pk).update(version=2)
    key_ring.clear()
    for who, version in ((second, 1), (first, 2)):
        with pytest.raises(UnsealError, match="of another row"):
            key_ring.open_key(who, version)


def test_keys_from_before_they_were_bound_open_and_are_bound_by_a_rotation(
    sealed: Sealed, settings: Settings
) -> None:
    master = next(iter(get_master_keys().values()))
    for row in DataKey.objects.all():
        row.wrapped = aes_key_wrap(master, key_ring.open_key(row.owner_id, row.version).key)
        row.save()
    assert all_open(sealed)
    assert select_stale_data_keys().count() == len(sealed)
    settings.MASTER_KEY = settings.MASTER_KEY_FILE.read_text()  # stays as it is, and binds them
    call_command("rotate_keys", "--batch", "2")
    assert not select_stale_data_keys().exists()
    assert all(len(bytes(row.wrapped)) == 41 for row in DataKey.objects.all())
    assert all_open(sealed)


def test_p28_everything_opens_in_the_middle_of_a_rotation(sealed: Sealed) -> None:
    add_master_key()
    for _ in rewrap_data_keys(batch=2):
        assert all_open(sealed)
        newcomer = uuid4()
        sealed[newcomer] = seal(newcomer.bytes, owner=newcomer, place=PLACE)
    assert all_open(sealed)


def test_a_rotation_that_was_stopped_is_finished_before_another_begins(
    sealed: Sealed, settings: Settings
) -> None:
    add_master_key()
    next(iter(rewrap_data_keys(batch=2)))
    begun = next(iter(get_master_keys()))
    call_command("rotate_keys")
    assert set(get_master_keys()) == {begun}
    assert all_open(sealed)


def test_keys_of_the_environment_are_rotated_to_the_first(
    sealed: Sealed, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    old = settings.MASTER_KEY_FILE.read_text().strip()
    new = "A" * 43 + "="
    settings.MASTER_KEY = f"{new},{old}"
    call_command("rotate_keys")
    assert "Take the others out" in capsys.readouterr().out
    assert settings.MASTER_KEY_FILE.read_text().strip() == old
    settings.MASTER_KEY = new
    assert all_open(sealed)


def test_two_rotations_at_once_are_refused(sealed: Sealed) -> None:
    with rotate_keys._alone(), pytest.raises(CommandError, match="Another rotation"):
        call_command("rotate_keys")
    assert all_open(sealed)


def test_an_unknown_master_key_is_said_plainly(sealed: Sealed, settings: Settings) -> None:
    settings.MASTER_KEY = "A" * 43 + "="
    with pytest.raises(CommandError, match="no master key"):
        call_command("rotate_keys")


MAKE_PEOPLE = f"""
import json, uuid
from memory.sealing import seal
people = [uuid.uuid4() for _ in range(200)]
print(json.dumps([[who.hex, seal(who.bytes, owner=who, place={PLACE!r}).hex()] for who in people]))
"""
OPEN_ALL = f"""
import django; django.setup()
import json, sys, uuid
from memory.sealing import unseal
for who, value in json.load(open(sys.argv[1])):
    who = uuid.UUID(who)
    assert unseal(bytes.fromhex(value), owner=who, place={PLACE!r}) == who.bytes
print("all open")
"""


def test_p28_killed_in_the_middle_and_run_again_nothing_is_lost(tmp_path: Path) -> None:
    place = Installation(tmp_path / "data")
    place.data_dir.mkdir()
    copy_migrated(place.data_dir)
    place.manage("migrate", "--verbosity", "0")
    said = place.data_dir / "said.json"
    said.write_text(place.python(MAKE_PEOPLE))
    key_file = place.data_dir / "master.key"

    rotation = place.spawn(PYTHON, "manage.py", "rotate_keys", "--batch", "1", log="rotation.log")
    wait_until(lambda: len(key_file.read_text().split()) == 2, what="the new key")
    wait_until(lambda: under_newest(place) > 3, what="the first data keys")
    end(rotation, signal.SIGKILL)
    done = under_newest(place)
    assert 3 < done < 200

    assert "all open" in place.run(PYTHON, "-c", OPEN_ALL, str(said))
    assert f"{200 - done} data keys" in place.manage("rotate_keys")
    assert len(key_file.read_text().split()) == 1
    assert "all open" in place.run(PYTHON, "-c", OPEN_ALL, str(said))


def under_newest(place: Installation) -> int:
    """Return how many data keys the rotation has wrapped so far."""
    newest = urlsafe_b64decode((place.data_dir / "master.key").read_text().split()[0])
    master = hashlib.sha256(newest).hexdigest()[:16]
    with closing(sqlite3.connect(place.data_dir / "keys.sqlite3")) as connection:
        count = "SELECT count(*) FROM memory_datakey WHERE master = ?"
        return int(connection.execute(count, [master]).fetchone()[0])
