"""COMPLIANCE=strict: what the start demands, and that docs/hipaa.md names each of it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from memory.admin.retention.terms import TermsForm
from memory.checks.compliance import REQUIREMENTS
from memory.models import RetentionPolicy
from memory.models.governance.policies import LONGEST_STRICT, make_default_policy
from tests.surroundings import ROOT
from tests.test_checks import KEY, manage

SMTP = "django.core.mail.backends.smtp.EmailBackend"
REMOTE = "postgres://me@db.example.org/throughline"
# By setting: values that refuse the start, and values that allow it.
CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("AUDIT", {"AUDIT": "normal"}, {"AUDIT": "strict"}),
    ("DEBUG", {"DEBUG": True}, {"DEBUG": False}),
    ("HTTPS", {"ALLOWED_HOSTS": ["chat.example.org"]}, {"HTTPS": True, "ALLOWED_HOSTS": ["c.org"]}),
    ("HTTPS", {"HOST": "0.0.0.0"}, {"HOST": "0.0.0.0", "HTTPS": True}),
    (
        "CELERY_BROKER_URL",
        {"CELERY_BROKER_URL": "rediss://redis.example.org?ssl_cert_reqs=CERT_NONE"},
        {"CELERY_BROKER_URL": "rediss://redis.example.org?ssl_cert_reqs=CERT_REQUIRED"},
    ),
    ("IDLE_MINUTES", {"IDLE_MINUTES": 0}, {"IDLE_MINUTES": 60}),
    ("IDLE_MINUTES", {"IDLE_MINUTES": 61}, {"IDLE_MINUTES": 0.5}),
    ("SIGNUP", {"SIGNUP": "open"}, {"SIGNUP": "closed", "OIDC_SIGNUP": "open"}),
    ("SESSION_TTL", {"SESSION_TTL": LONGEST_STRICT + 1}, {"SESSION_TTL": LONGEST_STRICT}),
    ("MASTER_KEY", {"MASTER_KEY": ""}, {"MASTER_KEY": "", "MASTER_KEY_FILE": Path("/run/a.key")}),
    (
        "CELERY_BROKER_URL",
        {"CELERY_BROKER_URL": "redis://redis.example.org"},
        {"CELERY_BROKER_URL": "rediss://redis.example.org"},
    ),
    (
        "CELERY_BROKER_URL",
        {"CELERY_BROKER_URL": "amqp://mq"},
        {"CELERY_BROKER_URL": "redis://[::1]"},
    ),
    (
        "EMAIL_URL",
        {"EMAIL_BACKEND": SMTP, "EMAIL_HOST": "mail.example.org"},
        {"EMAIL_BACKEND": SMTP, "EMAIL_HOST": "mail.example.org", "EMAIL_USE_TLS": True},
    ),
    (
        "LLM_BASE_URL",
        {"LLM_BASE_URL": "http://10.0.0.7/v1"},
        {"LLM_BASE_URL": "http://127.0.0.1/v1"},
    ),
    (
        "LLM_MODELS",
        {"LLM_MODELS": [{"base_url": "http://models.example.org"}]},
        {"LLM_MODELS": [{"base_url": "http://localhost:11434/v1"}, {"name": "same"}]},
    ),
    (
        "EMBEDDING_BASE_URL",
        {"EMBEDDING_BASE_URL": "http://models.example.org"},
        {"EMBEDDING_BASE_URL": "http://[::1]:9000"},
    ),
    (
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://traces.example.org"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://traces.example.org"},
    ),
    (
        "MODEL_HOSTS",
        {"LLM_BASE_URL": "https://models.example.org/v1"},
        {"LLM_BASE_URL": "https://models.example.org/v1", "MODEL_HOSTS": ["models.example.org"]},
    ),
    (
        "MODEL_HOSTS",
        {"LLM_MODELS": [{"base_url": "https://models.example.org.evil.org"}]},
        {"LLM_MODELS": [{"base_url": "https://m.org"}], "MODEL_HOSTS": ["m.org"]},
    ),
]
SQLITE = {"ENGINE": "memory.sqlite", "NAME": "/a/file", "OPTIONS": {}}
DATABASES = [
    ("db.example.org", {}, False),
    ("db.example.org", {"sslmode": "require"}, False),
    ("db.example.org", {"sslmode": "prefer", "sslrootcert": "ca.pem"}, False),
    ("db.example.org", {"sslmode": "require", "sslrootcert": "ca.pem"}, True),
    ("db.example.org", {"sslmode": "verify-full"}, True),
    ("127.0.0.1", {}, True),
    ("/run/postgresql", {}, True),
]


@pytest.fixture
def strict(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    settings.COMPLIANCE = settings.AUDIT = "strict"
    settings.IDLE_MINUTES, settings.MASTER_KEY = 15, KEY
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    for alias in ("default", "keys"):
        monkeypatch.setitem(settings.DATABASES, alias, SQLITE | {"NAME": alias})
    return settings


def refused() -> set[str]:
    found = [each for each in run_checks() if each.id == "throughline.E020"]
    assert all(each.hint for each in found)
    return {re.findall("[A-Z][A-Z_]+", each.msg)[-1] for each in found}


@pytest.mark.parametrize(("name", "bad", "good"), CASES)
def test_each_requirement_is_demanded_and_can_be_met(
    strict: Settings, name: str, bad: dict[str, Any], good: dict[str, Any]
) -> None:
    assert refused() == set()
    for values, expected in ((bad, {name}), (good, set())):
        for variable, value in values.items():
            setattr(strict, variable, value)
        assert refused() >= expected
        assert (name in refused()) is bool(expected)
    strict.COMPLIANCE = ""
    assert refused() == set()


@pytest.mark.parametrize(("host", "options", "is_accepted"), DATABASES)
@pytest.mark.parametrize(
    ("alias", "name"), [("default", "DATABASE_URL"), ("keys", "KEYS_DATABASE_URL")]
)
def test_a_database_is_on_this_machine_or_reached_by_verified_tls(
    strict: Settings,
    monkeypatch: pytest.MonkeyPatch,
    alias: str,
    name: str,
    host: str,
    options: dict[str, str],
    is_accepted: bool,
) -> None:
    engine = "django.db.backends.postgresql"
    database = {"ENGINE": engine, "NAME": alias, "HOST": host, "OPTIONS": options}
    monkeypatch.setitem(strict.DATABASES, alias, database)
    assert refused() == (set() if is_accepted else {name})


def test_each_requirement_has_a_case_and_a_row_in_the_papers() -> None:
    names = {each.name for each in REQUIREMENTS}
    assert names == {name for name, *_ in CASES} | {"DATABASE_URL", "KEYS_DATABASE_URL"}
    paper = (ROOT / "docs" / "hipaa.md").read_text()
    assert names <= set(re.findall(r"`([A-Z_]+)", paper))


@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_an_installation_that_lacks_a_requirement_is_not_started(
    tmp_path: Path, command: str
) -> None:
    done = manage(tmp_path, command, COMPLIANCE="strict", ALLOWED_HOSTS="chat.example.org")
    assert done.returncode == 1
    assert "COMPLIANCE=strict refuses this HTTPS." in done.stderr
    assert "COMPLIANCE=strict refuses this MASTER_KEY." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
def test_no_tier_keeps_conversations_for_more_than_thirty_days(settings: Settings) -> None:
    settings.COMPLIANCE = "strict"
    policy = make_default_policy("research")
    terms = {"lifetime_0": 30, "lifetime_1": 86_400, "pinned_lifetime_0": 31}
    form = TermsForm({**terms, "pinned_lifetime_1": 86_400}, ruling=policy)
    assert "pinned_lifetime" in form.errors
    assert "lifetime" not in form.errors
    policy.version, policy.pinned_lifetime = 1, LONGEST_STRICT + 1
    policy.save()
    found = [each for each in run_checks(databases=["default"]) if each.id == "throughline.E021"]
    assert [each.msg for each in found] == [
        "COMPLIANCE=strict refuses the policy of the tier research."
    ]
    RetentionPolicy.objects.update(pinned_lifetime=LONGEST_STRICT)
    assert "throughline.E021" not in {each.id for each in run_checks(databases=["default"])}
