"""The requirements of COMPLIANCE=strict: an installation that lacks one doesn't start."""

from collections.abc import Callable, Iterator
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError

from memory.checks.deployment import LOCAL_HOSTS, is_master_key_apart
from memory.models import RetentionPolicy
from memory.models.governance.policies import LONGEST_STRICT
from memory.models.people import Tier

ENCRYPTED = ("https", "rediss", "amqps", "filesystem")
# Modes of libpq that encrypt; those that authenticate the server need its authority's certificate.
VERIFYING, ENCRYPTING = "verify-full", ("verify-ca", "require")


class Requirement(NamedTuple):
    """A variable, its condition, and the remedy where that fails."""

    name: str
    holds: Callable[[], bool]
    hint: str


REQUIREMENTS = (
    Requirement("AUDIT", lambda: settings.AUDIT == "strict", "Leave it out, or set strict."),
    Requirement("DEBUG", lambda: not settings.DEBUG, "Leave it out: it shows data in tracebacks."),
    Requirement(
        "HTTPS",
        lambda: settings.HTTPS or _is_local_only(),
        "Set true, behind a proxy that speaks TLS.",
    ),
    Requirement(
        "IDLE_MINUTES",
        lambda: 0 < settings.IDLE_MINUTES <= 60,
        "Set more than 0 and at most 60, or leave it out for 15.",
    ),
    Requirement("SIGNUP", lambda: settings.SIGNUP == "closed", "Set closed."),
    Requirement(
        "SESSION_TTL",
        lambda: settings.SESSION_TTL <= LONGEST_STRICT,
        "Set at most 2592000: no tier may keep a conversation for more than 30 days.",
    ),
    Requirement(
        "MASTER_KEY",
        is_master_key_apart,
        "Set it, or MASTER_KEY_FILE to a file outside DATA_DIR and its backups.",
    ),
    Requirement(
        "DATABASE_URL",
        lambda: _is_database_private("default"),
        "Add ?sslmode=verify-full, or require with sslrootcert; SQLite needs neither.",
    ),
    Requirement(
        "KEYS_DATABASE_URL",
        lambda: _is_database_private("keys"),
        "Add ?sslmode=verify-full, or require with sslrootcert; SQLite needs neither.",
    ),
    Requirement(
        "CELERY_BROKER_URL",
        lambda: _is_private(settings.CELERY_BROKER_URL),
        "Use rediss:// with ssl_cert_reqs=CERT_REQUIRED, amqps:// or filesystem://.",
    ),
    Requirement("EMAIL_URL", lambda: _is_mail_private(), "Use smtp+tls:// or smtp+ssl://."),
    Requirement("LLM_BASE_URL", lambda: _is_private(settings.LLM_BASE_URL), "Use https://."),
    Requirement(
        "LLM_MODELS",
        lambda: all(map(_is_private, _list_further_addresses())),
        "Use https:// in each.",
    ),
    Requirement(
        "EMBEDDING_BASE_URL", lambda: _is_private(settings.EMBEDDING_BASE_URL), "Use https://."
    ),
    Requirement(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        lambda: _is_private(settings.OTEL_EXPORTER_OTLP_ENDPOINT),
        "Use https://.",
    ),
    Requirement(
        "MODEL_HOSTS",
        lambda: all(map(_is_listed, _list_model_addresses())),
        "Name each host of LLM_BASE_URL, LLM_MODELS and EMBEDDING_BASE_URL that has your data.",
    ),
)


@register
def strict_compliance(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report each requirement that isn't met."""
    unmet = [each for each in REQUIREMENTS if not each.holds()] if settings.COMPLIANCE else []
    return [
        Error(f"COMPLIANCE=strict refuses this {each.name}.", each.hint, id="throughline.E020")
        for each in unmet
    ]


@register(Tags.database)
def strict_policies(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Report each tier whose policy keeps conversations for too long."""
    if not settings.COMPLIANCE or not databases:
        return []
    try:
        found = [*_find_long_policies()]
    except DatabaseError:  # before the first migration there are none
        return []
    return [
        Error(
            f"COMPLIANCE=strict refuses the policy of the tier {tier}.",
            "Start without COMPLIANCE, and let no conversation live for more than 30 days.",
            id="throughline.E021",
        )
        for tier in found
    ]


def _find_long_policies() -> Iterator[str]:
    for tier in Tier.values:
        ruling = RetentionPolicy.objects.ruling(tier)
        times = (ruling.lifetime, ruling.archived_lifetime, ruling.pinned_lifetime)
        if max(time or 0 for time in times) > LONGEST_STRICT:
            yield tier


def _is_private(address: str) -> bool:
    """Return whether data sent to the address is safe from eavesdropping."""
    parts = urlsplit(address)
    is_encrypted = parts.scheme in ENCRYPTED and "none" not in parts.query.lower()
    return not address or is_encrypted or _is_loopback(parts.hostname)


def _is_local_only() -> bool:
    return _is_loopback(settings.HOST) and set(settings.ALLOWED_HOSTS) <= LOCAL_HOSTS


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _is_database_private(alias: str) -> bool:
    """Return whether the database is a file, on this machine, or reached by verified TLS."""
    database: dict[str, Any] = settings.DATABASES[alias]
    host, options = str(database.get("HOST", "")), database["OPTIONS"]
    is_here = "sqlite" in str(database["ENGINE"]) or host[:1] in ("", "/") or _is_loopback(host)
    mode, authority = options.get("sslmode"), options.get("sslrootcert")
    return is_here or mode == VERIFYING or bool(mode in ENCRYPTING and authority)


def _is_mail_private() -> bool:
    is_encrypted = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    return "smtp" not in settings.EMAIL_BACKEND or is_encrypted or _is_loopback(settings.EMAIL_HOST)


def _list_further_addresses() -> list[str]:
    entries = settings.LLM_MODELS if isinstance(settings.LLM_MODELS, list) else []
    return [str(entry.get("base_url", "")) for entry in entries if isinstance(entry, dict)]


def _list_model_addresses() -> list[str]:
    return [settings.LLM_BASE_URL, settings.EMBEDDING_BASE_URL, *_list_further_addresses()]


def _is_listed(address: str) -> bool:
    host = urlsplit(address).hostname
    return not address or _is_loopback(host) or host in settings.MODEL_HOSTS
