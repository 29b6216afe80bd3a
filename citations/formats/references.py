"""References: the entries of a BibTeX, RIS or CSL-JSON file as raw CSL-JSON items.

Parsed in the confined child: bibtexparser is linear in what it reads (60 µs for an entry), but logs
words of what it can't read.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

import rispy
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import split_multiple_persons_names
from pylatexenc.latex2text import LatexNodes2Text

from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent

MOST_ENTRIES, LONGEST = 100_000, 2000
RIS = re.compile(r"\s*TY  ?- ")
PARTS = re.compile(r"(?<!\\)[;:]")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
BIBTEX_TYPES = {
    "article": "article-journal", "book": "book", "booklet": "pamphlet", "conference":
    "paper-conference", "inbook": "chapter", "incollection": "chapter", "inproceedings":
    "paper-conference", "manual": "report", "mastersthesis": "thesis", "online": "webpage",
    "patent": "patent", "phdthesis": "thesis", "proceedings": "book", "report": "report",
    "techreport": "report", "thesis": "thesis", "unpublished": "manuscript",
}  # fmt: skip
BIBTEX_FIELDS = {
    "container-title": ("journaltitle", "journal", "booktitle"),
    "publisher": ("publisher", "institution", "school", "organization"),
    "publisher-place": ("location", "address"), "issue": ("number", "issue"), "page": ("pages",),
    "DOI": ("doi",), "ISBN": ("isbn",), "ISSN": ("issn",), "language": ("language", "langid"),
    "title": ("title",), "volume": ("volume",), "edition": ("edition",), "URL": ("url",),
    "accessed": ("urldate",),
}  # fmt: skip
RIS_TYPES = {
    "JOUR": "article-journal", "BOOK": "book", "CHAP": "chapter", "CONF": "paper-conference",
    "CPAPER": "paper-conference", "RPRT": "report", "THES": "thesis", "ELEC": "webpage",
    "BLOG": "post-weblog", "NEWS": "article-newspaper", "MGZN": "article-magazine",
    "PAT": "patent", "CASE": "legal_case", "STAT": "legislation", "MAP": "map",
}  # fmt: skip
RIS_FIELDS = {
    "title": ("title", "primary_title"),
    "container-title": ("journal_name", "secondary_title", "alternate_title3"),
    "publisher": ("publisher",), "publisher-place": ("place_published",), "volume": ("volume",),
    "issue": ("number",), "DOI": ("doi",), "edition": ("edition",), "language": ("language",),
    "accessed": ("access_date",),
}  # fmt: skip


def read(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Read the entries: their items, the names of their files, and how many could not be read."""
    text = decode_text(data).lstrip("\ufeff")
    start = text.lstrip()[:1]
    if start in ("[", "{"):
        entries, failed = _read_json(text), 0
    elif RIS.match(text):
        entries, failed = _read_ris(text), 0
    elif "@" in text:
        entries, failed = _read_bibtex(text)
    else:
        raise BadFile("unsupported")
    shown = entries[:MOST_ENTRIES]
    return FileReading(csl={"entries": shown, "failed": failed + len(entries) - len(shown)})


def _read_json(text: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise BadFile("broken") from error
    items = value if isinstance(value, list) else value.get("items", [value])
    return [{"item": item, "files": []} for item in items if isinstance(item, dict)]


def _read_ris(text: str) -> list[dict[str, Any]]:
    try:
        rows = rispy.loads(text)
    except (ValueError, OSError, KeyError, IndexError) as error:
        raise BadFile("broken") from error
    return [
        {"item": _map_ris(row), "files": _base_names(row.get("file_attachments1"))} for row in rows
    ]


def _map_ris(row: Mapping[str, Any]) -> dict[str, Any]:
    item = _pick(row, RIS_FIELDS)
    item["author"] = row.get("authors") or row.get("first_authors") or []
    item["editor"] = row.get("secondary_authors") or []
    item["issued"] = (
        row.get("date") or row.get("year") or row.get("publication_year") or ""
    ).rstrip("/")
    pages = [row[name] for name in ("start_page", "end_page") if row.get(name)]
    item["page"] = "-".join(pages)
    item["URL"] = (row.get("urls") or [""])[0]
    numbers = row.get("issn") or ""
    item["ISBN" if row.get("type_of_reference") in ("BOOK", "CHAP") else "ISSN"] = numbers
    item["type"] = RIS_TYPES.get(str(row.get("type_of_reference")), "")
    return {name: value for name, value in item.items() if value}


def _read_bibtex(text: str) -> tuple[list[dict[str, Any]], int]:
    library = parse_string(text)
    entries = []
    for entry in library.entries:
        said = {field.key.lower(): str(field.value)[: LONGEST * 10] for field in entry.fields}
        item = {
            "item": _map_bibtex(entry.entry_type.lower(), said),
            "files": _base_names(said.get("file")),
        }
        entries.append(item)
    return entries, len(library.failed_blocks)


def _map_bibtex(kind: str, said: Mapping[str, str]) -> dict[str, Any]:
    item: dict[str, Any] = {
        name: _plain(value) for name, value in _pick(said, BIBTEX_FIELDS).items()
    }
    for name in ("author", "editor"):
        if people := said.get(name):
            item[name] = [_plain_name(each) for each in split_multiple_persons_names(people)]
    if pages := item.get("page"):
        item["page"] = re.sub(r"\s*-{1,3}\s*", "-", pages)
    month = said.get("month", "").strip().lower()
    number = MONTHS.index(month[:3]) + 1 if month[:3] in MONTHS else month
    exact = "-".join(filter(None, [said.get("year", ""), str(number).zfill(2) if number else ""]))
    item["issued"] = said.get("date") or exact
    item["type"] = BIBTEX_TYPES.get(kind, "")
    return {name: value for name, value in item.items() if value}


def _pick(said: Mapping[str, Any], fields: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    found = {
        field: next((said[name] for name in names if said.get(name)), "")
        for field, names in fields.items()
    }
    return {field: value for field, value in found.items() if value}


def _plain(text: str) -> str:
    """Return LaTeX as plain text, without the braces that keep capitals."""
    text = text[:LONGEST]
    if "\\" in text:
        text = LatexNodes2Text(strict_latex_spaces=False).latex_to_text(text)
    return text.replace("{", "").replace("}", "")


def _plain_name(name: str) -> str:
    return f"{{{_plain(name)}}}" if name.startswith("{") else _plain(name)


def _base_names(value: Any) -> list[str]:
    """List the names of files in a field like "Full text:files/7/Miki.pdf:application/pdf"."""
    texts = value if isinstance(value, list) else [value or ""]
    return [name for text in texts for name in _split_names(str(text)[:LONGEST])]


def _split_names(text: str) -> Iterator[str]:
    for part in PARTS.split(text):
        name = PurePath(part.replace("\\", "/").strip()).name
        if "." in name:
            yield name
