"""make measure: how the house stands, each figure beside its ceiling.

Exits 1 if one is over. A ceiling is what was measured when it was set, lines to the next five
hundred: it is lowered with the figure, and raised only with the reason in the commit. What stands
behind a figure is listed by its name in Plan: `python -m tests.house.measure used_once`.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.house.one_question import walk_of_one_question
from tests.house.plan import Plan, at, several

ROOT = Path(__file__).parents[2]
# Lines of functions and of modules: median, 90 % and longest.
FUNCTIONS, MODULES = (6, 17, 40), (110, 242, 300)
USED_ONCE = 535
FOLDERS = (6, 12)
IMPORTS = 4.4
# Of a hundred names, those with several homes.
CLASSES_WITH_HOMES, FUNCTIONS_WITH_HOMES = 1, 9
CIRCLES = (0, 0)
# What is done, and what is only laid down: words, patterns, addresses, examples.
CODE_LINES, TABLE_LINES = 84_000, 9_000
WALK = (21, 42)

Values = tuple[float, ...]


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    name: str
    values: Values
    ceilings: Values
    # Where the largest of them is.
    place: str = ""

    @property
    def holds(self) -> bool:
        pairs = zip(self.values, self.ceilings, strict=True)
        return all(value <= most for value, most in pairs)


def figures(plan: Plan) -> Iterator[Figure]:
    """Return what is measured from the source."""
    middle, most = at(0.5), at(0.9)
    functions = plan.function_lines()
    lines = (middle(functions), most(functions), max(functions))
    yield Figure("function lines: median / 90 % / longest", lines, FUNCTIONS)
    modules = plan.module_lines()
    longest = max(modules, key=modules.__getitem__)
    lines = (middle(modules.values()), most(modules.values()), modules[longest])
    yield Figure("module lines: median / 90 % / longest", lines, MODULES, longest)
    yield Figure("private functions used once", (len(plan.used_once()),), (USED_ONCE,))
    folders = plan.folder_sizes().values()
    sizes = (middle(folders), most(folders))
    yield Figure("modules in a folder: median / 90 %", sizes, FOLDERS)
    mean = sum(map(len, plan.imports.values())) / len(plan.imports)
    yield Figure("project imports of a module, mean", (round(mean, 1),), (IMPORTS,))
    yield _homes("classes", plan.classes(), CLASSES_WITH_HOMES)
    yield _homes("public functions", plan.public_functions(), FUNCTIONS_WITH_HOMES)
    found = (len(plan.file_circles()), len(plan.room_circles()))
    yield Figure("circles between files / sibling rooms", found, CIRCLES)
    tables = sum(plan.table_lines().values())
    counted = (sum(modules.values()) - tables, tables)
    yield Figure("product lines: code / tables", counted, (CODE_LINES, TABLE_LINES))


def _homes(kind: str, homes: dict[str, list[str]], most: int) -> Figure:
    share = round(100 * len(several(homes)) / max(1, len(homes)))
    return Figure(f"names of {kind} with several homes, %", (share,), (most,))


def one_question(root: Path) -> Figure:
    """Return what is measured by asking."""
    walk = walk_of_one_question(root)
    name = "one question: rooms entered / returns to one already left"
    return Figure(name, (walk.entered, walk.returns), WALK)


def report(table: list[Figure], say: Callable[[str], object]) -> int:
    """Print the table; return what the program exits with."""
    say("| | here | at most | |\n|---|---|---|---|\n")
    for figure in table:
        here, most = (
            " / ".join(f"{value:,}" for value in row) for row in (figure.values, figure.ceilings)
        )
        place = f" ({figure.place})" if figure.place else ""
        word = "holds" if figure.holds else "over"
        say(f"| {figure.name} | {here}{place} | {most} | {word} |\n")
    return int(not all(figure.holds for figure in table))


if __name__ == "__main__":
    plan = Plan(ROOT)
    if behind := sys.argv[1:]:
        sys.stdout.writelines(f"{name}: {getattr(plan, name)()}\n" for name in behind)
        sys.exit()
    sys.exit(report([*figures(plan), one_question(ROOT)], sys.stdout.write))
