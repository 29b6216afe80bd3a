"""JSON Lines files, plain or gzipped."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of a JSON Lines file."""
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    opener = gzip.open if zipped else open
    with opener(path, "rt", encoding="utf-8") as text:
        yield from (json.loads(line) for line in text if line.strip())


def write_lines(path: Path, rows: Iterable[Line]) -> None:
    """Write each object as a line at once."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
