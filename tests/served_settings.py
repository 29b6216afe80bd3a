"""The settings of programs that tests start: constants of the product that only tests change."""

import os

# Loading config loads Celery, which reads Django's settings while these are being made.
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

from config.celery import app
from config.settings import *  # noqa: F403
from config.settings import DATABASES

NUMBERS = """
    ANSWERS_AT_WORK ANSWERS_WAITING ANSWER_LEASE ERASURE_GRACE JOB_LEASE JOB_SWEEP_INTERVAL
    LLM_ASK_TIMEOUT LLM_FIRST_TOKEN_TIMEOUT LLM_RETRIES LLM_STALL_TIMEOUT REQUESTS_PER_MINUTE
    TOKEN_DAYS TURNS_PER_HOUR UPLOADS_PER_HOUR
""".split()
WORDS = ["ACCOUNT_EMAIL_VERIFICATION", "FALLBACK", "OIDC_NAME"]

os.environ["DJANGO_SETTINGS_MODULE"] = __name__
given = {name: int(os.environ[name]) for name in NUMBERS if name in os.environ}
globals().update(given, **{name: os.environ[name] for name in WORDS if name in os.environ})
if "RESUME_INTERRUPTED" in os.environ:
    RESUME_INTERRUPTED = os.environ["RESUME_INTERRUPTED"] == "true"
if "JOB_SWEEP_INTERVAL" in given and "sweep" in app.conf.beat_schedule:
    app.conf.beat_schedule["sweep"]["schedule"] = given["JOB_SWEEP_INTERVAL"]
if "DATABASE_POOL" in os.environ:
    for database in DATABASES.values():
        if "pool" in database["OPTIONS"]:
            database["OPTIONS"]["pool"]["max_size"] = int(os.environ["DATABASE_POOL"])
