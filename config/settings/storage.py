"""Databases, keys, the cache, background work and static files."""

from pathlib import Path

from config.settings.machine import BASE_DIR, COMPLIANCE, DATA_DIR, DEBUG, env

# --- Databases: content, and separate keys --------------------------------------------------------
SQLITE_OPTIONS: dict[str, object] = {
    # Concurrent transactions that read, then write, must wait for each other instead of failing.
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;",
}

# The role that owns the tables of both databases, if DATABASE_URL names another: then the database
# itself separates people's rows. Only its user and password are used.
_owner = env.db_url("DATABASE_OWNER_URL") if env.str("DATABASE_OWNER_URL", default="") else {}
DATABASE_OWNER = {name: _owner[name] for name in ("USER", "PASSWORD") if _owner}


def build_database_settings(variable: str, default_file: str) -> dict[str, object]:
    """Return Django's settings for the database at the URL, with the options its engine needs."""
    config = env.db_url(variable, default=f"sqlite:///{DATA_DIR / default_file}")
    if "sqlite" in config["ENGINE"]:
        config["ENGINE"] = "memory.sqlite"
        options: dict[str, object] = SQLITE_OPTIONS
        config["CONN_MAX_AGE"] = None  # opening a file costs more than keeping it
    else:
        # A process has sixteen threads that use the database, and a request has its own.
        options = {"pool": {"min_size": 1, "max_size": 20, "timeout": 10}}
        # One round trip for each connection taken: after a restart of the server no dead one is
        # used.
        config["CONN_HEALTH_CHECKS"] = True
        if DATABASE_OWNER:  # each statement carries its scope for row-level security
            config["ENGINE"] = "memory.postgresql"
    # Options of the URL (?sslmode=require) take precedence.
    config["OPTIONS"] = options | config.get("OPTIONS", {})
    return config


DATABASES = {
    "default": build_database_settings("DATABASE_URL", "throughline.sqlite3"),
    "keys": build_database_settings("KEYS_DATABASE_URL", "keys.sqlite3"),
}
DATABASE_ROUTERS = ["memory.sealing.routers.KeysRouter"]
# On PostgreSQL: longest wait of a migration for a lock, in seconds; others wait behind it.
MIGRATION_LOCK_TIMEOUT = 5
MASTER_KEY = env.str("MASTER_KEY", default="")
MASTER_KEY_FILE = Path(env.str("MASTER_KEY_FILE", default=str(DATA_DIR / "master.key")))

# The signing key of certificates of erasure.
CERTIFICATE_KEY = env.str("CERTIFICATE_KEY", default="")
CERTIFICATE_KEY_FILE = DATA_DIR / "certificate.key"

# strict: if an audit event can't be written, the read or act is refused.
AUDIT = env.str("AUDIT", default="strict" if COMPLIANCE else "normal")
# Receivers of signed heads of the audit's chain: file, syslog and https addresses. None: a file.
AUDIT_ANCHORS = env.list("AUDIT_ANCHORS", default=[])
# Receivers of every event: syslog, syslog+tls, syslog+udp and https addresses.
AUDIT_FEED = env.list("AUDIT_FEED", default=[])
AUDIT_ANCHORS_FILE = DATA_DIR / "audit-anchors.jsonl"

# The key of backups. It is never generated, since it must not be stored with the data.
BACKUP_KEY = env.str("BACKUP_KEY", default="")
# Lifetime of backups, as stated in certificates of erasure; 0: unknown.
BACKUP_DAYS = env.int("BACKUP_DAYS", default=0)

# --- Cache: only counters of guesses, in the database of the accounts -----------------------------
CACHES = {
    "default": {
        "BACKEND": "memory.people.sign_in.guess_counters.GuessCounters",
        "LOCATION": "cache",
        # The default of 300 entries would evict live lock-outs.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
        "KEY_FUNCTION": "memory.sealing.cache_keys.hashed",
    }
}

# --- Background work ------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://")
BROKER_DIR = DATA_DIR / "broker"
CLEANUP_INTERVAL = env.int("CLEANUP_INTERVAL", default=300)
JOB_SWEEP_INTERVAL = 5
# The work classes of a worker, by priority. `serve` sets them for each of its own.
WORKER_CLASSES = env.list("WORKER_CLASSES", default=["rights", "conversations", "bulk"])
JOB_LEASE = 60
# Seconds without a heartbeat after which a process, and all its answers, count as dead.
ANSWER_LEASE = 30
# Whether an interrupted answer is attempted once more automatically.
RESUME_INTERRUPTED = True

# --- Files served ---------------------------------------------------------------------------------
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
