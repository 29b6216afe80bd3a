"""The measure measures rightly: a tree made up for it, of which every figure is known."""

from pathlib import Path

import pytest

from tests.house.measure import Figure, figures, report
from tests.house.one_question import Walk
from tests.house.plan import Plan, circles, several

pytestmark = pytest.mark.once

TREE = {
    "chat/__init__.py": "",
    "chat/doors.py": '''
"""Pages."""
from typing import TYPE_CHECKING

from memory.rooms import table
from memory.rooms.chairs import Chair, sit

if TYPE_CHECKING:
    from chat.windows import Window


class Door:
    def open(self):
        def _hinge():
            return sit(Chair())
        return _hinge()
''',
    "chat/windows.py": """
import chat.doors


class Window: ...
class Chair: ...


def open(): return _pane() + _pane() + _frame()
def _pane(): return 1
def _frame(): return 2
""",
    "memory/__init__.py": "",
    "memory/rooms/__init__.py": '"""Only a docstring."""\n',
    "memory/rooms/chairs.py": "import memory.cellar.wine\nclass Chair: ...\ndef sit(it): ...\n",
    "memory/rooms/table.py": "ROUND = 1\nLEGS = (\n    1,\n    2,\n)\n",
    "memory/cellar/__init__.py": "",
    "memory/cellar/wine.py": "from memory.rooms import table\nclass Command: ...\n",
    "memory/management/fetch.py": "class Command: ...\n",
    "memory/migrations/0001_initial.py": "class Door: ...\n",
}


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Plan(tmp_path)


def test_migrations_and_bare_faces_are_not_counted(plan: Plan) -> None:
    assert "memory.migrations.0001_initial" not in plan.modules
    assert {folder: size for folder, size in plan.folder_sizes().items() if size > 1} == {
        "chat": 2,
        "memory/rooms": 2,
    }


def test_a_function_is_as_long_as_its_lines_from_def_to_end(plan: Plan) -> None:
    assert sorted(plan.function_lines()) == [1, 1, 1, 1, 2, 4]


def test_a_table_is_what_a_module_assigns_over_several_lines(plan: Plan) -> None:
    assert {name: lines for name, lines in plan.table_lines().items() if lines} == {
        "memory.rooms.table": 4
    }


def test_a_private_function_that_is_called_once_is_found(plan: Plan) -> None:
    assert plan.used_once() == ["_frame", "_hinge"]


def test_a_class_of_two_modules_has_two_homes_and_each_command_may_be_named_so(plan: Plan) -> None:
    assert several(plan.classes()) == ["Chair"]
    assert sorted(plan.classes()["Chair"]) == ["chat.windows", "memory.rooms.chairs"]
    assert plan.public_functions() == {
        "open": ["chat.windows"],
        "sit": ["memory.rooms.chairs"],
    }


def test_imports_are_counted_by_module_and_those_for_types_are_not(plan: Plan) -> None:
    assert plan.imports["chat.doors"] == {"memory.rooms.table", "memory.rooms.chairs"}
    assert plan.imports["chat.windows"] == {"chat.doors"}


def test_rooms_can_go_in_a_circle_where_no_files_do(plan: Plan) -> None:
    assert plan.file_circles() == []
    assert plan.room_circles() == [["memory.cellar", "memory.rooms"]]
    assert circles({"a": ["b"], "b": ["c"], "c": ["a", "d"]}) == [["a", "b", "c"]]


def test_what_is_over_its_ceiling_is_told_by_the_exit() -> None:
    lines: list[str] = []
    under, over = Figure("a", (1, 2), (1, 3)), Figure("b", (2.5, 1), (2.4, 1), "chat.doors")
    assert report([under], lines.append) == 0
    assert report([under, over], lines.append) == 1
    assert "| a | 1 / 2 | 1 / 3 | holds |\n" in lines
    assert "| b | 2.5 / 1 (chat.doors) | 2.4 / 1 | over |\n" in lines


def test_the_made_up_tree_is_over_for_its_circle_and_its_class_of_two_homes(plan: Plan) -> None:
    over = {each.name: each.values for each in figures(plan) if not each.holds}
    assert over == {
        "names of classes with several homes, %": (33,),
        "circles between files / sibling rooms": (0, 1),
    }


def test_a_walk_counts_rooms_and_the_further_doors_into_them(tmp_path: Path) -> None:
    for name in ("recall", "text"):
        folder = tmp_path / "memory" / name
        folder.mkdir(parents=True)
    within: dict[str, object] = {}

    def load(room: str, source: str) -> None:
        path = tmp_path / "memory" / room / "it.py"
        exec(compile(source, str(path), "exec"), within)

    load("text", "def cut(): return 1")
    load("recall", "def recall(): return cut() + cut() + find()")
    exec(
        compile("def find(): return cut()", str(tmp_path / "citations" / "find.py"), "exec"), within
    )
    with (walk := Walk(tmp_path)).followed():
        within["recall"]()  # type: ignore[operator]
    assert walk.doors == {
        ("", "memory.recall"),
        ("memory.recall", "memory.text"),
        ("memory.recall", "citations.find"),
        ("citations.find", "memory.text"),
    }
    assert (walk.entered, walk.returns) == (3, 1)
