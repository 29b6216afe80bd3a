"""make scale: a million turns, half of them expired, purged beside someone who writes (P23).

`python -m tests.scale [TURNS]` works in a DATA_DIR of its own, on the engine that DATABASE_URL
names, and prints a table; docs/measured.md has its times.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.servers import URLS, Installation
from tests.surroundings import PYTHON, end

AIMS = {
    "seconds": 60,
    "megabytes": 250,
    "p99": 250,
    "max": 1000,
    "errors": 0,
    "left": 0,
    "orphans": 0,
    "lost": 0,
}
STATE = """
import json
from citations.models import Citation
from memory.models import Session, Turn
from memory.forgetting.retention.due import Due
from django.db.models import Exists, OuterRef
live = Session.objects.live().filter(owner__username__startswith="person-")
orphans = Citation.objects.filter(~Exists(Turn.objects.filter(pk=OuterRef("turn_id")))).count()
turns = Turn.objects.filter(owner__username__startswith="person-").count()
left = Due().sessions().count()
print(json.dumps({"left": left, "orphans": orphans, "turns": turns, "live": live.count()}))
"""


def main(turns: int) -> None:
    databases = {name: os.environ[name] for name in URLS if name in os.environ}
    engine = "PostgreSQL" if databases else "SQLite"
    with tempfile.TemporaryDirectory(prefix="throughline-scale-") as folder:
        installation = Installation(Path(folder), **databases)
        installation.manage("prepare")
        installation.run(PYTHON, "-m", "tests.scale.material", str(turns))
        before = json.loads(installation.python(STATE))
        alone = _written(installation, "alone", lambda: time.sleep(10))
        figures: dict[str, float] = {}

        def purge() -> None:
            figures.update(json.loads(installation.run(PYTHON, "-m", "tests.scale.purger")))

        beside = _written(installation, "beside", purge)
        after = json.loads(installation.python(STATE))
    found = figures | beside | after
    stayed = before["turns"] - figures["turns"]
    found["lost"] = stayed - after["turns"] + before["live"] - after["live"]
    _report(engine, turns, alone, found)


def _written(installation: Installation, name: str, act: object) -> dict[str, float]:
    """Return what someone who writes found while the act went on."""
    stop, log = installation.data_dir / f"{name}.stop", f"{name}.log"
    writer = installation.spawn(PYTHON, "-m", "tests.scale.writer", str(stop), log=log)
    time.sleep(5)
    try:
        act()  # type: ignore[operator]
    finally:
        stop.touch()
        writer.wait(timeout=120)
        end(writer)
    return json.loads(installation.log(log).splitlines()[-1])


def _report(engine: str, turns: int, alone: dict[str, float], found: dict[str, float]) -> None:
    say(f"## {engine}: {turns:,} turns and as many citations, half of them expired\n")
    say("| | reached | aim |\n|---|---|---|")
    for name, aim in AIMS.items():
        say(f"| {LABELS[name]} | {found[name]:,.0f} | {aim:,} |")
    say(f"| writer: median, ms | {found['median']:.0f} | |")
    say(f"| writer alone: median, 99 % within, at most, ms | {_three(alone)} | |\n")


def _three(figures: dict[str, float]) -> str:
    return ", ".join(f"{figures[name]:.0f}" for name in ("median", "p99", "max"))


LABELS = {
    "seconds": "seconds of the purge",
    "megabytes": "its memory, MB",
    "p99": "writer: 99 % within, ms",
    "max": "writer: at most, ms",
    "errors": "writer: errors",
    "left": "expired sessions left",
    "orphans": "citations without a turn",
    "lost": "live turns and sessions lost",
}


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
