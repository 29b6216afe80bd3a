"""Checks of keys, of the databases, and of the permissions of their files."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from memory.sealing import MasterKeyError, get_master_keys
from memory.sealing.signing import SigningKeyError, get_public_keys

Messages = list[CheckMessage]
SECRET = re.compile(r"^(?!#)\w*(KEY|SECRET|PASSWORD|TOKEN)\s*=\s*\S", re.MULTILINE)
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-journal")
NAMED_AT_ONCE = 10
KEYS: dict[str, tuple[Callable[[], object], str]] = {
    "MASTER_KEY": (get_master_keys, "E009"),
    "CERTIFICATE_KEY": (get_public_keys, "E014"),
}
# Placeholders of secrets in .env.production.example.
PLACEHOLDER = "replace-this"
PLACEHOLDER_KEY = urlsafe_b64encode(b"replace-this-by-a-random-key-now").decode()


@register
def usable_keys(app_configs: Any, **kwargs: Any) -> Messages:
    """Read each key that exists; the first start generates the missing ones."""
    found: Messages = []
    hint = "32 random bytes as URL-safe base64; of several, the current one first."
    for name, (read, code) in KEYS.items():
        if not getattr(settings, name) and not getattr(settings, f"{name}_FILE").exists():
            continue
        try:
            read()
        except (MasterKeyError, SigningKeyError, OSError) as error:
            message = f"{name} can't be used: {error}."
            found.append(Error(message, hint, id=f"throughline.{code}"))
    return found


@register
def private_files(app_configs: Any, **kwargs: Any) -> Messages:
    """Warn of files with keys, data or secrets that other accounts can read."""
    keys = [getattr(settings, f"{name}_FILE") for name in KEYS if not getattr(settings, name)]
    data = sorted({*settings.DATA_DIR.iterdir(), *_list_database_files()} - set(keys))
    env = settings.ENV_FILE
    has_secrets = env.is_file() and bool(SECRET.search(env.read_text()))
    groups = [
        ("W002", "key files", keys),
        ("W012", "settings with keys", [env] if has_secrets else []),
        ("W015", "files with data", data),
    ]
    found: Messages = []
    for code, what, files in groups:
        if readable := [str(file) for file in files if file.is_file() and _is_readable(file)]:
            hint = f"chmod 600 {' '.join(map(quote, readable[:NAMED_AT_ONCE]))}"
            message = f"Others can read {what} ({len(readable)})."
            found.append(Warning(message, hint, id=f"throughline.{code}"))
    if _is_readable(settings.DATA_DIR):
        hint = f"chmod 700 {settings.DATA_DIR}"
        found.append(Warning("Others can enter DATA_DIR.", hint, id="throughline.W010"))
    return found


def _is_readable(path: Path) -> bool:
    """Return whether accounts other than the owner may read or write it."""
    return bool(path.stat().st_mode & 0o077)


def _list_database_files() -> set[Path]:
    """Return SQLite's databases and the files it writes beside them."""
    databases = [each for each in settings.DATABASES.values() if "sqlite" in str(each["ENGINE"])]
    return {Path(f"{each['NAME']}{suffix}") for each in databases for suffix in SQLITE_SUFFIXES}


@register
def two_databases(app_configs: Any, **kwargs: Any) -> Messages:
    content, keys = (
        [str(settings.DATABASES[alias].get(part, "")) for part in ("HOST", "PORT", "NAME")]
        for alias in ("default", "keys")
    )
    if content != keys:
        return []
    hint = "Give KEYS_DATABASE_URL another database, backed up apart from the first."
    return [Error("Keys and content are in one database.", hint, id="throughline.E010")]


@register(Tags.database)
def example_secrets(app_configs: Any, databases: Any = None, **kwargs: Any) -> Messages:
    """Refuse to migrate under the secrets of .env.production.example, which are public."""
    # `migrate` names databases, so `check --deploy` on the example stays silent.
    keys = f"{settings.MASTER_KEY} {settings.CERTIFICATE_KEY}"
    is_known = settings.SECRET_KEY.startswith(PLACEHOLDER) or PLACEHOLDER_KEY in keys
    if not is_known or not databases:
        return []
    hint = "Replace its three keys by your own; .env.production.example says how to make them."
    return [Error("The secrets are those of the example.", hint, id="throughline.E011")]
