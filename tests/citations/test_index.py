"""The index: the same promises on each engine."""

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from citations import index
from citations.index import Scope, index_terms, private, scan
from citations.index.engine import engine
from citations.index.ranking import MAX_TERMS, Tally, Weights
from citations.ingestion import add_document
from citations.models import Document, Passage, PassageVectors, PassageWords
from memory import jobs
from memory.embedding import embed_query
from memory.models import User
from memory.vectors import Block

TABLES = ["citations_passage_terms", "citations_term", "citations_passage_vector"]


def add(text: str, owner: User | None = None, *, title: str = "Note") -> Document:
    document = add_document(text.encode(), file_name="note.txt", owner=owner, title=title)
    jobs.run_due()
    document.refresh_from_db()
    assert document.status == Document.Status.READY, document.failure
    return document


def found_by_words(question: str, scope: Scope) -> dict[object, float]:
    hits = index.words(index_terms(question), scope, 100)
    documents = dict(Passage.objects.values_list("pk", "document_id"))
    return {documents[hit.passage]: hit.score for hit in hits}


def found_by_vector(question: str, scope: Scope) -> dict[object, float]:
    hits = index.nearest(embed_query(question), scope, 100)
    documents = dict(Passage.objects.values_list("pk", "document_id"))
    return {documents[hit.passage]: hit.score for hit in hits}


def rows_in_index() -> int:
    with connection.cursor() as cursor:
        present = connection.introspection.table_names(cursor)
        total = 0
        for table in TABLES:
            if table in present:
                cursor.execute(f"SELECT count(*) FROM {table}")
                total += cursor.fetchone()[0]
    return total


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
    hits = index.words(index_terms("heron"), Scope(owner.pk, named), 2)
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
            cursor.execute("DELETE FROM citations_passage")
    else:
        index.remove(document)
    assert rows_in_index() == 0
    assert index.words(["heron"], Scope(), 10) == []
    assert index.nearest(embed_query("heron"), Scope(), 10) == []
    assert way == "remove" or engine().tally([]).passages == 0


@pytest.mark.django_db
def test_what_stays_is_still_found_and_counted(owner):
    kept, gone = add("The heron eats fish."), add("The heron eats frogs.")
    add("My heron.", owner)
    gone.delete()
    assert set(found_by_words("heron frogs", Scope())) == {kept.pk}
    assert engine().tally(["heron", "frog"]).held_by == {"heron": 1}
    assert engine().tally([]).passages == 1


@pytest.mark.django_db
def test_a_deleted_person_leaves_nothing_in_the_index(owner):
    add("My heron ate a goldfish.", owner)
    assert PassageWords.objects.exists()
    assert PassageVectors.objects.exists()
    owner.delete()
    assert not PassageWords.objects.exists()
    assert not PassageVectors.objects.exists()
    assert rows_in_index() == 0


@pytest.mark.django_db(transaction=True)
def test_emptying_the_tables_empties_the_index():
    add("The heron eats fish.")
    call_command("flush", interactive=False, verbosity=0)
    assert rows_in_index() == 0
    assert engine().tally([]).passages == 0
    add("The egret eats fish.")
    assert engine().tally(["heron", "egret"]).held_by == {"egret": 1}
    assert len(found_by_vector("egret", Scope())) == 1


# --- Ranking ----------------------------------------------------------------------------


@pytest.mark.django_db
def test_rare_words_and_repeated_words_count_more_and_scores_are_shares():
    add("Fish and more of it. " * 3)
    for number in range(8):
        add(f"Fish number {number} swims.")
    rare = add("Fish and one axolotl.")
    scores = found_by_words("fish axolotl", Scope())
    assert max(scores, key=scores.__getitem__) == rare.pk
    assert all(0 < score <= 1 for score in scores.values())


@pytest.mark.django_db
def test_both_engines_compute_the_bm25_of_the_book():
    texts = ["heron " * count + "and some other words here" for count in (1, 2, 3, 7, 40)]
    documents = [add(text) for text in texts] + [add(f"egret {number}") for number in range(20)]
    tally = engine().tally(["heron"])
    assert tally == Tally(25, {"heron": 5})
    weights = Weights.of(["heron"], tally)
    scores = {hit.passage: hit.score for hit in engine().search(weights, tally, None, 100)}
    terms = {row.pk: index_terms("Note\n" + row.text) for row in Passage.objects.all()}
    # FTS5 counts the document's id as one more word of each passage.
    extra = 1 if connection.vendor == "sqlite" else 0
    average = sum(len(words) + extra for words in terms.values()) / len(terms)
    assert len(scores) == 5
    for passage in documents[0].passages.all() | documents[4].passages.all():
        words = terms[passage.pk]
        n, length = words.count("heron"), len(words) + extra
        share = n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length / average))
        assert scores[passage.pk] == pytest.approx(weights.terms["heron"] * share, rel=1e-4)


