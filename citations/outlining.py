"""A document's outline, as its passages know it: the headings they stand under."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.models import Document

BETWEEN = " › "
DEEPEST, MOST = 3, 200


@dataclass(frozen=True)
class Section:
    """A heading, how deep it lies from 1, and the first passage under it."""

    title: str
    level: int
    position: int


def outline(document: Document) -> list[Section]:
    """Return the document's sections in order; of a long one the upper levels alone."""
    passages = document.passages.only("owner", "document", "position", "heading")
    headed = [(row.position, row.heading.split(BETWEEN)) for row in passages.order_by("position")]
    # One heading above all the others says no more than the title.
    shared = {path[0] for _, path in headed}
    above = 1 if len(shared) == 1 and any(len(path) > 1 for _, path in headed) else 0
    paths = [(position, path[above:]) for position, path in headed]
    for depth in range(DEEPEST, 0, -1):
        sections = list(_sections(paths, depth))
        if len(sections) <= MOST:
            break
    return sections[:MOST]


def _sections(paths: Sequence[tuple[int, list[str]]], depth: int) -> Iterator[Section]:
    before: list[str] = []
    for position, whole in paths:
        path = [title for title in whole[:depth] if title]
        same = 0
        while before[same : same + 1] == path[same : same + 1] != []:
            same += 1
        for level, title in enumerate(path[same:], start=same + 1):
            yield Section(title, level, position)
        before = path
