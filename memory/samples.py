"""Figures too costly to count at each read of /metrics: the clock's job samples them."""

from collections import Counter
from datetime import timedelta

from django.apps import apps
from django.core.cache import cache
from django.db import connections
from django.db.models import Avg, Count, F, Q
from django.utils import timezone

from memory.models import Session

# The value of a gauge's label, and a number.
Value = tuple[str, float]
SAMPLE, RECENT = "metrics.sample", "metrics.sampled"
EVERY_SECONDS = 900
# Lifetime in seconds: without a clock there are no figures rather than old ones.
KEPT_SECONDS = 3600
DAY = timedelta(days=1)
TABLE_SIZES = "SELECT relname, pg_total_relation_size(relid), n_live_tup FROM pg_stat_user_tables"
FILE_SIZE = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"


def take_samples() -> None:
    """Count again once the figures are older than a quarter of an hour."""
    if cache.add(RECENT, value=True, timeout=EVERY_SECONDS):
        cache.set(SAMPLE, _count_sessions() | _measure_storage(), KEPT_SECONDS)


def read_samples() -> dict[str, list[Value]]:
    """Return the last figures by the name of their metric; none without a clock."""
    return cache.get(SAMPLE) or {}


def _count_sessions() -> dict[str, list[Value]]:
    today = Q(last_activity__gte=timezone.now() - DAY)
    found = Session.objects.live().aggregate(
        sessions=Count("pk"),
        people=Count("owner", distinct=True, filter=today),
        lasted=Avg(F("last_activity") - F("created_at"), filter=Q(turn_count__gt=0)),
    )
    seconds = found["lasted"].total_seconds() if found["lasted"] else 0
    return {
        "sessions": [("", found["sessions"])],
        "people_active": [("", found["people"])],
        "session_seconds": [("", max(0, seconds))],
    }


def _measure_storage() -> dict[str, list[Value]]:
    """Return the bytes and rows of the models' tables, by PostgreSQL's statistics.

    On SQLite, the bytes of the whole file: measuring its tables would read all of it.
    """
    known = {model._meta.db_table for model in apps.get_models()}
    size, rows = Counter[str](), Counter[str]()
    for alias in connections:
        is_sqlite = connections[alias].vendor == "sqlite"
        with connections[alias].cursor() as cursor:
            cursor.execute(FILE_SIZE if is_sqlite else TABLE_SIZES)
            for name, *numbers in cursor.fetchall() if not is_sqlite else ():
                table = name if name in known else "other"
                size[table] += numbers[0]
                rows[table] += numbers[1]
            if is_sqlite:
                size[alias] += cursor.fetchone()[0]
    return {"storage_bytes": list(size.items()), "stored_rows": list(rows.items())}
