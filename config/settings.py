"""Every setting of Throughline, read from the environment; .env.example explains each."""

import os
from pathlib import Path

from csp.constants import NONCE, NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.utils.translation import get_language_info

from config.environment import Environment, origin_of
from config.logs import logging_config
from config.secrets import generated_once

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()
env.read_env(env.str("ENV_FILE", default=str(BASE_DIR / ".env")))

# --- The machine ----------------------------------------------------------------------------------
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var")))
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
os.umask(0o077)  # databases, keys, messages: what any of our processes writes is its owner's alone
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or generated_once(DATA_DIR / "secret.key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HTTPS = env.bool("HTTPS", default=False)
# Where `manage.py serve` listens, and with how many web processes.
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
WEB_WORKERS = env.int("WEB_WORKERS", default=2)
# How many reverse proxies of yours stand in front; 0 means forwarded addresses are not believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

# --- Applications ---------------------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "memory",
    "citations",
    "chat",
]
MIDDLEWARE = [
    "config.middleware.request_id",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.StaticFiles",
    "config.middleware.PagePolicies",
    "config.middleware.private_responses",
    "memory.people.web_sessions.HashedSessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "memory.people.display.personal_display",
    "memory.people.devices.keep_seen",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Databases: content, and keys apart from it ---------------------------------------------------
SQLITE_OPTIONS: dict[str, object] = {
    # Two tabs that read, then write, must wait for each other instead of failing at once.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;",
}


def database(variable: str, default_file: str) -> dict[str, object]:
    """Return Django's settings for the database at the URL, with the options its engine needs."""
    config = env.db_url(variable, default=f"sqlite:///{DATA_DIR / default_file}")
    if "sqlite" in config["ENGINE"]:
        options: dict[str, object] = SQLITE_OPTIONS
        config["CONN_MAX_AGE"] = None  # opening a file costs more than keeping it
    else:
        options = {"pool": {"min_size": 1, "max_size": 10, "timeout": 10}}
    # What the URL asks for (?sslmode=require) stays.
    config["OPTIONS"] = options | config.get("OPTIONS", {})
    return config


DATABASES = {
    "default": database("DATABASE_URL", "throughline.sqlite3"),
    "keys": database("KEYS_DATABASE_URL", "keys.sqlite3"),
}
DATABASE_ROUTERS = ["memory.sealing.routers.KeysRouter"]
MASTER_KEY = env.str("MASTER_KEY", default="")
MASTER_KEY_FILE = Path(env.str("MASTER_KEY_FILE", default=str(DATA_DIR / "master.key")))

# What certificates of erasure are signed with.
CERTIFICATE_KEY = env.str("CERTIFICATE_KEY", default="")
CERTIFICATE_KEY_FILE = Path(
    env.str("CERTIFICATE_KEY_FILE", default=str(DATA_DIR / "certificate.key"))
)
# Seconds between the confirmation of a request for erasure and its beginning.
ERASURE_GRACE = env.int("ERASURE_GRACE", default=86_400)

# --- Cache: shared between processes, because lock-outs are counted in it -------------------------
REDIS_URL = env.str("REDIS_URL", default="")
CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
            # The default of 300 entries would evict live lock-outs.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    )
    | {"KEY_FUNCTION": "memory.sealing.cache_keys.hashed"}
}

# --- Background work ------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://")
BROKER_DIR = DATA_DIR / "broker"
CLEANUP_INTERVAL = env.int("CLEANUP_INTERVAL", default=300)
JOB_SWEEP_INTERVAL = env.int("JOB_SWEEP_INTERVAL", default=5)
JOB_LEASE = env.int("JOB_LEASE", default=60)
ANSWER_LEASE = env.int("ANSWER_LEASE", default=10)

# --- People ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "memory.User"
AUTHENTICATION_BACKENDS = ["memory.people.adapters.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SIGNUP = env.str("SIGNUP", default="closed")
# Where anyone may sign up, an address has to be theirs before it signs in.
EMAIL_VERIFICATION = env.str(
    "EMAIL_VERIFICATION", default="mandatory" if SIGNUP == "open" else "optional"
)
CONSENT_PRESUMED = env.list("CONSENT_PRESUMED", default=["store", "recall", "improve"])
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "chat:home"
PASSWORD_RESET_TIMEOUT = 3600
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "memory.people.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "memory.people.forms.SignUp",
    "change_password": "memory.people.forms.ChangePassword",
    "set_password": "memory.people.forms.SetPassword",
    "user_token": "memory.people.forms.ResetLink",
}
ACCOUNT_LOGIN_METHODS = ["username", "email"]
# Not the user name: saying that one is taken would tell who has an account.
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = EMAIL_VERIFICATION
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key,50/5m/ip"}
ACCOUNT_PREVENT_ENUMERATION = True
# Only a proxy of yours may name the client's address: the trusted count is the whole setting.
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
MFA_ADAPTER = "memory.people.adapters.FactorAdapter"
MFA_FORMS = {"activate_totp": "memory.people.forms.ActivateTotp"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Throughline"
# Browsers offer passkeys on plain HTTP to localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
DEFAULT_TIER = env.str("DEFAULT_TIER", default="default")
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Throughline <throughline@localhost>")

# --- Single sign-on: off unless a provider is named -----------------------------------------------
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", default="")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC_NAME = env.str("OIDC_NAME", default="Single sign-on")
OIDC_SIGNUP = env.str("OIDC_SIGNUP", default=SIGNUP)
if OIDC_SERVER_URL:
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
SOCIALACCOUNT_ADAPTER = "memory.people.adapters.ProviderAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "oidc",
                "name": OIDC_NAME,
                "client_id": OIDC_CLIENT_ID,
                "secret": OIDC_CLIENT_SECRET,
                "settings": {"server_url": OIDC_SERVER_URL},
            }
        ],
    }
}
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_EMAIL_VERIFICATION = EMAIL_VERIFICATION

