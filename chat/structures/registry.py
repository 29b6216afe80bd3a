"""The registry: each module of chat.structures.kinds declares one structure as STRUCTURE."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from chat.structures import kinds
from chat.structures.definition import EarlierOutput, Evidence, Question, Structure
from chat.structures.outputs import Output


@cache
def load_structures() -> Mapping[str, Structure]:
    """Load all structures, by name."""
    modules = (
        import_module(f"{kinds.__name__}.{each.name}") for each in iter_modules(kinds.__path__)
    )
    found = [module.STRUCTURE for module in modules]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def find_structure(name: str) -> Structure | None:
    """Return the structure of the name, if there is one."""
    return load_structures().get(name)


def assemble(
    name: str,
    output: str,
    passages: Sequence[Evidence],
    question: str,
    history: Sequence[EarlierOutput] = (),
) -> Output | None:
    """Make the output of the structure; `output` is a model's text, or empty."""
    return load_structures()[name].assemble(output, passages, Question(question, history))
