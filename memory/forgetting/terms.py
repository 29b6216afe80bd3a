"""The terms of a retention policy, and what they are called and say in words."""

from django.utils.translation import gettext as _

from memory.forgetting.durations import in_words
from memory.models import RetentionPolicy

# The other fields of a policy say whose, which and since when.
TERMS = (
    "lifetime",
    "max_turns",
    "temporary_lifetime",
    "archived_lifetime",
    "pinned_lifetime",
    "export_lifetime",
    "audit_lifetime",
)
KEPT_IF_EMPTY = ("audit_lifetime",)


def terms_of(policy: RetentionPolicy) -> dict[str, int | None]:
    """Return the policy's terms by name."""
    return {name: getattr(policy, name) for name in TERMS}


def named(term: str) -> str:
    """Return what people call the term."""
    return str(RetentionPolicy._meta.get_field(term).verbose_name)  # type: ignore[union-attr]


def said(term: str, value: int | None) -> str:
    """Return the term's value in words: "7 days", "1,000", "as others"."""
    if value is None:
        return _("kept") if term in KEPT_IF_EMPTY else _("as others")
    return f"{value:,}" if term == "max_turns" else in_words(value)
