"""A question becomes a durable turn before anything that can fail."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.conversations.asking import Question, ask, create_session, retry
from memory.conversations.attempts import (
    Ending,
    LostAttempt,
    begin,
    end_alone,
)
from memory.conversations.checkpoints import Grown, store
from memory.conversations.interrupting import interrupt_lapsed
from memory.errors import (
    IdempotencyConflict,
    NotFound,
    SessionFull,
    TurnInProgress,
    TurnNotRetryable,
)
from memory.models import Attempt, AuditEvent, Session, Turn, User
from memory.recall.index.indexing import embed_turn  # noqa: F401 - registers its job

pytestmark = pytest.mark.django_db


def asked(session: Session, text: str = "What is the Closing Date?", **options: str) -> Turn:
    return ask(session, Question(text, **options), patience=0).turn


def answered(turn: Turn, text: str = "The 30th of June.", status: str = "complete") -> Turn:
    end_alone(turn.attempts.get(finished_at=None), Ending(status=status, text=text))
    turn.refresh_from_db()
    return turn


def test_positions_are_gapless_from_one(session: Session) -> None:
    assert [answered(asked(session)).position for _ in range(3)] == [1, 2, 3]


def test_the_first_question_names_the_session(session: Session) -> None:
    asked(session, "What is\nthe Closing Date?")
    session.refresh_from_db()
    assert session.title == "What is the Closing Date?"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Please always answer in bullet points. What is the rent?", "What is the rent?"),
        ("keep your answers short: what is osmosis", "what is osmosis"),
        ("What is the rent? Always cite the page.", "What is the rent?"),
        ("please always answer briefly?", "please always answer briefly?"),
    ],
)
def test_a_title_says_what_is_asked_and_not_how_to_answer(
    session: Session, message: str, title: str
) -> None:
    asked(session, message)
    session.refresh_from_db()
    assert session.title == title


def test_a_temporary_session_gets_no_title(owner: User) -> None:
    session = create_session(owner, temporary=True)
    asked(session)
    session.refresh_from_db()
    assert session.title == ""


@pytest.mark.postgresql
def test_one_turn_of_a_session_is_answered_at_a_time(session: Session) -> None:
    asked(session)
    with pytest.raises(TurnInProgress):
        asked(session, "And then?")
    assert session.turns.count() == 1


def test_a_full_session_refuses_and_stores_nothing(session: Session, settings) -> None:
    settings.MAX_TURNS_PER_SESSION = 1
    answered(asked(session))
    with pytest.raises(SessionFull):
        asked(session, "And then?")
    assert session.turns.count() == 1


def test_an_expired_session_is_not_there(session: Session) -> None:
    Session.objects.update(expires_at=timezone.now())
    with pytest.raises(NotFound):
        asked(session)


def test_a_question_moves_the_clock_and_so_does_its_answer(session: Session) -> None:
    long_ago = timezone.now() - timedelta(hours=20)
    Session.objects.update(last_activity=long_ago, expires_at=long_ago + timedelta(hours=24))
    turn = asked(session)
    session.refresh_from_db()
    first = session.expires_at
    assert first > timezone.now() + timedelta(hours=23)
    answered(turn)
    session.refresh_from_db()
    assert session.expires_at > first


@pytest.mark.postgresql
def test_the_same_key_gives_the_same_turn(session: Session) -> None:
    first = asked(session, idempotency_key="k", request="r")
    again = ask(session, Question("What?", idempotency_key="k", request="r"), patience=0)
    assert (again.turn, again.attempt) == (first, None)


@pytest.mark.postgresql
def test_the_same_key_for_another_request_is_a_conflict(session: Session) -> None:
    asked(session, idempotency_key="k", request="r")
    with pytest.raises(IdempotencyConflict):
        asked(session, idempotency_key="k", request="other")


def test_every_question_leaves_one_audit_event_without_its_words(session: Session) -> None:
    turn = asked(session, "a canary")
    event = AuditEvent.objects.get(action="turn.asked")
    assert (event.actor_id, event.subject_id) == (session.owner_id, turn.pk)
    assert "canary" not in str(event.__dict__)


# --- Answers and their lease -----------------------------------------------------------------


def test_an_answer_whose_process_died_is_interrupted_with_what_it_wrote(session: Session) -> None:
    turn = asked(session)
    attempt = turn.attempts.get()
    begin(attempt, opening={"standalone_query": "What is the Closing Date?"})
    store([Grown(attempt, 1, "The 30th")])
    assert interrupt_lapsed(session=session) == 0
    Attempt.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert interrupt_lapsed(session=session) == 1
    turn.refresh_from_db()
    assert (turn.status, turn.response) == ("interrupted", "The 30th")
    assert turn.standalone_query == "What is the Closing Date?"


def test_a_slow_answerer_cannot_write_after_it_was_interrupted(session: Session) -> None:
    attempt = asked(session).attempts.get()
    Attempt.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    interrupt_lapsed(session=session)
    assert store([Grown(attempt, 1, "late")]) == set()
    with pytest.raises(LostAttempt):
        begin(attempt, opening={})
    with pytest.raises(LostAttempt):
        end_alone(attempt, Ending(status="complete", text="late"))


def test_a_retry_is_a_new_attempt_at_the_same_turn(session: Session) -> None:
    turn = answered(asked(session), "half an ans", status="interrupted")
    attempt = retry(turn)
    assert (attempt.number, attempt.turn) == (2, turn)
    turn.refresh_from_db()
    assert (turn.status, turn.response) == ("pending", "half an ans")
    assert answered(turn, "A whole answer.").response == "A whole answer."
    assert session.turns.count() == 1


def test_a_complete_answer_is_not_tried_again(session: Session) -> None:
    with pytest.raises(TurnNotRetryable):
        retry(answered(asked(session)))


def test_what_a_person_said_cannot_be_read_in_the_rows(session: Session) -> None:
    turn = answered(asked(session, "canary question"), "canary answer")
    row = Turn.objects.filter(pk=turn.pk).values("query", "response").get()
    title = Session.objects.values_list("title", flat=True).get()
    assert not any(b"canary" in bytes(value) for value in [*row.values(), title])
