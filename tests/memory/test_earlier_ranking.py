"""Ranking turns across a person's sessions: whose they are, which come first, at what cost."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import Session, Turn, User
from memory.recall.earlier import recalling
from memory.recall.earlier.recalling import RankedTurns, rank_earlier_turns
from memory.recall.index import kept_messages
from memory.recall.index.indexing import embed_missing
from memory.text.embedding import Embedded
from tests.pages.conversations import turn_of

pytestmark = pytest.mark.django_db

HERON = "I keep a heron called Ludmila in the garden."
QUESTION = "What is the heron in my garden called?"


def session_of(owner: User, *said: str) -> Session:
    session = create_session(owner)
    for query in said:
        turn_of(session, query=query, response="I see.", recalled_tokens=2)
    return session


def indexed() -> None:
    embed_missing()
    run_due()


def asked(owner: User, question: str = QUESTION) -> RankedTurns:
    return rank_earlier_turns(owner, Embedded(question), Session.objects.all())


@pytest.fixture
def sessions(owner: User) -> list[Session]:
    made = [
        session_of(owner, "How long may bread rise?", "Is rye harder to bake?"),
        session_of(owner, "Which tax do I pay?", HERON, "When is it due?"),
        session_of(owner, "What does the lease say of repairs?"),
    ]
    indexed()
    return made


@pytest.mark.parametrize("engine", ["e5", "none"])
def test_the_turn_that_is_asked_for_comes_first_whichever_session_it_is_in(
    owner: User, settings: LazySettings, engine: str
) -> None:
    settings.EMBEDDING = engine
    session_of(owner, "How long may bread rise?")
    right = session_of(owner, "Which tax do I pay?", HERON)
    session_of(owner, "What does the lease say of repairs?")
    indexed()
    best = asked(owner).turns[0]
    turn = Turn.objects.get(session=right, position=2)
    assert best.turn == turn


def test_scores_fall_and_each_turn_stands_once(owner: User, sessions: list[Session]) -> None:
    turns = asked(owner).turns
    assert len({each.turn.pk for each in turns}) == len(turns) == 6
    scores = [each.score for each in turns]
    assert scores == sorted(scores, reverse=True)


def test_nobody_elses_nothing_expired_and_nothing_left_out_by_the_caller_is_ranked(
    owner: User, stranger: User, sessions: list[Session]
) -> None:
    assert asked(stranger).turns == []
    sessions[1].expires_at = timezone.now() - timedelta(seconds=1)
    sessions[1].save()
    rest = rank_earlier_turns(owner, Embedded(QUESTION), Session.objects.exclude(pk=sessions[0].pk))
    assert {each.turn.session_id for each in rest.turns} == {sessions[2].pk}


def test_without_sessions_nothing_is_ranked_and_nothing_is_sure(owner: User) -> None:
    assert asked(owner) == RankedTurns([], 0.0)


def test_a_turn_whose_answer_was_withdrawn_is_not_ranked(
    owner: User, sessions: list[Session]
) -> None:
    Turn.objects.filter(session=sessions[1], position=2).update(status=Turn.Status.FAILED)
    assert (sessions[1].pk, 2) not in {
        (each.turn.session_id, each.turn.position) for each in asked(owner).turns
    }


def test_it_is_surer_of_what_was_said_than_of_what_was_not(
    owner: User, sessions: list[Session]
) -> None:
    unknown = asked(owner, "Which colour has my bicycle?").confidence
    assert 0 <= unknown < asked(owner).confidence <= 1


def test_it_reads_three_times_however_many_sessions_there_are(
    owner: User, sessions: list[Session], django_assert_num_queries
) -> None:
    for _ in range(5):
        session_of(owner, "Which paint is for the fence?")
    indexed()
    with django_assert_num_queries(3):
        assert len(asked(owner).turns) == 11


def test_of_too_much_the_latest_sessions_are_read(
    owner: User, sessions: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    latest = list(Session.objects.latest_first())
    size = len(latest[0].word_blocks.get().payload)
    chosen = kept_messages.select_newest(Session.objects.all(), most_bytes=size + 200)
    assert chosen == [latest[0].pk]
    assert kept_messages.select_newest(Session.objects.all()) == [each.pk for each in latest[::-1]]
    monkeypatch.setattr(recalling, "MOST_TURNS", 2)
    assert len(asked(owner).turns) == 2
