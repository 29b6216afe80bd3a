"""Reading the papers of the house, and the tree that they speak of."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.measure import APPS

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
# Holds no module that someone looks for by its noun.
PLUMBING = {"migrations", "commands", "__pycache__", "data", "sample", "en"}


def rows(text: str) -> Iterator[list[str]]:
    """The cells of each line of the paper's tables, without their heads."""
    for block in re.split(r"\n(?!\|)", text):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        yield from ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:])


def code(cell: str) -> list[str]:
    """Return the texts between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def packages(root: Path = ROOT) -> set[str]:
    """Return the packages right below an app."""
    folders = (path for app in APPS for path in (root / app).glob("*/"))
    return {
        str(path.relative_to(root))
        for path in folders
        if path.name not in PLUMBING and any(path.rglob("*.py"))
    }


def dead_links(page: Path) -> list[str]:
    """Links of the page to files that aren't there."""
    return [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
