"""Train the model that rewrites follow-ups, or measure it on conversations it has not seen."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand

from memory.recall.rewriting import Rewrite, training
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
        learned, alone = training.examples(folder), training.standing_alone(folder)
        self.stderr.write(f"{len(learned)} follow-ups, {len(alone)} questions that stand alone")
        training.out_of_fold(learned, alone)
        if options["cross_validate"] is None:
            training.write(learned, alone, out)
            return
        with options["cross_validate"].open("w", encoding="utf-8") as file:
            left = [row for row in training.held_out(learned, alone) if self.written(file, *row)]
        kept = [rewritten.query == each.conversation.question.text for each, rewritten in left]
        self.stdout.write(f"left exactly alone {sum(kept) / len(kept):.3f} of {len(kept)}")

    def written(self, file: TextIO, example: training.Example, rewritten: Rewrite) -> bool:
        """Write a follow-up's line; return whether it is a question that stands alone instead."""
        if example.weight != 1.0:
            return True
        row = {name: example.line[name] for name in ("dataset", "conv_id", "turn_id")}
        row |= {"rewrite": rewritten.query, "reason": rewritten.reason}
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return False
