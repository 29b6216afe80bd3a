"""Packages with all data of a person, for download: made in the background, fetched once."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import ALL, Handling
from memory.fields import SealedBytesField
from memory.models.conversations import Session
from memory.models.people import User
from memory.sqlite.partial import has_status


class ExportPackageQuerySet(models.QuerySet["ExportPackage"]):
    def visible(self, user: User) -> Self:
        """The person's own packages, without expired content."""
        return self.current().filter(owner=user)

    def current(self) -> Self:
        """Packages that have not expired, purged or not, and with no expired content."""
        return self.filter(~Exists(self.ended()), expires_at__gt=timezone.now())

    @staticmethod
    def ended() -> models.QuerySet[Session]:
        """The package's sessions that have expired since, for the outer query's package."""
        now = timezone.now()
        return Session.objects.filter(
            owner=OuterRef("owner"),
            created_at__lte=Coalesce(OuterRef("ready_at"), now),
            expires_at__gt=OuterRef("created_at"),
            expires_at__lte=now,
        )

    def unfetched(self) -> Self:
        return self.filter(has_status(ExportPackage.Status.unfetched()))

    def done(self) -> Self:
        """Packages that will not be fetched: fetched, discarded or failed."""
        return self.exclude(status__in=ExportPackage.Status.unfetched())

    def expired(self) -> Self:
        """Packages past their own expiry."""
        return self.filter(expires_at__lte=timezone.now())

    def containing_ended(self) -> Self:
        """Packages with content that has expired since."""
        return self.unfetched().filter(Exists(self.ended()))


class ExportPackage(models.Model):
    """One package: requested, made by a job, fetched by a link that works once, then emptied.

    waiting -> making -> ready -> fetched; or failed, or discarded because some of its content was
    deleted.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        MAKING = "making", _("Being made")
        READY = "ready", _("Ready")
        FETCHED = "fetched", _("Fetched")
        DISCARDED = "discarded", _("Discarded")
        FAILED = "failed", _("Failed")

        @classmethod
        def unmade(cls) -> list["ExportPackage.Status"]:
            return [cls.WAITING, cls.MAKING]

        @classmethod
        def unfetched(cls) -> list["ExportPackage.Status"]:
            return [*cls.unmade(), cls.READY]

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="packages", db_index=False
    )
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    created_at = models.DateTimeField(default=timezone.now)
    ready_at = models.DateTimeField(null=True)
    fetched_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()
    size = models.PositiveBigIntegerField(default=0)  # in bytes
    # The digest of its content (memory.personal_data.rows), as stated in the package.
    digest = models.CharField(max_length=64, blank=True)
    # SHA-256 of the newest link's token; empty once it was used.
    link_hash = models.CharField(max_length=64, blank=True)
    link_until = models.DateTimeField(null=True)

    handling: ClassVar = Handling(person="owner", secret="link_hash", trace="digest")

    objects = ExportPackageQuerySet.as_manager()

    class Meta:
        verbose_name = _("package")
        verbose_name_plural = _("packages")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["owner"],
                condition=models.Q(status__in=["waiting", "making", "ready"]),
                name="export_package_one_unfetched",
            ),
        ]
        indexes: ClassVar = [
            # The page of a person's packages, newest first.
            models.Index(fields=["owner", "-id"], name="export_package_newest"),
            # The sweep of expired ones.
            models.Index(fields=["expires_at"], name="export_package_expiry"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_being_made(self) -> bool:
        """Whether it is being made, or waiting for that."""
        return self.status in self.Status.unmade()


class PackagePart(models.Model):
    """A piece of a package's file, sealed."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    package = models.ForeignKey(
        ExportPackage, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["package", "number"], name="package_part_unique"),
        ]
