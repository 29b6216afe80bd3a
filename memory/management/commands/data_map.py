from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from memory.personal_data.data_map import TABLES, Rule, get_handling, rules

PAGE = Path("docs/privacy.md")
HEAD = """\
# What is stored of people

Made by `python manage.py data_map` from what each model declares; CI fails on a field that is
missing here. A *content* field holds what a person said, uploaded or was told; *identity*, who they
are; a *secret* lets someone in or opens something; a *trace* is what they did and when, a state, a
count, a setting; a *link* ties rows together; *system* is nothing of anyone. **Sealed** fields are
encrypted under the person's own key: when they are erased, the key is destroyed first.
"""


class Command(BaseCommand):
    help = f"Write {PAGE}: every stored field, what it is, how it is erased, if it is exported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--print", action="store_true", help="print it instead")

    def handle(self, **options: Any) -> None:
        text = page()
        if options["print"]:
            self.stdout.write(text, ending="")
        else:
            PAGE.write_text(text)


def page() -> str:
    """Return the page in Markdown; other packages' models only as they always are installed."""
    always = [rule for rule in rules() if not rule.model.startswith("socialaccount.")]
    parts = [HEAD]
    for model, fields in groupby(always, key=lambda rule: rule.model):
        parts.append("\n".join(_section(model, list(fields))))
    tables = "\n".join(f"| `{table}` | {words} |" for table, words in TABLES.items())
    parts.append(f"## Tables without a model\n\n| table | what is in it |\n|---|---|\n{tables}")
    return "\n\n".join(parts) + "\n"


def _section(model: str, fields: list[Rule]) -> Iterator[str]:
    handling = get_handling(apps.get_model(model))
    yield f"## {model}\n"
    if handling and (handling.stays or handling.goes):
        yield (handling.stays or f"Goes {handling.goes}.") + "\n"
    yield "| field | kind | when its person is erased | in their export |\n|---|---|---|---|"
    yield from (
        f"| `{rule.field}` | {rule.kind} | {rule.erasure} | {'yes' if rule.is_exported else 'no'} |"
        for rule in fields
    )
