"""An answer lives as long as the process that writes it, and no longer."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memory.conversations import liveness
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.attempts import LostAttempt, begin_anew
from memory.conversations.checkpoints import Grown, find_standing_attempts, store
from memory.conversations.interrupting import (
    interrupt_lapsed,
    let_go_of_forgotten,
    take_up_lapsed,
)
from memory.models import Attempt, AuditEvent, Consent, Process, Purpose, Turn, User
from memory.personal_data import consent

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=2)


@pytest.fixture(autouse=True)
def ended_for_good(settings) -> None:
    settings.RESUME_INTERRUPTED = False


@pytest.fixture
def resuming(settings) -> None:
    settings.RESUME_INTERRUPTED = True


@pytest.fixture
def beating() -> Iterator[None]:
    liveness.begin()
    yield
    liveness.end()


def attempt_of(owner: User) -> Attempt:
    attempt = ask(create_session(owner), Question("What is the Closing Date?"), patience=0).attempt
    assert attempt
    return attempt


def text_of(attempt: Attempt) -> str:
    return Attempt.objects.get(pk=attempt.pk).partial


@pytest.mark.usefixtures("beating")
def test_an_answer_that_says_nothing_for_hours_lives_with_its_process(owner: User) -> None:
    attempt = attempt_of(owner)
    Attempt.objects.update(started_at=timezone.now() - timedelta(hours=5))
    assert interrupt_lapsed() == 0
    Process.objects.update(beat_at=timezone.now() - LONG_AGO)
    liveness.beat()
    assert interrupt_lapsed() == 0
    assert find_standing_attempts([attempt]) == {attempt.pk: False}


@pytest.mark.postgresql
@pytest.mark.usefixtures("beating")
def test_all_answers_of_a_process_lapse_with_it_and_with_no_other(owner: User) -> None:
    Process.objects.create(pk=(other := uuid4()), beat_at=timezone.now() + timedelta(seconds=5))
    mine, theirs = attempt_of(owner), attempt_of(owner)
    Attempt.objects.filter(pk=theirs.pk).update(process=other)
    Process.objects.filter(pk=liveness.get_own_process()).update(beat_at=timezone.now() - LONG_AGO)
    assert list(Attempt.objects.lapsed()) == [mine]
    liveness.declare_dead(other)
    assert interrupt_lapsed() == 2


@pytest.mark.usefixtures("beating")
def test_a_process_that_wakes_up_late_writes_nothing(owner: User) -> None:
    attempt = attempt_of(owner)
    store([Grown(attempt, 1, "In time")])
    assert text_of(attempt) == "In time"
    Process.objects.update(beat_at=timezone.now() - LONG_AGO)
    interrupt_lapsed()
    liveness.beat()  # it isn't dead after all
    assert (find_standing_attempts([attempt]), store([Grown(attempt, 1, "Late")])) == ({}, set())
    with pytest.raises(LostAttempt):
        begin_anew(attempt)
    attempt.turn.refresh_from_db()
    assert (attempt.turn.status, attempt.turn.response) == ("interrupted", "In time")


@pytest.mark.usefixtures("beating")
def test_a_dead_process_is_forgotten_once_nothing_of_it_is_open(owner: User) -> None:
    attempt_of(owner)
    Process.objects.update(beat_at=timezone.now() - LONG_AGO)
    assert liveness.delete_dead() == 0
    interrupt_lapsed()
    assert liveness.delete_dead() == 1


@pytest.mark.usefixtures("beating", "resuming")
def test_what_a_living_process_has_forgotten_is_taken_up_as_well(owner: User) -> None:
    answered, forgotten, left, new = [attempt_of(owner) for _ in range(4)]
    old = Attempt.objects.filter(pk__in=[answered.pk, forgotten.pk])
    old.update(started_at=timezone.now() - timedelta(minutes=3))
    let_go_of_forgotten({answered.pk}, {left.pk})
    taken = take_up_lapsed()
    assert {each.turn_id for each in taken} == {forgotten.turn_id, left.turn_id}
    assert {each.process for each in taken} == {liveness.get_own_process()}
    still = Attempt.objects.open().filter(number=1)
    assert set(still) == {answered, new}


# --- Once more by itself --------------------------------------------------------------------------


def lapsed(owner: User, *, text: str = "", **values: object) -> Attempt:
    attempt = attempt_of(owner)
    store([Grown(attempt, 1, text)])
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now() - LONG_AGO, **values)
    return attempt


@pytest.mark.usefixtures("resuming")
def test_an_answer_whose_process_died_is_begun_once_more_by_itself_and_only_once(
    owner: User,
) -> None:
    attempt = lapsed(owner, text="Half an ans")
    assert interrupt_lapsed() == 0  # it is a web process's
    [again] = take_up_lapsed()
    assert (again.turn_id, again.number, again.resumes) == (attempt.turn_id, 2, True)
    turn = Turn.objects.get()
    assert (turn.status, turn.response) == ("pending", "Half an ans")
    assert AuditEvent.objects.filter(action="turn.resumed", actor_id=None).count() == 1
    assert take_up_lapsed() == []
    Attempt.objects.filter(pk=again.pk).update(lease_until=timezone.now() - LONG_AGO)
    assert take_up_lapsed() == []
    turn.refresh_from_db()
    assert (turn.status, turn.failure) == ("interrupted", "server_restarted")
    assert turn.response == "Half an ans"


@pytest.mark.usefixtures("resuming")
def test_nothing_is_begun_once_more_against_its_person_or_the_settings(
    owner: User, settings
) -> None:
    lapsed(owner)
    settings.RESUME_INTERRUPTED = False
    assert take_up_lapsed() == []
    settings.RESUME_INTERRUPTED = True
    lapsed(owner)
    consent.decide(owner, {Purpose.STORE: False}, source=Consent.Source.PAGE)
    assert take_up_lapsed() == []
    assert [turn.status for turn in Turn.objects.all()] == ["interrupted", "interrupted"]


# --- Checkpoints ----------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_texts_of_many_answers_cost_as_few_statements_as_one(
    owner: User, django_assert_num_queries
) -> None:
    attempts = [attempt_of(owner) for _ in range(5)]
    with django_assert_num_queries(1):
        assert find_standing_attempts(attempts) == dict.fromkeys(
            (each.pk for each in attempts), False
        )
    grown = [Grown(each, 1, f"Text {number}") for number, each in enumerate(attempts)]
    store(grown[:1])  # the person's key is known from here on
    with django_assert_num_queries(4):  # one to begin, one to commit
        assert store(grown) == {each.pk for each in attempts}
    assert [text_of(each) for each in attempts] == [f"Text {number}" for number in range(5)]


def test_a_text_that_has_begun_anew_is_not_overwritten_by_the_one_before(owner: User) -> None:
    attempt = attempt_of(owner)
    before = Grown(attempt, 1, "The first try")
    begin_anew(attempt)
    store([before])
    assert text_of(attempt) == ""
