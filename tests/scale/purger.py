"""A purge in a process of its own: `python -m tests.scale.purger` prints its figures as JSON."""

import json
import resource
import time

import django


def figures() -> dict[str, float]:
    """Purge what has expired, and return how long that took, with how much memory."""
    from memory.forgetting.retention.due import Due
    from memory.forgetting.retention.purging import purge

    began = time.perf_counter()
    purged = purge(Due())
    return {
        "seconds": time.perf_counter() - began,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "sessions": purged.sessions,
        "turns": purged.turns,
        "skipped": purged.skipped,
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps(figures()))
