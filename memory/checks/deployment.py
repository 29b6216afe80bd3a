"""What is unsafe where others can reach it: told by `check --deploy` only."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

Messages = list[CheckMessage]


@register(Tags.security, deploy=True)
def own_secrets(app_configs: Any, **kwargs: Any) -> Messages:
    found: Messages = []
    generated = settings.DATA_DIR / "secret.key"
    if generated.exists() and generated.read_text().strip() == settings.SECRET_KEY:
        hint = "Set SECRET_KEY to 50 or more random characters."
        found.append(Warning("SECRET_KEY was made by itself.", hint, id="throughline.W003"))
    if not settings.MASTER_KEY and _is_with_data(settings.MASTER_KEY_FILE):
        hint = "Set MASTER_KEY, or MASTER_KEY_FILE to a file outside DATA_DIR and its backups."
        found.append(Warning("The master key lies beside the data.", hint, id="throughline.W004"))
    if not settings.CERTIFICATE_KEY and _is_with_data(settings.CERTIFICATE_KEY_FILE):
        hint = "Set CERTIFICATE_KEY, or CERTIFICATE_KEY_FILE to a file that all machines share."
        found.append(
            Warning("Each machine signs with a key of its own.", hint, id="throughline.W011")
        )
    return found


@register(Tags.security, deploy=True)
def shared_secrets(app_configs: Any, **kwargs: Any) -> Messages:
    """Look whether the files of secrets are there: a machine without one makes its own."""
    hint = "Put the same file on every machine before its first start."
    return [
        Warning(f"There is no {name}_FILE yet.", hint, id="throughline.W013")
        for name in ("MASTER_KEY", "CERTIFICATE_KEY")
        if not getattr(settings, name)
        and not _is_with_data(file := getattr(settings, f"{name}_FILE"))
        and not file.exists()
    ]


def _is_with_data(file: Path) -> bool:
    """Return whether who has DATA_DIR has the file, by whatever way either is named."""
    return file.resolve().is_relative_to(settings.DATA_DIR.resolve())


@register(Tags.security, deploy=True)
def reachable_safely(app_configs: Any, **kwargs: Any) -> Messages:
    found: Messages = []
    if not settings.HTTPS:
        hint = "Set HTTPS=true behind a proxy that speaks TLS, and TRUSTED_PROXIES=1."
        found.append(Warning("Passwords travel in the clear.", hint, id="throughline.W005"))
    if set(settings.ALLOWED_HOSTS) <= {"localhost", "127.0.0.1", "[::1]"}:
        hint = "Set ALLOWED_HOSTS to the names that browsers use."
        found.append(Warning("Only this machine is answered.", hint, id="throughline.W006"))
    if "*" in settings.ALLOWED_HOSTS:
        hint = "Name the hosts in ALLOWED_HOSTS."
        found.append(Warning("Any Host header is believed.", hint, id="throughline.W007"))
    return found


@register(Tags.security, deploy=True)
def private_accounts(app_configs: Any, **kwargs: Any) -> Messages:
    if settings.SIGNUP != "open" or settings.EMAIL_VERIFICATION == "mandatory":
        return []
    hint = "Set EMAIL_VERIFICATION=mandatory, or SIGNUP=closed."
    return [Warning("Signing up tells strangers who has an account.", hint, id="throughline.W009")]


@register(Tags.security, deploy=True)
def real_mail(app_configs: Any, **kwargs: Any) -> Messages:
    if "console" not in settings.EMAIL_BACKEND:
        return []
    hint = "Set EMAIL_URL, for example smtp+tls://USER:PASSWORD@HOST:587."
    return [Warning("Mail, password resets too, goes to the log.", hint, id="throughline.W008")]
