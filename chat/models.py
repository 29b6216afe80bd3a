"""What the model saw for an answer: ids and numbers, never text."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from citations.models import Passage
from memory.forgetting.handling import Handling
from memory.models import Turn


class ContextRecord(models.Model):
    """How one attempt's prompt was put together, and how long each step took."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="context_records")
    attempt = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    strategy = models.CharField(max_length=16)
    reason = models.CharField(max_length=60)
    rewrite_reason = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=20)
    prompt_hash = models.CharField(max_length=64)
    window = models.PositiveIntegerField()
    prompt_tokens = models.PositiveIntegerField()
    markers_removed = models.PositiveSmallIntegerField(default=0)

    handling: ClassVar = Handling(
        person="turn__owner",
        trace=(
            "attempt created_at strategy reason rewrite_reason model prompt_version prompt_hash "
            "window prompt_tokens markers_removed"
        ),
        link="id turn",
        withheld="id prompt_hash",
    )

    class Meta:
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "attempt"], name="context_record_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.attempt}"


class ContextPart(models.Model):
    """One part of the window: the tokens it used of those it was allowed."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="parts")
    part = models.CharField(max_length=16)
    tokens = models.PositiveIntegerField()
    allowance = models.PositiveIntegerField()

    handling: ClassVar = Handling(
        person="record__turn__owner",
        trace="part tokens allowance",
        link="id record",
        withheld="id",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["record", "part"], name="context_part_unique"),
        ]


class ContextTurn(models.Model):
    """An earlier turn that went into the prompt."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="turns")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    shortened = models.BooleanField(default=False)

    handling: ClassVar = Handling(
        person="record__turn__owner",
        trace="position tokens shortened",
        link="id record turn",
        withheld="id",
    )


class ContextGap(models.Model):
    """A range of earlier turns that was left out, and why."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="gaps")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    reason = models.CharField(max_length=40)

    handling: ClassVar = Handling(
        person="record__turn__owner",
        trace="first last reason",
        link="id record",
        withheld="id",
    )


class ContextPassage(models.Model):
    """A passage that was found: its rank and scores, and its label if it was offered."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="passages")
    passage = models.ForeignKey(Passage, null=True, on_delete=models.SET_NULL, related_name="+")
    rank = models.PositiveSmallIntegerField()
    label = models.PositiveSmallIntegerField(null=True)
    score = models.FloatField()
    word_score = models.FloatField(null=True)
    vector_score = models.FloatField(null=True)
    # What its document's standing in the session multiplied the score by when ranking.
    bias = models.FloatField(default=1.0)
    # From the sources of the answer before, which the question asked more of.
    carried_over = models.BooleanField(default=False)
    tokens = models.PositiveIntegerField()

    handling: ClassVar = Handling(
        person="record__turn__owner",
        trace="rank label score word_score vector_score bias carried_over tokens",
        link="id record passage",
        withheld="id",
    )


class ContextStep(models.Model):
    """How long one step of the turn took."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="steps")
    step = models.CharField(max_length=16)
    milliseconds = models.FloatField()

    handling: ClassVar = Handling(
        person="record__turn__owner",
        trace="step milliseconds",
        link="id record",
        withheld="id",
    )
