"""Claims of answers, and the citations that support them."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from citations.models.documents import Document
from citations.models.passages import Passage
from memory.classification import Handling
from memory.fields import SealedTextField
from memory.models import Session, Turn, User
from memory.owners import OwnerId


class Source(models.Model):
    """A document under its number in a session, given at the first citation and never reused."""

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="sources", db_index=False
    )
    number = models.PositiveIntegerField()
    # Null for a deleted document, which leaves its number.
    document = models.ForeignKey(
        Document, null=True, on_delete=models.SET_NULL, related_name="sources"
    )
    owner_id = OwnerId(of="session")

    handling: ClassVar = Handling(person="session__owner", withheld="id owner_id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "number"], name="source_number_unique"),
            models.UniqueConstraint(fields=["session", "document"], name="source_document_unique"),
        ]

    def __str__(self) -> str:
        return f"[{self.number}]"


class Claim(models.Model):
    """A statement of an answer, and whether the offered passages support it."""

    class State(models.TextChoices):
        SUPPORTED = "supported", _("Supported")
        PARTLY = "partly", _("Partly supported")
        # Supported not by the passage that it names, but by another.
        ELSEWHERE = "elsewhere", _("Supported elsewhere")
        UNSUPPORTED = "unsupported", _("Not supported")
        # It names no passage, and none supports it.
        UNCITED = "uncited", _("Without a source")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="claims", db_index=False)
    # Its span in the stored answer, in characters.
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State)
    # The probability, from 0 to 1, that the offered passages support it.
    score = models.FloatField()
    # The method of the check, and its version.
    method = models.CharField(max_length=40)
    version = models.CharField(max_length=40)

    handling: ClassVar = Handling(person="owner", trace="method version", withheld="id")

    class Meta:
        ordering: ClassVar = ["start"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "start"], name="claim_unique"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class CitationQuerySet(models.QuerySet["Citation"]):
    def visible(self, user: User) -> Self:
        return self.filter(owner=user, turn__session__expires_at__gt=timezone.now())


class Citation(models.Model):
    """A marker in an answer, with its claim, its passage and the score of their match."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="citations", db_index=False
    )
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="citations")
    passage = models.ForeignKey(
        Passage, null=True, on_delete=models.SET_NULL, related_name="citations"
    )
    # Null for answers from before claims were stored.
    claim = models.ForeignKey(Claim, null=True, on_delete=models.CASCADE, related_name="citations")
    # Whether the product added it: the stored answer has no marker there.
    is_added = models.BooleanField(default=False)
    # The position of its marker in the answer, drawn or not, and the start of its claim, in
    # characters.
    start = models.PositiveIntegerField()
    claim_start = models.PositiveIntegerField()
    quote = SealedTextField()
    # The span of the quote in the passage; null for citations from before it was stored.
    passage_start = models.PositiveIntegerField(null=True)
    passage_end = models.PositiveIntegerField(null=True)
    score = models.FloatField()

    handling: ClassVar = Handling(person="owner")

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["start"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "start", "source"], name="citation_unique"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_supported(self) -> bool:
        """Whether the passage supports the claim well enough."""
        return self.score >= settings.CITATION_THRESHOLD
