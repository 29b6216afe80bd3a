"""make measure: how the house stands, beside what it aims at.

Exits 1 if an aim is missed that is enforced: no circle, no module too long, no folder too full.
What stands behind a figure is listed by its name in Plan: `measure used_once`.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.house.one_question import walk_of_one_question
from tests.house.plan import Plan, at, several

ROOT = Path(__file__).parents[2]
LONGEST_MODULE = 300
MODULES_OF_A_FOLDER = 12
USED_ONCE = 180
# A tenth less than there was before the rooms.
PRODUCT_LINES = 45_300


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    name: str
    value: str
    aim: str
    is_reached: bool
    is_enforced: bool = False


def figures(plan: Plan) -> Iterator[Figure]:
    """Return what is measured from the source."""
    middle, most = at(0.5), at(0.9)
    functions = plan.function_lines()
    yield Figure(
        "function lines: median / 90 % / longest",
        f"{middle(functions)} / {most(functions)} / {max(functions)}",
        "6 / 15 / 41",
        middle(functions) <= 6 and most(functions) <= 15 and max(functions) <= 41,
    )
    modules = plan.module_lines()
    longest = max(modules, key=modules.__getitem__)
    yield Figure(
        "module lines: median / 90 % / longest",
        f"{middle(modules.values())} / {most(modules.values())} / {modules[longest]} ({longest})",
        f"longest {LONGEST_MODULE}",
        modules[longest] <= LONGEST_MODULE,
        is_enforced=True,
    )
    once = len(plan.used_once())
    yield Figure("private functions used once", str(once), f"under {USED_ONCE}", once < USED_ONCE)
    folders = plan.folder_sizes().values()
    yield Figure(
        "modules in a folder: median / 90 %",
        f"{middle(folders)} / {most(folders)}",
        f"6 / {MODULES_OF_A_FOLDER}",
        middle(folders) <= 6 and most(folders) <= MODULES_OF_A_FOLDER,
        is_enforced=True,
    )
    mean = sum(map(len, plan.imports.values())) / len(plan.imports)
    yield Figure("project imports of a module, mean", f"{mean:.1f}", "3", mean < 3.05)
    yield _homes("classes", plan.classes(), 3)
    yield _homes("public functions", plan.public_functions(), 5)
    rooms = plan.room_circles()
    yield Figure(
        "circles between files / sibling rooms",
        f"{len(plan.file_circles())} / {len(rooms)}",
        "0 / 0",
        not plan.file_circles() and not rooms,
        is_enforced=True,
    )
    lines = sum(modules.values())
    yield Figure("product lines", f"{lines:,}", f"{PRODUCT_LINES:,}", lines <= PRODUCT_LINES)


def _homes(kind: str, homes: dict[str, list[str]], most: int) -> Figure:
    found = len(several(homes))
    share = 100 * found / max(1, len(homes))
    name = f"names of {kind} with several homes"
    return Figure(name, f"{found} ({share:.0f} %)", f"{most} %", share < most + 0.5)


def one_question(root: Path) -> Figure:
    """Return what is measured by asking."""
    walk = walk_of_one_question(root)
    return Figure(
        "one question: rooms entered, returns to one already left",
        f"{walk.entered}, {walk.returns}",
        "15, 8",
        walk.entered <= 15 and walk.returns <= 8,
    )


def report(table: list[Figure], say: Callable[[str], object]) -> int:
    """Print the table; return what the program exits with."""
    say("| | here | aim | |\n|---|---|---|---|\n")
    for figure in table:
        missed = "missed" if figure.is_enforced else "not yet"
        word = "reached" if figure.is_reached else missed
        say(f"| {figure.name} | {figure.value} | {figure.aim} | {word} |\n")
    return int(any(figure.is_enforced and not figure.is_reached for figure in table))


if __name__ == "__main__":
    plan = Plan(ROOT)
    if behind := sys.argv[1:]:
        sys.stdout.writelines(f"{name}: {getattr(plan, name)()}\n" for name in behind)
        sys.exit()
    sys.exit(report([*figures(plan), one_question(ROOT)], sys.stdout.write))
