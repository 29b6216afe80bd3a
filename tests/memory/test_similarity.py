"""The vectors of turns: made by jobs, made up for, and taken out again."""

import pytest

from memory.asking import create_session
from memory.jobs import run_due
from memory.models import Job, Session, Turn, User, VectorBlock
from memory.recall.similarity import embed_missing, forget
from memory.vectors import Block
from tests.pages.conversations import turn_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(owner: User) -> Session:
    return create_session(owner)


def embedded(session: Session) -> list[int]:
    rows = VectorBlock.objects.filter(session=session)
    return sorted(int(at) for row in rows for at in Block.unpacked(row.payload).numbers[:, 0])


def test_turns_without_a_vector_are_made_up_for_once(session: Session) -> None:
    for _ in range(3):
        turn_of(session)
    turn_of(session, status="failed")
    assert embed_missing() == 3
    run_due()
    assert embedded(session) == [1, 2, 3]
    assert embed_missing() == 0


def test_turns_under_another_engine_are_embedded_anew(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_of(session)
    embed_missing()
    run_due()
    VectorBlock.objects.update(model="another")
    assert embed_missing() == 1


def test_without_an_engine_nothing_is_asked_for(session: Session, settings: object) -> None:
    turn_of(session)
    settings.EMBEDDING = "none"
    assert embed_missing() == 0
    assert not Job.objects.exists()


def test_what_is_forgotten_is_out_of_the_blocks_and_the_rest_stays(session: Session) -> None:
    for _ in range(3):
        turn_of(session)
    embed_missing()
    run_due()
    forget(session, {2})
    assert embedded(session) == [1, 3]
    forget(session, {1, 3})
    assert not VectorBlock.objects.exists()


def test_a_turn_withdrawn_while_it_was_embedded_leaves_no_vector(session: Session) -> None:
    turn = turn_of(session)
    embed_missing()
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED)
    run_due()
    assert embedded(session) == []
