"""Someone who writes while a purge runs: fifty small transactions a second, each one timed.

`python -m tests.scale.writer STOP_FILE` writes until the file is there, then prints its figures.
"""

import json
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

A_SECOND = 50


def write_until(stop: Path) -> dict[str, float]:
    """Store questions of a live conversation until the file is there; return milliseconds."""
    from django.db import DatabaseError, transaction
    from django.utils import timezone

    from memory.models import Session, Turn
    from tests.people import person

    owner = person(f"writer-{time.time_ns()}")
    expires = {"expires_at": timezone.now() + timedelta(days=1)}
    session = Session.objects.create(owner=owner, **expires)
    times, errors, position = [], 0, 0
    first = due = time.perf_counter()
    while not stop.exists():
        time.sleep(max(0, due - time.perf_counter()))
        began = time.perf_counter()
        due = max(due + 1 / A_SECOND, began)
        position += 1
        try:
            with transaction.atomic():
                Session.objects.select_for_update().get(pk=session.pk)
                Turn.objects.create(
                    session=session,
                    owner=owner,
                    position=position,
                    query="What now?",
                    query_tokens=3,
                    status="complete",
                )
                Session.objects.filter(pk=session.pk).update(last_position=position)
        except DatabaseError:
            errors += 1
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return {
        "errors": errors,
        "a_second": len(times) / (time.perf_counter() - first),
        "median": times[len(times) // 2],
        "p99": times[int(len(times) * 0.99)],
        "max": times[-1],
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps(write_until(Path(sys.argv[1]))))
