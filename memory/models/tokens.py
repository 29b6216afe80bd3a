"""API tokens: hashed, with a name, a scope and an end."""

from typing import ClassVar
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken, AuthTokenManager
from knox.settings import CONSTANTS
from uuid_utils.compat import uuid7

from memory.fields import SealedTextField
from memory.models.people import User


class Scope(models.TextChoices):
    """What a token may do; each includes the ones before it."""

    READ = "read", _("Read")
    WRITE = "write", _("Read and write")
    ADMIN = "admin", _("Administer")


class ApiTokenManager(AuthTokenManager, models.Manager["ApiToken"]):  # type: ignore[misc]
    """Makes tokens: `create(user, …)` returns the row and the token itself."""


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A person's token for programs; only its hash is kept, and it is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="auth_token_set")
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, unique=True)
    name = SealedTextField()
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.WRITE)
    last_used_at = models.DateTimeField(null=True)

    objects = ApiTokenManager()

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
