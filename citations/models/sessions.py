"""Documents in a session: its limit, the standings chosen by the person, and offered documents."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from citations.models.documents import Document
from memory.classification import ALL, Handling
from memory.models import Session, Turn, User
from memory.owners import OwnerId


class SessionDocument(models.Model):
    """A document that a session is limited to; null for a deleted one, so that the limit stays."""

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="limited_to", db_index=False
    )
    document = models.ForeignKey(Document, null=True, on_delete=models.SET_NULL, related_name="+")
    owner_id = OwnerId(of="session")

    handling: ClassVar = Handling(person="session__owner", withheld="id owner_id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "document"], name="session_document_unique"),
        ]


class TurnDocument(models.Model):
    """A document that a question is limited to; null for a deleted one, so that the limit stays."""

    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="limited_to", db_index=False
    )
    document = models.ForeignKey(Document, null=True, on_delete=models.SET_NULL, related_name="+")
    owner_id = OwnerId(of="turn")

    handling: ClassVar = Handling(person="turn__owner", withheld="id owner_id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "document"], name="turn_document_unique"),
        ]


class DocumentStanding(models.Model):
    """The standing that the person gave a document in one session."""

    class Standing(models.TextChoices):
        BOOSTED = "boosted", _("Preferred")
        MUTED = "muted", _("Held back")
        REQUIRED = "required", _("Always included")

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="standings", db_index=False
    )
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
    """A private document that a turn's prompt offered or its answer names, without citing it.

    Null for a deleted one: an answer that is still being written must not be stored then.
    """

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="offered", db_index=False)
    document = models.ForeignKey(
        Document, null=True, on_delete=models.SET_NULL, related_name="offered"
    )
    owner_id = OwnerId(of="turn")

    handling: ClassVar = Handling(person="turn__owner", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "document"], name="offered_document_unique"),
        ]
