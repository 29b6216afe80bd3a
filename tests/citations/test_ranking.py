"""Ranking: what words and vectors weigh, wherever they are kept."""

import numpy as np
import pytest
from django.db import connection
from hypothesis import given, settings, strategies as st

from citations import index
from citations.index import private, scan
from citations.index.engine import get_engine
from citations.index.full_text import add_headings
from citations.index.ranking import MAX_TERMS, Tally, TermWeights, index_terms
from citations.index.scope import Scope, VectorSearch, select_best_hits
from citations.models import Passage
from memory.text.embedding import Embedded, embed_message, get_embedder
from memory.text.vectors import Block
from memory.text.word_counts import WordCounts
from tests.citations.documents import add, found_by_words


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
@pytest.mark.parametrize(
    ("question", "held", "others"),
    [
        ("what does -q do", "With -q it swims.", ["With -Q it swims.", "Q: it swims."]),
        ("what is $*?", "The sign ‘$*’ swims.", ["The sign ‘$@’ swims."]),
        ("does 2>&1 swim", "Write 2>&1, it swims.", ["Write 2>1, it swims."]),
        ("is c++ fast", "Swim in C++.", ["Swim in C.", "Swim in C#."]),
    ],
)
def test_what_is_written_in_signs_is_found_to_the_letter(owner, question, held, others):
    for person in (None, owner):
        right, *beside = [add(text, person) for text in (held, *others)]
        scores = found_by_words(question, Scope(owner=owner.pk))
        assert all(scores[right.pk] > scores.get(other.pk, 0.0) for other in beside)


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["max retries", "maxRetries", "max_retries", "maxretries"])
def test_a_name_in_camel_case_is_found_by_its_words_too(question):
    found, _ = add("Set maxRetries to 3."), add("Set hostName to x.")
    assert set(found_by_words(question, Scope())) == {found.pk}


@pytest.mark.django_db
def test_a_sign_that_no_passage_holds_takes_nothing_from_the_others():
    add("The heron swims.")
    assert found_by_words("heron ->>", Scope()) == found_by_words("heron", Scope())


@pytest.mark.django_db
def test_both_engines_compute_the_bm25_of_the_book():
    texts = ["heron " * count + "and some other words here" for count in (1, 2, 3, 7, 40)]
    documents = [add(text) for text in texts] + [add(f"egret {number}") for number in range(20)]
    tally = get_engine().tally(["heron"])
    assert (tally.passages, tally.held_by) == (25, {"heron": 5})
    weights = TermWeights.weigh(["heron"], tally)
    scores = {hit.passage: hit.score for hit in get_engine().search(weights, tally, None, 100)}
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
    weights = TermWeights.weigh([*held_by, "unknown"], Tally(1000, held_by))
    assert list(weights.terms) == [f"term{number}" for number in range(MAX_TERMS)]
    without = TermWeights.weigh(held_by, Tally(1000, held_by))
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


@settings(max_examples=50)
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=30), max_size=12))
def test_counted_words_survive_packing_and_joining(texts):
    half = len(texts) // 2
    keys = list(range(100, 100 + len(texts)))
    blocks = [
        WordCounts.count(keys[:half], texts[:half]),
        WordCounts.count(keys[half:], texts[half:]),
    ]
    joined = WordCounts.joined([WordCounts.unpacked(block.packed()) for block in blocks])
    letters = list("abcdefghz")
    expected = {letter: sum(letter in text for text in texts) for letter in letters}
    assert private.tally(joined, letters) == Tally(len(texts), expected)
    weights = TermWeights(dict.fromkeys(letters, 1.0), best=1.0, best_of_known=1.0)
    found = {hit.passage for hit in private.search(joined, weights, 100)}
    assert found == {key for key, text in zip(keys, texts, strict=True) if text}


class Beside:
    """Compares with other vectors, and searches with the question's own."""

    def __init__(self, others: np.ndarray) -> None:
        self.others = others
        self.model = get_embedder().model

    def shift(self, vector: np.ndarray) -> np.ndarray:
        return vector

    def list_comparisons(self, vector: np.ndarray) -> np.ndarray:
        return np.vstack([vector, self.others])


@pytest.mark.django_db
@pytest.mark.parametrize("named", [True, False])
def test_what_is_near_brings_its_cosines_with_other_vectors_along(owner, named):
    documents = [add("The heron eats fish."), add("Bread rises in the oven.", owner)]
    scope = Scope(owner.pk, frozenset(row.pk for row in documents) if named else None)
    texts = ["What do herons eat?", "How is bread baked?", "Who sang it?"]
    asked = Embedded(texts[0])
    compared = [Embedded(text).meaning(get_embedder().model) for text in texts]
    beside = Beside(np.stack(compared[1:]))
    spread = get_embedder().spread
    hits = index.read_index([], scope).nearest(asked, 10, beside)
    assert len(hits) == 2
    for hit in hits:
        passage = Passage.objects.select_related("document").get(pk=hit.passage)
        own = embed_message(add_headings(passage.document.title, passage.heading, passage.text))
        cosines = [float(own @ each) / spread for each in compared]
        assert hit.score == pytest.approx(cosines[0], abs=0.01)
        assert hit.cosines == pytest.approx(cosines, abs=0.01)
    assert [hit[:2] for hit in index.read_index([], scope).nearest(asked, 10)] == [
        hit[:2] for hit in hits
    ]


def test_the_scan_finds_the_true_nearest():
    vectors = np.random.default_rng(5).normal(size=(2000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    block = Block.quantise([[row] for row in range(2000)], vectors)
    hits = select_best_hits(
        scan.find_nearest(block, VectorSearch(vectors[1234], vectors[[1234]], 1.0, 5)), 5
    )
    true = np.argsort(-(vectors @ vectors[1234]))[:5]
    assert hits[0].passage == 1234
    assert hits[0].score == pytest.approx(1, abs=0.01)
    assert len({hit.passage for hit in hits} & set(true.tolist())) >= 4
