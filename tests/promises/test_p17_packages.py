"""P17: what a person takes with them is complete, exact and private, and can be taken in again."""

import hashlib
import json
import time
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from jsonschema import Draft202012Validator

from citations.index.scope import Scope
from citations.models import Citation, Document
from citations.retrieval import find_passages
from memory.audit.append_only import deletion_allowed
from memory.conversations.asking import create_session
from memory.errors import NotFound
from memory.forgetting.deletion import erase_session
from memory.jobs.queue import run_due
from memory.models import (
    AuditEvent,
    Consent,
    ExportPackage,
    PackagePart,
    Purpose,
    Session,
    Turn,
    User,
)
from memory.personal_data import consent, data_map, package_ends, packages
from memory.personal_data.importing import compute_digest
from memory.personal_data.packages import (
    NotReady,
    Status,
    ask_for_package,
    make_link,
    read_pieces,
    redeem,
)
from memory.sealing.cipher import destroy_data_keys, key_ring
from tests.effort import is_within
from tests.isolation.belongings import CANARY, SECRET, belongings_of
from tests.people import person
from tests.promises.packed import Packed, Stored, history_of, made, packed

pytestmark = pytest.mark.django_db

# Clear columns whose stored form and JSON's differ by no more than how they are written.
WRITTEN_ALIKE = ("CharField", "PositiveIntegerField", "SmallIntegerField", "FloatField")


@pytest.fixture
def traveller(db: None) -> User:
    """Someone with a conversation, a document of their own, a token, a passkey and a device."""
    someone = person("traveller")
    belongings_of(someone)
    ExportPackage.objects.all().delete()
    return someone


def test_every_exportable_field_of_every_row_is_in_it(traveller: User) -> None:
    create_session(person("other"), title="Not mine")
    package, stored = packed(traveller), Stored(traveller)
    for model in apps.get_models():
        fields = {*data_map.list_exported_fields(model)}
        if not fields or model is ExportPackage:  # which has changed by being fetched
            continue
        rows = package.tables[model._meta.label_lower]
        table = model._meta.db_table
        assert len(rows) == stored.count(table), table
        for row in rows:
            assert {*row} == fields | {model._meta.pk.name}, table
        for field in model._meta.fields:
            if field.name in fields and field.get_internal_type() in WRITTEN_ALIKE and rows:
                kept = sorted(map(str, stored.column(table, field.column)))
                assert sorted(str(row[field.name]) for row in rows) == kept, field
    told = json.dumps(package.data, ensure_ascii=False)
    for words in (f"{CANARY} title", f"{CANARY} feedback", f"{CANARY} token", SECRET[:60]):
        assert words in told, words
    for table in ("memory.turn", "citations.citation", "citations.passage", "memory.consent"):
        assert package.tables[table], table
    assert {line["by"] for line in package.data["audit"]} <= {"you", "someone else", "the system"}
    assert "consent.given" in {line["action"] for line in package.data["audit"]}


def test_it_is_to_be_read_and_fits_its_own_schema(traveller: User) -> None:
    package = packed(traveller)
    schema = json.loads(package.files["schema.json"])
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(package.data)
    session, document = Session.objects.get(owner=traveller), Document.objects.get(owner=traveller)
    index = package.files["index.html"].decode()
    assert f"conversations/{session.pk}.html" in index
    page = package.files[f"conversations/{session.pk}.html"].decode()
    assert f"{CANARY} clause" in page
    assert f"{CANARY} feedback" in page
    assert SECRET[:60] in package.files[f"files/{document.pk}.txt"].decode()
    assert package.data["digest"] in package.files["README.txt"].decode()
    for html in (index, page):
        assert "default-src 'none'" in html
        assert "http://" not in html
        assert "https://" not in html


