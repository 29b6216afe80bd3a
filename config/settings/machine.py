"""The machine: data folder, address, secret key and logs."""

import os
import sys
from hashlib import sha256
from pathlib import Path

from config.context_file import ContextFile
from config.environment import Environment, usable
from config.logs import build_logging_config
from config.secrets import get_or_create_secret
from config.version import __version__

VERSION = __version__
BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = Environment()
ENV_FILE = Path(env.str("ENV_FILE", default=str(BASE_DIR / ".env")))
env.read_env(str(ENV_FILE))
env.read_folder(env.str("SECRETS_DIR", default=""))
context_file = ContextFile(env.str("CONTEXT_CONFIG", default=""))
CONTEXT_ORIGINS = context_file.apply(env.ENVIRON)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var")))
with usable("DATA_DIR"):
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
os.umask(0o077)  # databases, keys, messages: files of all our processes are private to their owner
# The prefix of temporary folders of this installation, to distinguish them on a shared machine.
TEMPORARY_PREFIX = f"throughline-{sha256(str(DATA_DIR.resolve()).encode()).hexdigest()[:12]}-"
DEBUG = env.bool("DEBUG", default=False)
with usable("DATA_DIR"):
    SECRET_KEY = env.str("SECRET_KEY", default="") or get_or_create_secret(DATA_DIR / "secret.key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# strict: the start requires the safeguards of health data (memory.checks.compliance).
COMPLIANCE = env.str("COMPLIANCE", default="")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HTTPS = env.bool("HTTPS", default=False)
# Address of `manage.py serve`, and its number of web processes.
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
# The address at which it serves, for commands that make links.
ADDRESS_FILE = DATA_DIR / "address"
WEB_WORKERS = env.int("WEB_WORKERS", default=2)
# Number of processes for background work.
WORKERS = env.int("WORKERS", default=2)
# Seconds of serving after SIGTERM, while /readyz refuses new requests.
DRAIN_SECONDS = env.float("DRAIN_SECONDS", default=0)
# Number of reverse proxies in front; with 0, forwarded addresses are not trusted.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
# The token for reading /metrics; without one, only this machine may.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# The receiver of traces, by OTLP over HTTP; none by default.
OTEL_EXPORTER_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
# Text at a terminal, JSON otherwise.
LOGGING = build_logging_config(level="INFO", as_json=not sys.stderr.isatty())
