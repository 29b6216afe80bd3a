"""docs/architecture.md says what is where, of every room, and of none that is gone."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.house.papers import ROOT, code, dead_links, packages, rows

PAGE = ROOT / "docs" / "architecture.md"
PAPERS = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]


def test_each_package_stands_in_the_table_once_with_a_line_of_its_own() -> None:
    table = PAGE.read_text().partition("## Packages")[2]
    named = Counter(name for row in rows(table) for name in code(row[0]))
    assert set(named) - packages() == set(), "these are gone"
    assert packages() - set(named) == set(), "these are missing"
    assert max(named.values()) == 1


def test_a_stranger_can_read_it_in_one_go() -> None:
    assert len(PAGE.read_text().splitlines()) <= 200


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_no_paper_links_to_what_is_not_there(paper: Path) -> None:
    assert dead_links(paper) == []


@pytest.mark.parametrize("package", ["chat", "citations", "config", "memory"])
def test_no_module_gives_a_constant_a_second_value(package: str) -> None:
    twice = []
    for path in (ROOT / package).rglob("*.py"):
        names = Counter(
            target.id
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and target.id.isupper()
        )
        twice += [f"{path.name}: {name}" for name, count in names.items() if count > 1]
    assert twice == []
