"""Bias by the active documents: it changes ranks, never scores, and hides nothing."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st

from citations.index.scope import Scope
from citations.models import Document, Passage
from citations.retrieval import FOUND, Found
from citations.session_focus.active import Use, read_session_standings, set_standing
from citations.session_focus.bias import (
    Leaning,
    apply_bias,
    bias_score,
    compute_recency_factor,
    find_biased_passages,
    get_leaning,
)
from memory.models import Session
from tests.citations.test_active import cite, document

ONE, TWO, THREE = uuid4(), uuid4(), uuid4()


def hit(pk: int, score: float, of: UUID = ONE, position: int = 0) -> Found:
    passage = Passage(pk=pk, document=Document(pk=of), position=position)
    return Found(passage, pk, score, score, None, None, score)


def keys(found: list[Found]) -> list[int]:
    return [each.passage.pk for each in found]


class Library:
    """A search over passages whose fit is known, which remembers what it was asked."""

    def __init__(self, *hits: Found) -> None:
        self.hits = hits
        self.asked: list[tuple[frozenset[UUID] | None, int]] = []

    def __call__(self, scope: Scope, limit: int) -> list[Found]:
        self.asked.append((scope.documents, limit))
        there = [
            each
            for each in sorted(self.hits, key=lambda each: -each.score)
            if scope.documents is None or each.passage.document_id in scope.documents
        ]
        return [replace(each, rank=rank) for rank, each in enumerate(there[:limit], start=1)]


# --- Ranks ---------------------------------------------------------------------------------------


def test_an_active_document_comes_first_among_equals_and_nothing_is_lost() -> None:
    found = [hit(1, 0.6, ONE), hit(2, 0.58, TWO), hit(3, 0.2, THREE)]
    moved = apply_bias(found, {TWO: 1.15})
    assert keys(moved) == [2, 1, 3]
    assert [each.score for each in moved] == [0.58, 0.6, 0.2]
    assert [each.bias for each in moved] == [1.15, 1.0, 1.0]


def test_a_passage_that_fits_much_better_stays_above() -> None:
    assert keys(apply_bias([hit(1, 0.9, ONE), hit(2, 0.6, TWO)], {TWO: 1.15})) == [1, 2]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from([ONE, TWO, THREE])), max_size=20),
    st.floats(0.1, 3),
)
def test_bias_only_changes_the_order(rows: list[tuple[float, UUID]], factor: float) -> None:
    found = [hit(pk, score, of) for pk, (score, of) in enumerate(rows, start=1)]
    after = apply_bias(found, {TWO: factor})
    assert sorted(keys(after)) == sorted(keys(found))
    assert {each.passage.pk: each.score for each in after} == {
        each.passage.pk: each.score for each in found
    }
    assert all(0 <= bias_score(each.score, each.bias) <= 1 for each in after)


def test_the_bias_fades_with_the_turns_since_the_last_citation(settings: object) -> None:
    factors = [compute_recency_factor(distance) for distance in range(1, 16)]
    assert factors[0] == settings.DOCUMENT_BIAS == 1.15
    assert factors == sorted(factors, reverse=True)
    assert 1 < factors[-1] < 1.01
    settings.DOCUMENT_BIAS = 1.0
    assert compute_recency_factor(1) == 1.0


def test_without_a_leaning_only_what_is_needed_is_found(settings: object) -> None:
    library = Library(*(hit(pk, 0.5) for pk in range(1, 40)))
    settings.MAX_CITATIONS = 3  # of an answer, not of what is found for it
    assert len(find_biased_passages(library, Scope(), Leaning())) == FOUND
    assert library.asked == [(None, FOUND)]


def test_a_preferred_document_comes_up_from_below_those_wanted() -> None:
    library = Library(*(hit(pk, 0.6 - pk / 1000, ONE) for pk in range(1, 31)), hit(40, 0.55, TWO))
    assert 40 not in keys(find_biased_passages(library, Scope(), Leaning()))
    assert keys(find_biased_passages(library, Scope(), Leaning({TWO: 1.6})))[0] == 40


def test_a_document_held_back_is_below_the_others_and_still_there() -> None:
    library = Library(hit(1, 0.9, ONE), hit(2, 0.7, TWO))
    assert keys(find_biased_passages(library, Scope(), Leaning({ONE: 0.4}))) == [2, 1]
    assert keys(find_biased_passages(Library(hit(1, 0.9, ONE)), Scope(), Leaning({ONE: 0.4}))) == [
        1
    ]


def test_a_required_document_has_a_passage_if_any_fits_at_all() -> None:
    hits = [hit(pk, 0.9 - pk / 1000, ONE) for pk in range(1, 60)]
    library = Library(*hits, hit(90, 0.1, TWO), hit(91, 0.001, THREE))
    leaning = Leaning(required=frozenset({TWO, THREE}))
    found = find_biased_passages(library, Scope(), leaning)
    assert keys(found) == [*range(1, FOUND), 90]
    assert [each.rank for each in found] == list(range(1, FOUND + 1))
    assert [each.is_wanted for each in found] == [False] * (FOUND - 1) + [True]
    outside = find_biased_passages(library, Scope(documents=frozenset({ONE})), leaning)
    assert 90 not in keys(outside)  # the conversation is limited to others


# --- More of the same ----------------------------------------------------------------------------


def test_more_is_looked_for_beside_what_was_quoted_first_and_labelled() -> None:
    quoted, beside = hit(1, 0.9, ONE, position=4), hit(2, 0.1, ONE, position=5)
    elsewhere, off = hit(3, 0.5, ONE, position=9), hit(4, 0.01, ONE, position=12)
    other = hit(5, 0.95, TWO)
    library = Library(quoted, beside, elsewhere, off, other)
    leaning = Leaning({ONE: 1.15}, uses=[Use(2, ONE, 1, 4), Use(1, TWO, 5, 0)])
    found = find_biased_passages(library, Scope(), leaning, more=True)
    assert keys(found) == [2, 3, 1, 5, 4]
    assert [each.carried_over for each in found] == [True, True, True, False, False]
    assert keys(find_biased_passages(library, Scope(), leaning)) == [5, 1, 3, 2, 4]


def test_more_of_an_answer_without_sources_is_an_ordinary_question() -> None:
    library = Library(hit(1, 0.9), hit(2, 0.8, TWO))
    assert keys(find_biased_passages(library, Scope(), Leaning(), more=True)) == [1, 2]
    limited = Scope(documents=frozenset({TWO}))
    leaning = Leaning({ONE: 1.15}, uses=[Use(1, ONE, 1, 0)])
    found = find_biased_passages(library, limited, leaning, more=True)
    assert keys(found) == [2]
    assert not found[0].carried_over


# --- Read from a session -------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_session_leans_to_what_it_cited_and_to_what_the_person_said(session: Session) -> None:
    one, two, three = document("One"), document("Two"), document("Three")
    cite(session, one)
    cite(session, two)
    set_standing(session, two.document_id, "muted")
    set_standing(session, three.document_id, "required")
    with CaptureQueriesContext(connection) as queries:
        leaning = get_leaning(session, 3, read_session_standings(session))
    assert len(queries) == 2  # what is cited, what was said
    assert leaning.factors == {one.document_id: compute_recency_factor(2), two.document_id: 0.4}
    assert leaning.required == {three.document_id}


@pytest.mark.django_db
def test_a_new_topic_keeps_only_what_the_person_said(session: Session) -> None:
    one, two = document("One"), document("Two")
    cite(session, one, two)
    set_standing(session, two.document_id, "boosted")
    leaning = get_leaning(session, 2, read_session_standings(session), new_topic=True)
    assert (leaning.factors, leaning.uses) == ({two.document_id: 1.6}, [])
