"""Follow-ups: what was said before leads to where the answer is, and no further."""

from collections.abc import Sequence

import numpy as np
import pytest

from chat.evaluation.passages import EmbeddedHistory
from citations.index.scope import Scope
from citations.retrieval import Found, find_passages
from citations.retrieval.before import (
    MINILM,
    NEARNESS,
    TURNS,
    Before,
    list_turn_vectors,
    read_conversation,
)
from memory.recall import Past, Recalled, recall
from memory.recall.budget import scale_limits
from memory.recall.rewriting.exchanges import Exchange, Rewrite
from memory.text.embedding import embed_message
from memory.text.embedding.e5 import E5
from tests.citations.documents import add

OVARIAN = Exchange(
    "What is the risk of ovarian cancer?",
    "Carriers of a BRCA1 mutation have a lifetime risk of ovarian cancer of about 44 percent.",
    position=1,
)
KOTLIN = Exchange("Who knows Kotlin?", "Tomasz Nowak has built mobile apps in Kotlin.", position=1)
ADVANCES = Exchange(
    "What are Servicer Advances?",
    "A Servicer Advance is a payment of principal and interest that a borrower has not paid.",
    position=1,
)
LIKE = NEARNESS[E5.model]
TYPED = "How high is the risk?"
YEARS = "How many years of experience does he have?"


def recalled(query: str, past: Past, reason: str = "nothing_to_carry") -> Recalled:
    standalone = Rewrite(query, reason)
    return recall(past, query, limits=scale_limits(4096), allowance=1500, standalone=standalone)


def brought(query: str, past: Past, reason: str = "nothing_to_carry") -> Before | None:
    return read_conversation(query, recalled(query, past, reason), past)


def found(query: str, exchanges: Sequence[Exchange], scope: Scope | None = None) -> list[Found]:
    before = brought(query, EmbeddedHistory(exchanges)) if exchanges else None
    return find_passages(query, scope=scope or Scope(), before=before)


def before_of(*cosines: float, model: str = E5.model, leans: bool = True) -> float:
    """Return the fit of a candidate with these cosines to the turns, and none to the question."""
    before = Before(model, np.zeros(2), np.zeros((len(cosines), 2)), leans)
    return before.fit([0.0, 0.0, *cosines])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("exchange", "question", "about"),
    [(ADVANCES, "Who is responsible for that?", "pooling"), (KOTLIN, YEARS, "cv-tomasz")],
)
def test_a_question_finds_what_was_talked_about_before_it(library, exchange, question, about):
    hits = found(question, [exchange])
    assert hits[0].passage.document.file_name.startswith(about)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    alone = {hit.passage.pk: hit.fit for hit in found(question, [])}
    assert hits[0].fit > alone.get(hits[0].passage.pk, 0.0)


@pytest.mark.django_db
def test_the_cosine_that_is_shown_is_the_questions_own(library):
    alone = {
        hit.passage.pk: hit.vector_score for hit in find_passages(TYPED, scope=Scope(), limit=100)
    }
    for hit in found(TYPED, [OVARIAN]):
        assert hit.vector_score == pytest.approx(alone[hit.passage.pk], abs=0.001)


@pytest.mark.django_db
def test_private_and_shared_passages_follow_up_alike(owner):
    text = "The heron of the {} wing comes at dawn and leaves at noon."
    shared, mine = add(text.format("west")), add(text.format("east"), owner)
    turn = Exchange("Is there a heron?", "A heron lives in the house.", position=1)
    hits = found("When does it come?", [turn], Scope(owner.pk))
    scores = {hit.passage.document_id: hit.score for hit in hits}
    assert scores[mine.pk] == pytest.approx(scores[shared.pk], rel=0.25)


# --- What the turns count for -----------------------------------------------------------


def test_to_be_about_the_same_thing_counts_and_to_be_the_same_does_not():
    assert before_of(0.4) < before_of(LIKE.subject) == before_of(LIKE.same)


