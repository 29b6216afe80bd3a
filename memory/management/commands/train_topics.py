"""Train what tells whether a question goes on with a topic, or measure it on conversations it has
not seen."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memory.recall.topics import ARTEFACT, LIMIT, LIMIT_BY_WORDS, training
from memory.text.embedding import BUILT_IN


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the sets, one file of JSON lines each")
        parser.add_argument("--out", type=Path, default=ARTEFACT, help="where the model goes")
        parser.add_argument("--cross-validate", action="store_true", help="measure, write no model")

    def handle(self, *args: Any, folder: Path, out: Path, **options: Any) -> None:
        learned = list(training.examples(folder))
        self.stderr.write(f"{len(learned)} questions")
        if not options["cross_validate"]:
            training.write(learned, out)
            return
        found, leaves = training.held_out(learned)
        for view, name in enumerate(("words", *BUILT_IN)):
            told = found[:, view] > (LIMIT if view else LIMIT_BY_WORDS)
            right = float((told & (leaves > 0)).sum())
            precision, recall = right / max(told.sum(), 1), right / leaves.sum()
            self.stdout.write(f"{name}: precision {precision:.3f} recall {recall:.3f}")
