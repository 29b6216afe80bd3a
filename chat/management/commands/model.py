"""Ask the language models that are set up what they can do, and keep it in their profiles."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from chat.llm.configuring import list_configured
from chat.models import ModelProfile
from chat.shapes import answer_failures
from memory.people.staff.operators import RecordedCommand

SHOWN = (
    "name model server window max_output limit_parameter takes_temperature takes_system "
    "reports_usage reasons begins_in_thought ratio problem"
).split()


class Command(RecordedCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        asked = acts.add_parser("probe", help="a few small calls to each model")
        asked.add_argument("name", nargs="?", help="of one model; all if none is named")
        asked.add_argument("--json", action="store_true", help="a line of JSON for each model")

    def handle(self, *, name: str | None, **options: Any) -> None:
        from chat.llm.probing import probe  # noqa: PLC0415 - it loads the SDK, which is slow

        models = [model for model in list_configured() if name in (None, model.name)]
        if not models:
            raise CommandError("There is no such model." if name else "No model is set up.")
        rows = [probe(model) for model in models]
        for row in rows:
            self._write(row, as_json=options["json"])
        if any(row.problem for row in rows):
            raise CommandError("Not every model answers.")

    def _write(self, row: ModelProfile, *, as_json: bool) -> None:
        values = {name: getattr(row, name) for name in SHOWN}
        if as_json:
            self.stdout.write(json.dumps(values))
            return
        for name, value in values.items():
            known = "not known" if value in (None, "") else str(value)
            if name == "problem":
                known = answer_failures.describe_failure(row.problem) if row.problem else "none"
            self.stdout.write(f"{name}: {known}")
        self.stdout.write("")
