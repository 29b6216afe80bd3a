"""After an update that keeps other things of messages, what is kept of older ones is made again."""

from dataclasses import replace

import numpy as np
import pytest

from citations.ingestion.renewal.reembedding import renew_if_changed
from memory import holds
from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import Job, LegalHold, Session, User, WordBlock
from memory.recall.index.blocks import read_messages, select_word_blocks, unpack_rows, write
from memory.recall.index.indexing import embed_missing, forget
from memory.recall.index.messages import VERSION, Cue, Messages
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
    row = select_word_blocks(session).get()
    kept = unpack_rows(row)
    assert isinstance(kept, Messages)
    row.version = 0
    write(row, replace(kept, cues=np.zeros_like(kept.cues)))
    return session


def wishes(session: Session) -> int:
    return int(np.count_nonzero(read_messages(session).showing(Cue.WISHES)))


def versions(session: Session) -> list[int]:
    return list(select_word_blocks(session).order_by("number").values_list("version", flat=True))


def renewed() -> None:
    renew_if_changed()
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


def test_what_is_said_meanwhile_is_kept_with_what_is_made_again(session: Session) -> None:
    turn_of(session, query=WISH, response="Understood.")
    embed_missing()
    run_due()
    assert (wishes(session), versions(session)) == (4, [VERSION])


def test_what_was_deleted_does_not_come_back(session: Session) -> None:
    last = session.turns.get(position=3)
    forget(session, {last.position})
    last.delete()
    renewed()
    assert read_messages(session).positions.tolist() == [1, 1, 2, 2]


def test_what_is_held_is_left_as_it_is_until_its_release(session: Session, colleague: User) -> None:
    hold = holds.place(session, reason="A case", author=colleague)
    renewed()
    assert versions(session) == [0]
    holds.release(LegalHold.objects.get(pk=hold.pk), actor=colleague)
    renewed()
    assert versions(session) == [VERSION]
