"""Live updates to readers in this process: sent at once, or merged if many answers are written."""

import asyncio
from uuid import UUID, uuid4

import pytest

from chat.turns import live as answers
from chat.turns.live import Live, merge_seconds
from memory.models import Attempt


def test_words_are_merged_for_longer_where_many_answers_are_written() -> None:
    assert merge_seconds(1) == merge_seconds(10) == 0.05
    assert merge_seconds(20) == 20 / answers.TELLINGS_A_SECOND
    assert merge_seconds(1000) == 0.25


class Unhurried(asyncio.SelectorEventLoop):
    """An event loop whose clock goes only from one timer to the next, however slow it is here."""

    now = 100.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self.now = max(self.now, self._scheduled[0].when())
        super()._run_once()


@pytest.mark.parametrize(("others", "tellings"), [(0, 3), (1000, 2)])
def test_the_first_word_is_told_at_once_and_the_next_together(
    monkeypatch: pytest.MonkeyPatch, others: int, tellings: int
) -> None:
    """Of words that come every 80 ms."""
    crowd: dict[UUID, Live] = {}
    monkeypatch.setattr(answers, "_live", crowd)

    async def told() -> int:
        live = Live(Attempt(number=1))
        crowd.update({uuid4(): live for _ in range(others)})
        before = live.version
        live.add("One ")
        await asyncio.sleep(0.01)
        assert live.version == before + 1
        for word in ("two ", "three "):
            await asyncio.sleep(0.08)
            live.add(word)
        await asyncio.sleep(0.3)
        assert live.text == "One two three "
        return live.version - before

    with asyncio.Runner(loop_factory=Unhurried) as runner:
        assert runner.run(told()) == tellings
