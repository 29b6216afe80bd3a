"""Train what tells whether a passage supports a claim, or measure it on topics it has not seen."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from citations.attribution.checking import ARTEFACT, training


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the development part of the evidence")
        parser.add_argument("--out", type=Path, default=ARTEFACT, help="where the model goes")
        parser.add_argument(
            "--cross-validate",
            type=Path,
            metavar="SCORES.jsonl",
            help="write scores by models that have not seen the topic, and no model",
        )

    def handle(self, *args: Any, folder: Path, out: Path, **options: Any) -> None:
        if options["cross_validate"] is None:
            training.write_artefacts(folder, out)
            return
        with options["cross_validate"].open("w", encoding="utf-8") as file:
            for line, by_vectors, by_words in training.held_out_scores(folder):
                told = {"source": line.source, "claim": line.claim, "supported": line.supported}
                file.write(json.dumps(told | {"score": by_vectors, "by_words": by_words}) + "\n")
