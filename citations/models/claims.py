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
    """A document as a session cites it: its number, given at the first citation, never reused."""

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="sources", db_index=False
    )
    number = models.PositiveIntegerField()
    # A document removed from the library leaves the number, marked.
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
    """A statement of an answer, and whether the passages that were offered bear it out."""

    class State(models.TextChoices):
        SUPPORTED = "supported", _("Supported")
        PARTLY = "partly", _("Partly supported")
        # The passage that it names doesn't say it; another that was offered does.
        ELSEWHERE = "elsewhere", _("Supported elsewhere")
        UNSUPPORTED = "unsupported", _("Not supported")
        # It names no passage, and none says it.
        UNCITED = "uncited", _("Without a source")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="claims", db_index=False)
    # Where it stands in the stored answer, in characters.
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State)
    # How likely what was offered says it, from 0 to 1.
    score = models.FloatField()
    # Who judged, and in which version.
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
    # Of answers from before claims were rows there is none.
    claim = models.ForeignKey(Claim, null=True, on_delete=models.CASCADE, related_name="citations")
    # By the product, which found the passage: the stored answer has no marker there.
    is_added = models.BooleanField(default=False)
    # Where the marker stands in the answer, or would stand, and where the claim before it begins,
    # in characters.
    start = models.PositiveIntegerField()
    claim_start = models.PositiveIntegerField()
    quote = SealedTextField()
    # Where the quote stands in the passage; not known of citations from before this was noted.
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
        """Whether the passage says enough of the claim."""
        return self.score >= settings.CITATION_THRESHOLD
