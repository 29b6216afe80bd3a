"""Wordings as data: patterns in TOML files, for several languages."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

_WORD = re.compile(r"(?<!\?P)<(\w+)>")


def read_wordings(path: Path) -> dict[str, Any]:
    """Return the tables of a file, with each <word> replaced from its table of words."""
    tables: dict[str, Any] = tomllib.loads(path.read_text())
    words = {name: join_patterns(value) for name, value in tables.pop("words", {}).items()}

    def put_in(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: put_in(each) for name, each in value.items()}
        if isinstance(value, list):
            return [put_in(each) for each in value]
        while _WORD.search(value):
            value = _WORD.sub(lambda found: words[found[1]], value)
        return value

    made: dict[str, Any] = put_in({**tables, "words": words})
    return made


def join_patterns(patterns: str | Sequence[str]) -> str:
    """Return a pattern that matches where any of these does."""
    return patterns if isinstance(patterns, str) else f"(?:{'|'.join(patterns)})"


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern on first use: most processes read no message."""
    return re.compile(pattern, re.IGNORECASE)
