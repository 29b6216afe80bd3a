"""A document's outline, as its passages know it: the headings they stand under."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citations.models import Document, Passage

BETWEEN = " › "
DEEPEST, MOST = 3, 200


class Heading(NamedTuple):
    """A heading of a document, its page, and the first passage under it."""

    level: int
    heading: str
    page: int | None
    position: int


def outline_of(document: Document) -> list[Heading]:
    """Return the document's headings in order; of a long one the upper levels alone."""
    rows = document.passages.only("owner", "document", "position", "page", "heading")
    headed = [(row, row.heading.split(BETWEEN)) for row in rows.order_by("position")]
    # One heading above all the others says no more than the title.
    above = len({path[0] for _, path in headed}) == 1 and any(len(path) > 1 for _, path in headed)
    paths = [(row, path[int(above) :]) for row, path in headed]
    for depth in range(DEEPEST, 0, -1):
        found = list(_headings(paths, depth))
        if len(found) <= MOST:
            break
    return found[:MOST]


def _headings(paths: Sequence[tuple[Passage, list[str]]], depth: int) -> Iterator[Heading]:
    before: list[str] = []
    for row, whole in paths:
        path = [title for title in whole[:depth] if title]
        same = 0
        while before[same : same + 1] == path[same : same + 1] != []:
            same += 1
        for level, heading in enumerate(path[same:], start=same):
            yield Heading(level, heading, row.page, row.position)
        before = path
