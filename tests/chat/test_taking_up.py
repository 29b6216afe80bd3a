"""Who looks for what dead processes have left."""

from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.streams import answering
from memory.conversations.asking import Question, ask, create_session
from memory.models import Attempt, Process, User
from memory.outages import uptime


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
    monkeypatch.setattr(answering._looking, "at", uptime() - 9)
    async_to_sync(answering.take_up)()
    assert set(Attempt.objects.open()) == {asleep, dead}
    process = Attempt.objects.get(pk=asleep.pk).process
    Process.objects.filter(pk=process).update(beat_at=timezone.now())
    async_to_sync(answering.take_up)()
    assert list(Attempt.objects.open()) == [asleep]
