"""make load: many people at once, on the engine that DATABASE_URL names.

    python -m tests.load [--small] [--only NAME ...] [--out FOLDER] [--set NAME=VALUE ...]

On SQLite with folders and a table as broker and cache, on PostgreSQL with Redis, as each would be
run. The clients and the language model take their share of the same processors; it is told apart.
"""

import argparse
import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.load import report
from tests.load.figures import Figures, figures_of
from tests.load.scenarios import SCENARIOS, run
from tests.servers import URLS, Blueprint, Redis


def main(arguments: argparse.Namespace) -> None:
    # All that was started is stopped, however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    databases = {name: os.environ[name] for name in URLS if name in os.environ}
    engine = "PostgreSQL" if databases else "SQLite"
    settings = dict(pair.split("=", 1) for pair in arguments.set)
    found: dict[str, Figures] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="throughline-load-")))
        if databases:
            redis = Redis(folder)
            stack.callback(redis.stop)
            settings = {"CELERY_BROKER_URL": redis.url, "REDIS_URL": redis.url} | settings
        blueprint = Blueprint(folder, databases)
        for scenario in SCENARIOS:
            if scenario.name not in (arguments.only or [engine, scenario.name]):
                continue
            if scenario.engines and engine not in scenario.engines:
                continue
            chosen = scenario.tenth() if arguments.small else scenario
            found[scenario.name] = figures_of(run(chosen, blueprint, **settings))
            say(f"{scenario.name}: {found[scenario.name].as_dict()}")
    say(f"\n## {engine}\n\n{report.table(found)}\n")
    report.write(arguments.out, engine, found)
    say(f"Figures are in {arguments.out}.")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the questions")
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--only", nargs="+", choices=names, help="these scenarios alone")
    parser.add_argument("--out", type=Path, default=Path("var/load"), help="where figures go")
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="settings")
    main(parser.parse_args())
