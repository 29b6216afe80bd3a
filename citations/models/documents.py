"""Documents, shared or of one person."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedBytesField, SealedJSONField, SealedListField, SealedTextField
from memory.models import User


class DocumentQuerySet(models.QuerySet["Document"]):
    def readable_by(self, user: User) -> Self:
        """The shared library, and what the person uploaded."""
        return self.filter(Q(owner=None) | Q(owner=user))

    def shared(self) -> Self:
        return self.filter(owner=None)

    def ready(self) -> Self:
        return self.filter(status=Document.Status.READY)


class Document(models.Model):
    """A document of the shared library (no owner, in the clear) or of one person (sealed)."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="documents", db_index=False
    )
    title = SealedTextField()
    authors = SealedJSONField()
    year = models.PositiveSmallIntegerField(null=True)
    url = SealedTextField()
    file_name = SealedTextField()
    media_type = models.CharField(max_length=100)
    # SHA-256 of the file, keyed for a private one. Ingesting it again changes nothing.
    checksum = models.CharField(max_length=64)
    size = models.PositiveIntegerField(default=0)  # of the file, in bytes
    page_count = models.PositiveIntegerField(null=True)
    # The file until it has been read; afterwards only its passages are kept.
    file = SealedBytesField(null=True)
    # What could not be read, in words for people: pages that are pictures and the like.
    unread = SealedJSONField()
    # Its profile (citations.ingestion.profiling): the code of its language; the date of the work,
    # as YYYY, YYYY-MM or YYYY-MM-DD; its headings as [level, heading, page, passage's position];
    # what it is about, and questions that it answers, in its own language.
    language = models.CharField(max_length=8, blank=True, default="")
    date = models.CharField(max_length=10, blank=True, default="")
    outline = SealedListField()
    about = SealedTextField(null=True)
    questions = SealedListField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    failure = models.CharField(max_length=40, blank=True)
    passage_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        person="owner",
        trace="language date media_type failure",
        link="checksum",
        withheld="unread checksum",
    )

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "checksum"], name="document_unique"),
            models.UniqueConstraint(
                fields=["checksum"], condition=Q(owner=None), name="document_shared_unique"
            ),
        ]
        indexes: ClassVar = [
            # The library page: shared and own, newest first.
            models.Index(fields=["owner", "-created_at", "-id"], name="document_newest"),
        ]

    def __str__(self) -> str:
        return str(self.id)
