"""Consents: each decision is a row, and no row is ever changed."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.models.people import User


class Purpose(models.TextChoices):
    """The purposes for which a person's words may be used, beyond the answer."""

    STORE = "store", _("Keep my conversations")
    RECALL = "recall", _("Remember across conversations")
    IMPROVE = "improve", _("Learn from my ratings")
    SHARE = "share", _("Share what I choose")


class Consent(models.Model):
    """One decision of a person on one purpose; the one with the highest number applies."""

    class Source(models.TextChoices):
        """The origin of a decision."""

        PAGE = "page", _("by you, on a page")
        SIGN_UP = "sign_up", _("by you, with your account")
        API = "api", _("by you, through a program")
        PRESUMED = "presumed", _("by those who made your account")
        RESTORED = "restored", _("again by us, after a backup was put back")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="consents", db_index=False
    )
    purpose = models.CharField(max_length=16, choices=Purpose)
    # Gapless for each person and purpose.
    number = models.PositiveIntegerField()
    # The version of the wording that they were shown (memory.personal_data.consent).
    version = models.PositiveSmallIntegerField()
    given = models.BooleanField()
    source = models.CharField(max_length=16, choices=Source)
    at = models.DateTimeField(default=timezone.now)

    append_only: ClassVar = True
    handling: ClassVar = Handling(person="owner", portable=True)

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        constraints: ClassVar = [
            # Also the index for a person's newest decision on a purpose.
            models.UniqueConstraint(
                fields=["owner", "purpose", "number"], name="consent_number_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose}:{self.number}"