def test_turns_about_something_else_change_nothing():
    assert before_of(-0.2) == before_of(LIKE.elsewhere) == 0.0


def test_what_says_the_same_again_yields_to_what_stands_beside_it_but_not_to_the_rest():
    assert before_of(LIKE.elsewhere) <= before_of(1.0) < before_of(0.95) < before_of(LIKE.same)


def test_an_older_turn_counts_for_less_and_the_best_of_them_counts():
    assert before_of(0.0, 0.4) < before_of(0.4, 0.0)
    assert before_of(0.4, 0.3) == before_of(0.4, 0.0) > 0


def test_a_question_that_points_at_nothing_leans_less():
    past = EmbeddedHistory([OVARIAN])
    pointing = brought("What causes it?", past)
    rich = brought("Which drugs target PIK3CA directly in ovarian cancer?", past)
    assert (pointing.leans, rich.leans) == (True, False)
    assert before_of(0.5) > before_of(0.5, leans=False) > 0


def test_another_engine_has_measures_of_its_own():
    assert before_of(0.2, model="minilm") > before_of(0.2) == 0.0
    assert Before("minilm", np.zeros(2), np.zeros((1, 2)), leans=True).nearness == MINILM


# --- What is brought along --------------------------------------------------------------


@pytest.mark.parametrize("reason", ["as_typed", "given"])
def test_a_question_that_someone_put_in_words_brings_nothing_along(reason):
    assert brought("What causes it?", EmbeddedHistory([OVARIAN])) is not None
    assert brought("What causes it?", EmbeddedHistory([OVARIAN]), reason) is None


@pytest.mark.parametrize(
    ("query", "reason", "guessed"),
    [
        ("Where are the samples kept?", "topic_carried", True),
        ("And the samples?", "topic_carried", False),
        ("Where are its samples kept?", "reference_resolved", False),
    ],
)
def test_what_is_put_behind_a_question_that_points_at_nothing_is_a_guess(query, reason, guessed):
    assert brought(query, EmbeddedHistory([OVARIAN]), reason).guessed == guessed


def test_what_a_reference_was_resolved_in_leans_on_its_turn_in_any_language():
    query, past = "Welche Proben werden ihm im Herbst zugeschickt?", EmbeddedHistory([OVARIAN])
    assert brought(query, past, "reference_resolved").leans
    assert not brought(query, past, "stands_alone").leans
    assert not brought(query, past).leans  # nothing shows it but what was resolved


def test_a_new_topic_brings_nothing_along():
    query = "Which gene mutations cause breast cancer in young women?"
    past = EmbeddedHistory([ADVANCES])
    asked = recall(past, query, limits=scale_limits(4096), allowance=1500)
    assert asked.new_topic
    assert read_conversation(query, asked, past) is None


def test_a_first_question_and_turns_without_vectors_bring_nothing_along(settings):
    assert brought("What causes it?", EmbeddedHistory([])) is None
    settings.EMBEDDING = "none"
    assert brought("What causes it?", EmbeddedHistory([OVARIAN])) is None


def test_the_last_turns_come_newest_first_by_their_answers_or_else_their_questions():
    unanswered = Exchange("Who knows Rust?", "", position=2)
    turns = brought("What causes it?", EmbeddedHistory([OVARIAN, unanswered])).turns
    said = [unanswered.query, OVARIAN.response]
    assert turns == pytest.approx(np.stack([embed_message(text) for text in said]))
    many = [Exchange(f"Who is number {number}?", "", position=number) for number in range(1, 10)]
    assert len(brought("What causes it?", EmbeddedHistory(many)).turns) == TURNS


def test_vectors_of_another_length_are_left_out():
    assert len(list_turn_vectors(EmbeddedHistory([OVARIAN]), dimensions=384, positions=[1])) == 1
    assert list_turn_vectors(EmbeddedHistory([OVARIAN]), dimensions=3, positions=[1]) == []
