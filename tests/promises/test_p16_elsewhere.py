"""P16: with a turn, a session or a fact go the answers that told of it in other sessions."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.database_threads import in_this_thread, run_in_thread
from chat.models import ContextEarlier
from chat.turns.admission import admission
from chat.turns.live import live_answer
from chat.turns.pipeline import Prepared, TurnSink, answer_now, prepare, take_turn
from chat.turns.writing import write
from memory import holds
from memory.conversations.asking import Question, create_session, retry
from memory.errors import Held
from memory.forgetting.answers import delete_answers
from memory.forgetting.deletion import erase_session, erase_turn
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.purging import purge
from memory.forgetting.retention.trimming import trim
from memory.jobs.queue import run_due
from memory.models import Consent, Fact, LegalHold, Purpose, Session, Turn, User
from memory.models.turns import SOURCE_GONE
from memory.personal_data import consent
from tests.chat.remembered import deleted_for_good, said

pytestmark = pytest.mark.django_db

ASKED = "What is the Determination Date?"
AGAIN = "What did we discuss last week about the Determination Date?"
CANARY = "Zanzibar"


@pytest.fixture
def first(consenting: User, library: None) -> Turn:
    """A question that was answered in a session of its own."""
    turn = said(create_session(consenting), ASKED)
    run_due()
    return turn


@pytest.fixture
def telling(first: Turn, consenting: User) -> Turn:
    """An answer in another session that tells of it."""
    turn = said(create_session(consenting), AGAIN)
    assert f"“{ASKED}”" in turn.response
    return turn


def expire(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(expires_at=timezone.now() - timedelta(hours=1))


def purged(turn: Turn) -> None:
    expire(turn.session)
    purge(Due())


def trimmed(turn: Turn) -> None:
    said(turn.session, "Which fee is due on the weekend?")
    trim(turn.session_id, keep=1)


WAYS: dict[str, Callable[[Turn], None]] = {
    "erased": lambda turn: erase_turn(turn, actor=turn.owner),
    "erased with its session": lambda turn: erase_session(turn.session, actor=turn.owner),
    "withdrawn": lambda turn: delete_answers(turn.session_id, [turn.pk]),
    "purged": purged,
    "trimmed": trimmed,
}


@pytest.mark.parametrize("way", WAYS)
def test_p16_an_answer_that_told_of_another_session_goes_with_it(
    first: Turn, telling: Turn, way: str
) -> None:
    WAYS[way](first)
    telling.refresh_from_db()
    assert (telling.status, telling.failure, telling.response) == ("failed", SOURCE_GONE, "")
    assert (telling.query, telling.response_tokens) == (AGAIN, 0)
    assert not ContextEarlier.objects.filter(answer=telling).exists()
    again = answer_now(retry(telling))
    assert (again.status, ASKED in again.response) == ("complete", False)


@pytest.mark.parametrize("way", WAYS)
def test_p16_a_hold_on_what_told_of_it_keeps_both_until_its_release(
    first: Turn, telling: Turn, colleague: User, way: str
) -> None:
    hold = holds.place(telling.session, reason="A case", author=colleague)
    if way == "purged":
        WAYS[way](first)
    else:
        with pytest.raises(Held):
            WAYS[way](first)
    assert Turn.objects.get(pk=first.pk).response == first.response
    assert Turn.objects.get(pk=telling.pk).response == telling.response
    holds.release(LegalHold.objects.get(pk=hold.pk), actor=colleague)
    run_due()
    purge(Due())
    if way == "withdrawn":  # by whoever asked, who asks again
        WAYS[way](first)
    elif way == "trimmed":  # what waits is trimmed to what the policy allows by now
        trim(first.session_id, keep=1)
    assert Turn.objects.get(pk=telling.pk).failure == SOURCE_GONE


def test_p16_what_went_while_it_was_being_told_is_not_told(first: Turn, consenting: User) -> None:
    attempt = take_turn(create_session(consenting), Question(AGAIN)).attempt
    assert attempt
    prepared = prepare(attempt)
    assert ASKED in (prepared.reply or "")
    erase_session(first.session, actor=consenting)
    turn = answer_now(attempt)
    assert ASKED not in turn.response


@dataclass
class Withdrawing(TurnSink):
    """A sink whose person withdraws, or deletes, something when the answer is first under way."""

    goes: Callable[[], None] = lambda: None
    opened: list[str] = field(default_factory=list)

    async def open(self, ground: Prepared) -> None:
        await super().open(ground)
        self.opened.append(ground.reply or "")
        if len(self.opened) == 1:
            await run_in_thread(self.goes)


def in_thread(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do the work in the test's own thread, with its connection."""
    token = in_this_thread.set(True)
    try:
        async_to_sync(work)()
    finally:
        in_this_thread.reset(token)


def told_while(goes: Callable[[], None], session: Session, query: str) -> tuple[Turn, list[str]]:
    """Have a question answered during which something goes; return what each try told, too."""
    attempt = take_turn(session, Question(query)).attempt
    assert attempt
    opened: list[str] = []

    async def write_it() -> None:
        with live_answer(attempt) as live:
            async with admission.place(attempt.owner_id, live.set_place) as place:
                await write(Withdrawing(attempt, (), live, place, goes=goes, opened=opened))

    in_thread(write_it)
    return Turn.objects.get(pk=attempt.turn_id), opened


def _withdraw(person: User) -> None:
    consent.decide(person, {Purpose.RECALL: False}, source=Consent.Source.API)


GOING: dict[str, Callable[[User], None]] = {
    "consent": _withdraw,
    "fact": lambda person: deleted_for_good(Fact.objects.get()),
}


@pytest.mark.parametrize("what", GOING)
def test_p16_what_told_of_something_that_went_meanwhile_is_asked_again_without_it(
    consenting: User, what: str
) -> None:
    said(create_session(consenting), f"I live in {CANARY}")
    elsewhere = create_session(consenting)
    turn, told = told_while(lambda: GOING[what](consenting), elsewhere, "Where do I live?")
    assert [CANARY in text for text in told] == [True, False]
    assert (turn.status, turn.failure, CANARY in turn.response) == ("complete", "", False)
    assert turn.response
    assert [attempt.number for attempt in turn.attempts.all()] == [2]
    assert turn.context_records.count() == 1


FACT_WAYS: dict[str, Callable[[Fact], None]] = {
    "deleted": deleted_for_good,
    "erased with its question": lambda fact: erase_turn(_turn_of(fact), actor=fact.owner),
    "erased with its session": lambda fact: erase_session(_turn_of(fact).session, actor=fact.owner),
    "taken back": lambda fact: _take_back(fact.owner),
}


def _turn_of(fact: Fact) -> Turn:
    assert fact.turn
    return fact.turn


def _take_back(person: User) -> None:
    _withdraw(person)
    run_due()


@pytest.mark.parametrize("way", FACT_WAYS)
def test_p16_an_answer_that_told_a_fact_goes_with_it(consenting: User, way: str) -> None:
    said(create_session(consenting), f"I live in {CANARY}")
    elsewhere = create_session(consenting)
    telling = said(elsewhere, "Where do I live?")
    assert CANARY in telling.response
    FACT_WAYS[way](Fact.objects.get())
    assert not Fact.objects.exists()
    telling.refresh_from_db()
    assert (telling.status, telling.failure, telling.response) == ("failed", SOURCE_GONE, "")


def _told(person: User) -> Turn:
    turn = said(create_session(person), "Where do I live?")
    assert CANARY in turn.response
    return turn
