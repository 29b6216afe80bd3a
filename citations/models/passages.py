"""Passages of documents, with the vectors and words that searches use."""

from functools import cached_property
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from citations.formats.blocks import Span, load_spans
from citations.models.documents import Document
from memory.classification import ALL, Handling
from memory.fields import SealedBytesField, SealedListField, SealedTextField
from memory.models import User

# Between the headings of a path.
SEPARATOR = " › "
# Before the name of the model whose vectors of a document aren't all there yet.
UNFINISHED = "unfinished "


class Passage(models.Model):
    """A piece of a document, small enough for the embedder, with the heading it stands under."""

    document = models.ForeignKey(
        Document, on_delete=models.CASCADE, related_name="all_passages", db_index=False
    )
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    heading = SealedTextField()
    text = SealedTextField()
    # Where each block of the text stands and what it is: [start, end, kind], in order
    # (citations.formats.blocks); of a passage from before there were blocks, none.
    layout = SealedListField()
    tokens = models.PositiveIntegerField()
    # Since when its document is read otherwise: nothing finds it any more, and it stays as it is
    # for what cites it, at a position behind all others (citations.ingestion.renewal.exchanging).
    replaced_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(person="owner", shared=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["document", "position"], name="passage_unique"),
        ]
        indexes: ClassVar = [
            # The clean-up of replaced ones that nothing cites any more.
            models.Index(
                fields=["id"],
                condition=models.Q(replaced_at__isnull=False),
                name="passage_replaced",
            ),
        ]

    def __str__(self) -> str:
        return self.seal_identity

    @property
    def seal_identity(self) -> str:
        """Known before the row has a key, which the database gives it."""
        return f"{self.document_id}:{self.position}"

    @cached_property
    def spans(self) -> list[Span]:
        """The parts of the text, in order."""
        return load_spans(self.text, self.layout)


class PassageVectors(models.Model):
    """The vectors of up to 256 passages of one document, int8, in the clear for the library."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="vectors")
    owner = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    model = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", trace="model", withheld=ALL, shared=True)

    class Meta:
        verbose_name = _("vectors of passages")
        verbose_name_plural = _("vectors of passages")
        indexes: ClassVar = [
            # The exact scan: the library's blocks, or one person's.
            models.Index(fields=["owner", "model"], name="passage_vectors_scan"),
        ]


def select_unfinished_vectors(document: Document) -> "models.QuerySet[PassageVectors]":
    """Return the vectors that slices of work have made of a document so far: nothing finds them."""
    return document.vectors.filter(model__startswith=UNFINISHED)


class UnitVectors(models.Model):
    """The vectors of one passage's units (citations.retrieval.units), int8, none if it has none.

    Beside each stands a number that is made of the text that was embedded.
    """

    passage = models.OneToOneField(
        Passage, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    model = models.CharField(max_length=200)
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", trace="model", withheld=ALL, shared=True)

    class Meta:
        verbose_name = _("vectors of units")
        verbose_name_plural = _("vectors of units")


class EmbedderRecord(models.Model):
    """An embedding engine, and the time since which the settings name it."""

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
