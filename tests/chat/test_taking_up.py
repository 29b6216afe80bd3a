"""Recovery of dead processes' answers, and the orderly end of a process."""

from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.database_threads import in_this_thread
from chat.streams import answering
from chat.turns.admission import admission
from chat.turns.live import live_answer
from chat.turns.pipeline import TurnSink
from memory.conversations.asking import Question, ask, create_session
from memory.models import Attempt, Process, Turn, User
from memory.outages import get_uptime


@pytest.mark.django_db(transaction=True)
def test_after_a_sleep_of_the_machine_the_others_come_first_to_say_that_they_live(
    owner: User, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RESUME_INTERRUPTED = False
    asleep, dead = [ask(create_session(owner), Question("Which?")).attempt for _ in "ab"]
    for attempt in (asleep, dead):
        process = Process.objects.create(
            pk=uuid4(), beat_at=timezone.now() - timedelta(seconds=settings.ANSWER_LEASE + 9)
        )
        Attempt.objects.filter(pk=attempt.pk).update(process=process.pk)
    monkeypatch.setattr(answering._looking, "at", get_uptime() - 9)
    async_to_sync(answering.take_up)()
    assert set(Attempt.objects.open()) == {asleep, dead}
    process = Attempt.objects.get(pk=asleep.pk).process
    Process.objects.filter(pk=process).update(beat_at=timezone.now())
    async_to_sync(answering.take_up)()
    assert list(Attempt.objects.open()) == [asleep]


@pytest.mark.django_db
def test_an_answer_that_no_other_process_may_resume_ends_with_its_own(
    owner: User, settings
) -> None:
    settings.RESUME_INTERRUPTED = True
    attempt = ask(create_session(owner), Question("Which?")).attempt
    Attempt.objects.update(given_history=True)

    async def go_down() -> None:
        in_this_thread.set(True)
        with live_answer(attempt) as live:
            async with admission.place(attempt.owner_id, live.set_place) as place:
                await TurnSink(attempt, (), live, place).let_go()

    async_to_sync(go_down)()
    turn = Turn.objects.get()
    assert (turn.status, turn.failure) == ("interrupted", "server_restarted")
