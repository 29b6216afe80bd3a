"""Letters behind the years of sources with the same authors and year, as in 2020a, 2020b."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from string import ascii_lowercase
from uuid import UUID

from citations.models import Document
from citations.sources.names import parse_name


def letter_documents(
    documents: Iterable[Document], others: Iterable[Document] = ()
) -> dict[UUID | None, str]:
    """Give a letter to each document of the same authors and year, in order of title.

    Others count where they share authors and year with one of the documents.
    """
    groups: defaultdict[Hashable, list[Document]] = defaultdict(list)
    for document in documents:
        if document.authors:
            groups[_make_key(document)].append(document)
    for document in others:
        if (key := _make_key(document)) in groups:
            groups[key].append(document)
    return {
        document.pk: _letter(place)
        for group in groups.values()
        if len(group) > 1
        for place, document in enumerate(sorted(group, key=lambda row: (row.title, row.pk)))
    }


def _make_key(document: Document) -> Hashable:
    """Return the year with family names and first initials; abbreviations of given names vary."""
    names = [parse_name(text) for text in document.authors]
    families = [name.get("family") or name.get("literal", "") for name in names]
    initials = [name.get("given", "")[:1] for name in names]
    return document.year, *(part.casefold() for part in families + initials)


def _letter(place: int) -> str:
    """Return the suffix of an index: a to z, aa, ab and so on."""
    before = _letter(place // 26 - 1) if place >= 26 else ""
    return before + ascii_lowercase[place % 26]