# --- Security -------------------------------------------------------------------------------------
SESSION_ENGINE = "memory.people.web_sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # probes speak plain HTTP from inside
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "chat.protocol.error_pages.expired_form"
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
MAX_BODY_BYTES = env.int("MAX_BODY_BYTES", default=1_048_576)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
# django-unfold and Swagger UI evaluate and style inline; only their own pages allow it.
LOOSER_POLICIES: dict[str, dict[str, list[object]]] = {
    "/admin/": {
        "script-src": [SELF, UNSAFE_EVAL, NONCE],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
    },
    # The provider answers these forms by sending the browser on to itself.
    **(
        {
            path: {"form-action": [SELF, origin_of(OIDC_SERVER_URL)]}
            for path in ("/account/login/", "/account/oidc/")
        }
        if OIDC_SERVER_URL
        else {}
    ),
    # The QR code for an authenticator app is drawn into the page.
    "/account/2fa/": {"img-src": [SELF, "data:"]},
    "/api/docs": {
        "script-src": [SELF, NONCE],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:"],
    },
}

# --- API ------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "chat.protocol.credentials.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "chat.protocol.errors.error_response",
    "URL_FORMAT_OVERRIDE": None,
}
KNOX_TOKEN_MODEL = "memory.ApiToken"
TOKEN_DAYS = env.int("TOKEN_DAYS", default=90)
MIGRATION_MODULES = {"knox": None}  # its own table of tokens is never used
SPECTACULAR_SETTINGS = {
    "TITLE": "Throughline",
    "DESCRIPTION": "Conversations over a library of documents, with checked citations. "
    "[Examples to copy](/api/examples) in curl, Python and JavaScript.",
    "VERSION": "1",
    # Its schemas are JSON Schema, so that any validator can hold an answer against them.
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "chat.api.schema.components.complete",
    ],
    # Named as what answers say of them is: by their classes.
    "ENUM_NAME_OVERRIDES": {
        "AnswerLength": "memory.models.conversations.AnswerLength",
        "CitationStyle": "memory.models.conversations.CitationStyle",
        "DocumentStandingStanding": "citations.models.DocumentStanding.Standing",
        "EntityKind": "memory.models.Entity.Kind",
        "ErasureRequestScope": "memory.models.ErasureRequest.Scope",
        "Purpose": "memory.models.Purpose",
        "Strategy": "memory.models.conversations.Strategy",
    },
}

# --- Sessions and the window ----------------------------------------------------------------------
SESSION_TTL = env.int("SESSION_TTL", default=86_400)
MAX_TURNS_PER_SESSION = env.int("MAX_TURNS_PER_SESSION", default=100)
TURNS_PER_HOUR = env.int("TURNS_PER_HOUR", default=100)
UPLOADS_PER_HOUR = env.int("UPLOADS_PER_HOUR", default=100)
REQUESTS_PER_MINUTE = env.int("REQUESTS_PER_MINUTE", default=120)
MAX_TOKENS_PER_CONTEXT = env.int("MAX_TOKENS_PER_CONTEXT", default=4096)
CONTEXT_BUILDING_STRATEGY = env.str("CONTEXT_BUILDING_STRATEGY", default="auto")
DYNAMIC_ALLOCATION = env.bool("DYNAMIC_ALLOCATION", default=True)
MAX_HISTORY_TURNS = env.int("MAX_HISTORY_TURNS", default=10)
HISTORY_TOKENS = env.int("HISTORY_TOKENS", default=1500)
MAX_MESSAGE_TOKENS = env.int("MAX_MESSAGE_TOKENS", default=500)
MIN_RELEVANCE_SCORE = env.float("MIN_RELEVANCE_SCORE", default=0.3)
MAX_QUESTION_LENGTH = env.int("MAX_QUESTION_LENGTH", default=8000)
# Which text of the prompts: the older one is kept to be measured against.
PROMPT_VERSION = env.str("PROMPT_VERSION", default="2")
TOKEN_ENCODING = env.str("TOKEN_ENCODING", default="cl100k_base")
TOKEN_MARGIN = env.float("TOKEN_MARGIN", default=0.05)

