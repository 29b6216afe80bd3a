"""Summaries of older turns; their text is sealed."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedListField, SealedTextField
from memory.models.conversations import Session
from memory.models.people import User
from memory.models.turns import Turn

# The "model" of a summary of the turns' own sentences.
EXTRACT = "extract"
# The prompt version of a model's summary that it has to write again.
TO_BE_WRITTEN = ""


class SummaryQuerySet(models.QuerySet["Summary"]):
    def visible(self, user: User) -> Self:
        """Summaries of the person's sessions that have not expired."""
        return self.filter(owner=user, session__expires_at__gt=timezone.now())


class Summary(models.Model):
    """The summary of a range of a session's turns.

    It covers all turns with content at its positions, which are never reused. A segment's covers
    its five turns, a section's the segments in its range, and the session's its sections. If one of
    the turns changes or is deleted, so is the summary.
    """

    class Kind(models.TextChoices):
        TURN = "turn", _("Turn")
        SEGMENT = "segment", _("Segment")
        SECTION = "section", _("Section")
        SESSION = "session", _("Conversation")
        ROLLING = "rolling", _("What was said before")

    class State(models.TextChoices):
        MADE = "made", _("Made")
        EDITED = "edited", _("Edited by you")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="summaries", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16, choices=Kind)
    # The turn of a turn's own summary.
    turn = models.ForeignKey(Turn, null=True, on_delete=models.CASCADE, related_name="summaries")
    first_position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.MADE)
    text = SealedTextField()
    # The automatic text of a summary that the person edited, for a revert.
    made_text = SealedTextField(null=True)
    topics = SealedListField()
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=20, blank=True, default="")
    tokens_before = models.PositiveIntegerField()
    tokens_after = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(person="owner", trace="model prompt_version")

    objects = SummaryQuerySet.as_manager()

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "kind", "first_position"], name="summary_unique"
            ),
            models.CheckConstraint(
                condition=Q(first_position__lte=models.F("last_position")),
                name="summary_range_is_one",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_edited(self) -> bool:
        return self.state == self.State.EDITED

    @property
    def is_extract(self) -> bool:
        """Whether it consists of the turns' own sentences, extracted without a model."""
        return self.model == EXTRACT
