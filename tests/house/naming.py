"""Check names and docstrings against the style guide: `python -m tests.house.naming [PATH ...]`.

A function is named by a verb, so its name neither begins nor ends with a preposition.
A docstring names its subject or its action, so it doesn't begin with a riddle ("What ...").
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

APPS = ("config", "memory", "citations", "chat")
PREPOSITIONS = frozenset(
    "about above after against among as at before behind below beside between beyond by despite"
    " during except for from in inside into of off on onto out outside over per since than through"
    " to toward under unless until unto up upon via whatever whichever whoever with within"
    " without".split()
)
# A phrasal verb ends in one of these and is a verb all the same.
PARTICLES = frozenset("in off on out up over".split())
# Names that Django, DRF, allauth and argparse call.
FRAMEWORK = frozenset(
    "as_sql as_view as_postgresql as_sqlite from_db from_db_value to_python to_internal_value"
    " to_representation to_field in_bulk on_commit get_prep_value".split()
)
RIDDLES = (
    *("Return what", "Return who ", "Return in how", "Tell whether", "Tell if", "Say "),
    *("What ", "Who ", "Whoever ", "Whatever ", "Which ", "Where ", "When ", "How ", "Why "),
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (*FUNCTIONS, ast.ClassDef, ast.Module)


def find_faults(path: Path) -> Iterator[str]:
    """Yield each fault of a file as `path:line: reason`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, DOCUMENTED):
            continue
        place = f"{path}:{getattr(node, 'lineno', 1)}: {getattr(node, 'name', 'the module')}"
        if isinstance(node, FUNCTIONS) and has_preposition(node.name):
            yield f"{place} is named by a preposition, not by a verb"
        if (ast.get_docstring(node) or "").startswith(RIDDLES):
            yield f"{place} has a docstring that begins with a riddle"


def has_preposition(name: str) -> bool:
    """Return whether a function's name begins or ends with a preposition."""
    if name.startswith("__") or name in FRAMEWORK:
        return False
    words = name.lstrip("_").split("_")
    ends_in_one = len(words) > 1 and words[-1] in PREPOSITIONS - PARTICLES
    return words[0] in PREPOSITIONS or ends_in_one


def find_files(places: list[str]) -> Iterator[Path]:
    """Yield the product's Python files below the places, but for migrations."""
    for place in map(Path, places or APPS):
        files = [place] if place.is_file() else sorted(place.rglob("*.py"))
        yield from (file for file in files if "migrations" not in file.parts)


if __name__ == "__main__":
    faults = [fault for file in find_files(sys.argv[1:]) for fault in find_faults(file)]
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    sys.exit(bool(faults))
