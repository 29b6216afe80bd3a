"""The index made anew: for all documents, or for one that has another title."""

import pytest

from citations import library
from citations.deletion import delete_document
from citations.index.scope import Scope
from citations.ingestion.renewal import reindexing
from citations.models import PassageVectors
from memory.jobs.queue import run_due
from memory.models import User
from tests.citations.documents import add, found_by_vector, found_by_words

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("private", [True, False])
def test_a_document_is_found_under_its_new_title_by_words_and_by_meaning(
    owner: User, private: bool
) -> None:
    owner.is_staff = owner.is_superuser = not private
    document = add("It sets a fee.", owner if private else None, title="Note")
    scope = Scope(owner=owner.pk)
    before = found_by_vector("Zanzibar agreement", scope)[document.pk]
    assert not found_by_words("Zanzibar", scope)
    library.change_metadata(document, actor=owner, title="Zanzibar agreement")
    run_due()
    assert document.pk in found_by_words("Zanzibar", scope)
    assert found_by_vector("Zanzibar agreement", scope)[document.pk] > before + 0.2
    assert PassageVectors.objects.filter(document=document).count() == 1


def test_a_long_document_is_indexed_batch_by_batch(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "BATCH", 2)
    text = "\n\n".join(f"Paragraph {n}. " + "It says some words. " * 40 for n in range(5))
    document = add(text, owner)
    assert document.passage_count > 3
    library.change_metadata(document, actor=owner, title="Zanzibar")
    run_due()
    found = found_by_words("Zanzibar", Scope(owner=owner.pk))
    assert list(found) == [document.pk]


def test_a_document_deleted_before_it_is_indexed_anew_stays_deleted(owner: User) -> None:
    document = add("It sets a fee.", owner)
    library.change_metadata(document, actor=owner, title="Zanzibar")
    delete_document(document, actor=owner)
    run_due()
    assert not found_by_words("Zanzibar", Scope(owner=owner.pk))
