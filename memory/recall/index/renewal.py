"""After an update that keeps other things of messages, what is kept of older ones is made again.

In the background, a little at a time, behind everything else; until then the old is used. A session
is gone through block by block, each in one transaction, so that none is ever without its words, and
what is killed anywhere goes on where it was. What is held is left as it is.
"""

import time
from datetime import timedelta
from uuid import UUID

from django.db import transaction

from memory.holds import held
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, job, kind_of_work
from memory.models import Session, Turn, WordBlock
from memory.models.conversations import SessionQuerySet
from memory.recall.index.blocks import opened
from memory.recall.index.indexing import BATCH, SLICE, keep_words
from memory.recall.index.messages import VERSION

RENEW_WORDS = kind_of_work("renew_words", WorkClass.BULK, AuditClass.DERIVED)
RENEW_WORDS_OF = kind_of_work("renew_words_of_session", WorkClass.BULK, AuditClass.DERIVED)
# What the job is about: the installation as a whole.
WHOLE = UUID("0193522e-0000-7000-8000-000000000002")
# So many sessions are asked for at a time, and so often.
SESSIONS, PAUSE = 100, timedelta(seconds=5)


def renew_words_if_changed() -> None:
    """Ask for what is kept of messages to be made again, if any of it is of an older version."""
    if _outdated().exists():
        enqueue(RENEW_WORDS, WHOLE)


@job(RENEW_WORDS)
def renew_words(lease: Lease) -> None:
    """Ask for some sessions to be gone through, and come again."""
    asked = 0
    for session in _outdated().order_by("pk").iterator(chunk_size=500):
        if asked == SESSIONS:
            break
        if not held(session):
            enqueue(RENEW_WORDS_OF, session.pk, owner=session.owner_id)
            asked += 1
    with lease.finishing():
        if asked:
            enqueue(RENEW_WORDS, WHOLE, delay=PAUSE)


@job(RENEW_WORDS_OF)
def renew_session_words(lease: Lease) -> None:
    """Make again what is kept of a session's messages; of a long one some, and then more."""
    session = Session.objects.filter(pk=lease.subject).first()
    old: list[UUID] = []
    if session is not None and not held(session):
        rows = WordBlock.objects.filter(session=session, version__lt=VERSION)
        old = list(rows.order_by("number").values_list("pk", flat=True))
    end, done = time.monotonic() + SLICE, 0
    while done < len(old) and (not done or time.monotonic() < end):
        with transaction.atomic():
            lease.pulse(progress=done, total=len(old))
            _renew(lease.subject, old[done])
        done += 1
    with lease.finishing():
        if session is not None and done < len(old):
            enqueue(RENEW_WORDS_OF, session.pk, owner=session.owner_id)


def _renew(session_id: UUID, block_id: UUID) -> None:
    """Put what is kept of a block's turns now in the place of the block."""
    session = Session.objects.select_for_update().filter(pk=session_id).first()
    row = WordBlock.objects.filter(pk=block_id, session=session).first() if session else None
    if session is None or row is None:
        return
    positions = set(opened(row).positions.tolist())
    row.delete()
    rows = Turn.objects.remembered().filter(session=session, position__in=positions)
    turns = list(rows.order_by("position"))
    for start in range(0, len(turns), BATCH):
        keep_words(turns[start : start + BATCH])


def _outdated() -> SessionQuerySet:
    """Return the sessions with words of an older version."""
    blocks = WordBlock.objects.filter(version__lt=VERSION)
    return Session.objects.live().filter(pk__in=blocks.values("session"))
