"""People, their tiers and usage, and their API tokens."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS
from uuid_utils.compat import uuid7

from memory.classification import ALL, Handling
from memory.fields import SealedTextField


class Tier(models.TextChoices):
    """A group of accounts with the same limits of sessions: lifetime, size and growth."""

    DEFAULT = "default", _("Default")
    ENTERPRISE = "enterprise", _("Enterprise")
    RESEARCH = "research", _("Research")

    @property
    def lifetime(self) -> timedelta:
        """A session's lifetime after its last question or answer."""
        return timedelta(seconds=self._limit(settings.SESSION_TTL, 7 * 86_400, 30 * 86_400))

    @property
    def max_turns(self) -> int:
        """The largest number of turns in a session."""
        return self._limit(settings.MAX_TURNS_PER_SESSION, 1000, 5000)

    @property
    def turns_an_hour(self) -> int:
        return self._limit(settings.TURNS_PER_HOUR, 1000, 1000)

    @property
    def uploads_an_hour(self) -> int:
        return self._limit(settings.UPLOADS_PER_HOUR, 1000, 1000)

    @property
    def requests_a_minute(self) -> int:
        return self._limit(settings.REQUESTS_PER_MINUTE, 600, 600)

    def _limit(self, default: int, enterprise: int, research: int) -> int:
        return {"enterprise": enterprise, "research": research}.get(self.value, default)


def default_tier() -> str:
    return str(settings.DEFAULT_TIER)


class CitationFormat(models.TextChoices):
    """The format of bibliographies."""

    APA = "apa", _("APA")
    MLA = "mla", _("MLA")
    CHICAGO_NOTES = "chicago-notes", _("Chicago, notes")
    CHICAGO_AUTHOR_DATE = "chicago-author-date", _("Chicago, author-date")
    IEEE = "ieee", _("IEEE")
    VANCOUVER = "vancouver", _("Vancouver")
    NATURE = "nature", _("Nature")
    HARVARD = "harvard", _("Harvard")


# The flags that give access, with the defaults of a new account.
FLAGS = {"is_active": True, "is_staff": False, "is_superuser": False}
IS_STAFF = models.Q(is_staff=True) | models.Q(is_superuser=True)
# Sent when accounts were changed in bulk: their flags `before` and `after`, by id.
flags_changed = Signal()


class UserQuerySet(models.QuerySet["User"]):
    """Accounts; changed flags are signalled, as Django does for a saved account."""

    def update(self, **values: Any) -> int:
        """Update the accounts, and signal their flags in the same transaction."""
        if not FLAGS.keys() & values.keys():
            return super().update(**values)
        with transaction.atomic(self.db):
            ids = list(self.values_list("pk", flat=True))
            rows = UserQuerySet(self.model, using=self.db).filter(pk__in=ids).order_by("pk")
            before = _read_flags(rows.select_for_update(no_key=True))
            updated = super().update(**values)
            flags_changed.send(User, before=before, after=_read_flags(rows))
        return updated

    def bulk_create(self, objs: Iterable["User"], *args: Any, **options: Any) -> list["User"]:
        """Create the accounts, and signal their flags in the same transaction."""
        with transaction.atomic(self.db):
            made = super().bulk_create(objs, *args, **options)
            after = {each.pk: {name: getattr(each, name) for name in FLAGS} for each in made}
            flags_changed.send(User, before=dict.fromkeys(after, FLAGS), after=after)
        return made


def _read_flags(rows: UserQuerySet) -> dict[UUID, dict[str, bool]]:
    return {row.pop("pk"): row for row in rows.values("pk", *FLAGS)}


class PersonManager(UserManager["User"]):
    """Django's manager of accounts, with a queryset that signals changed flags."""

    use_in_migrations = False

    def get_queryset(self) -> UserQuerySet:
        return UserQuerySet(self.model, using=self._db)


class User(AbstractUser):
    """A person who signs in."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tier = models.CharField(_("tier"), max_length=16, choices=Tier, default=default_tier)
    # Empty: as set by the browser and the instance.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    language = models.CharField(_("language"), max_length=16, blank=True)
    citation_format = models.CharField(
        _("format of citations"),
        max_length=24,
        choices=CitationFormat,
        blank=True,
        default="",
        db_default="",
    )
    # Not a field: people who sign up are asked instead (personal_data.consent).
    presumes_consent = True
    # Lifetime of their conversations in seconds; at most that of the tier.
    own_lifetime = models.PositiveIntegerField(_("own lifetime"), null=True, blank=True)

    objects: ClassVar = PersonManager()

    handling: ClassVar = Handling(
        person="pk",
        identity="username first_name last_name email",
        secret="password",
        trace="time_zone language",
        withheld="groups user_permissions",
    )

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        indexes: ClassVar = [models.Index(fields=["id"], condition=IS_STAFF, name="user_staff")]

    def __str__(self) -> str:
        # A name would outlive its person in logs and in the admin's history.
        return str(self.pk)

    def save(self, *args: Any, **options: Any) -> None:
        """Save in a transaction, and record changed rights in it."""
        with transaction.atomic():
            super().save(*args, **options)

    @property
    def keeps_library(self) -> bool:
        """Whether the person may add, change and delete shared documents."""
        return self.is_staff and self.has_perm("citations.delete_document")

    @property
    def limits(self) -> Tier:
        return Tier(self.tier)


class Usage(models.Model):
    """A person's count of a kind of act in the current window: one row for each kind."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=16)
    # The window's number: seconds since 1970, divided by its length.
    window = models.PositiveBigIntegerField()
    used = models.PositiveIntegerField()

    handling: ClassVar = Handling(person="owner", trace="kind", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "kind"], name="usage_unique"),
        ]


class Recipient(models.Model):
    """An external server that receives a person's text, to answer or embed it.

    It is noted before anything is sent, so that an erasure can name the servers it doesn't reach.
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    host = models.CharField(max_length=255)
    since = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(person="owner", trace="host", withheld="id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "host"], name="recipient_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}:{self.host}"


class Scope(models.TextChoices):
    """The rights of a token; each includes the ones before it."""

    READ = "read", _("Read")
    WRITE = "write", _("Read and write")
    ADMIN = "admin", _("Administer")

    def includes(self, other: "Scope") -> bool:
        """Return whether this scope allows what the other does."""
        order = list(Scope)
        return order.index(self) >= order.index(other)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def owned(self, user: User) -> Self:
        return self.filter(user=user)

    def live(self) -> Self:
        """Tokens that have not expired, of active people."""
        unexpired = Q(expiry=None) | Q(expiry__gt=timezone.now())
        return self.filter(unexpired, user__is_active=True)


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A person's token for programs; only its hash is stored, and it is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, unique=True)
    name = SealedTextField()
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.WRITE)
    last_used_at = models.DateTimeField(null=True)

    handling: ClassVar = Handling(person="user", identity="name", secret="digest token_key")

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            # The page of a person's tokens, newest first.
            models.Index(fields=["user", "-id"], name="api_token_newest"),
            # The clean-up of expired tokens.
            models.Index(fields=["expiry"], name="api_token_expiry"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def owner_id(self) -> UUID:
        """The owner of the key that seals the name."""
        return self.user_id

    @property
    def end_time(self) -> datetime | None:
        """The moment of its expiry; None for never."""
        return self.expiry

    @property
    def has_expired(self) -> bool:
        return self.end_time is not None and self.end_time <= timezone.now()
