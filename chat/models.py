"""The context record of an answer: ids and numbers, never text."""

import math
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from citations.models import Passage
from memory.classification import Handling
from memory.models import Fact, Turn
from memory.owners import OwnerId


@deconstructible
class RowsOf:
    """Validates a list of small objects with exactly these members of type str, int or float.

    An imported package is untrusted.
    """

    LONGEST = 60  # characters

    def __init__(self, **members: type) -> None:
        self.members = members

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowsOf) and self.members == other.members

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, value: Any) -> None:
        if not isinstance(value, list) or not all(map(self._is_row, value)):
            raise ValidationError(_("This is not a list of such rows."))

    def _is_row(self, row: Any) -> bool:
        if not isinstance(row, dict) or set(row) != set(self.members):
            return False
        return all(self._has_kind(kind, row[name]) for name, kind in self.members.items())

    def _has_kind(self, kind: type, value: Any) -> bool:
        if kind is str:
            return isinstance(value, str) and len(value) <= self.LONGEST
        if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
            return False
        return math.isfinite(value) and 0 <= value < 2**31


class ContextRecord(models.Model):
    """The composition of one attempt's prompt, and the duration of each step."""

    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="context_records", db_index=False
    )
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
    # The server's finish reason and token counts.
    finish_reason = models.CharField(max_length=40, blank=True, default="")
    reported_prompt_tokens = models.PositiveIntegerField(null=True)
    reported_answer_tokens = models.PositiveIntegerField(null=True)
    # Parts of the window: the tokens used and allowed.
    parts = models.JSONField(
        default=list, blank=True, validators=[RowsOf(part=str, tokens=int, allowance=int)]
    )
    # Ranges of omitted earlier turns by position, with reasons.
    gaps = models.JSONField(
        default=list, blank=True, validators=[RowsOf(first=int, last=int, reason=str)]
    )
    # Earlier turns that the answer repeats, as runs with first and last position;
    # null: unknown.
    told = models.JSONField(null=True, blank=True, validators=[RowsOf(first=int, last=int)])
    # Confidence that earlier sessions are relevant to the question; null: not searched.
    earlier_confidence = models.FloatField(null=True)
    # The duration of each step of the turn.
    steps = models.JSONField(
        default=list, blank=True, validators=[RowsOf(step=str, milliseconds=float)]
    )
    # The steps from the question to the checked answer (chat.turns.pipeline_steps).
    pipeline_steps = models.JSONField(
        default=list,
        blank=True,
        db_default=[],
        validators=[
            RowsOf(
                step=str,
                state=str,
                milliseconds=float,
                reason=str,
                turns=int,
                passages=int,
                tokens=int,
            )
        ],
    )
    owner_id = OwnerId(of="turn")

    handling: ClassVar = Handling(
        person="turn__owner",
        trace=(
            "strategy reason rewrite_reason model prompt_version prompt_hash finish_reason "
            "parts gaps told steps pipeline_steps"
        ),
        withheld="id owner_id prompt_hash",
    )

    class Meta:
        verbose_name = _("prompt")
        verbose_name_plural = _("prompts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "attempt"], name="context_record_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}:{self.attempt}"


class ContextTurn(models.Model):
    """An earlier turn in the prompt."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="turns")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    shortened = models.BooleanField(default=False)
    owner_id = OwnerId(of="record")

    handling: ClassVar = Handling(person="record__turn__owner", withheld="id owner_id")


class ContextPassage(models.Model):
    """A retrieved passage: its rank and scores, and its label if it was offered."""

    record = models.ForeignKey(ContextRecord, on_delete=models.CASCADE, related_name="passages")
    passage = models.ForeignKey(Passage, null=True, on_delete=models.SET_NULL, related_name="+")
    rank = models.PositiveSmallIntegerField()
    label = models.PositiveSmallIntegerField(null=True)
    score = models.FloatField()
    word_score = models.FloatField(null=True)
    vector_score = models.FloatField(null=True)
    # The factor on the score by the weight of its document in the session.
    bias = models.FloatField(default=1.0)
    # Whether it comes from the previous answer's sources, of which the question asks more.
    carried_over = models.BooleanField(default=False)
    tokens = models.PositiveIntegerField()
    owner_id = OwnerId(of="record")

    handling: ClassVar = Handling(person="record__turn__owner", withheld="id owner_id")


class ContextFact(models.Model):
    """A fact about the person that an answer could use."""

    answer = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="facts_used")
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+")
    owner_id = OwnerId(of="answer")

    handling: ClassVar = Handling(person="answer__owner", withheld="id owner_id")


class ContextEarlier(models.Model):
    """A turn of another session that an answer could use."""

    answer = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="earlier_used")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    score = models.FloatField()
    owner_id = OwnerId(of="answer")

    handling: ClassVar = Handling(person="answer__owner", withheld="id owner_id")


class ModelProfile(models.Model):
    """The abilities of a language model and its server, probed or learned from answers.

    Empty values are unknown; defaults then apply (chat.llm.profiles).
    """

    class LimitParameter(models.TextChoices):
        MAX_TOKENS = "max_tokens", "max_tokens"
        MAX_COMPLETION_TOKENS = "max_completion_tokens", "max_completion_tokens"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # A digest of the server's address and the model's name, without the key.
    fingerprint = models.CharField(max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    model = models.CharField(_("model"), max_length=200)
    server = models.CharField(_("server"), max_length=200)
    window = models.PositiveIntegerField(_("window, in tokens"), null=True)
    max_output = models.PositiveIntegerField(_("longest answer, in tokens"), null=True)
    limit_parameter = models.CharField(
        _("how its length is limited"), max_length=24, choices=LimitParameter, blank=True
    )
    takes_temperature = models.BooleanField(_("takes a temperature"), null=True)
    takes_system = models.BooleanField(_("takes a system message"), null=True)
    # No longer written: streams, tokenizer.
    writes_json = models.BooleanField(_("writes JSON when told to"), null=True)
    streams = models.BooleanField(_("streams"), null=True)
    reports_usage = models.BooleanField(_("reports tokens"), null=True)
    reasons = models.BooleanField(_("thinks aloud"), null=True)
    # Its reasoning begins in the prompt, so that only the closing tag is visible.
    begins_in_thought = models.BooleanField(_("begins in thought"), null=True)
    tokenizer = models.CharField(_("tokenizer"), max_length=40, blank=True)
    # Ratio of its token count to ours, and the number of answers measured.
    ratio = models.FloatField(_("tokens to those counted here"), null=True)
    samples = models.PositiveIntegerField(_("measured on answers"), default=0)
    # Lessons of answers, latest last: {"at": ..., "learned": {...}}.
    lessons = models.JSONField(_("learned"), default=list)
    probed_at = models.DateTimeField(_("tested"), null=True)
    # The failure of the last probe: a code of chat.shapes.answer_failures.
    problem = models.CharField(_("problem"), max_length=40, blank=True)

    handling: ClassVar = Handling(system="fingerprint name model server tokenizer lessons problem")

    class Meta:
        verbose_name = _("language model")
        verbose_name_plural = _("language models")

    def __str__(self) -> str:
        return self.name