# --- Citations ------------------------------------------------------------------------------------
CITATION_STYLE = env.str("CITATION_STYLE", default="inline")
MAX_CITATIONS = env.int("MAX_CITATIONS", default=10)
CITATION_THRESHOLD = env.float("CITATION_THRESHOLD", default=0.5)
# A second opinion on what is cited: none, or model, which is asked about each supported statement.
CITATION_JUDGE = env.str("CITATION_JUDGE", default="none")
SNIPPET_LENGTH = env.int("SNIPPET_LENGTH", default=100)
DOCUMENT_BIAS = env.float("DOCUMENT_BIAS", default=1.15)
MAX_DOCUMENT_BYTES = env.int("MAX_DOCUMENT_BYTES", default=20_971_520)
MAX_DOCUMENT_PAGES = env.int("MAX_DOCUMENT_PAGES", default=2000)
# What reads pages that are pictures: none, or tesseract, a program of that name.
OCR = env.str("OCR", default="none")
# One document with its form around it, held in memory: a file would outlive its request on disk.
MAX_UPLOAD_BYTES = FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_DOCUMENT_BYTES + 65_536
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# --- Models ---------------------------------------------------------------------------------------
LLM_BASE_URL = env.str("LLM_BASE_URL", default="")
LLM_MODEL = env.str("LLM_MODEL", default="")
LLM_API_KEY = env.str("LLM_API_KEY", default="")
LLM_TEMPERATURE = env.float("LLM_TEMPERATURE", default=0.2)
LLM_WINDOW = env.int("LLM_WINDOW", default=0)
LLM_MAX_OUTPUT = env.int("LLM_MAX_OUTPUT", default=0)
LLM_LIMIT_PARAMETER = env.str("LLM_LIMIT_PARAMETER", default="")
LLM_MODELS = env.json("LLM_MODELS", default=[])
LLM_FALLBACK_MODEL = env.str("LLM_FALLBACK_MODEL", default="")
LLM_CONNECT_TIMEOUT = env.float("LLM_CONNECT_TIMEOUT", default=5)
LLM_FIRST_TOKEN_TIMEOUT = env.float("LLM_FIRST_TOKEN_TIMEOUT", default=120)
LLM_STALL_TIMEOUT = env.float("LLM_STALL_TIMEOUT", default=30)
LLM_ASK_TIMEOUT = env.float("LLM_ASK_TIMEOUT", default=15)
# So long, in seconds, an answer waits for a model's rewrite of its question, beside the search.
LLM_REWRITE_TIMEOUT = env.float("LLM_REWRITE_TIMEOUT", default=2)
LLM_TOTAL_TIMEOUT = env.float("LLM_TOTAL_TIMEOUT", default=180)
LLM_RETRIES = env.int("LLM_RETRIES", default=2)
ANSWER_LENGTH = env.str("ANSWER_LENGTH", default="normal")
FALLBACK = env.str("FALLBACK", default="quoting")
EMBEDDING = env.str("EMBEDDING", default="auto")
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", default="")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", default="")

# --- Files served, words, time, logs --------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="en")
LOCALE_PATHS = [BASE_DIR / "locale"]
# Those there are words for: the browser's wish can't mix ours with Django's own translations.
LANGUAGES = [("en", "English")] + [
    (code, get_language_info(code)["name_local"].capitalize())
    for code in sorted(catalog.parts[-3] for catalog in BASE_DIR.glob("locale/*/LC_MESSAGES/*.mo"))
]
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = env.time_zone("TIME_ZONE", default="UTC")
LOGGING = logging_config(
    level=env.log_level("LOG_LEVEL", default="INFO"), as_json=env.bool("LOG_JSON", default=True)
)
UNFOLD = {
    "SITE_TITLE": "Throughline",
    "SITE_HEADER": "Throughline",
    "SHOW_HISTORY": False,
    "DASHBOARD_CALLBACK": "memory.admin.dashboard.page.dashboard",
    "SIDEBAR": {"navigation": "memory.admin.dashboard.page.navigation"},
    "STYLES": ["memory.admin.dashboard.page.stylesheet"],
    "SCRIPTS": ["memory.admin.dashboard.page.script"],
    # Passwords are changed where each guess at the old one is counted.
    "ACCOUNT": {"navigation": "memory.admin.dashboard.page.account_links"},
    # The accent of the other pages, from light to dark.
    "COLORS": {
        "primary": {
            str(shade): f"oklch({lightness}% {chroma} 176)"
            for shade, lightness, chroma in (
                (50, 97, 0.015),
                (100, 93, 0.03),
                (200, 87, 0.05),
                (300, 79, 0.07),
                (400, 70, 0.085),
                (500, 58, 0.09),
                (600, 48, 0.08),
                (700, 41, 0.07),
                (800, 35, 0.055),
                (900, 29, 0.045),
                (950, 21, 0.03),
            )
        }
    },
}
