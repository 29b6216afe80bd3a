"""Recording of settings that changed at a start: their names, with old and new values."""

import json
import logging
import re
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.views.debug import SafeExceptionReporterFilter

from memory.audit import recording
from memory.errors import describe_error
from memory.models import EffectiveSettings

log = logging.getLogger(__name__)

# Processes of one installation differ in these.
OF_PROCESSES = {"ALIVE_FILE", "HOST", "PORT", "WORKER_CLASSES"}
LONGEST_VALUE = 200
# Credentials in addresses, and the query, which may hold some.
CREDENTIALS = re.compile(r"(?<=://)[^/@\s\"]*@|\?[^\s\",]*")


def record_settings() -> None:
    """Record the settings that this start changed; only the first of several processes does so."""
    values = _read_values()
    try:
        with transaction.atomic():
            rows = EffectiveSettings.objects.select_for_update()
            row, is_first = rows.get_or_create(pk=1, defaults={"values": values})
            if is_first or row.values == values:
                return
            before, row.values = row.values, values
            row.save()
            names = sorted(before.keys() | values.keys())
            changes = {
                name: (before.get(name), values.get(name))
                for name in names
                if before.get(name) != values.get(name)
            }
            recording.record("settings.changed", actor=None, change=json.dumps(changes))
    except DatabaseError as error:
        log.error("audit_lost", extra={"action": "settings.changed", **describe_error(error)})


def _read_values() -> dict[str, str]:
    """Return the settings of the product that are no secrets, as texts."""
    # Django's own filter of secrets: keys, passwords, tokens.
    safe = SafeExceptionReporterFilter().get_safe_settings()
    texts: dict[str, str | None] = {}
    for name in safe.keys() - OF_PROCESSES:
        value = getattr(settings, name)
        is_plain = isinstance(value, int | float)  # such as ANSWER_TOKENS
        if settings.is_overridden(name):
            texts[name] = _format_setting(value if is_plain else safe[name])
    return {name: text for name, text in texts.items() if text is not None}


def _format_setting(value: Any) -> str | None:
    """Return the value as JSON without credentials; None where it is no plain value."""
    try:
        text = json.dumps(value, sort_keys=True, default=_convert_to_plain)
    except TypeError:
        return None
    return CREDENTIALS.sub("", text)[:LONGEST_VALUE]


def _convert_to_plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value)
    if type(value).__module__ in ("pathlib", "datetime", "builtins") and not callable(value):
        return str(value)
    raise TypeError
