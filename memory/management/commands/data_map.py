from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from memory.personal_data.data_map import TABLES, Erasure, Rule, get_handling, list_rules

PAGE = Path("docs/privacy.md")
HEAD = """\
# Stored fields

Written by `python manage.py data_map` from the models; CI fails if a field is missing. *Content* is
what a person said, uploaded or was told; *identity*, who they are; a *secret* lets someone in; a
*trace* is an act, a time, a state, a count or a setting; a *link* ties rows together; *system*
belongs to nobody. **Sealed** fields are encrypted under the person's key. *Shredded*: erasing the
person destroys that key at once. Each row says what erasure does, and if an export has the fields.
"""


class Command(BaseCommand):
    help = f"Write {PAGE}: every stored field, what it is, how it is erased, if it is exported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--print", action="store_true", help="print it instead")

    def handle(self, **options: Any) -> None:
        text = render_page()
        if options["print"]:
            self.stdout.write(text, ending="")
        else:
            PAGE.write_text(text)


def render_page() -> str:
    """Return the page in Markdown; of other packages' models only those always installed."""
    always = [rule for rule in list_rules() if not rule.model.startswith("socialaccount.")]
    parts, of_nobody = [HEAD.rstrip()], []
    for model, fields in groupby(always, key=lambda rule: rule.model):
        listed = list(fields)
        if all(rule.erasure == Erasure.NOBODY for rule in listed):
            of_nobody.append(f"`{model}`")
        else:
            parts.append("\n".join(_render_section(model, listed)))
    parts.append(f"## Models with system fields alone\n\n{', '.join(of_nobody)}")
    tables = "\n".join(f"| `{table}` | {words} |" for table, words in TABLES.items())
    parts.append(f"## Tables without a model\n\n| table | what is in it |\n|---|---|\n{tables}")
    return "\n\n".join(parts) + "\n"


def _render_section(model: str, fields: list[Rule]) -> Iterator[str]:
    handling = get_handling(apps.get_model(model))
    yield f"## {model}\n"
    if handling and (handling.stays or handling.goes):
        yield (handling.stays or f"Goes {handling.goes}.") + "\n"
    alike: dict[tuple[str, ...], list[str]] = {}
    for rule in fields:
        row = (str(rule.kind), str(rule.erasure), *(["exported"] if rule.is_exported else []))
        alike.setdefault(row, []).append(f"`{rule.field}`")
    yield from (f"- {', '.join(row)}: {', '.join(names)}" for row, names in alike.items())