@pytest.mark.django_db
def test_private_and_shared_passages_of_the_same_words_score_alike(owner):
    text = "The heron eats {} fish in the shallow lagoon."
    for number in range(9):
        add(text.format(number) + " Egrets as well.")
    shared = add(text.format("small"))
    mine = add(text.format("large"), owner)
    scores = found_by_words("heron lagoon", Scope(owner.pk))
    assert scores[mine.pk] == pytest.approx(scores[shared.pk], rel=0.25)


@pytest.mark.django_db
@pytest.mark.parametrize("private_one", [True, False])
def test_the_words_of_a_single_note_count(owner, private_one):
    add("The heron of the west wing is called Bartholomew.", owner if private_one else None)
    (score,) = found_by_words("What is the heron called?", Scope(owner.pk)).values()
    assert score > 0.3


def test_a_long_question_is_searched_by_its_rarest_terms():
    held_by = {f"term{number}": number + 1 for number in range(30)}
    weights = Weights.of([*held_by, "unknown"], Tally(1000, held_by))
    assert list(weights.terms) == [f"term{number}" for number in range(MAX_TERMS)]
    without = Weights.of(held_by, Tally(1000, held_by))
    assert weights.best > without.best


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "",
        "?!",
        "the of and",
        "O'Reilly's \"heron\" AND NOT OR (",
        "1.5 heron*",
        "\x00heron\\ ':* |",
    ],
)
def test_any_question_is_safe_to_search(question):
    document = add("The heron eats fish; see section 1.5 of O'Reilly.")
    found = set(found_by_words(question, Scope()))
    assert found == ({document.pk} if "heron" in question else set())


@pytest.mark.django_db
def test_a_very_long_word_is_indexed_by_its_beginning():
    document = add("word" * 1000)
    assert set(found_by_words("word" * 1000, Scope())) == {document.pk}


# --- The parts --------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=30), max_size=12))
def test_counted_words_survive_packing_and_joining(texts):
    half = len(texts) // 2
    keys = list(range(100, 100 + len(texts)))
    blocks = [
        private.Counts.of(keys[:half], texts[:half]),
        private.Counts.of(keys[half:], texts[half:]),
    ]
    joined = private.Counts.joined([private.Counts.unpacked(block.packed()) for block in blocks])
    letters = list("abcdefghz")
    expected = {letter: sum(letter in text for text in texts) for letter in letters}
    assert joined.tally(letters) == Tally(len(texts), expected)
    weights = Weights(dict.fromkeys(letters, 1.0), best=1.0)
    found = {hit.passage for hit in joined.search(weights, 100)}
    assert found == {key for key, text in zip(keys, texts, strict=True) if text}


def test_the_scan_finds_the_true_nearest():
    vectors = np.random.default_rng(5).normal(size=(2000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    block = Block.of([[row] for row in range(2000)], vectors)
    hits = scan.best(scan.top(block, vectors[1234], 5), 5)
    true = np.argsort(-(vectors @ vectors[1234]))[:5]
    assert hits[0].passage == 1234
    assert hits[0].score == pytest.approx(1, abs=0.01)
    assert len({hit.passage for hit in hits} & set(true.tolist())) >= 4


@pytest.mark.django_db
def test_the_copy_of_the_library_in_a_process_follows_every_change():
    query = embed_query("heron")
    model = index.current_model()

    def scanned() -> set[int]:
        version = engine().state().version
        hits = scan.nearest(query, Scope(), 10, model=model, version=version)
        return {hit.passage for hit in hits}

    first, second = add("The heron eats fish."), add("The egret eats frogs.")
    both = {row.pk for row in Passage.objects.all()}
    assert scanned() == both
    before = scan.library(model, engine().state().version)
    assert scan.library(model, engine().state().version) is before
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
    assert "2 documents indexed." in capsys.readouterr().out
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
    assert engine().tally(["heron"]).held_by == {"heron": 1}
