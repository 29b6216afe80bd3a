"""Documents, the passages they are cut into, and the citations that prove an answer."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from citations.formats.blocks import Span, spans_of
from memory.classification import ALL, Handling
from memory.fields import SealedBytesField, SealedJSONField, SealedListField, SealedTextField
from memory.models import Session, Turn, User


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
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="documents")
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


class Passage(models.Model):
    """A piece of a document, small enough for the embedder, with the heading it stands under."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="passages")
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    heading = SealedTextField()
    text = SealedTextField()
    # Where each block of the text stands and what it is: [start, end, kind], in order
    # (citations.formats.blocks); of a passage from before there were blocks, none.
    layout = SealedListField()
    tokens = models.PositiveIntegerField()

    handling: ClassVar = Handling(person="owner")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["document", "position"], name="passage_unique"),
        ]

    def __str__(self) -> str:
        return self.seal_identity

    @property
    def seal_identity(self) -> str:
        """Known before the row has a key, which the database gives it."""
        return f"{self.document_id}:{self.position}"

    @property
    def spans(self) -> list[Span]:
        """The parts of the text, in order."""
        return spans_of(self.text, self.layout)


class PassageVectors(models.Model):
    """The vectors of up to 256 passages of one document, int8, in the clear for the library."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="vectors")
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    model = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", trace="model", withheld=ALL)

    class Meta:
        verbose_name = _("vectors of passages")
        verbose_name_plural = _("vectors of passages")
        indexes: ClassVar = [
            # The exact scan: the library's blocks, or one person's.
            models.Index(fields=["owner", "model"], name="passage_vectors_scan"),
        ]


class EmbedderRecord(models.Model):
    """An engine that vectors were made by, and since when it is the one of the settings."""

    model = models.CharField(max_length=200, unique=True)
    since = models.DateTimeField()

    handling: ClassVar = Handling(system="model")

    class Meta:
        verbose_name = _("embedder")
        verbose_name_plural = _("embedders")

    def __str__(self) -> str:
        return self.model


class PassageWords(models.Model):
    """The words of up to 256 passages of one private document, counted and sealed as one value.

    The words of the shared library are in the engine's own index (citations.index).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="words")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", withheld=ALL)

    class Meta:
        verbose_name = _("words of passages")
        verbose_name_plural = _("words of passages")


class SessionDocument(models.Model):
    """A document that a session is limited to; of a deleted one the limit stays, without it."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="limited_to")
    document = models.ForeignKey(Document, null=True, on_delete=models.SET_NULL, related_name="+")

    handling: ClassVar = Handling(person="session__owner", withheld="id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "document"], name="session_document_unique"),
        ]


class TurnDocument(models.Model):
    """A document that a question was limited to; of a deleted one the limit stays, without it."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="limited_to")
    document = models.ForeignKey(Document, null=True, on_delete=models.SET_NULL, related_name="+")

    handling: ClassVar = Handling(person="turn__owner", withheld="id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "document"], name="turn_document_unique"),
        ]


class DocumentStanding(models.Model):
    """What the person said about a document for one session; goes with either."""

    class Standing(models.TextChoices):
        BOOSTED = "boosted", _("Preferred")
        MUTED = "muted", _("Held back")
        REQUIRED = "required", _("Always included")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="standings")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    standing = models.CharField(max_length=16, choices=Standing)

    handling: ClassVar = Handling(person="owner", withheld="id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "document"], name="document_standing_unique"
            ),
        ]


class OfferedDocument(models.Model):
    """A private document that a turn's prompt offered: its answer may say it without citing it.

    Of a deleted one the row stays, without it: what is still being written must not be kept.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="offered")
    document = models.ForeignKey(
        Document, null=True, on_delete=models.SET_NULL, related_name="offered"
    )

    handling: ClassVar = Handling(person="turn__owner", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "document"], name="offered_document_unique"),
        ]


class Source(models.Model):
    """A document as a session cites it: its number, given at the first citation, never reused."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="sources")
    number = models.PositiveIntegerField()
    # A document removed from the library leaves the number, marked.
    document = models.ForeignKey(
        Document, null=True, on_delete=models.SET_NULL, related_name="sources"
    )

    handling: ClassVar = Handling(person="session__owner", withheld="id")

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
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="claims")
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
    def visible_to(self, user: User) -> Self:
        return self.filter(owner=user, turn__session__expires_at__gt=timezone.now())


class Citation(models.Model):
    """One marker in an answer: what it claims, the passage it points to, and how well that fits."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="citations")
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
