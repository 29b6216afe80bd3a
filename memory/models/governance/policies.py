"""Retention policies, and the runs that apply them."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.models.people import Tier

TEMPORARY_LIFETIME = 3600
EXPORT_LIFETIME = 86_400
LONGEST_EXPORT = 7 * 86_400
# The shortest retention of the audit: a shorter one could hide acts soon after them.
SHORTEST_AUDIT = 90 * 86_400
ADDRESS_LIFETIME = 90 * 86_400
# The longest lifetime under COMPLIANCE=strict: that of the longest tier.
LONGEST_STRICT = 30 * 86_400


class RetentionPolicyQuerySet(models.QuerySet["RetentionPolicy"]):
    def ruling(self, tier: str) -> "RetentionPolicy":
        """Return the newest version of the tier's policy; version 0 comes from the settings."""
        return self.filter(tier=tier).order_by("-version").first() or make_default_policy(tier)


class RetentionPolicy(models.Model):
    """One version of a tier's retention terms, in seconds; the newest version applies.

    With an empty lifetime, archived and pinned sessions live as long as others; facts and the audit
    are kept.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tier = models.CharField(_("tier"), max_length=16, choices=Tier)
    version = models.PositiveIntegerField(_("version"))
    lifetime = models.PositiveIntegerField(_("conversations"))
    max_turns = models.PositiveIntegerField(_("turns of a conversation"))
    temporary_lifetime = models.PositiveIntegerField(
        _("temporary conversations"), default=TEMPORARY_LIFETIME
    )
    archived_lifetime = models.PositiveIntegerField(_("archived conversations"), null=True)
    pinned_lifetime = models.PositiveIntegerField(_("pinned conversations"), null=True)
    export_lifetime = models.PositiveIntegerField(_("exports"), default=EXPORT_LIFETIME)
    fact_lifetime = models.PositiveIntegerField(_("facts"), null=True)
    audit_lifetime = models.PositiveIntegerField(_("audit"), null=True)
    # None: ADDRESS_LIFETIME.
    address_lifetime = models.PositiveIntegerField(_("addresses in the audit"), null=True)
    # No foreign key: a policy outlives the account of its author.
    author_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        system=(
            "id tier version lifetime max_turns temporary_lifetime archived_lifetime "
            "pinned_lifetime export_lifetime fact_lifetime audit_lifetime "
            "address_lifetime"
        ),
        stays="A policy outlives the account of whoever made it.",
    )

    objects = RetentionPolicyQuerySet.as_manager()

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tier", "version"], name="policy_version_unique"),
            models.CheckConstraint(
                condition=Q(audit_lifetime=None) | Q(audit_lifetime__gte=SHORTEST_AUDIT),
                name="policy_audit_is_kept",
            ),
            models.CheckConstraint(
                condition=Q(export_lifetime__lte=LONGEST_EXPORT), name="policy_exports_end"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tier} {self.version}"

    def get_lifetime(self, *, temporary: bool, pinned: bool, archived: bool) -> timedelta:
        """Return the session's lifetime after its last activity."""
        seconds = self.lifetime
        if pinned and self.pinned_lifetime is not None:
            seconds = self.pinned_lifetime
        elif archived and self.archived_lifetime is not None:
            seconds = self.archived_lifetime
        return timedelta(seconds=min(seconds, self.temporary_lifetime) if temporary else seconds)


def make_default_policy(tier: str) -> RetentionPolicy:
    """Make version 0 of the tier's policy, from the settings."""
    first = Tier(tier)
    lifetime = int(first.lifetime.total_seconds())
    return RetentionPolicy(tier=tier, version=0, lifetime=lifetime, max_turns=first.max_turns)


class RetentionRun(models.Model):
    """A change of a policy, or a purge, from preview to end, with expected and actual counts.

    previewed -> running -> done | failed | superseded | stopped; an unconfirmed change stays
    previewed. A run is superseded when the policy that it applies is no longer the newest.
    """

    class Status(models.TextChoices):
        PREVIEWED = "previewed", _("Previewed")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        SUPERSEDED = "superseded", _("Superseded: another policy rules by now")
        STOPPED = "stopped", _("Stopped")

    class Stage(models.TextChoices):
        RESTAMPING = "restamping", _("New ends are being given")
        PURGING = "purging", _("What has expired is being deleted")
        TRIMMING = "trimming", _("Questions over the cap are being deleted")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    status = models.CharField(max_length=16, choices=Status, default=Status.PREVIEWED)
    # The sessions of a tier, of one person who moves to the tier, or of everyone.
    tier = models.CharField(max_length=16, choices=Tier, blank=True)
    person_id = models.UUIDField(null=True)
    # The new terms, by field of RetentionPolicy; empty when the terms stay.
    terms = models.JSONField(default=dict)
    # The terms that they replace, as of the preview.
    before = models.JSONField(default=dict)
    # Fingerprint of the policies at the preview: a run refuses under other policies.
    basis = models.CharField(max_length=64)
    # No foreign keys: the record outlives accounts.
    author_id = models.UUIDField(null=True)
    confirmed_by_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # The confirmed version of the tier's policy, and the position of the work on it.
    version = models.PositiveIntegerField(null=True)
    stage = models.CharField(max_length=16, choices=Stage, default=Stage.RESTAMPING)
    reached = models.UUIDField(null=True)
    # As previewed: the rows to be deleted. Held sessions stay, and are counted separately.
    people = models.PositiveIntegerField(default=0)
    sessions = models.PositiveIntegerField(default=0)
    turns = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)  # in bytes, as they are sealed
    held = models.PositiveIntegerField(default=0)
    excess = models.PositiveBigIntegerField(default=0)  # turns over a lowered limit
    excess_sessions = models.PositiveIntegerField(default=0)
    lines = models.PositiveBigIntegerField(default=0)  # audit events
    facts = models.PositiveBigIntegerField(default=0, db_default=0)  # confirmed facts
    # The same by tier, in the form of memory.forgetting.retention.counting.
    counts = models.JSONField(default=list)
    # Actual counts.
    restamped = models.PositiveIntegerField(default=0)
    sessions_gone = models.PositiveIntegerField(default=0)
    turns_gone = models.PositiveBigIntegerField(default=0)
    trimmed = models.PositiveBigIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    # Lag of the purge at the beginning of a sweep, in seconds.
    lag = models.PositiveIntegerField(null=True)

    handling: ClassVar = Handling(
        trace="counts",
        system="tier terms before basis version",
        stays="Counts and ids: the record of what was purged, and by whom.",
    )

    class Meta:
        verbose_name = _("preview or run")
        verbose_name_plural = _("previews and runs")
        indexes: ClassVar = [
            # The page of runs, newest first.
            models.Index(fields=["-created_at"], name="retention_run_newest"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    def count(self, **done: int) -> None:
        """Add to the run's counts, in the caller's transaction; insert an unstored run."""
        sums = {name: F(name) + number for name, number in done.items() if number}
        if not sums or RetentionRun.objects.filter(pk=self.pk).update(**sums):
            return
        for name, number in done.items():
            setattr(self, name, number)
        self.save(force_insert=True)


class PurgeFailure(models.Model):
    """A session whose purge failed, and the time of the next retry."""

    session_id = models.UUIDField(primary_key=True)
    failures = models.PositiveIntegerField(default=1)
    # The kind of error, never its message.
    error = models.CharField(max_length=80)
    retry_at = models.DateTimeField()
    noted_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(trace="error", goes="with the session, or when it is tried again")

    class Meta:
        verbose_name = _("failed purge")
        verbose_name_plural = _("failed purges")
