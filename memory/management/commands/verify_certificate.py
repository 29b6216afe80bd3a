import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.forgetting.erasure.certificates import verify


class Command(BaseCommand):
    help = "Tell whether a file is a certificate of erasure that this instance signed, unchanged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} can't be read as text.") from error
        verdict = verify(text)
        if not verdict.is_valid:
            raise CommandError(verdict.reason)
        # The signed content, because the file's text may be read differently.
        said = json.dumps(verdict.content, indent=2, sort_keys=True, ensure_ascii=False)
        self.stdout.write(f"{verdict.reason} It says:\n{said}")
