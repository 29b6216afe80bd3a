"""The parser of outputs, complete or partial.

It is pydantic's, which rejects more than 200 levels of nesting and reads the beginning of a text
that was cut.
"""

from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from chat.structures.outputs import Output

# The bound of answers, in characters (chat.llm.answer_reader.MAX_CHARACTERS).
LONGEST = 100_000
# Least growth, as a share, before a text is parsed again; keeps the total time linear.
GROWTH = 0.05


def parse_output(said: str, output: type[Output], *, is_whole: bool = True) -> Output | None:
    """Parse a model's text; None if it has no readable object."""
    begin = said.find("{", 0, LONGEST)
    if begin < 0:
        return None
    text = said[begin:LONGEST]
    end = text.rfind("}") + 1
    value = _read(text[:end]) if is_whole and end else None
    if value is None:
        value = _read(text, partial=True)
    if not isinstance(value, dict):
        return None
    try:
        return output.model_validate(value)
    except ValidationError:
        return None


def _read(text: str, *, partial: bool = False) -> Any:
    try:
        return from_json(text, allow_partial=partial, cache_strings=False)
    except ValueError:
        return None


class OutputReader:
    """Reads an output during streaming: complete rows only, and no conclusion yet."""

    def __init__(self, output: type[Output]) -> None:
        self._output = output
        self._text = ""
        self._next = 0

    @property
    def text(self) -> str:
        return self._text

    def feed(self, piece: str) -> Output | None:
        """Add a piece; return the certain part of the output, if it may have grown."""
        self._text += piece[: max(0, LONGEST - len(self._text))]
        if "}" not in piece or len(self._text) < self._next:
            return None
        self._next = int(len(self._text) * (1 + GROWTH))
        read = parse_output(self._text[: self._text.rfind("}") + 1], self._output, is_whole=False)
        return read and read.model_copy(update={"conclusion": ""})
