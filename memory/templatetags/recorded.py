"""Template tags for certificates and records of erasures."""

from datetime import datetime

from django import template
from django.apps import apps

register = template.Library()


@register.filter
def moment(written: str | None) -> datetime | None:
    """Return the moment of a text such as "2026-11-22T12:39:11+00:00"."""
    return datetime.fromisoformat(written) if written else None


@register.filter
def grouped(number: object) -> str:
    """Return the number as "1,204"; any other value stays unchanged."""
    return f"{number:,}" if isinstance(number, int) else str(number)


@register.filter
def rows_called(label: str) -> str:
    """Return the plural name of a model, by its label such as "memory.turn"."""
    try:
        return str(apps.get_model(label)._meta.verbose_name_plural)
    except (LookupError, ValueError):  # from an earlier version of the product
        return label
