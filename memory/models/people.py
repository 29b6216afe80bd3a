"""People, their tier, and the keys that their words are sealed under."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.forgetting.handling import Handling


class Tier(models.TextChoices):
    """How long and how much a person's sessions may be, and how fast they may grow."""

    DEFAULT = "default", _("Default")
    ENTERPRISE = "enterprise", _("Enterprise")
    RESEARCH = "research", _("Research")

    @property
    def lifetime(self) -> timedelta:
        """How long a session lives after its last question or answer."""
        seconds = {"enterprise": 7 * 86_400, "research": 30 * 86_400}
        return timedelta(seconds=seconds.get(self.value, settings.SESSION_TTL))

    @property
    def max_turns(self) -> int:
        """How many turns a session may hold."""
        turns = {"enterprise": 1000, "research": 5000}
        return turns.get(self.value, settings.MAX_TURNS_PER_SESSION)

    @property
    def turns_an_hour(self) -> int:
        """How many questions may be asked within an hour."""
        turns = {"enterprise": 1000, "research": 1000}
        return turns.get(self.value, settings.TURNS_PER_HOUR)

    @property
    def uploads_an_hour(self) -> int:
        """How many documents may be added within an hour."""
        uploads = {"enterprise": 1000, "research": 1000}
        return uploads.get(self.value, settings.UPLOADS_PER_HOUR)

    @property
    def requests_a_minute(self) -> int:
        """How many requests may be sent to the API within a minute."""
        requests = {"enterprise": 600, "research": 600}
        return requests.get(self.value, settings.REQUESTS_PER_MINUTE)


def default_tier() -> str:
    return str(settings.DEFAULT_TIER)


class User(AbstractUser):
    """A person who signs in."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tier = models.CharField(_("tier"), max_length=16, choices=Tier, default=default_tier)
    # Empty: as the browser and the instance say.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    language = models.CharField(_("language"), max_length=16, blank=True)
    # Not a field: whoever makes an account for themselves is asked instead (forgetting.consent).
    presumes_consent = True
    # Seconds after which their conversations expire; it can only shorten the tier's time.
    own_lifetime = models.PositiveIntegerField(_("own lifetime"), null=True, blank=True)

    handling: ClassVar = Handling(
        person="pk",
        identity="username first_name last_name email",
        secret="password",
        trace=(
            "tier time_zone language own_lifetime last_login is_superuser is_staff is_active "
            "date_joined"
        ),
        link="id groups user_permissions",
        withheld="groups user_permissions",
    )

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    def __str__(self) -> str:
        # A name would outlive its person in logs and in the admin's history.
        return str(self.pk)

    @property
    def limits(self) -> Tier:
        return Tier(self.tier)
