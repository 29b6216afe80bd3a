"""Train the model that rewrites follow-ups, or measure it on conversations it has not seen."""

import json
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memory.recall.rewriting.selection import training
from memory.recall.rewriting.selection.choosing import ARTEFACT


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the sets, one file of JSON lines each")
        parser.add_argument("--out", type=Path, default=ARTEFACT, help="where the model goes")
        parser.add_argument(
            "--cross-validate",
            type=Path,
            metavar="HYP.jsonl",
            help="write rewrites by models that have not seen the conversation, and no model",
        )

    def handle(self, *args: Any, folder: Path, out: Path, **options: Any) -> None:
        learned = training.examples(folder)
        self.stderr.write(f"{len(learned)} follow-ups")
        training.out_of_fold(learned)
        if options["cross_validate"] is None:
            training.write(learned, out)
            return
        with options["cross_validate"].open("w", encoding="utf-8") as file:
            write = partial(json.dumps, ensure_ascii=False)
            file.writelines(write(row) + "\n" for row in training.held_out(learned))
