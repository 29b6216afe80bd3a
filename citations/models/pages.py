"""Drawn pages of documents."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from uuid_utils.compat import uuid7

from citations.models.documents import Document
from memory.classification import ALL, Handling
from memory.fields import SealedBytesField, SealedJSONField
from memory.models import User


class DrawnPage(models.Model):
    """A page as a picture, kept for a while, or the reason why it can't be drawn."""

    class Size(models.TextChoices):
        NORMAL = "normal"
        LARGE = "large"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    document = models.ForeignKey(
        Document, on_delete=models.CASCADE, related_name="drawn_pages", db_index=False
    )
    owner = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()  # from 1
    size = models.CharField(max_length=8, choices=Size)
    picture = SealedBytesField(null=True)
    # Its letters with their boxes (citations.formats.pdf.letters).
    letters = SealedJSONField(null=True)
    weight = models.PositiveIntegerField(default=0)  # of the picture, in bytes
    failure = models.CharField(max_length=40, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    handling: ClassVar = Handling(person="owner", trace="size failure", withheld=ALL, shared=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["document", "number", "size"], name="drawn_page_unique"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
