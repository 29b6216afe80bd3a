"""The product's own settings, in an environment that no machine and no .env leaks into.

The addresses of databases alone are kept: they choose the engine (tests/postgres.py).
"""

import atexit
import os
import shutil
import tempfile

from tests.surroundings import UNLIMITED, documented_variables

SCRATCH = tempfile.mkdtemp(prefix="throughline-tests-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)

for name in documented_variables() - {"DATABASE_URL", "KEYS_DATABASE_URL", "DATABASE_OWNER_URL"}:
    os.environ.pop(name, None)
os.environ |= {
    "ENV_FILE": "",
    "DATA_DIR": SCRATCH,
    "PROMETHEUS_MULTIPROC_DIR": f"{SCRATCH}/metrics",
    **UNLIMITED,
    # Loading config loads Celery, which reads Django's settings while these are being made;
    # and programs that tests start run under the product's own.
    "DJANGO_SETTINGS_MODULE": "config.settings",
}

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES  # noqa: E402

# Files, as in life: threads of a test share them, and wait for each other as processes do. Nobody
# pulls the plug on a test, so it doesn't wait for the disk; the programs that it starts do.
for alias, database in DATABASES.items():
    if "sqlite" in str(database["ENGINE"]):
        database["TEST"] = {"NAME": f"{SCRATCH}/test-{alias}.sqlite3"}
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # Argon2 is slow by design
MFA_TOTP_PERIOD = 24 * 3600  # no code ends while it is sent
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True
TURNS_PER_HOUR = UPLOADS_PER_HOUR = REQUESTS_PER_MINUTE = int(UNLIMITED["TURNS_PER_HOUR"])
