"""Context records of installations from before they were one row each."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from chat.models import ContextRecord
from memory.conversations.asking import create_session
from memory.models import Turn, User
from tests.chat.remembered import said

BEFORE = [("chat", "0003_model_profile")]


def migrated(target: list[tuple[str, str]]) -> object:
    executor = MigrationExecutor(connection)
    return executor.migrate(target).apps


@pytest.mark.django_db(transaction=True)
def test_parts_gaps_and_steps_of_old_records_are_carried_over(owner: User) -> None:
    turns = [said(create_session(owner), "What is the Determination Date?") for _ in range(2)]
    records = [turn.context_records.get().pk for turn in turns]
    try:
        old = migrated(BEFORE)
        part = {"part": "system", "tokens": 9, "allowance": 10}
        gap = {"first": 2, "last": 5, "reason": "no_room"}
        old.get_model("chat", "ContextPart").objects.create(record_id=records[0], **part)
        old.get_model("chat", "ContextGap").objects.create(record_id=records[0], **gap)
        for step in ("recall", "find"):
            values = {"step": step, "milliseconds": 1.5}
            old.get_model("chat", "ContextStep").objects.create(record_id=records[0], **values)
    finally:
        migrated(MigrationExecutor(connection).loader.graph.leaf_nodes("chat"))
    first, second = ContextRecord.objects.filter(pk__in=records).order_by("pk")
    assert (first.parts, first.gaps) == ([part], [gap])
    assert [step["step"] for step in first.steps] == ["recall", "find"]
    assert (second.parts, second.gaps, second.steps) == ([], [], [])
    assert Turn.objects.filter(context_records=first).exists()
    first.clean_fields(
        exclude=["earlier_confidence", "reported_prompt_tokens", "reported_answer_tokens"]
    )
