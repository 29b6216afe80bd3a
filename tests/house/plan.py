"""The plan of a tree of apps, read from its source alone."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

APPS = ("config", "memory", "citations", "chat")
# A package's __init__ of as many lines is only its docstring.
FACE_LINES = 3

CLASSES = re.compile(r"^class ([^\W_]\w*)", re.MULTILINE)
FUNCTIONS = re.compile(r"^(?:async )?def ([^\W_]\w*)", re.MULTILINE)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Graph = Mapping[str, Collection[str]]


@dataclass(frozen=True)
class Module:
    """One file of Python."""

    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def is_bare_face(self) -> bool:
        """Whether it only makes its folder a package."""
        return self.path.name == "__init__.py" and self.lines <= FACE_LINES

    def functions(self) -> Iterator[Function]:
        """All functions, methods among them."""
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def defined(self, kind: re.Pattern[str]) -> list[str]:
        """The public names of this kind that stand at the module's top: a line shows them."""
        return kind.findall(self.text)

    def imported(self) -> Iterator[tuple[str, str]]:
        """What it imports when it runs: pairs of a module and a name in it, or ""."""
        typing = {
            id(node)
            for block in ast.walk(self.tree)
            if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
            for node in ast.walk(block)
        }
        for node in ast.walk(self.tree):
            if id(node) in typing:
                continue
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((node.module, alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)


class Plan:
    """All modules of the apps below a root, but for migrations."""

    def __init__(self, root: Path, apps: Iterable[str] = APPS) -> None:
        self.root = root
        paths = [path for app in apps for path in sorted((root / app).rglob("*.py"))]
        read = [self._module(path) for path in paths if "migrations" not in path.parts]
        self.modules = {module.name: module for module in read}
        self.written = [module for module in read if not module.is_bare_face]

    def _module(self, path: Path) -> Module:
        dotted = ".".join(path.relative_to(self.root).with_suffix("").parts)
        return Module(dotted.removesuffix(".__init__"), path, path.read_text())

    # --- Sizes ------------------------------------------------------------------------------------

    def function_lines(self) -> list[int]:
        functions = (each for module in self.written for each in module.functions())
        return [(each.end_lineno or 0) - each.lineno + 1 for each in functions]

    def module_lines(self) -> dict[str, int]:
        return {module.name: module.lines for module in self.written}

    def table_lines(self) -> dict[str, int]:
        """Of each module the lines of its tables: what it assigns at its top over several lines."""
        return {
            module.name: sum(
                node.end_lineno - node.lineno + 1
                for node in module.tree.body
                if isinstance(node, ast.Assign | ast.AnnAssign)
                and node.end_lineno
                and node.end_lineno > node.lineno
            )
            for module in self.written
        }

    def folder_sizes(self) -> dict[str, int]:
        """The number of modules in each folder that has any."""
        folders = Counter(module.path.parent for module in self.written)
        return {str(folder.relative_to(self.root)): size for folder, size in folders.items()}

    # --- Names ------------------------------------------------------------------------------------

    def used_once(self) -> list[str]:
        """Private functions whose name is said once beside its definitions, wherever it is."""
        defined = Counter(
            each.name
            for module in self.written
            for each in module.functions()
            if re.match(r"_[a-z]", each.name)
        )
        said = Counter(word for module in self.written for word in re.findall(r"\w+", module.text))
        return sorted(name for name, times in defined.items() if said[name] == times + 1)

    def classes(self) -> dict[str, list[str]]:
        """The public classes, each with the modules that define one of this name."""
        return self._homes(CLASSES, but={"Command"})

    def public_functions(self) -> dict[str, list[str]]:
        return self._homes(FUNCTIONS)

    def _homes(self, kind: re.Pattern[str], but: Collection[str] = ()) -> dict[str, list[str]]:
        homes: dict[str, list[str]] = defaultdict(list)
        for module in self.modules.values():
            for name in set(module.defined(kind)) - set(but):
                homes[name].append(module.name)
        return dict(homes)

    # --- Imports ----------------------------------------------------------------------------------

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """The project's modules that each of them imports."""
        graph: dict[str, set[str]] = {}
        for module in self.modules.values():
            targets = {
                f"{source}.{name}" if f"{source}.{name}" in self.modules else source
                for source, name in module.imported()
            }
            graph[module.name] = (targets & set(self.modules)) - {module.name}
        return graph

    def file_circles(self) -> list[list[str]]:
        return circles(self.imports)

    def room_circles(self) -> list[list[str]]:
        """Circles between siblings of one folder, each with all that is inside of it."""
        return [
            circle
            for package in sorted({name.rpartition(".")[0] for name in self.modules} - {""})
            for circle in circles(self._among_siblings(f"{package}."))
        ]

    def _among_siblings(self, prefix: str) -> Graph:
        def sibling(name: str) -> str:
            return prefix + name.removeprefix(prefix).partition(".")[0]

        graph: dict[str, set[str]] = defaultdict(set)
        for name, targets in self.imports.items():
            if name.startswith(prefix):
                inside = {sibling(each) for each in targets if each.startswith(prefix)}
                graph[sibling(name)] |= inside - {sibling(name)}
        return graph


def circles(graph: Graph) -> list[list[str]]:
    """Return the sets of nodes that reach each other, by Tarjan's algorithm."""
    found: list[list[str]] = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in index:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == index[node]:
            at = stack.index(node)
            circle, stack[at:] = stack[at:], []
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def several(homes: Mapping[str, Collection[str]]) -> list[str]:
    """Return the names with more than one home."""
    return sorted(name for name, places in homes.items() if len(places) > 1)


def at(share: float) -> Callable[[Iterable[int]], int]:
    """Return a function that gives the value below or at which this share of all is."""

    def chosen(values: Iterable[int]) -> int:
        ordered = sorted(values)
        return ordered[int(share * (len(ordered) - 1))] if ordered else 0

    return chosen
