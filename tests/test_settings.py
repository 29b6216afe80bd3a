"""Settings: .env.example knows every variable and its default; URLs keep their options."""

import ast
import json
import re
from pathlib import Path
from typing import Any

from tests.servers import Installation
from tests.surroundings import ROOT, documented_variables

SHOW = """
import json
from django.conf import settings
others = ("LOGGING", "CONTEXT_ORIGINS")
names = [name for name in dir(settings) if name.isupper() and name not in others]
values = {name: getattr(settings, name) for name in names}
same = {name: value + 0.0 if isinstance(value, int) else value for name, value in values.items()}
print(json.dumps({name: repr(value) for name, value in same.items()}))
"""
# Their defaults are paths in DATA_DIR, which .env.example names for people.
PATHS = {"DATA_DIR", "DATABASE_URL", "KEYS_DATABASE_URL", "MASTER_KEY_FILE"}


def read_variables() -> set[str]:
    """Return the names that the settings read from the environment."""
    files = (ROOT / "config" / "settings").glob("*.py")
    return {
        call.args[0].value
        for file in files
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func).startswith(("env.", "build_database_settings"))
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def shown(folder: Path, **environment: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(Installation(folder, **environment).python(SHOW))
    return values


def test_the_example_explains_every_variable_and_no_other() -> None:
    assert documented_variables() == read_variables() - {"ENV_FILE"}


def test_the_production_example_sets_only_variables_that_are_read() -> None:
    assert documented_variables(".env.production.example") <= read_variables()


def test_what_the_example_calls_the_default_is_the_default(tmp_path: Path) -> None:
    text = (ROOT / ".env.example").read_text()
    defaults = dict(re.findall(r"^#([A-Z][A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
    given = {name: value for name, value in defaults.items() if name not in PATHS}
    assert shown(tmp_path, **given) == shown(tmp_path)


def test_a_file_of_variables_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("MAX_CITATIONS=7\nMAX_DOCUMENT_BYTES=50\n")
    values = shown(tmp_path, ENV_FILE=str(file), MAX_DOCUMENT_BYTES="60")
    assert (values["MAX_CITATIONS"], values["MAX_DOCUMENT_BYTES"]) == ("7.0", "60.0")


def test_options_of_a_database_url_are_kept(tmp_path: Path) -> None:
    url = "postgres://me@localhost/content?sslmode=require"
    databases = shown(tmp_path, DATABASE_URL=url)["DATABASES"]
    assert "'sslmode': 'require'" in databases
    assert "'pool'" in databases


def test_secrets_are_made_once_in_files_that_only_their_owner_reads(tmp_path: Path) -> None:
    first, second = shown(tmp_path), shown(tmp_path)
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
