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

# Separator of the headings in a path.
SEPARATOR = " › "
# Prefix of the model's name while a document's vectors are incomplete.
UNFINISHED = "unfinished "


class Passage(models.Model):
    """A piece of a document, small enough for the embedder, with its headings."""

    document = models.ForeignKey(
        Document, on_delete=models.CASCADE, related_name="all_passages", db_index=False
    )
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    heading = SealedTextField()
    text = SealedTextField()
    # The span and kind of each block of the text, as [start, end, kind] (citations.formats.blocks).
    # Empty for passages from before blocks were stored.
    layout = SealedListField()
    tokens = models.PositiveIntegerField()
    # The time since which another reading replaces it. Searches don't find it; it stays for its
    # citations, at a position after all others (citations.ingestion.renewal.exchanging).
    replaced_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(person="owner", shared=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["document", "position"], name="passage_unique"),
        ]
        indexes: ClassVar = [
            # The clean-up of replaced passages without citations.
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
        """The identity under which it is sealed, known before the database assigns a key."""
        return f"{self.document_id}:{self.position}"

    @cached_property
    def spans(self) -> list[Span]:
        """The blocks of the text, in order."""
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
    """Return the vectors made so far of an unfinished document, which no search uses."""
    return document.vectors.filter(model__startswith=UNFINISHED)


class UnitVectors(models.Model):
    """The vectors of one passage's units (citations.retrieval.units), int8; empty without units.

    Each vector has a number derived from the embedded text.
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
