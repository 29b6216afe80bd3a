"""The environment, read strictly: a value that can't be understood ends the start in one line.

Values are never repeated in the message: one put into the wrong variable may be a secret.
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

EXPECTED = {bool: "true or false", int: "a whole number", float: "a number"}
ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
BOOLEANS = {*environ.Env.BOOLEAN_TRUE_STRINGS, "false", "off", "no", "n", "0", ""}


class Environment(environ.Env):  # type: ignore[misc]
    """django-environ's Env with strict parsing and plain error messages."""

    def get_value(self, var: str, cast: Any = None, **options: Any) -> Any:
        with _understood(var, EXPECTED.get(cast, "another kind of value")):
            return super().get_value(var, cast, **options)

    @classmethod
    def parse_value(cls, value: Any, cast: Any) -> Any:
        # A mistyped HTTPS=ture must not mean false.
        if cast is bool and str(value).strip().lower() not in BOOLEANS:
            raise ValueError
        if cast is float:  # django-environ would read 1e3 as 13, and 5 % as 5
            return float(value)
        return super().parse_value(value, cast)

    @classmethod
    def read_folder(cls, name: str) -> None:
        """Read each file of the folder as the variable of its name, unless that is set."""
        if not name:
            return
        with usable("SECRETS_DIR"):
            for file in sorted(Path(name).iterdir()):
                if VARIABLE.fullmatch(file.name) and file.is_file():
                    cls.ENVIRON.setdefault(file.name, file.read_text().rstrip("\n"))

    def db_url(self, var: str, **options: Any) -> dict[str, Any]:
        with _understood(var, "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:////PATH"):
            config = dict(super().db_url(var, **options))
            if config.get("ENGINE") not in ENGINES:
                raise ValueError
            return config

    def email_url(self, var: str, **options: Any) -> dict[str, Any]:
        with _understood(var, "smtp+tls://USER:PASSWORD@HOST:PORT or consolemail://"):
            return dict(super().email_url(var, **options))

    def time_zone(self, var: str, *, default: str) -> str:
        with _understood(var, "a name such as Europe/Berlin"):
            return str(ZoneInfo(self.str(var, default=default)))


def get_origin(url: str) -> str:
    """Return scheme, host and port of the address, as a content security policy names them."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@contextmanager
def usable(variable: str) -> Iterator[None]:
    """End the start in one line if the variable's folder can't be used."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SystemExit(f"{variable} can't be used: {error.filename}: {reason}.") from error


@contextmanager
def _understood(variable: str, expected: str) -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # django-environ only warns of an unknown engine
            yield
    except (ImproperlyConfigured, UserWarning, ValueError, KeyError) as error:
        # Raised from settings, anything else would end in a page of traceback.
        raise SystemExit(
            f"{variable} can't be understood: expected {expected}. See .env.example."
        ) from error
