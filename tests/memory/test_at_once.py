"""Of two acts that exclude each other one is done, however close they come: by threads, at rows.

The first stands open, with all its locks, while the second begins; then both orders have come.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

import pytest
from django.db import connections, transaction

from chat.turns.pipeline import answer_now, take_turn
from memory import holds
from memory.conversations.asking import Question, create_session
from memory.conversations.attempts import Ending, LostAttempt, end_alone
from memory.errors import Held, Refusal
from memory.forgetting.deletion import erase_session
from memory.forgetting.erasure import people, requests
from memory.models import (
    ErasureRequest,
    Purpose,
    Session,
    Turn,
    User,
)
from memory.personal_data import consent
from memory.sealing import UnsealError
from tests.memory.retained import session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
AT_ONCE = 6
# Longer than an act takes that nothing holds up.
A_WHILE = 0.6


def alone(act: Callable[[], Any]) -> Any:
    """Act with a connection of one's own, in this thread; return what came of it."""
    try:
        return act()
    except (Refusal, LostAttempt, UnsealError) as refused:
        return refused
    finally:
        connections.close_all()


def beside(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """Let the second begin while the first is done but not committed; return what it came to."""
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            first()
            begun: Future[Any] = thread.submit(alone, second)
            wait([begun], timeout=A_WHILE)
        return begun.result()


def many(act: Callable[[int], Any], times: int = AT_ONCE) -> list[Any]:
    """Act as often in one moment; return what came of each."""
    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(lambda number: alone(lambda: act(number)), range(times)))


# --- Deletion and what is written ---------------------------------------------------------------


def test_what_is_deleted_takes_no_answer_that_was_under_way(owner: User) -> None:
    session = session_of(owner)
    attempt = take_turn(session, Question("What is the fee?")).attempt
    assert attempt
    ending = Ending(status="complete", text="It is 4711 euros.")
    came = beside(lambda: erase_session(session, actor=owner), lambda: end_alone(attempt, ending))
    assert isinstance(came, LostAttempt)
    assert not Turn.objects.exists()


# --- Holds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("on", ["session", "person"])
def test_a_hold_that_is_being_placed_refuses_a_deletion(
    owner: User, stranger: User, on: str
) -> None:
    session = session_of(owner, turns=1)
    held = session if on == "session" else owner
    came = beside(
        lambda: holds.place(held, reason="A case", author=stranger),
        lambda: erase_session(Session.objects.get(), actor=owner),
    )
    assert isinstance(came, Held)
    assert Session.objects.filter(pk=session.pk).exists()


def test_an_erasure_that_is_confirmed_as_a_hold_is_placed_waits_for_it(
    owner: User, stranger: User
) -> None:
    request = requests.ask(owner, "account", actor=owner.pk)
    beside(
        lambda: holds.place(owner, reason="A case", author=stranger),
        lambda: requests.confirm(request, actor=owner.pk, at_once=True),
    )
    assert ErasureRequest.objects.get().status == ErasureRequest.Status.HELD


# --- Erasure --------------------------------------------------------------------------------------


def test_whoever_asks_while_their_account_goes_leaves_nothing(owner: User) -> None:
    """Each asks on until the account is gone; whatever they wrote goes with it."""
    sessions = [session_of(owner) for _ in range(AT_ONCE)]

    def act(number: int) -> None:
        if number == 0:
            people.delete_person(owner.pk)
            return
        for again in range(20):
            if not again % 3:
                create_session(owner)
            asked = take_turn(sessions[number], Question(f"What is fee {again}?"))
            answer_now(asked.attempt)

    with suppress(Exception):  # who asks hears of it in many ways, none of which is the matter
        many(act)
    assert not User.objects.filter(pk=owner.pk).exists()
    assert not people.count_left(owner.pk)


# --- Credentials and consents ---------------------------------------------------------------------


def test_what_is_asked_while_its_storing_is_withdrawn_is_stopped(owner: User) -> None:
    session = session_of(owner)
    consent.decide(owner, {Purpose.STORE: True}, source="api")
    came = beside(
        lambda: consent.decide(owner, {Purpose.STORE: False}, source="api"),
        lambda: take_turn(session, Question("What is the fee?")),
    )
    assert isinstance(came, consent.ConsentNeeded)
    assert not Turn.objects.exists()


# --- Once -----------------------------------------------------------------------------------------
