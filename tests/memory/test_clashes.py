"""Two transactions that wait for each other: the one of ours that has to give in is tried again."""

from collections.abc import Callable
from threading import Thread
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from memory import holds
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.attempts import Ending, end_alone
from memory.forgetting.deletion import erase_session, erase_turn
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.purging import purge
from memory.forgetting.retention.trimming import trim
from memory.models import Session, Turn, User
from memory.postgresql.roles import make_owner_connection
from tests.people import person
from tests.surroundings import PATIENCE, wait_until

pytestmark = [
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
]
# Ours waits for the other's row, and the other for what ours holds.
WAITS = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid <> %s"
LOCK = "SELECT 1 FROM {} WHERE {} FOR UPDATE"
Rows = tuple[str, str]


def deadlocks(database: psycopg.Connection) -> int:
    """Return how often PostgreSQL has ended a transaction for a deadlock here."""
    counted = database.execute(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
    ).fetchone()
    return int(counted[0]) if counted else 0


def clashing(act: Callable[[], object], *, first: Rows, then: Rows) -> int:
    """Do it beside one who locks the same rows the other way round; return the deadlocks."""
    raised: list[BaseException] = []

    def do() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - told below
            raised.append(error)
        finally:
            connection.close()

    params = make_owner_connection(connection).get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    place = {name: params[name] for name in names if params.get(name)}
    with psycopg.connect(**place) as other, psycopg.connect(**place, autocommit=True) as watching:
        before = deadlocks(watching)
        other.execute(LOCK.format(*first))
        ours = Thread(target=do)
        ours.start()
        waits = [watching.info.backend_pid]
        wait_until(lambda: watching.execute(WAITS, waits).fetchone(), what="the first lock")
        other.execute(LOCK.format(*then))
        other.commit()
        ours.join(PATIENCE)
        assert not raised, raised
        wait_until(lambda: deadlocks(watching) > before, what="the deadlock to be counted")
        return deadlocks(watching) - before


def of(pk: UUID) -> str:
    return f"id = '{pk}'"


def test_the_end_of_an_answer(owner: User) -> None:
    session = create_session(owner)
    attempt = ask(session, Question("What is the fee?")).attempt
    assert attempt
    rows = {"first": ("memory_attempt", of(attempt.pk)), "then": ("memory_session", of(session.pk))}
    assert clashing(lambda: end_alone(attempt, Ending("complete", text="So it is.")), **rows) == 1
    assert Turn.objects.get().response == "So it is."


@pytest.mark.parametrize("whole", [True, False])
def test_the_deletion_of_a_turn_or_a_conversation(owner: User, whole: bool) -> None:
    session = create_session(owner)
    attempt = ask(session, Question("What is the fee?")).attempt
    assert attempt
    end_alone(attempt, Ending("complete", text="So it is."))
    turn = attempt.turn
    act = erase_session if whole else erase_turn
    row = session if whole else turn
    rows = {"first": ("memory_turn", of(turn.pk)), "then": ("memory_session", of(session.pk))}
    assert clashing(lambda: act(row, actor=owner), **rows) == 1  # type: ignore[operator]
    assert Turn.objects.count() == 0
    assert Session.objects.count() == (0 if whole else 1)


@pytest.mark.parametrize("whole", [True, False])
def test_the_purge_of_a_conversation_and_its_trimming(owner: User, whole: bool) -> None:
    session = create_session(owner)
    for _ in range(2):
        attempt = ask(session, Question("What is the fee?")).attempt
        assert attempt
        end_alone(attempt, Ending("complete", text="So it is."))
    if whole:
        Session.objects.update(expires_at=timezone.now())
    oldest = Turn.objects.order_by("position")[0]
    rows = {"first": ("memory_turn", of(oldest.pk)), "then": ("memory_session", of(session.pk))}
    gone: list[int] = []

    def act() -> None:
        gone.append(purge(Due()).turns if whole else trim(session.pk, keep=1))

    assert clashing(act, **rows) == 1
    assert gone == [2 if whole else 1]
    assert Turn.objects.count() == 2 - gone[0]


def test_a_hold(owner: User) -> None:
    session = create_session(owner)
    author = person("author")
    rows = {"first": ("memory_user", of(owner.pk)), "then": ("memory_session", of(session.pk))}
    act = lambda: holds.place(session, reason="a case", author=author)  # noqa: E731
    assert clashing(act, **rows) == 1
    assert holds.is_held(session)
