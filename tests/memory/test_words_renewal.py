"""After an update that keeps other things of messages, what is kept of older ones is made again."""

from dataclasses import replace

import numpy as np
import pytest

from memory import holds
from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import Job, LegalHold, Session, User, WordBlock
from memory.recall.index import renewal
from memory.recall.index.blocks import opened, read_messages, word_blocks, write
from memory.recall.index.indexing import embed_missing, forget
from memory.recall.index.messages import VERSION, Cue, Messages
from memory.recall.index.renewal import renew_words_if_changed
from tests.pages.conversations import turn_of

pytestmark = pytest.mark.django_db

WISH = "Always answer in bullet points."


@pytest.fixture
def session(owner: User) -> Session:
    """A session of some turns, whose words an older version has kept, without cues."""
    session = create_session(owner)
    for _ in range(3):
        turn_of(session, query=WISH, response="Understood.")
    embed_missing()
    run_due()
    row = word_blocks(session).get()
    kept = opened(row)
    assert isinstance(kept, Messages)
    row.version = 0
    write(row, replace(kept, cues=np.zeros_like(kept.cues)))
    return session


def wishes(session: Session) -> int:
    return int(np.count_nonzero(read_messages(session).showing(Cue.WISHES)))


def versions(session: Session) -> list[int]:
    return list(word_blocks(session).order_by("number").values_list("version", flat=True))


def renewed() -> None:
    renew_words_if_changed()
    while run_due():
        pass


def test_what_an_older_version_kept_is_made_again(session: Session) -> None:
    assert wishes(session) == 0
    renewed()
    assert (wishes(session), versions(session)) == (3, [VERSION])
    assert read_messages(session).positions.tolist() == [1, 1, 2, 2, 3, 3]


def test_what_is_of_this_version_is_left_alone(session: Session) -> None:
    renewed()
    before = WordBlock.objects.get().pk
    Job.objects.all().delete()
    renewed()
    assert not Job.objects.exists()
    assert WordBlock.objects.get().pk == before


def test_what_is_said_meanwhile_never_stands_among_the_old(session: Session) -> None:
    turn_of(session, query=WISH, response="Understood.")
    embed_missing()
    run_due()
    assert versions(session) == [0, VERSION]
    assert wishes(session) == 1
    renewed()
    assert (wishes(session), versions(session)) == (4, [VERSION])


def test_what_was_deleted_does_not_come_back(session: Session) -> None:
    last = session.turns.get(position=3)
    forget(session, {last.position})
    last.delete()
    renewed()
    assert read_messages(session).positions.tolist() == [1, 1, 2, 2]


def test_of_a_long_session_some_is_made_and_then_more(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(word_blocks(session).get())
    assert isinstance(first, Messages)
    rows = [np.flatnonzero(first.positions == position) for position in (1, 2, 3)]
    word_blocks(session).delete()
    for number, of_turn in enumerate(rows, start=1):
        block = WordBlock(session=session, owner_id=session.owner_id, number=number)
        write(block, first.taken(of_turn))
    monkeypatch.setattr(renewal, "SLICE", 0.0)
    renew_words_if_changed()
    run_due(limit=2)  # it is asked for, and begun
    assert sorted(versions(session)) == [0, 0, VERSION]
    assert len(read_messages(session)) == 6
    while run_due():
        pass
    assert (wishes(session), versions(session)) == (3, [VERSION])


def test_what_is_held_is_left_as_it_is_until_its_release(session: Session, colleague: User) -> None:
    hold = holds.place(session, reason="A case", author=colleague)
    renewed()
    assert versions(session) == [0]
    holds.release(LegalHold.objects.get(pk=hold.pk), actor=colleague)
    renewed()
    assert versions(session) == [VERSION]
