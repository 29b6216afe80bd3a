"""A document's outline: its headings in order, each at its first passage."""

import pytest

from citations.models import Document, Passage
from citations.outlining import MOST, Heading, outline_of
from memory.models import User


@pytest.fixture
def document(owner: User) -> Document:
    return Document.objects.create(owner=owner, title="D", authors=[], checksum="1")


def fill(document: Document, *headings: str) -> None:
    for position, heading in enumerate(headings):
        Passage.objects.create(
            document=document,
            owner_id=document.owner_id,
            position=position,
            heading=heading,
            text="It is so.",
            tokens=4,
        )


def test_each_heading_stands_once_with_those_above_it(document: Document) -> None:
    fill(document, "", "A", "A › B", "A › B", "A › C › D › E", "F › B")
    assert outline_of(document) == [
        Heading(0, "A", None, 1),
        Heading(1, "B", None, 2),
        Heading(1, "C", None, 4),
        Heading(2, "D", None, 4),
        Heading(0, "F", None, 5),
        Heading(1, "B", None, 5),
    ]


def test_one_heading_above_all_is_left_out(document: Document) -> None:
    fill(document, "The whole", "The whole › A", "The whole › B")
    assert [entry.heading for entry in outline_of(document)] == ["A", "B"]


def test_of_a_long_document_the_upper_levels_are_shown(document: Document) -> None:
    fill(document, *(f"{part} › {number}" for part in "AB" for number in range(MOST)))
    assert [entry.heading for entry in outline_of(document)] == ["A", "B"]


def test_no_outline_is_longer_than_can_be_shown(document: Document) -> None:
    fill(document, *(str(number) for number in range(MOST + 5)))
    assert len(outline_of(document)) == MOST


def test_without_headings_there_is_none(document: Document) -> None:
    assert outline_of(document) == []
    fill(document, "", "")
    assert outline_of(document) == []
