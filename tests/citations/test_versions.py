"""Versions: a document that replaces an older one."""

from typing import Any

import pytest

from citations.deletion import delete_document
from citations.index.scope import Scope
from citations.ingestion.adding import add_document
from citations.models import Document
from citations.sources import differences
from citations.sources.differences import compare_versions
from citations.sources.versions import (
    NotReplaceable,
    decline_replacement,
    find_versions,
    replace_document,
    restore_document,
)
from memory.jobs import queue
from memory.models import AuditEvent, User
from tests.citations.documents import add, found_by_vector, found_by_words, read
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return person("owner")


@pytest.fixture
def versions(owner: User) -> tuple[Document, Document]:
    """Two versions of a file, both ready."""
    return add("The notary keeps the blue ledger.", owner), add(
        "The notary keeps the red ledger.", owner
    )


def finds(document: Document, owner: User) -> bool:
    scope = Scope(owner.pk)
    return document.pk in {
        *found_by_words("notary ledger", scope),
        *found_by_vector("Who keeps the ledger?", scope),
    }


def test_the_same_name_is_another_version_until_someone_decides(
    owner: User, versions: tuple[Document, Document]
) -> None:
    older, newer = versions
    assert find_versions(newer) == [older]
    assert find_versions(older) == []
    Document.objects.filter(pk=older.pk).update(name_digest="")  # from before it was noted
    assert find_versions(newer) == [older]
    assert find_versions(add("The notary is away.", person("other"))) == []
    decline_replacement(newer, actor=owner)
    assert find_versions(newer) == []


def test_a_replaced_document_answers_no_more_until_it_is_restored(
    owner: User, versions: tuple[Document, Document]
) -> None:
    older, newer = versions
    replace_document(newer, older, actor=owner)
    older.refresh_from_db()
    assert older.status == Document.Status.REPLACED
    assert (finds(older, owner), finds(newer, owner)) == (False, True)
    assert older.passages.exists()
    with pytest.raises(NotReplaceable):
        replace_document(older, newer, actor=owner)
    restore_document(older, actor=owner)
    queue.run_due()
    assert (finds(older, owner), finds(newer, owner)) == (True, True)
    newer.refresh_from_db()
    assert newer.supersedes is None
    assert find_versions(newer) == []
    told = AuditEvent.objects.filter(subject_id=older.pk).order_by("pk")
    assert [row.action for row in told][-2:] == ["document.replaced", "document.restored"]


def test_the_older_one_answers_again_when_the_newer_one_is_deleted(
    owner: User, versions: tuple[Document, Document]
) -> None:
    older, newer = versions
    replace_document(newer, older, actor=owner)
    assert not finds(older, owner)

    delete_document(newer, actor=owner)
    queue.run_due()
    assert finds(older, owner)


def test_the_older_one_answers_until_the_newer_one_is_read(owner: User) -> None:
    older = add("The notary keeps the blue ledger.", owner)
    newer = add_document(b"The notary keeps no ledger.", file_name="note.txt", owner=owner)
    replace_document(newer, older, actor=owner)
    assert finds(older, owner)
    read(newer)
    assert not finds(older, owner)


@pytest.mark.parametrize("whose", ["another person's", "the library's", "its own"])
def test_only_a_document_of_the_same_owner_is_replaced(owner: User, whose: str) -> None:
    newer = add("The notary keeps the blue ledger.", owner)
    owners = {"another person's": person("other"), "the library's": None}
    older = newer if whose == "its own" else add("The notary keeps it.", owners[whose])
    owner.is_staff = owner.is_superuser = True
    with pytest.raises(Exception, match=r"can only replace|shared library"):
        replace_document(newer, older, actor=owner)
    older.refresh_from_db()
    assert older.status == Document.Status.READY


TEXT = "# One\n\nThe first says this and that.\n\n# Two\n\nThe second costs 30 euros a day.\n"


def test_the_difference_is_told_by_passage(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def added(text: str) -> Any:
        return read(add_document(text.encode(), file_name="a.md", owner=owner))

    older = added(TEXT + "\n# Three\n\nNobody needs the third any longer.\n")
    newer = added(TEXT.replace("30", "40") + "\n# Four\n\nWhat is wholly new comes last here.\n")
    found = compare_versions(older, newer)
    assert ["Four" in row.heading for row in found.added] == [True]
    assert ["Three" in row.heading for row in found.gone] == [True]
    assert [(a.text[17:25], b.text[17:25]) for a, b in found.changed] == [("30 euros", "40 euros")]
    assert not found.is_cut
    monkeypatch.setattr(differences, "MOST_PASSAGES", 2)
    assert compare_versions(older, newer).is_cut
