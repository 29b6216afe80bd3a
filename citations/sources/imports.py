"""Imports: a reference manager's entries, matched with existing documents."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from citations.formats.cleaning import MAX_NAME, clean_line
from citations.formats.reading import BadFile, ReadingLimits
from citations.library import change_metadata
from citations.models import Document
from citations.readers import Unreadable
from citations.readers.apart import REFERENCES, run_apart
from citations.sources.identifiers import convert_to_isbn13, parse_doi, parse_isbn
from citations.sources.items import build_item_columns, clean_item
from memory.models import User

MOST_BYTES = 30_000_000
# Maximum number of documents that are compared, the newest first, and of matches in one import.
MOST_DOCUMENTS, MOST_MATCHES = 10_000, 500
LONGEST_TITLE = 300
REASONS = {
    "broken": _("It breaks off or isn't well formed."),
    "repeated": _("Its key or one of its fields occurs twice."),
}
NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Match:
    """An entry, the document that it describes, and the key by which they match."""

    document: Document
    by: str
    item: dict[str, Any]


class Failure(NamedTuple):
    """An unreadable entry, by its key or its number, and the reason."""

    entry: str
    reason: str | Promise


@dataclass
class ImportPreview:
    """The changes of an import, and the entries without a document."""

    matches: list[Match] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    # Entries that could not be read, or are beyond the limits.
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)


def preview_import(data: bytes, *, actor: User) -> ImportPreview:
    """Match the entries of a file with the documents that the person may change.

    By file name, DOI, ISBN or title, in this order; each document takes one entry. Raises
    Unreadable.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large")
    try:
        limits = ReadingLimits(pages=0)
        read = run_apart("read", "references", data, limits, bounds=REFERENCES).csl
    except BadFile as refusal:
        raise Unreadable(refusal.code) from refusal
    keys = _list_keys(_list_changeable_documents(actor))
    failures = [
        Failure(clean_line(row["entry"], MAX_NAME), REASONS[row["reason"]])
        for row in read["failures"]
    ]
    found = ImportPreview(failed=read["failed"], failures=failures)
    taken: set[Any] = set()
    for entry in read["entries"]:
        item, _problems = clean_item({k: v for k, v in entry["item"].items() if k != "id"})
        hit = next(
            (hit for key in _make_entry_keys(item, entry["files"]) if (hit := keys.get(key))), None
        )
        if hit is None or hit[1].pk in taken:
            found.unmatched.append(str(item.get("title", ""))[:LONGEST_TITLE])
        elif len(found.matches) == MOST_MATCHES:
            found.failed += 1
        else:
            taken.add(hit[1].pk)
            found.matches.append(Match(hit[1], hit[0], item))
    return found


def apply_matches(matches: Iterable[Match], *, actor: User) -> None:
    """Change the documents by their entries. Raises NotYours and Held."""
    for match in matches:
        known = match.document.known_csl
        columns = build_item_columns(match.item) | {"csl": known | match.item}
        change_metadata(match.document, actor=actor, **columns)


def _list_changeable_documents(actor: User) -> list[Document]:
    whose = Q(owner=actor) | Q(owner=None) if actor.keeps_library else Q(owner=actor)
    rows = Document.objects.filter(whose).exclude(status=Document.Status.REPLACED)
    return list(rows.defer("file").order_by("-pk")[:MOST_DOCUMENTS])


def _list_keys(documents: Iterable[Document]) -> dict[tuple[str, str], tuple[str, Document]]:
    """Return the documents by their keys; of several with the same key, the newest."""
    keys: dict[tuple[str, str], tuple[str, Document]] = {}
    for row in documents:
        item = row.known_csl | {"title": row.title}
        for key in _make_entry_keys(item, [row.file_name] if row.file_name else []):
            keys.setdefault(key, (key[0], row))
    return keys


def _make_entry_keys(item: dict[str, Any], files: Iterable[str]) -> list[tuple[str, str]]:
    """Return the keys of an entry or a document, the most reliable first."""
    keys = [("file", name.casefold()) for name in files]
    if doi := _parse_or_empty(parse_doi, item.get("DOI")):
        keys.append(("DOI", doi.casefold()))
    if isbn := _parse_or_empty(parse_isbn, item.get("ISBN")):
        keys.append(("ISBN", convert_to_isbn13(isbn)))
    title = NO_LETTERS.sub("", str(item.get("title", ""))[:LONGEST_TITLE].casefold())
    return [*keys, ("title", title)] if title else keys


def _parse_or_empty(parse: Callable[[str], str], value: Any) -> str:
    try:
        return parse(value) if isinstance(value, str) else ""
    except ValueError:
        return ""
