"""make measure: the size of the product, each figure beside its ceiling; exits 1 if one is over.

A ceiling only falls. `python -m tests.house.measure` asks one question as well, and counts the
modules that it passes between `take_turn` and the record.
"""

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tests.house.naming import find_faults, find_files
from tests.surroundings import clean_environment, documented_variables

ROOT = Path(__file__).parents[2]
APPS = ("config", "memory", "citations", "chat")
# Lines of product code by package: the places, and the most that they may have.
PACKAGES = {
    "extractive answerer": ("chat/extractive chat/quoting chat/turns/grounding", 1_600),
    "rewriting": ("memory/recall/rewriting", 1_600),
    "facts and talk": ("memory/recall/facts memory/recall/talk", 1_200),
    "attribution": ("citations/attribution", 2_000),
    "retrieval and ingestion": ("citations/retrieval citations/ingestion", 2_200),
    "language models": ("chat/llm", 1_500),
    "serving": (
        "config/serving config/supervisor.py config/heartbeat.py config/metrics"
        " chat/turns/admission.py memory/metrics memory/sqlite memory/owners.py"
        " memory/online.py chat/installation",
        2_200,
    ),
    "evaluation": ("chat/evaluation chat/management/commands/evaluate.py", 1_000),
    "admin, API, pages": (
        "memory/admin citations/admin.py chat/admin chat/api chat/shapes chat/rendering"
        " chat/protocol chat/views chat/forms",
        10_500,
    ),
    "readers": ("citations/formats citations/readers", 9_550),
}
REST, TESTS = 27_000, 42_000
REGEXES, CONSTANTS, SETTINGS, MIDDLEWARES = 250, 400, 70, 12
FUNCTION_LINES, MODULE_LINES, QUESTION_MODULES = 40, 300, 35
README_WORDS, PAPER_WORDS = 900, 12_000

FIRST = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"
Figure = tuple[str, int, int]


def measure_sizes() -> Iterator[Figure]:
    """Yield the name, value and ceiling of each figure that the source gives."""
    files = [file.relative_to(ROOT) for file in find_files([str(ROOT / app) for app in APPS])]
    lines = {file: count_lines(file) for file in files}
    counted = 0
    for name, (places, most) in PACKAGES.items():
        inside = [file for file in files if any(map(file.is_relative_to, places.split()))]
        total = sum(lines[file] for file in inside)
        counted += total
        yield f"lines: {name}", total, most
    yield "lines: the rest", sum(lines.values()) - counted, REST
    yield "lines: tests", sum(map(count_lines, (ROOT / "tests").rglob("*.py"))), TESTS
    trees = [ast.parse((ROOT / file).read_text()) for file in files]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, functions)]
    longest = max((node.end_lineno or 0) - node.lineno + 1 for node in found)
    yield "lines of the longest function", longest, FUNCTION_LINES
    yield "lines of the longest module", max(lines.values()), MODULE_LINES
    yield "compiled regular expressions", sum(map(count_regexes, trees)), REGEXES
    yield "module-level numbers", sum(map(count_numbers, trees)), CONSTANTS
    yield "faults of names and docstrings", sum(len([*find_faults(file)]) for file in files), 0


def measure_papers() -> Iterator[Figure]:
    """Yield the figures of papers and settings."""
    papers = [*(ROOT / "docs").rglob("*.md")]
    yield "words: README", len((ROOT / "README.md").read_text().split()), README_WORDS
    yield "words: docs", sum(len(paper.read_text().split()) for paper in papers), PAPER_WORDS
    yield "environment variables", len(documented_variables()), SETTINGS
    code = "from tests import settings; print(len(settings.MIDDLEWARE))"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    yield "middlewares", int(shown.stdout), MIDDLEWARES


def count_lines(path: Path) -> int:
    return len((ROOT / path).read_text().splitlines())


def count_regexes(tree: ast.Module) -> int:
    """Return the number of regular expressions that a module compiles."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(ast.unparse(call.func) == "re.compile" for call in calls)


def count_numbers(tree: ast.Module) -> int:
    """Return the number of numeric constants at the module's top."""
    assigned = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    values = (node.value for node in assigned if node.value)
    parts = (part for value in values for part in getattr(value, "elts", [value]))
    return sum(re.fullmatch(r"-?[\d_.]+", ast.unparse(part)) is not None for part in parts)


# --- One question ---------------------------------------------------------------------------


def count_modules() -> Figure:
    """Return how many modules a follow-up passes, in databases that are thrown away."""
    with tempfile.TemporaryDirectory(prefix="throughline-house-") as folder:
        import os

        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": folder}
        import django

        django.setup()
        from chat.evaluation.databases import throw_away

        with throw_away():
            return "modules that one question passes", len(ask_follow_up()), QUESTION_MODULES


def ask_follow_up() -> set[str]:
    """Return the modules whose functions run from `take_turn` to the record of a second turn."""
    from chat.turns.pipeline import answer_now, take_turn
    from citations.ingestion.adding import load_sample_library
    from memory.conversations.asking import Question, create_session
    from memory.jobs.queue import run_due
    from tests.people import person

    load_sample_library()
    run_due()
    session = create_session(person("house"))
    for query in (FIRST, FOLLOW_UP):
        with traced() as passed:
            attempt = take_turn(session, Question(query)).attempt
            assert attempt
            answer_now(attempt)
        run_due()
    return passed


@contextmanager
def traced() -> Iterator[set[str]]:
    """Collect the product's modules in which a function is called, in this thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    passed: set[str] = set()
    sys.setprofile(note)
    try:
        yield passed
    finally:
        sys.setprofile(None)
        prefixes = tuple(f"{ROOT / app}/" for app in APPS)
        passed |= {file for file in files if file.startswith(prefixes)}


def report(figures: Iterator[Figure]) -> bool:
    """Print the figures as a table; return whether all are within their ceilings."""
    rows = [*figures]
    sys.stdout.write("| | today | at most | |\n|---|---|---|---|\n")
    for name, value, most in rows:
        word = "" if value <= most else "over"
        sys.stdout.write(f"| {name} | {value:,} | {most:,} | {word} |\n")
    return all(value <= most for _, value, most in rows)


if __name__ == "__main__":
    holds = report(figure for part in (measure_sizes(), measure_papers()) for figure in part)
    sys.exit(not (report(iter([count_modules()])) and holds))
