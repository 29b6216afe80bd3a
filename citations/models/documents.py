"""Documents, shared or private, and the files that they were made from."""

import hashlib
from typing import TYPE_CHECKING, Any, ClassVar, Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from citations.formats.parts import Part, unpack_parts
from citations.formats.reading import READING_VERSION
from memory.classification import Handling
from memory.fields import SealedBytesField, SealedJSONField, SealedListField, SealedTextField
from memory.models import User
from memory.sealing import fingerprint_words

if TYPE_CHECKING:
    from citations.models.passages import Passage


def digest_text(text: str, owner_id: UUID | None) -> str:
    """Digest a name or an identifier for look-ups; keyed for a private document."""
    if not text:
        return ""
    digest = hashlib.sha256(text.casefold().encode()).hexdigest()
    return digest if owner_id is None else fingerprint_words([digest], owner=owner_id)[0]


class DocumentQuerySet(models.QuerySet["Document"]):
    def readable_documents(self, user: User) -> Self:
        """Select the shared library's documents, and the person's own."""
        return self.filter(Q(owner=None) | Q(owner=user))

    def shared(self) -> Self:
        return self.filter(owner=None)

    def ready(self) -> Self:
        return self.filter(status=Document.Status.READY)

    def outdated(self) -> Self:
        """Select ready documents with a reading by an older version."""
        older = Q(reading=None) | Q(reading__lt=READING_VERSION)
        return self.ready().filter(older)


class Document(models.Model):
    """A document of the shared library (no owner, in the clear) or of one person (sealed)."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")
        # A newer version answers in its place; its citations keep their quotations.
        REPLACED = "replaced", _("Replaced")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="documents", db_index=False
    )
    title = SealedTextField()
    authors = SealedJSONField()
    year = models.PositiveSmallIntegerField(null=True)
    url = SealedTextField()
    # Further bibliographic data as a CSL-JSON item (citations.sources), or null.
    csl = SealedJSONField(null=True)
    # Title, authors, year, url and csl before the last manual change, for undo.
    previous = SealedJSONField(null=True)
    file_name = SealedTextField()
    media_type = models.CharField(max_length=100)
    # SHA-256 of the file, keyed for a private one. Ingesting it again changes nothing.
    checksum = models.CharField(max_length=64)
    # Digests of the file's name and the DOI, keyed for a private one, to find other versions.
    name_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    doi_digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    # The older version that this one replaces. Its index is in Meta, to be built concurrently.
    supersedes = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="superseded_by",
        db_index=False,
        db_constraint=False,
    )
    # Whether the person keeps it beside possible versions of it.
    is_kept_beside = models.BooleanField(default=False, db_default=False)
    size = models.PositiveIntegerField(default=0)  # of the file, in bytes
    page_count = models.PositiveIntegerField(null=True)
    # The file until it has been read; afterwards null, with the original in a row of its own.
    file = SealedBytesField(null=True)
    # The counts of its parts by kind, with reasons of unread ones (citations.formats.parts).
    parts = SealedListField()
    # Sentences on unread parts by a version before `parts`; empty since then.
    unread = SealedJSONField()
    # Its profile (citations.ingestion.profiling): the code of its language, the date of the work as
    # YYYY, YYYY-MM or YYYY-MM-DD, and its headings as [level, heading, page, passage's position].
    # Its summary and suggested questions are in its own language.
    language = models.CharField(max_length=8, blank=True, default="")
    date = models.CharField(max_length=10, blank=True, default="")
    outline = SealedListField()
    about = SealedTextField(null=True)
    questions = SealedListField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    failure = models.CharField(max_length=40, blank=True)
    passage_count = models.PositiveIntegerField(default=0)
    # The version of its reading; null for one from before this was stored.
    reading = models.PositiveSmallIntegerField(null=True)
    # The number of passages changed by the last reading, and the failure of a later one.
    passages_changed = models.PositiveIntegerField(null=True)
    rereading_failure = models.CharField(max_length=40, blank=True, default="", db_default="")
    created_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        person="owner",
        trace="language date media_type failure rereading_failure",
        link="checksum name_digest doi_digest",
        withheld="unread checksum name_digest doi_digest",
        shared=True,
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
            models.Index(fields=["supersedes"], name="document_supersedes"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def passages(self) -> "models.QuerySet[Passage]":
        """The passages of its present reading; `all_passages` includes replaced ones."""
        return self.all_passages.filter(replaced_at=None)

    @property
    def known_parts(self) -> list[Part]:
        """Its parts, read and unread."""
        return unpack_parts(self.parts)

    @property
    def known_csl(self) -> dict[str, Any]:
        """Its stored CSL-JSON as a dict; a restored package may contain anything."""
        return self.csl if isinstance(self.csl, dict) else {}

    @property
    def unread_parts(self) -> list[Part]:
        return [part for part in self.known_parts if part.reason]

    @property
    def is_outdated(self) -> bool:
        """Whether its reading is by an older version."""
        return self.status == self.Status.READY and (self.reading or 0) < READING_VERSION


class OriginalFile(models.Model):
    """The original file of a document, sealed, so that it can be read again."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    document = models.OneToOneField(Document, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    file = SealedBytesField()
    # A newer reading, until all of it is searchable (ingestion.renewal).
    new_reading = SealedJSONField(null=True)

    handling: ClassVar = Handling(person="owner", withheld="id new_reading", shared=True)

    class Meta:
        verbose_name = _("original file")
        verbose_name_plural = _("original files")

    def __str__(self) -> str:
        return str(self.id)
