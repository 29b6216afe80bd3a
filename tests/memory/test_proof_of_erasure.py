"""The proof of an erasure: it fails if anything is left."""

import json
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client
from django.utils import timezone

from citations.models import Document
from memory import holds
from memory.conversations.asking import create_session
from memory.forgetting.erasure import execution, requests
from memory.forgetting.erasure.execution import Delayed, carry_out
from memory.forgetting.erasure.people import delete_person
from memory.forgetting.evidence import sampling, scanning
from memory.models import (
    AuditEvent,
    Certificate,
    DataKey,
    ErasureRequest,
    User,
)
from tests.people import person
from tests.promises.canaries import bytes_of_all_stores

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("stores_of_its_own"),
]

Status, Scope = ErasureRequest.Status, ErasureRequest.Scope
NAME = "a-very-unusual-name-4711"


def confirmed(someone: User, scope: str = Scope.ACCOUNT) -> ErasureRequest:
    request = requests.ask(someone, scope, actor=someone.pk)
    requests.confirm(request, actor=someone.pk, at_once=True)
    return request


def delayed(request: ErasureRequest) -> Delayed:
    """Carry the request out as far as it goes, which is not to the end."""
    with pytest.raises(Delayed) as delay:
        carry_out(request)
    request.refresh_from_db()
    assert not Certificate.objects.exists()
    return delay.value


def found(request: ErasureRequest) -> list[str]:
    return [store["store"] for store in request.searched if store.get("found")]


# --- What was not deleted -------------------------------------------------------------------------


