"""Metadata: a file's description of its work as raw CSL-JSON, validated by citations.sources.

Web pages, PDF, front matter, Office files and books name the same fields differently. The names
below are in lower case, the most exact first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lxml import etree

from citations.formats.cleaning import clean_line

Said = Mapping[str, Sequence[str]]

NAMES: dict[str, tuple[str, ...]] = {
    "container-title": (
        "citation_journal_title", "citation_conference_title", "citation_inbook_title",
        "prism.publicationname", "prism:publicationname", "container-title", "journal",
        "booktitle", "publication", "dc.source", "schema:ispartof", "og:site_name",
    ),
    "publisher": (
        "citation_publisher", "citation_technical_report_institution",
        "citation_dissertation_institution", "publisher", "dc.publisher", "dcterms.publisher",
        "dc:publisher", "institution", "schema:publisher",
    ),
    "volume": ("citation_volume", "prism.volume", "prism:volume", "volume"),
    "issue": ("citation_issue", "prism.number", "prism:number", "issue", "number"),
    "page": ("prism:pagerange", "pages", "page"),
    "DOI": ("citation_doi", "prism.doi", "prism:doi", "crossmark:doi", "wps-articledoi", "doi"),
    "ISBN": ("citation_isbn", "prism.isbn", "prism:isbn", "books:isbn", "book:isbn", "isbn"),
    "ISSN": ("citation_issn", "prism.issn", "prism:issn", "issn"),
    "edition": ("edition", "prism:edition"),
    "language": (
        "citation_language", "dc.language", "dcterms.language", "dc:language", "language", "lang",
    ),
    "issued": (
        "citation_publication_date", "citation_date", "prism:coverdate", "prism:publicationdate",
        "schema:datepublished", "article:published_time", "dc.date", "dcterms.date",
    ),
    "accessed": ("accessed",),
    "type": ("type",),
}  # fmt: skip
AUTHORS = ("citation_author", "dc.creator", "dc:creator", "schema:author")
EDITORS = ("citation_editor", "editors", "editor")
IDENTIFIERS = ("dc.identifier", "dcterms.identifier", "dc:identifier", "identifier")
FIRST = ("citation_firstpage", "prism.startingpage", "prism:startingpage")
LAST = ("citation_lastpage", "prism.endingpage", "prism:endingpage")
TYPES = {
    "citation_journal_title": "article-journal",
    "citation_conference_title": "paper-conference",
    "citation_inbook_title": "chapter",
    "citation_technical_report_institution": "report",
    "citation_dissertation_institution": "thesis",
}
SCHEMA_TYPES = {
    "scholarlyarticle": "article-journal",
    "newsarticle": "article-newspaper",
    "reportagenewsarticle": "article-newspaper",
    "blogposting": "post-weblog",
    "book": "book",
    "thesis": "thesis",
    "report": "report",
    "journal": "article-journal",
}
MOST_NAMES, LONGEST, MOST_VALUES = 200, 500, 20_000
XMP_START, XMP_END = b"<x:xmpmeta", b"</x:xmpmeta>"
MOST_PACKETS, LARGEST_PACKET = 5, 500_000
XMP_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://crossref.org/crossmark/1.0/": "crossmark:",
}
PRISM = re.compile(r"http://prismstandard\.org/namespaces/(?:basic|prism)[\w./]*")


def describe_work(said: Said) -> dict[str, Any]:
    """Return the raw item of a work, by the names and values of its file's metadata."""
    found: dict[str, Any] = {
        field: value for field, names in NAMES.items() if (value := _find_first(said, names))
    }
    for value in _find_values(said, IDENTIFIERS):
        field = _identify(value)
        if field:
            found.setdefault(field, value)
    for field, names in (("author", AUTHORS), ("editor", EDITORS)):
        if people := _find_values(said, names):
            found[field] = [clean_line(name) for name in people[:MOST_NAMES]]
    if len(authors := _find_values(said, AUTHORS)) > MOST_NAMES:
        found["custom"] = {"author-count": len(authors)}
    if first := _find_first(said, FIRST):
        found.setdefault("page", "-".join(dict.fromkeys([first, _find_first(said, LAST) or first])))
    kind = next((TYPES[name] for name in TYPES if name in said), "")
    if kind or (kind := SCHEMA_TYPES.get(_find_first(said, ["schema:type"]).lower(), "")):
        found.setdefault("type", kind)
    return found


def read_xmp(data: bytes) -> dict[str, list[str]]:
    """Read the XMP packets of a PDF, which the standard stores uncompressed, by prefixed name."""
    said: dict[str, list[str]] = {}
    end = 0
    for _ in range(MOST_PACKETS):
        start = data.find(XMP_START, end)
        end = data.find(XMP_END, start) + len(XMP_END)
        if start < 0 or end < start:
            break
        if end - start <= LARGEST_PACKET:
            _add_packet(data[start:end], said)
    return said


def _add_packet(packet: bytes, said: dict[str, list[str]]) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(packet, parser)
    for element in root.iter("{*}Description") if root is not None else ():
        for tag, value in element.attrib.items():
            _add(said, str(tag), [str(value)])
        for child in element.iterchildren("*"):
            items = [item.text for item in child.iter("{*}li")] or [child.text]
            _add(said, child.tag, [text for text in items if text])


def _add(said: dict[str, list[str]], tag: str, values: list[str]) -> None:
    space, _, name = tag.lstrip("{").rpartition("}")
    prefix = "prism:" if PRISM.fullmatch(space) else XMP_PREFIXES.get(space, "")
    if prefix and values:
        said.setdefault(prefix + name.lower(), []).extend(values[:MOST_VALUES])


def _find_values(said: Said, names: Iterable[str]) -> list[str]:
    """Return the values of the first of the names that has any."""
    return next(([v for v in said[name] if v.strip()] for name in names if name in said), [])


def _find_first(said: Said, names: Iterable[str]) -> str:
    found = (clean_line(value, LONGEST) for name in names for value in said.get(name, [])[:1])
    return next(filter(None, found), "")


def _identify(value: str) -> str:
    """Detect a DOI, ISBN or ISSN by its prefix."""
    line = value.strip().lower().removeprefix("urn:")
    if line.startswith(("10.", "doi:", "https://doi.org/", "http://dx.doi.org/")):
        return "DOI"
    if line.startswith(("isbn", "978", "979")):
        return "ISBN"
    return "ISSN" if line.startswith("issn") else ""
