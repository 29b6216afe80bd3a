"""Retrieval: what fits best comes first, within what the person may read, at a constant cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.index.scope import IndexHit, Scope
from citations.ingestion.adding import add_document
from citations.models import Document, Passage
from citations.retrieval import (
    FEWEST,
    FLOOR,
    FOUND,
    Found,
    find_passages,
    fuse_hits,
    join_hits_by_mean,
    select_passages_to_offer,
)
from memory.text.embedding import Embedded, get_embedder
from tests.citations.documents import read

NOTHING = Scope()


def add(text: str, owner: object = None) -> Document:
    return read(add_document(text.encode(), file_name="note.txt", owner=owner))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "file_name"),
    [
        ("Which drugs target PIK3CA directly?", "pik3ca-and-its-drugs.md"),
        ("What activates p53?", "tp53.md"),
        ("When is the Distribution Date?", "pooling-and-servicing-agreement.md"),
        ("Who has worked with Kotlin?", "cv-tomasz-nowak.md"),
    ],
)
def test_the_library_answers_questions_about_it(library, question, file_name):
    found = find_passages(question, scope=NOTHING)
    assert found[0].passage.document.file_name == file_name
    assert [hit.rank for hit in found] == list(range(1, FOUND + 1))
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.django_db
def test_without_an_engine_words_alone_find_and_score(library, settings):
    settings.EMBEDDING = "none"
    found = find_passages("Which drugs target PIK3CA directly?", scope=NOTHING, limit=3)
    assert found[0].passage.document.file_name == "pik3ca-and-its-drugs.md"
    assert found[0].score > found[1].score
    assert found[0].vector_score is None
    assert find_passages("the of", scope=NOTHING) == []


@pytest.mark.django_db
def test_private_passages_are_found_by_their_owner_alone(owner, colleague):
    mine = add("The heron of the west wing is called Bartholomew.", owner)
    question = "What is the heron called?"
    (found,) = find_passages(question, scope=Scope(owner.pk))
    assert found.passage.document == mine
    assert found.passage.text == "The heron of the west wing is called Bartholomew."
    assert find_passages(question, scope=Scope(colleague.pk)) == []
    assert find_passages(question, scope=Scope(colleague.pk, frozenset({mine.pk}))) == []
    assert find_passages(question, scope=NOTHING) == []


@pytest.mark.django_db
def test_a_lying_index_still_shows_nobody_a_foreign_passage(owner, colleague, monkeypatch):
    passage = add("The heron is called Bartholomew.", owner).passages.get()
    hits = [IndexHit(passage.pk, 1.0)]
    monkeypatch.setattr("citations.index.ScopedIndex.search_words", lambda *args: hits)
    assert find_passages("heron", scope=Scope(colleague.pk)) == []
    assert len(find_passages("heron", scope=Scope(owner.pk))) == 1


@pytest.mark.django_db
def test_named_documents_fill_the_answer_with_nothing_else(library):
    chosen = Document.objects.order_by("pk").last()
    found = find_passages(
        "What is the risk of breast cancer?", scope=Scope(None, frozenset({chosen.pk}))
    )
    assert {hit.passage.document_id for hit in found} == {chosen.pk}
    assert len(found) == min(FOUND, chosen.passage_count)


def test_a_vector_that_is_at_hand_is_used(library):
    asked = Embedded("What activates p53?")
    model, vector = get_embedder().model, asked.vector
    other = Embedded("zzz")
    other._vectors[model] = vector
    assert find_passages(other, scope=NOTHING)[0].vector_score > 0.5


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow(owner, library):
    question = "What is the risk of breast cancer for carriers?"

    def queries(scope: Scope) -> int:
        find_passages(question, scope=scope)  # keys and the library's vectors stay in the process
        with CaptureQueriesContext(
            connection,
        ) as captured:
            for hit in find_passages(question, scope=scope):
                assert hit.passage.document.title
                assert hit.passage.text
        return len(captured)

    add("My own notes on the risk of breast cancer.", owner)
    mine = Scope(owner.pk)
    few = queries(mine)
    for number in range(12):
        add(f"Note {number} on the risk of breast cancer. " * 20, owner)
        add(f"Shared note {number} on the risk of breast cancer.")
    # The owner's words; what holds the terms; the library's state; the search; the state again;
    # whose vectors there are; the owner's; passages and documents. pgvector's search needs a
    # transaction with settings.
    assert queries(mine) == few <= (8 if connection.vendor == "sqlite" else 13)


def near(passage: int, cosine: float) -> IndexHit:
    return IndexHit(passage, cosine, (cosine,))


def test_fusion_keeps_what_only_one_side_found():
    candidates = fuse_hits([IndexHit(1, 0.9), IndexHit(2, 0.4)], [near(2, 0.6), near(3, 0.3)])
    assert [candidate.passage for candidate in candidates] == [2, 1, 3]
    assert candidates[1].vector_score is None
    assert candidates[2].word_score is None
    assert all(0 < candidate.score < 1 for candidate in candidates)
    assert fuse_hits([], []) == []


@pytest.mark.django_db
def test_a_passage_that_is_gone_is_left_out(library):
    found = find_passages("What activates p53?", scope=NOTHING, limit=3)
    Passage.objects.filter(pk=found[0].passage.pk).delete()
    again = find_passages("What activates p53?", scope=NOTHING, limit=3)
    assert found[0].passage.pk not in {hit.passage.pk for hit in again}


@pytest.mark.django_db
def test_how_many_are_cited_at_most_does_not_limit_what_is_found(library, settings):
    settings.MAX_CITATIONS = 1
    assert len(find_passages("What is the risk of breast cancer?", scope=NOTHING)) == FOUND


# --- What is offered of what was found ------------------------------------------------------------


def hit(rank: int, fit: float, **marks: bool) -> Found:
    return Found(Passage(pk=rank), rank, fit, fit, None, None, fit, **marks)


def test_what_fits_much_worse_than_the_best_is_not_offered():
    few = [hit(rank, 0.9) for rank in range(1, FEWEST + 1)]
    near, far = hit(FEWEST + 1, 0.9 - FLOOR + 0.01), hit(FEWEST + 2, 0.9 - FLOOR - 0.01)
    assert select_passages_to_offer([*few, near, far]) == [*few, near]


def test_a_few_are_offered_however_they_fit():
    found = [hit(1, 0.9), *(hit(rank, 0.0) for rank in range(2, 10))]
    assert [each.rank for each in select_passages_to_offer(found)] == list(range(1, FEWEST + 1))
    assert select_passages_to_offer([]) == []


def test_what_is_required_or_carried_over_is_offered_however_it_fits():
    found = [hit(rank, 0.9) for rank in range(1, 6)]
    wanted = [hit(6, 0.1, is_required=True), hit(7, 0.1, carried_over=True)]
    assert select_passages_to_offer([*found, *wanted, hit(8, 0.1)]) == [*found, *wanted]


# --- Words and vectors on one scale ---------------------------------------------------------------


@pytest.mark.parametrize("embedding", ["e5", "minilm"])
def test_a_passage_that_words_and_vector_found_is_above_what_one_of_them_found(settings, embedding):
    settings.EMBEDDING = embedding
    both = fuse_hits(
        [IndexHit(1, 0.5), IndexHit(2, 0.5)], [near(1, 0.5), near(3, 0.5), near(4, 0.1)]
    )
    assert both[0].passage == 1
    assert {candidate.passage for candidate in both} == {1, 2, 3, 4}
    by_words = next(each for each in both if each.passage == 2)
    assert both[0].fit > by_words.fit  # at most as near as the farthest that the vectors found


def test_each_engine_has_a_curve_of_its_own(settings):
    curves = []
    for embedding in ("e5", "minilm", "none"):
        settings.EMBEDDING = embedding
        found = fuse_hits([IndexHit(1, 0.5)], [near(1, 0.5)] if embedding != "none" else [])
        curves.append((found[0].fit, found[0].score))
    assert len(set(curves)) == 3
    assert all(0 < score < 1 for _, score in curves)


def test_words_that_were_guessed_do_not_outdo_the_questions_own():
    own, guessed = [IndexHit(1, 0.6, of_known=0.8)], [IndexHit(2, 0.9, of_known=0.9)]
    both = join_hits_by_mean([*guessed, IndexHit(1, 0.4, of_known=0.4)], own)
    assert {hit.passage: hit.score for hit in both} == {1: 0.5, 2: 0.45}
    assert {hit.passage: hit.of_known for hit in both} == pytest.approx({1: 0.6, 2: 0.45})


# --- Languages ------------------------------------------------------------------------------------

IN_ANOTHER_LANGUAGE = [
    (
        "wie lange gilt die garantie auf das gerät",
        "The manufacturer warrants this product for two years from the date of purchase.",
        "Das Gerät ist zwölf Zentimeter lang und wird mit einem Kabel geliefert.",
    ),
    (
        "¿quién paga los gastos de envío?",
        "Shipping is at the customer's expense.",
        "Los gastos de personal aumentaron un tres por ciento en el último año.",
    ),
    (
        "combien de jours de congé par an",
        "Each employee has thirty days of paid leave in a calendar year.",
        "L'assemblée générale a lieu une fois par an, en général au mois de juin.",
    ),
]


@pytest.mark.parametrize(("question", "answer", "other"), IN_ANOTHER_LANGUAGE)
def test_what_answers_in_another_language_is_nearer_than_what_is_only_in_the_questions(
    settings, question, answer, other
):
    settings.EMBEDDING = "e5"
    engine = get_embedder()
    near, far = engine.embed([answer, other]) @ Embedded(question).meaning(engine.model)
    assert near > far
