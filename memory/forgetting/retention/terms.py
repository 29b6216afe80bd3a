"""The terms of a retention policy, their names, and their wording."""

from django.utils.translation import gettext as _, ngettext

from memory.models import RetentionPolicy
from memory.models.governance.policies import ADDRESS_LIFETIME

# The other fields of a policy hold its tier, version, author and time.
TERMS = (
    "lifetime",
    "max_turns",
    "temporary_lifetime",
    "archived_lifetime",
    "pinned_lifetime",
    "export_lifetime",
    "fact_lifetime",
    "audit_lifetime",
    "address_lifetime",
)
KEPT_IF_EMPTY = ("fact_lifetime", "audit_lifetime")


def get_terms(policy: RetentionPolicy) -> dict[str, int | None]:
    """Return the policy's terms by name."""
    return {name: getattr(policy, name) for name in TERMS}


def get_term_name(term: str) -> str:
    """Return the name of the term."""
    return str(RetentionPolicy._meta.get_field(term).verbose_name)  # type: ignore[union-attr]


def said(term: str, value: int | None) -> str:
    """Return the term's value in words: "7 days", "1,000", "as others"."""
    if term == "address_lifetime":
        return format_duration(value or ADDRESS_LIFETIME)
    if value is None:
        return _("kept") if term in KEPT_IF_EMPTY else _("as others")
    return f"{value:,}" if term == "max_turns" else format_duration(value)


# Durations in words.

MINUTE, HOUR, DAY = 60, 3600, 86_400


def format_duration(seconds: int) -> str:
    """Return a duration in its largest whole unit: "7 days", "90 minutes"."""
    if seconds and seconds % DAY == 0:
        days = seconds // DAY
        return ngettext("%(days)d day", "%(days)d days", days) % {"days": days}
    if seconds and seconds % HOUR == 0:
        hours = seconds // HOUR
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    if seconds and seconds % MINUTE == 0:
        minutes = seconds // MINUTE
        return ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
    return ngettext("%(seconds)d second", "%(seconds)d seconds", seconds) % {"seconds": seconds}
