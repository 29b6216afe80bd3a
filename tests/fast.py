"""The tests of what is being worked on: `make test-fast`, in less than a minute.

What git says has changed since the last commit, or the files that are named, leads to tests in two
ways: those of a test's own file, and those that import a changed module, or name it with its room
(`memory.holds`). Tests with servers and in a browser are left to `make test`, and so is whatever
doesn't fit: nearest first, at most MOST files.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.surroundings import PYTHON, ROOT

MOST = 12
# Whose tests start servers, browsers and children, or count in the thousands.
SLOW = ("tests/browser/", "tests/model/", "tests/promises/", "tests/isolation/")
WAITS = re.compile(r"\bstart_web\b|\bblueprint\b|\bweb\b[,:)]|\bpage: \"Page\"")


def changed() -> list[str]:
    """Return the files that differ from the last commit, and new ones; without any, its own."""
    differing = git("diff", "--name-only", "HEAD")
    new = git("ls-files", "--others", "--exclude-standard")
    return [*differing, *new] or git("diff", "--name-only", "HEAD~1", "HEAD")


def git(*arguments: str) -> list[str]:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def neighbours(files: Iterable[str]) -> list[str]:
    """Return the files of tests for the changed ones, the nearest first."""
    texts = {
        str(path.relative_to(ROOT)): path.read_text()
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }
    scores = dict.fromkeys(texts, 0)
    for file in files:
        for test, text in texts.items():
            scores[test] += nearness(file, test, text)
    found = [
        test
        for test, score in sorted(scores.items(), key=lambda pair: -pair[1])
        if score and not test.startswith(SLOW) and not WAITS.search(texts[test])
    ]
    return found[:MOST]


def nearness(file: str, test: str, text: str) -> int:
    """Return how much the test has to do with the changed file: 0 is nothing."""
    if file == test:
        return 100
    path = Path(file)
    if path.suffix == ".html":
        return 2 * (path.name in text)
    if path.suffix != ".py":
        return 0
    *folders, name = path.with_suffix("").parts
    if name == "__init__":
        name = folders.pop() if folders else name
    if file.startswith("tests/"):  # what tests share
        return 5 * bool(re.search(rf"\b{'.'.join(folders)}[. ].*\b{name}\b", text))
    room = ".".join(folders)
    is_named = Path(test).stem in (f"test_{name}", f"test_{Path(room.replace('.', '/')).name}")
    imports = rf"\b(from|import) {re.escape(room)}(\.{name}\b| import .*\b{name}\b)"
    in_room = rf"\b(from|import) {re.escape(room)}\b"
    return 20 * is_named + 10 * bool(re.search(imports, text)) + bool(re.search(in_room, text))


if __name__ == "__main__":
    chosen = neighbours(sys.argv[1:] or changed())
    print("\n".join(chosen) or "No test is near what has changed: make test.")
    if chosen:
        command = [PYTHON, "-m", "pytest", "-q", "-x", "-m", "not slow and not deep", *chosen]
        sys.exit(subprocess.call(command, cwd=ROOT))