def test_the_digest_is_what_the_readme_says_it_is(traveller: User) -> None:
    history_of(traveller, turns=2)
    package = packed(traveller)
    assert "Ids of rows that" in package.files["README.txt"].decode()
    tables = package.data["tables"]
    schemas = json.loads(package.files["schema.json"])["properties"]["tables"]["properties"]
    ids = {str(row["id"]) for rows in package.tables.values() for row in rows}
    lines = []
    for name in sorted(name for name, rows in tables.items() if rows):
        fields = schemas[name]["items"]["properties"]
        links = [one for one, says in fields.items() if "An id in" in says.get("description", "")]
        found = hashlib.sha256()
        for row in tables[name]:
            gone = [one for one in links if str(row[one]) not in ids] + ["expires_at", "kept_until"]
            counted = {one: None if one in gone else value for one, value in row.items()}
            text = json.dumps(counted, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            found.update(f"{text}\n".encode())
        lines.append(f"{name} {found.hexdigest()}\n")
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == package.data["digest"]


def test_nothing_of_another_and_no_secret_is_in_it(traveller: User) -> None:
    other = person("other", is_staff=True, is_superuser=True)
    create_session(other, title="Wellensittich")
    consent.decide(other, {Purpose.SHARE: True}, source=Consent.Source.PAGE)
    from memory.audit import recording

    recording.record(
        "session.looked_at", actor=other.pk, subject=Session.objects.get(owner=traveller)
    )
    package = packed(traveller)
    text = package.text
    assert "Wellensittich" not in text
    assert str(other.pk) not in text
    assert "session.looked_at" in text
    assert (
        next(line for line in package.data["audit"] if line["action"] == "session.looked_at")["by"]
        == "someone else"
    )
    from allauth.mfa.models import Authenticator

    from memory.models import ApiToken, IdempotencyKey

    token, passkey = ApiToken.objects.get(user=traveller), Authenticator.objects.get()
    secrets = [traveller.password, token.digest, passkey.data["credential"]["rawId"]]
    secrets += [IdempotencyKey.objects.get().key, str(passkey.data["credential"])]
    assert not [secret for secret in secrets if secret in text]


# --- Taken in again -------------------------------------------------------------------------------


def leave(someone: User) -> None:
    """Let the person go with all they have, as if they had never been here."""

    with deletion_allowed():
        User.objects.get(pk=someone.pk).delete()
    destroy_data_keys(someone.pk)
    key_ring.clear()


def written(package: Packed, folder: Path, **changes: object) -> Path:
    """Write the package to a file, some members of its data changed."""
    from zipfile import ZipFile

    path = folder / "package.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("data.json", json.dumps(package.data | changes))
    return path


@pytest.mark.postgresql
def test_another_instance_takes_it_in_and_has_the_same_digest(
    traveller: User, tmp_path: Path
) -> None:
    history_of(traveller, turns=3)
    before = packed(traveller)
    leave(traveller)
    assert not Turn.objects.exists()
    # Counters of an instance that is in use are elsewhere.
    history_of(person("other"), turns=4)
    said = call_command("import_package", written(before, tmp_path))
    again = User.objects.get(username="traveller")
    assert said == before.data["digest"] == compute_digest(again)
    assert packed(again).data["tables"].keys() == before.data["tables"].keys()
    assert not again.has_usable_password()
    turn = Turn.objects.get(
        owner=again, query__isnull=False, session__title__isnull=False, rating=1
    )
    assert CANARY in turn.query
    citation = turn.citations.all()[0]
    assert citation.passage
    assert CANARY in citation.passage.text
    assert citation.claim in turn.claims.filter(state="supported")
    run_due(limit=1000)
    found = find_passages(f"Which fee does the {CANARY} clause set?", scope=Scope(owner=again.pk))
    assert CANARY in found[0].passage.text
    assert consent.allows(again.pk, Purpose.IMPROVE)


def test_what_was_changed_or_is_here_already_is_not_taken_in(
    traveller: User, tmp_path: Path
) -> None:
    package = packed(traveller)
    with pytest.raises(CommandError, match="here already"):
        call_command("import_package", written(package, tmp_path))
    leave(traveller)
    tables = json.loads(json.dumps(package.data["tables"]))
    tables["memory.turn"][0]["response"] = "Something else."
    damaged = [
        {"tables": tables},
        {"tables": {**package.data["tables"], "memory.legalhold": []}},
        {"tables": {**package.data["tables"], "memory.turn": [{"id": "1"}]}},
        {"format": "another"},
        {"about_you": {}},
        {"made_at": "yesterday"},
    ]
    for changes in damaged:
        with pytest.raises(CommandError):
            call_command("import_package", written(package, tmp_path, **changes))
        assert not User.objects.filter(username="traveller").exists()
    (tmp_path / "no.zip").write_text("no zip")
    with pytest.raises(CommandError, match="can't be read"):
        call_command("import_package", tmp_path / "no.zip")


def test_a_file_gives_nobody_rights_or_a_way_in(traveller: User, tmp_path: Path) -> None:
    package = packed(traveller)
    leave(traveller)
    about = json.loads(json.dumps(package.data["about_you"]))
    about["memory.user"][0] |= {"is_staff": True, "is_superuser": True}
    call_command("import_package", written(package, tmp_path, about_you=about))
    again = User.objects.get(username="traveller")
    assert not again.is_staff
    assert not again.is_superuser
    stored = Stored(again)
    for table in ("memory_apitoken", "mfa_authenticator", "usersessions_usersession"):
        assert stored.count(table) == 0, table


# --- Its link, its rest and its end ---------------------------------------------------------------


def test_a_link_works_once_in_time_and_for_its_person(owner: User, colleague: User) -> None:
    package = made(owner)
    link = make_link(package)
    assert link.until <= timezone.now() + timedelta(hours=24)
    for who, identity, token in (
        (colleague, package.pk, link.token),
        (owner, package.pk, link.token + "x"),
        (owner, package.pk, ""),
        (owner, owner.pk, link.token),
    ):
        with pytest.raises(NotFound):
            redeem(who, identity, token)
    ExportPackage.objects.update(link_until=timezone.now())
    with pytest.raises(NotFound):
        redeem(owner, package.pk, link.token)
    newer = make_link(package)
    with pytest.raises(NotFound):
        redeem(owner, package.pk, link.token)
    assert b"".join(read_pieces(redeem(owner, package.pk, newer.token)))[:2] == b"PK"
    for token in (newer.token, link.token):
        with pytest.raises(NotFound):
            redeem(owner, package.pk, token)
    with pytest.raises(NotReady):
        make_link(package)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_of_many_uses_of_a_link_at_once_one_gets_the_package(owner: User) -> None:
    package = made(owner)
    token = make_link(package).token
    got: list[ExportPackage] = []

    def use() -> None:
        try:
            got.append(redeem(owner, package.pk, token))
        except NotFound:
            pass
        finally:
            connection.close()

    threads = [Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1


def test_it_rests_sealed_and_is_gone_once_fetched_or_over(traveller: User) -> None:
    package = made(traveller)
    with connection.cursor() as cursor:
        cursor.execute("SELECT payload FROM memory_packagepart")
        at_rest = b"".join(bytes(payload) for (payload,) in cursor.fetchall())
    assert b"PK\x03\x04" not in at_rest
    assert b"data.json" not in at_rest
    assert len(at_rest) > package.size > 1000
    token = make_link(package).token
    assert token not in repr(list(ExportPackage.objects.values_list()))
    whole = b"".join(read_pieces(redeem(traveller, package.pk, token)))
    assert len(whole) == package.size
    run_due()
    assert not PackagePart.objects.exists()
    done = [event.action for event in AuditEvent.objects.filter(subject_id=package.pk)]
    assert done == ["package.asked", "package.made", "package.link_made", "package.fetched"]
    made(traveller)
    ExportPackage.objects.update(expires_at=timezone.now())
    assert packages.get_newest_package(traveller) is None
    package_ends.purge_expired()
    assert not ExportPackage.objects.exists()
    assert not PackagePart.objects.exists()


def test_what_is_deleted_takes_an_unfetched_package_with_it(traveller: User) -> None:
    ready = made(traveller)
    token = make_link(ready).token
    erase_session(Session.objects.get(owner=traveller), actor=traveller)
    with pytest.raises(NotFound):
        redeem(traveller, ready.pk, token)
    run_due()
    assert not PackagePart.objects.exists()
    waiting = ask_for_package(traveller)
    erase_session(create_session(traveller), actor=traveller)
    run_due()
    waiting.refresh_from_db()
    assert waiting.status == Status.DISCARDED
    assert not PackagePart.objects.exists()


# --- Made by someone who may die ------------------------------------------------------------------


def test_a_thousand_turns_are_packed_within_ten_seconds(owner: User) -> None:
    history_of(owner, turns=1000)
    package = ask_for_package(owner)
    # Of the processor, which other tests share meanwhile: it waits for nothing else.
    begun = time.process_time()
    run_due()
    took = time.process_time() - begun
    package.refresh_from_db()
    assert package.status == Status.READY
    assert Citation.objects.count() == 2000
    print(f"\n1,000 turns with 2,000 citations packed in {took:.1f} s, {package.size} bytes")
    assert is_within(10, took)
