"""First writes of answers are committed together, and each gets its own result."""

import asyncio
from collections.abc import Iterator

import pytest
from asgiref.sync import async_to_sync

from chat.database_threads import in_this_thread
from chat.turns.checkpointing import note_opening
from chat.turns.live import Live
from memory.conversations.attempts import LostAttempt
from memory.models import Attempt

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def here() -> Iterator[None]:
    """Work in the test's own thread, with its connection."""
    token = in_this_thread.set(True)
    yield
    in_this_thread.reset(token)


def test_of_those_that_come_at_once_each_hears_of_its_own() -> None:
    def note() -> None:
        pass

    def lost() -> None:
        raise LostAttempt

    async def all_three() -> list[BaseException | None]:
        lives = [Live(Attempt(number=1)) for _ in range(3)]
        for live, noting in zip(lives, (note, lost, note), strict=True):
            live.open({"passages": []}, noting)
        heard = await asyncio.gather(*map(note_opening, lives), return_exceptions=True)
        assert [live.noting is None for live in lives] == [True, False, True]
        return heard

    first, second, third = async_to_sync(all_three)()
    assert (first, third) == (None, None)
    assert isinstance(second, LostAttempt)


def test_who_waits_hears_that_the_database_is_away() -> None:
    class Away(Exception):
        pass

    def away() -> None:
        raise Away

    async def one() -> None:
        live = Live(Attempt(number=1))
        live.open({"passages": []}, away)
        with pytest.raises(Away):
            await note_opening(live)
        assert live.noting is away  # it is noted another time

    async_to_sync(one)()


def test_another_try_that_opens_meanwhile_is_noted_by_itself() -> None:
    async def two() -> None:
        live = Live(Attempt(number=1))

        def again() -> None:
            pass

        live.open({"passages": []}, lambda: live.open({"passages": []}, again))
        await note_opening(live)
        assert live.noting is again

    async_to_sync(two)()