@pytest.mark.parametrize("scope", Scope.values)
def test_rows_that_are_left_are_not_verified(
    owner: User, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_session(owner, title="The Zanzibar conversation")
    request = confirmed(owner, scope)
    with monkeypatch.context() as patch:
        for name in ("delete_everything", "delete_person"):
            patch.setattr(execution, name, lambda person, count: None)
        patch.setattr(execution.scrubbing, "scrub", lambda pulse, **only: [])
        assert delayed(request).code == "something_left"
    assert request.status == Status.DELETING
    assert "rows of memory.session" in found(request)
    carry_out(request)
    assert Certificate.objects.exists()


# --- What excuses nothing -------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["someone-unusual-99@example.org", "an@b.co"])
def test_a_row_that_the_deletion_forgot_is_found(
    owner: User, colleague: User, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten = EmailAddress.objects.create(user=owner, email=address)

    def forget(person: object, count: object) -> None:
        EmailAddress.objects.filter(pk=forgotten.pk).update(user=colleague)
        delete_person(person, count=count)

    monkeypatch.setattr(execution, "delete_person", forget)
    request = confirmed(owner)
    assert delayed(request).code == "something_left"
    forgotten.delete()
    carry_out(request)
    assert request.status == Status.VERIFIED


def test_others_may_have_the_same_name_and_the_library_the_same_words(
    owner: User, colleague: User
) -> None:
    User.objects.update(first_name="Maria Magdalena", last_name="Ng")
    said = "The servicer shall deposit all collections within two business days."
    Document.objects.create(owner=None, title=said, media_type="text/plain", checksum="1")
    create_session(owner, title=said)
    request = confirmed(owner)
    carry_out(request)
    assert request.status == Status.VERIFIED, request.searched


# --- Samples --------------------------------------------------------------------------------------


def test_no_sample_can_be_read_once_it_is_verified(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_session(owner, title="The Zanzibar conversation about fees", metadata={"a": "b" * 5000})
    request = confirmed(owner)
    seen: dict[str, bytes] = {}
    search = scanning.search

    def searched(samples: object, **how: object) -> list[scanning.Store]:
        rows = ErasureRequest.objects.filter(pk=request.pk)
        seen["samples"] = bytes(rows.values_list("samples", flat=True).get())
        seen["key"] = bytes(DataKey.objects.get(owner_id=request.pk).wrapped)
        assert any(seen["key"] in data for data in bytes_of_all_stores())
        return search(samples, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(scanning, "search", searched)
    carry_out(request)
    assert request.status == Status.VERIFIED
    for data in bytes_of_all_stores():
        assert seen["key"] not in data
        assert seen["samples"][:64] not in data
        assert seen["samples"][-64:] not in data


def test_a_key_that_an_ended_request_left_is_swept(owner: User) -> None:
    request = confirmed(owner)
    DataKey.objects.create(owner_id=request.pk, wrapped=b"", master="")
    requests.resume()
    assert DataKey.objects.filter(owner_id=request.pk).exists()
    requests.cancel(request, actor=owner.pk)
    requests.resume()
    assert not DataKey.objects.filter(owner_id=request.pk).exists()
    recent = ErasureRequest.objects.ended_lately(timezone.now() - timedelta(hours=1))
    assert list(recent) == [request]
    assert not ErasureRequest.objects.ended_lately(timezone.now() + timedelta(hours=1)).exists()


def test_short_names_are_looked_for_and_counted(db: None) -> None:
    anna = User.objects.create_user("anna", "an@b.co", "x" * 20)
    create_session(anna, title="Hi")
    samples = sampling.take_samples(anna, Scope.ACCOUNT)
    assert samples.names == ["an@b.co", "anna"]
    assert samples.texts == [anna.password[-sampling.LONGEST :]]
    request = confirmed(anna)
    carry_out(request)
    said = json.loads(request.certificate.document)
    assert said["verification"]["samples"] == len(samples)
    assert {"store": "names in rows", "searched": True, "bytes": 0, "found": 0} in said[
        "verification"
    ]["stores"]


def test_what_others_are_named_by_and_what_ids_and_times_are_is_no_sample(
    owner: User, colleague: User
) -> None:
    EmailAddress.objects.create(user=colleague, email="k.mueller.2024@example.org")
    for title in ("k.mueller.2024@example.org", str(colleague.pk), "2026-11-22T12:38:01"):
        create_session(owner, title=title)
    assert not sampling.take_samples(owner, Scope.EVERYTHING).texts


# --- Files of others ------------------------------------------------------------------------------


def test_a_file_that_is_said_not_to_be_ours_holds_a_certificate_up_no_more(owner: User) -> None:
    at_admin = Client()
    boss = person("boss", is_staff=True, is_superuser=True)
    at_admin.force_login(boss)
    User.objects.filter(pk=owner.pk).update(username=NAME)
    mine, theirs = settings.DATA_DIR / "copy.txt", settings.DATA_DIR / "manual.txt"
    for file in (mine, theirs):
        file.write_text(NAME)
    try:
        request = confirmed(owner)
        delayed(request)
        place = f"/admin/memory/erasurerequest/{request.pk}/"
        assert "not-ours" in at_admin.get(f"{place}change/").content.decode()
        assert "files/manual.txt" in at_admin.get(f"{place}not-ours/").content.decode()
        for wrong in ({}, {"files/elsewhere.txt": "on"}):
            assert at_admin.post(f"{place}not-ours/", {"x": "y"} | wrong).status_code == 400
        assert at_admin.post(f"{place}not-ours/", {"files/manual.txt": "on"}).status_code == 302
        said = AuditEvent.objects.get(action="erasure.files_set_aside")
        assert (said.actor_id, said.subject_id) == (boss.pk, request.pk)
        delayed(request)
        assert [store.get("files") for store in request.searched if store.get("found")] == [
            ["copy.txt"]
        ]
        mine.unlink()
        carry_out(request)
    finally:
        theirs.unlink()
        mine.unlink(missing_ok=True)
    assert request.status == Status.VERIFIED
    document = Certificate.objects.get().document
    stores = {each["store"]: each for each in json.loads(document)["verification"]["stores"]}
    assert (stores["files"]["not_ours"], stores["files"]["found"]) == (1, 0)
    assert "manual.txt" not in document


def test_temporary_files_are_searched_where_this_installation_wrote_them(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    User.objects.filter(pk=owner.pk).update(username=NAME)
    others = tmp_path / "throughline-0123456789ab-evaluate-x"
    ours = tmp_path / f"{settings.TEMPORARY_PREFIX}x"
    for folder in (others, ours):
        folder.mkdir()
        (folder / "left").write_text(NAME)
    request = confirmed(owner)
    delayed(request)
    (store,) = [each for each in request.searched if each.get("found")]
    assert (store["store"], store["files"]) == ("temporary files", [f"{ours.name}/left"])
    (ours / "left").unlink()
    carry_out(request)
    assert request.status == Status.VERIFIED


# --- Holds and browsers ---------------------------------------------------------------------------


@pytest.mark.parametrize("scope", Scope.values)
def test_once_it_has_begun_it_is_too_late_for_a_hold(
    owner: User, colleague: User, scope: str
) -> None:
    session = create_session(owner, title="x")
    request = confirmed(owner, scope)
    execution._begin(request)
    for row in (session, owner):
        with pytest.raises(holds.TooLateToHold):
            holds.place(row, reason="A trial", author=colleague)
    holds.place(create_session(colleague), reason="A trial", author=colleague)
