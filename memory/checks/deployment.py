"""Warnings of `check --deploy`: settings that are unsafe on a network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}

# The id, whether it applies, the message and the hint.
Finding = tuple[str, bool, str, str]


@register(Tags.security, deploy=True)
def deployment(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    return [
        Warning(message, hint, id=f"throughline.{code}")
        for code, is_unsafe, message, hint in _list_findings()
        if is_unsafe
    ]


def _list_findings() -> Iterator[Finding]:
    """Yield each warning."""
    yield from _check_keys()
    yield from _check_network()


def _check_keys() -> Iterator[Finding]:
    generated, master = settings.DATA_DIR / "secret.key", settings.MASTER_KEY_FILE
    has_own_file = not settings.MASTER_KEY and not _is_with_data(master)
    yield (
        "W003",
        generated.exists() and generated.read_text().strip() == settings.SECRET_KEY,
        "SECRET_KEY was generated.",
        "Set SECRET_KEY to 50 or more random characters.",
    )
    yield (
        "W004",
        not is_master_key_apart(),
        "The master key lies beside the data.",
        "Set MASTER_KEY, or MASTER_KEY_FILE to a file outside DATA_DIR and its backups.",
    )
    yield (
        "W013",
        has_own_file and not master.exists(),
        "MASTER_KEY_FILE doesn't exist yet, so each machine would generate its own.",
        "Put the same file on every machine before its first start.",
    )
    yield (
        "W011",
        not settings.CERTIFICATE_KEY,
        "Each machine signs with a key of its own.",
        "Set CERTIFICATE_KEY to the same value on every machine.",
    )


def _check_network() -> Iterator[Finding]:
    yield (
        "W005",
        not settings.HTTPS,
        "Passwords travel in the clear.",
        "Set HTTPS=true behind a proxy that speaks TLS, and TRUSTED_PROXIES=1.",
    )
    yield (
        "W006",
        set(settings.ALLOWED_HOSTS) <= LOCAL_HOSTS,
        "Only requests to this machine's own names are answered.",
        "Set ALLOWED_HOSTS to the names that browsers use.",
    )
    yield (
        "W007",
        "*" in settings.ALLOWED_HOSTS,
        "Any Host header is accepted.",
        "Name the hosts in ALLOWED_HOSTS.",
    )
    yield (
        "W008",
        "console" in settings.EMAIL_BACKEND,
        "Mail, including password resets, goes to the log.",
        "Set EMAIL_URL, for example smtp+tls://USER:PASSWORD@HOST:587.",
    )


def _is_with_data(file: Path) -> bool:
    return file.resolve().is_relative_to(settings.DATA_DIR.resolve())


def is_master_key_apart() -> bool:
    """Return whether the master key is stored apart from the data that it seals."""
    return bool(settings.MASTER_KEY) or not _is_with_data(settings.MASTER_KEY_FILE)
