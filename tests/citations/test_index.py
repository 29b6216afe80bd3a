"""The index: the same promises on each engine."""

import pytest
from django.core.management import call_command
from django.db import connection

from citations import index
from citations.index import scan
from citations.index.engine import get_engine
from citations.index.scope import Scope, VectorSearch
from citations.models import Document, Passage, PassageVectors, PassageWords, UnitVectors
from memory.audit.append_only import deletion_allowed
from memory.text.embedding import Embedded, get_embedder
from tests.citations.documents import add, found_by_vector, found_by_words

TABLES = ["citations_passage_terms", "citations_term", "citations_passage_vector"]


def rows_in_index() -> int:
    with connection.cursor() as cursor:
        present = connection.introspection.table_names(cursor)
        total = 0
        for table in TABLES:
            if table in present:
                cursor.execute(f"SELECT count(*) FROM {table}")
                total += cursor.fetchone()[0]
    return total


def version() -> str:
    state = get_engine().tally([]).state
    assert state
    return state.version


# --- Who finds what ---------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("found", [found_by_words, found_by_vector])
def test_everybody_finds_the_library_and_their_own_and_nothing_else(owner, colleague, found):
    shared = add("The heron eats fish in the shallow lagoon.")
    mine = add("My heron ate the goldfish of the neighbour.", owner)
    theirs = add("A heron stood on the roof and looked at fish.", colleague)
    for person, own in ((owner, mine), (colleague, theirs)):
        assert set(found("heron fish", Scope(owner=person.pk))) == {shared.pk, own.pk}
    assert set(found("heron fish", Scope())) == {shared.pk}


@pytest.mark.django_db
@pytest.mark.parametrize("found", [found_by_words, found_by_vector])
def test_named_documents_are_all_that_is_searched_and_all_of_them(owner, colleague, found):
    shared = [add(f"Heron number {number} eats fish.") for number in range(12)]
    mine = add("My heron ate a fish.", owner)
    theirs = add("Their heron ate a fish.", colleague)
    worst = min(found("heron", Scope()).items(), key=lambda item: item[1])[0]
    named = frozenset({worst, mine.pk, theirs.pk})
    hits = index.read_index(["heron"], Scope(owner.pk, named)).search_words(["heron"], 2)
    assert len(hits) == 2
    assert set(found("heron", Scope(owner.pk, named))) == {worst, mine.pk}
    assert found("heron", Scope(owner.pk, frozenset({theirs.pk}))) == {}
    assert found("heron", Scope(owner.pk, frozenset())) == {}
    everything = frozenset(document.pk for document in shared)
    assert set(found("heron", Scope(None, everything))) == everything


@pytest.mark.django_db
def test_many_named_documents_are_no_problem():
    document = add("The heron eats fish.")
    many = frozenset({document.pk, *(add_id() for _ in range(3000))})
    assert set(found_by_words("heron", Scope(None, many))) == {document.pk}
    assert set(found_by_vector("heron", Scope(None, many))) == {document.pk}


def add_id() -> object:
    return Document._meta.pk.get_default()


# --- What goes, goes --------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["document", "queryset", "passages", "remove"])
def test_whatever_way_a_document_goes_its_index_rows_go(way):
    document = add("The heron eats fish in the lagoon.\n\nThe egret does not.")
    assert found_by_words("heron", Scope())
    assert found_by_vector("heron", Scope())
    assert rows_in_index() > 0
    if way == "document":
        document.delete()
    elif way == "queryset":
        Document.objects.filter(pk=document.pk).delete()
    elif way == "passages":
        with connection.cursor() as cursor:
            PassageVectors.objects.all().delete()
            UnitVectors.objects.all().delete()
            cursor.execute("DELETE FROM citations_passage")
    else:
        index.remove(document)
    assert rows_in_index() == 0
    empty = index.read_index(["heron"], Scope())
    assert empty.search_words(["heron"], 10) == []
    assert empty.nearest(Embedded("heron"), 10) == []
    assert way == "remove" or get_engine().tally([]).passages == 0


@pytest.mark.django_db
def test_what_stays_is_still_found_and_counted(owner):
    kept, gone = add("The heron eats fish."), add("The heron eats frogs.")
    add("My heron.", owner)
    gone.delete()
    assert set(found_by_words("heron frogs", Scope())) == {kept.pk}
    assert get_engine().tally(["heron", "frog"]).held_by == {"heron": 1}
    assert get_engine().tally([]).passages == 1


@pytest.mark.django_db
def test_a_deleted_person_leaves_nothing_in_the_index(owner):
    add("My heron ate a goldfish.", owner)
    assert PassageWords.objects.exists()
    assert PassageVectors.objects.exists()
    with deletion_allowed():
        owner.delete()
    assert not PassageWords.objects.exists()
    assert not PassageVectors.objects.exists()
    assert rows_in_index() == 0


@pytest.mark.django_db(transaction=True)
def test_emptying_the_tables_empties_the_index():
    add("The heron eats fish.")
    with deletion_allowed():
        call_command("flush", interactive=False, verbosity=0)
    assert rows_in_index() == 0
    assert get_engine().tally([]).passages == 0
    add("The egret eats fish.")
    assert get_engine().tally(["heron", "egret"]).held_by == {"egret": 1}
    assert len(found_by_vector("egret", Scope())) == 1


# --- What is made again -----------------------------------------------------------------


@pytest.mark.django_db
def test_the_copy_of_the_library_in_a_process_follows_every_change():
    by = get_embedder()
    query = Embedded("heron").vector
    search = VectorSearch(query, query[None], by.spread, 10)

    def scanned() -> set[int]:
        hits = scan.search_library(search, by.model, version())
        return {hit.passage for hit in hits}

    first, second = add("The heron eats fish."), add("The egret eats frogs.")
    both = {row.pk for row in Passage.objects.all()}
    assert scanned() == both
    before = scan.read_library_vectors(by.model, version())
    assert scan.read_library_vectors(by.model, version()) is before
    first.delete()
    assert scanned() == set(second.passages.values_list("pk", flat=True))
    third = add("The stork eats mice.")
    assert third.passages.get().pk in scanned()


@pytest.mark.django_db
def test_reindexing_restores_the_index_from_the_passages(owner, capsys):
    shared, mine = add("The heron eats fish."), add("My heron ate a goldfish.", owner)
    scope = Scope(owner.pk)
    words, vectors = found_by_words("heron", scope), found_by_vector("heron", scope)
    index.clear()
    PassageVectors.objects.all().delete()
    PassageWords.objects.all().delete()
    assert found_by_words("heron", scope) == {}
    call_command("reindex")
    assert "2 documents indexed;" in capsys.readouterr().out
    assert set(words) == {shared.pk, mine.pk}
    assert found_by_words("heron", scope) == pytest.approx(words)
    assert found_by_vector("heron", scope) == pytest.approx(vectors, abs=0.02)


@pytest.mark.django_db
def test_reindexing_twice_leaves_each_passage_once(owner):
    add("The heron eats fish.")
    add("My heron ate a goldfish.", owner)
    for _ in range(2):
        call_command("reindex")
    assert PassageVectors.objects.count() == 2
    assert PassageWords.objects.count() == 1
    assert get_engine().tally(["heron"]).held_by == {"heron": 1}
