"""A model that is slow: what a job asks of it comes in the end, and nobody waits for it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from chat.condensing import writing
from chat.condensing.writing import PAUSES, WRITE, list_unwritten
from chat.llm import Interrupted, whole_answers
from chat.prompting.summaries import VERSION
from chat.turns.pipeline import take_turn
from memory.conversations.asking import Question, create_session
from memory.forgetting.deletion import erase_session
from memory.jobs import Lease, WorkClass, enqueue, kinds
from memory.jobs.queue import run
from memory.models import Job, Session, Summary, User
from memory.models.summaries import EXTRACT
from tests.chat.condensing.sayings import GOOD
from tests.memory.summaries.told import condensed, told
from tests.model_server import ModelServer

pytestmark = pytest.mark.django_db

URGENT = "urgent"
During = Callable[[], None]


@pytest.fixture(autouse=True)
def _with_a_model(model_server: ModelServer, settings: Any) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    settings.JOB_LEASE = 1
    settings.LLM_FIRST_TOKEN_TIMEOUT = 5
    # Shorter than any of what is told here by its whole.
    settings.LLM_ASK_TIMEOUT = settings.LLM_TOTAL_TIMEOUT = 0.5


@pytest.fixture
def session(owner: User) -> Session:
    """A conversation of which one summary is left to be written."""
    made = told(owner, 20)
    condensed(made)
    left = made.summaries.get(kind=Summary.Kind.SEGMENT, first_position=1)
    list_unwritten(made).exclude(pk=left.pk).update(prompt_version=VERSION)
    return made


@pytest.fixture
def meanwhile() -> Iterator[Callable[[During], list[int]]]:
    """Have something done while the model writes, by a job that goes first."""
    done: list[int] = []

    def arrange(during: During) -> list[int]:
        @kinds.job(kinds.register_kind(URGENT, WorkClass.RIGHTS, kinds.AuditClass.DERIVED))
        def do(lease: Lease) -> None:
            with lease.finishing():
                during()
            done.append(lease.job_id)

        enqueue(URGENT, uuid7())
        return done

    yield arrange
    del kinds._handlers[URGENT], kinds._classes[URGENT]


def write() -> Job:
    """Do the job that writes; return it."""
    row = Job.objects.get(kind=WRITE, status=Job.Status.WAITING)
    run(row.pk)
    return row


def only(session: Session) -> Summary:
    return session.summaries.get(kind=Summary.Kind.SEGMENT, first_position=1)


def put_off() -> timedelta:
    waiting = Job.objects.get(kind=WRITE, status=Job.Status.WAITING)
    return waiting.due_at - timezone.now()


def test_a_summary_that_takes_longer_than_a_lease_is_written_and_nothing_waits_for_it(
    session: Session, model_server: ModelServer, meanwhile: Any
) -> None:
    model_server.reply(GOOD, delay=0.05)
    seen: list[tuple[bool, bool]] = []

    def during() -> None:
        is_due = Job.objects.due().filter(kind=WRITE).exists()
        seen.append((is_due, only(session).is_extract))

    meanwhile(during)
    first = Job.objects.get(kind=WRITE, status=Job.Status.WAITING)
    job = write()
    assert seen == [(False, True)], "it was done while the model wrote, and the lease held"
    assert (only(session).text, only(session).model) == (GOOD, "test-model")
    job.refresh_from_db()
    assert (job.status, job.fence) == (Job.Status.DONE, first.fence + 1)
    assert job.finished_at - first.due_at > timedelta(seconds=1), "longer than a lease"
    assert len(model_server.requests) == 1


def test_a_model_that_falls_silent_is_given_up_and_asked_again_later(
    session: Session, model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_STALL_TIMEOUT = 0.3
    model_server.reply(GOOD, stall_after=20)
    write()
    assert only(session).model == EXTRACT
    assert timedelta(minutes=PAUSES[0] - 1) < put_off() <= timedelta(minutes=PAUSES[0])


def test_a_model_that_goes_on_for_ever_is_given_up_too(
    session: Session, model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_BACKGROUND_TIMEOUT = 1
    model_server.reply(GOOD, delay=0.1)
    write()
    assert only(session).model == EXTRACT
    assert put_off() > timedelta(minutes=PAUSES[0] - 1)


def test_a_conversation_that_is_erased_meanwhile_ends_the_question(
    owner: User, session: Session, model_server: ModelServer, meanwhile: Any
) -> None:
    model_server.reply(GOOD + " And so on." * 200, delay=0.05)
    done = meanwhile(lambda: erase_session(session, actor=owner))
    job = write()
    assert len(done) == 1
    assert not Summary.objects.filter(session_id=session.pk).exists()
    assert not Job.objects.filter(pk=job.pk).exists()
    assert not Job.objects.filter(kind=WRITE).exists()


def test_who_asks_meanwhile_does_not_wait_behind_a_slow_summary(
    owner: User,
    session: Session,
    model_server: ModelServer,
    meanwhile: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole_answers, "UNDISTURBED", 0.0)
    model_server.reply(GOOD + " And so on." * 200, delay=0.05)
    other = create_session(owner)
    meanwhile(lambda: take_turn(other, Question("What is the deposit?")))
    write()
    assert only(session).is_extract
    assert Interrupted.pause - timedelta(seconds=30) < put_off() <= Interrupted.pause
    assert not Job.objects.filter(kind=WRITE, failures__gt=0).exists()
    assert list_unwritten(session).count() == 1, "it is asked for again"


def test_other_work_does_not_wait_behind_a_slow_summary_and_summaries_do(
    session: Session,
    model_server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole_answers, "UNDISTURBED", 0.0)
    model_server.reply(GOOD, delay=0.05)
    enqueue(WRITE, uuid7())
    write_of(session)
    assert not only(session).is_extract
    Summary.objects.filter(pk=only(session).pk).update(model=EXTRACT, prompt_version="")
    enqueue("reembed", uuid7())
    writing.write_later(session)
    write_of(session)
    assert only(session).model == EXTRACT


def write_of(session: Session) -> None:
    run(Job.objects.get(kind=WRITE, subject=session.pk, status=Job.Status.WAITING).pk)
