"""API tokens: hashed, with a name, a scope and an end."""

from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS
from uuid_utils.compat import uuid7

from memory.fields import SealedTextField
from memory.forgetting.handling import Handling
from memory.models.people import User


class Scope(models.TextChoices):
    """What a token may do; each includes the ones before it."""

    READ = "read", _("Read")
    WRITE = "write", _("Read and write")
    ADMIN = "admin", _("Administer")

    def includes(self, other: "Scope") -> bool:
        """Tell whether this scope allows what the other does."""
        order = list(Scope)
        return order.index(self) >= order.index(other)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def owned_by(self, user: User) -> Self:
        return self.filter(user=user)

    def live(self) -> Self:
        """Tokens that have not expired, of people who may sign in."""
        unexpired = Q(expiry=None) | Q(expiry__gt=timezone.now())
        return self.filter(unexpired, user__is_active=True)


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A person's token for programs; only its hash is kept, and it is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, unique=True)
    name = SealedTextField()
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.WRITE)
    last_used_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(
        person="user",
        identity="name",
        secret="digest token_key",
        trace="scope created expiry last_used_at",
        link="id user",
    )

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            # The page of a person's tokens, newest first.
            models.Index(fields=["user", "-id"], name="api_token_newest"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def owner_id(self) -> UUID:
        """Whose key seals the name."""
        return self.user_id

    @property
    def ends_at(self) -> datetime | None:
        """When it stops working; None for never."""
        return self.expiry

    @property
    def has_expired(self) -> bool:
        return self.ends_at is not None and self.ends_at <= timezone.now()
