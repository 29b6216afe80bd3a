"""Legal holds, and the deletions deferred by them."""

from typing import ClassVar, Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedTextField


class LegalHoldQuerySet(models.QuerySet["LegalHold"]):
    def active(self) -> Self:
        """Active holds, which forbid deletion now."""
        return self.filter(released_at=None, starts_at__lte=timezone.now())


class LegalHold(models.Model):
    """A ban on deleting a person's things, one session or one document, until it is released."""

    class Scope(models.TextChoices):
        PERSON = "person", _("Person")
        SESSION = "session", _("Conversation")
        DOCUMENT = "document", _("Document")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    scope = models.CharField(_("scope"), max_length=16, choices=Scope)
    # No foreign keys: memory knows no documents, and the record outlives its target.
    target_id = models.UUIDField()
    # The owner of the target; a shared document has none.
    person_id = models.UUIDField(null=True)
    author_id = models.UUIDField()
    reason = SealedTextField()
    tells_person = models.BooleanField(_("the person is told"), default=True)
    starts_at = models.DateTimeField(_("from"), default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    released_at = models.DateTimeField(null=True)
    released_by_id = models.UUIDField(null=True)

    handling: ClassVar = Handling(
        stays=(
            "The record of a hold outlives what it was about; its reason is sealed under its "
            "author's key."
        ),
    )

    objects = LegalHoldQuerySet.as_manager()

    class Meta:
        verbose_name = _("legal hold")
        verbose_name_plural = _("legal holds")
        indexes: ClassVar = [
            # Holds on this session, document or person.
            models.Index(
                fields=["target_id"], condition=Q(released_at=None), name="legal_hold_target"
            ),
            # Holds on anything of this person.
            models.Index(
                fields=["person_id"], condition=Q(released_at=None), name="legal_hold_person"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def owner_id(self) -> UUID:
        """The owner of the key that seals the reason: its author."""
        return self.author_id


class WaitingDeletionQuerySet(models.QuerySet["WaitingDeletion"]):
    def open(self) -> Self:
        return self.filter(carried_out_at=None)


class WaitingDeletion(models.Model):
    """A deletion that a hold refused: it is carried out once nothing holds its target."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    # The kind of deletion, under which its function is registered (memory.postponed).
    kind = models.CharField(max_length=16)
    target_id = models.UUIDField()
    person_id = models.UUIDField(null=True)
    actor_id = models.UUIDField(null=True)
    asked_at = models.DateTimeField(default=timezone.now)
    carried_out_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(
        trace="kind",
        stays="It says by ids alone what was asked to be deleted, and when it was.",
    )

    objects = WaitingDeletionQuerySet.as_manager()

    class Meta:
        verbose_name = _("deferred deletion")
        verbose_name_plural = _("deferred deletions")
        constraints: ClassVar = [
            # A repeated request is the same deferral.
            models.UniqueConstraint(
                fields=["kind", "target_id"],
                condition=Q(carried_out_at=None),
                name="waiting_deletion_unique",
            ),
        ]
        indexes: ClassVar = [
            # A person's deferred deletions, when a hold on them is released.
            models.Index(
                fields=["person_id"],
                condition=Q(carried_out_at=None),
                name="waiting_deletion_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}:{self.target_id}"
