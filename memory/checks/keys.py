"""Keys, databases and the folder they are in, looked at with every start."""

import re
from base64 import urlsafe_b64encode
from pathlib import Path
from shlex import quote
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from memory.forgetting.erasure.certificates import CertificateKeyError, public_keys
from memory.sealing import MasterKeyError, master_keys

Messages = list[CheckMessage]
SECRET = re.compile(r"^(?!#)\w*(KEY|SECRET|PASSWORD|TOKEN)\s*=\s*\S", re.MULTILINE)
# What SQLite and its writers' queue (memory.sqlite) keep beside a database.
BESIDE_SQLITE = ("-wal", "-shm", "-journal", "-turns")
# In one hint; the next check names others.
NAMED_AT_ONCE = 10
# What .env.production.example has in the place of secrets.
PLACEHOLDER = "replace-this"
PLACEHOLDER_KEY = urlsafe_b64encode(b"replace-this-by-a-random-key-now").decode()


@register
def master_key(app_configs: Any, **kwargs: Any) -> Messages:
    """Look at the key, or at its file if there is one: the first start makes it."""
    file = settings.MASTER_KEY_FILE
    if not settings.MASTER_KEY and not file.exists():
        return []
    try:
        master_keys()
    except (MasterKeyError, OSError) as error:
        hint = "32 random bytes as URL-safe base64; of several, the current one first."
        return [Error(f"The master key can't be used: {error}.", hint, id="throughline.E009")]
    return []


@register
def key_files(app_configs: Any, **kwargs: Any) -> Messages:
    """Look who may read the files of keys that are used."""
    return [
        Warning(f"Others can read {name}.", f"chmod 600 {quote(str(file))}", id="throughline.W002")
        for name, file in _key_files().items()
        if _is_open(file)
    ]


def _key_files() -> dict[str, Path]:
    names = ("MASTER_KEY", "CERTIFICATE_KEY", "BACKUP_KEY")
    files = {f"{name}_FILE": getattr(settings, f"{name}_FILE") for name in names}
    return {
        name: Path(file)
        for name, file in files.items()
        if file and not getattr(settings, name.removesuffix("_FILE"))
    }


def _is_open(file: Path) -> bool:
    """Return whether it is a file that others than its owner may read or write."""
    return file.is_file() and bool(file.stat().st_mode & 0o077)


@register
def data_files(app_configs: Any, **kwargs: Any) -> Messages:
    """Look who may read the databases, wherever they are, and what lies beside them."""
    files = {*settings.DATA_DIR.iterdir(), *_database_files()} - set(_key_files().values())
    found = sorted(str(file) for file in files if _is_open(file))
    if not found:
        return []
    some = " ".join(map(quote, found[:NAMED_AT_ONCE]))
    message = f"Others can read {len(found)} of the files with data."
    return [Warning(message, f"chmod 600 {some}", id="throughline.W015")]


def _database_files() -> set[Path]:
    """Return SQLite's databases with what it writes beside them."""
    names = {
        str(database["NAME"])
        for database in settings.DATABASES.values()
        if "sqlite" in str(database["ENGINE"])
    }
    return {Path(name + suffix) for name in names for suffix in ("", *BESIDE_SQLITE)}


@register
def data_folder(app_configs: Any, **kwargs: Any) -> Messages:
    """Look who may enter the folder of databases and keys."""
    if settings.DATA_DIR.stat().st_mode & 0o077:
        hint = f"chmod 700 {settings.DATA_DIR}"
        return [Warning("Others can enter DATA_DIR.", hint, id="throughline.W010")]
    return []


@register
def settings_file(app_configs: Any, **kwargs: Any) -> Messages:
    """Look who may read the file of settings, if it has a secret in it."""
    file = settings.ENV_FILE
    if file.is_file() and file.stat().st_mode & 0o077 and SECRET.search(file.read_text()):
        hint = f"chmod 600 {file}"
        return [Warning("Others can read the keys in the settings.", hint, id="throughline.W012")]
    return []


@register
def certificate_key(app_configs: Any, **kwargs: Any) -> Messages:
    """Look at the key, or at its file if there is one: the first certificate makes it."""
    if not settings.CERTIFICATE_KEY and not settings.CERTIFICATE_KEY_FILE.exists():
        return []
    try:
        public_keys()
    except (CertificateKeyError, OSError) as error:
        hint = "32 random bytes as URL-safe base64; of several, the current one first."
        return [Error(f"The certificate key can't be used: {error}.", hint, id="throughline.E014")]
    return []


@register
def two_databases(app_configs: Any, **kwargs: Any) -> Messages:
    places = [
        tuple(str(settings.DATABASES[alias].get(part, "")) for part in ("HOST", "PORT", "NAME"))
        for alias in ("default", "keys")
    ]
    if places[0] != places[1]:
        return []
    hint = "Give KEYS_DATABASE_URL another database, backed up apart from the first."
    return [Error("Keys and content are in one database.", hint, id="throughline.E010")]


@register(Tags.database)
def example_secrets(app_configs: Any, databases: Any = None, **kwargs: Any) -> Messages:
    """Refuse to migrate under the secrets of .env.production.example, which everyone knows."""
    # Databases are named by `migrate`, so that `check --deploy` on the example stays silent.
    keys = f"{settings.MASTER_KEY} {settings.CERTIFICATE_KEY}"
    known = settings.SECRET_KEY.startswith(PLACEHOLDER) or PLACEHOLDER_KEY in keys
    if not known or not databases:
        return []
    hint = "Replace its three keys by your own; .env.production.example says how to make them."
    return [Error("The secrets are those of the example.", hint, id="throughline.E011")]
