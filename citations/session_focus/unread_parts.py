"""Unread parts of the searched documents that a question may be about."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.db.models import Q

from citations.formats.parts import Part, PartKind
from citations.index.scope import Scope
from citations.models import Document
from memory.text.words import split_words

NAMES = Path(__file__).parent / "part_names.toml"
LOOKED_AT = 2_000  # characters of a question
# A question limited to more documents is not about a part of one of them.
MOST_DOCUMENTS = 20


class UnreadPart(NamedTuple):
    """Parts of a document that were not read."""

    document: Document
    part: Part


def list_named_unread_parts(question: str, documents: Iterable[Document]) -> list[UnreadPart]:
    """Return the unread parts of the documents whose kind the question names."""
    kinds = find_named_kinds(question)
    numbers = {int(word) for word in split_words(question[:LOOKED_AT]) if word.isdecimal()}
    return [
        UnreadPart(document, part)
        for document in (documents if kinds else ())
        for part in document.unread_parts
        if part.kind in kinds and _is_meant(part, numbers)
    ]


def _is_meant(part: Part, numbers: set[int]) -> bool:
    """Return whether the question names one of the part's pages, if both have page numbers."""
    is_placed = part.kind is PartKind.PAGE and part.pages and numbers
    return not is_placed or not numbers.isdisjoint(part.pages)


def list_other_unread_parts(documents: Iterable[Document]) -> list[UnreadPart]:
    """Return the unread parts that may hold a missing answer; images are left out."""
    return [
        UnreadPart(document, part)
        for document in documents
        for part in document.unread_parts
        if part.kind is not PartKind.IMAGE
    ]


def find_named_kinds(question: str) -> frozenset[PartKind]:
    """Return the kinds of parts that the question names, in any of the languages."""
    said = f" {' '.join(split_words(question[:LOOKED_AT]))} "
    named = read_part_names().items()
    return frozenset(kind for kind, names in named if any(name in said for name in names))


@cache
def read_part_names() -> dict[PartKind, list[str]]:
    """Read the names of each kind, in the form of a question's words."""
    tables = tomllib.loads(NAMES.read_text())
    named = {}
    for kind in PartKind:
        table = tables["hidden" if kind.startswith("hidden") else kind]
        named[kind] = [
            f" {' '.join(split_words(name))} " for names in table.values() for name in names
        ]
    return named


def list_limited_documents(scope: Scope) -> list[Document]:
    """Return the documents that a question is limited to, if they are few."""
    if not scope.documents or len(scope.documents) > MOST_DOCUMENTS:
        return []
    mine = Q(owner=None) | Q(owner=scope.owner) if scope.owner else Q(owner=None)
    rows = Document.objects.ready().filter(mine, pk__in=scope.documents)
    return list(rows.defer("file", "outline", "about", "questions"))
