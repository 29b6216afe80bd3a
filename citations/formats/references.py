"""References: the entries of a BibTeX, RIS or CSL-JSON file as raw CSL-JSON items.

Parsed in the confined child: bibtexparser takes linear time (60 µs an entry), but logs words that
it can't read.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import Any

import rispy
from bibtexparser import model
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import split_multiple_persons_names
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, ignore_progress

MOST_ENTRIES, MOST_TOLD, LONGEST = 100_000, 1000, 2000
UNREADABLE = (AttributeError, LookupError, TypeError, ValueError, LatexWalkerError)
# The key of an entry in BibTeX, CSL-JSON or RIS.
KEY = re.compile(r'@\w+\s*[{(]\s*([^\s,={}()]+)|"id"\s*:\s*"([^"\n]+)|\nID  ?- ([^\n]+)')
NEXT_ITEM = re.compile(r"\}\s*,\s*(?=\{)")
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
    "MANSCPT": "manuscript", "PCOMM": "personal_communication",
}  # fmt: skip
RIS_FIELDS = {
    "title": ("title", "primary_title"),
    "container-title": ("secondary_title", "journal_name", "alternate_title3"),
    "publisher": ("publisher",), "publisher-place": ("place_published",), "volume": ("volume",),
    "issue": ("number",), "DOI": ("doi",), "edition": ("edition",), "language": ("language",),
    "accessed": ("access_date",),
}  # fmt: skip

Row = dict[str, Any]


def read(data: bytes, limits: ReadingLimits, progress: Progress = ignore_progress) -> FileReading:
    """Read the entries: their items, their files' names, and the keys of unreadable ones."""
    text = decode_text(data).lstrip("\ufeff").strip()
    if text[:1] in ("[", "{"):
        rows = _read_json(text)
    elif "\nTY  - " in f"\n{text}":
        rows = _read_ris(text)
    elif "@" in text:
        rows = _read_bibtex(text)
    else:
        raise BadFile("no_references")
    entries: list[Row] = []
    failures: list[Row] = []
    for number, row in enumerate(islice(rows, MOST_ENTRIES), 1):
        if "item" in row:
            entries.append(row)
        else:
            failures.append(row | {"entry": row["entry"] or f"#{number}"})
    failed = len(failures) + sum(1 for _row in rows)
    told = failures[:MOST_TOLD]
    return FileReading(csl={"entries": entries, "failures": told, "failed": failed})


def _read_entry(raw: str, read: Callable[[], Row]) -> Row:
    try:
        return read()
    except UNREADABLE:
        return _fail(raw)


def _fail(raw: str, reason: str = "broken") -> Row:
    """Record an unreadable entry, by its key if it has one."""
    key = KEY.search(raw[:LONGEST])
    return {"entry": key[key.lastindex or 0].strip() if key else "", "reason": reason}


def _read_json(text: str) -> Iterator[Row]:
    try:
        value = json.loads(text)
    except ValueError as error:
        rows = list(_salvage_items(text))
        if not any("item" in row for row in rows):
            raise BadFile("broken") from error
        yield from rows
        return
    items = value if isinstance(value, list) else value.get("items", [value])
    for item in items if isinstance(items, list) else [items]:
        yield {"item": item, "files": []} if isinstance(item, dict) else _fail("")


def _salvage_items(text: str) -> Iterator[Row]:
    """Read the items of a broken list one by one; anything without a title is a fragment."""
    decoder, position = json.JSONDecoder(), text.find("{", 1)
    while position >= 0:
        try:
            item, end = decoder.raw_decode(text, position)
            if "title" in item:
                yield {"item": item, "files": []}
            position = text.find("{", end)
        except ValueError as error:
            yield _fail(text[position : position + LONGEST])
            found = NEXT_ITEM.search(text, getattr(error, "pos", len(text)))
            position = found.end() if found else -1


def _read_ris(text: str) -> Iterator[Row]:
    for record in f"\n{text}".split("\nTY  - ")[1:]:
        if "\nER  -" in record:
            yield _read_entry(record, partial(_map_ris, record))
        else:
            yield _fail(record)


def _map_ris(record: str) -> Row:
    [row] = rispy.loads(f"TY  - {record}")
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
    known = {name: value for name, value in item.items() if value}
    return {"item": known, "files": _list_base_names(row.get("file_attachments1"))}


def _read_bibtex(text: str) -> Iterator[Row]:
    for block in parse_string(text).blocks:
        raw = block.raw or ""
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            yield _fail(raw, "repeated")
        elif isinstance(block, model.ParsingFailedBlock):
            yield _fail(raw)
        elif isinstance(block, model.Entry):
            yield _read_entry(raw, partial(_map_bibtex, block))


def _map_bibtex(entry: model.Entry) -> Row:
    said = {field.key.lower(): str(field.value)[: LONGEST * 10] for field in entry.fields}
    item: dict[str, Any] = {
        name: _convert_latex(value) for name, value in _pick(said, BIBTEX_FIELDS).items()
    }
    for name in ("author", "editor"):
        if people := said.get(name):
            item[name] = [
                _convert_latex_name(each) for each in split_multiple_persons_names(people)
            ]
    if pages := item.get("page"):
        item["page"] = re.sub(r"\s*-{1,3}\s*", "-", pages)
    month = said.get("month", "").strip().lower()
    number = MONTHS.index(month[:3]) + 1 if month[:3] in MONTHS else month
    exact = "-".join(filter(None, [said.get("year", ""), str(number).zfill(2) if number else ""]))
    item["issued"] = said.get("date") or exact
    item["type"] = BIBTEX_TYPES.get(entry.entry_type.lower(), "")
    known = {name: value for name, value in item.items() if value}
    return {"item": known, "files": _list_base_names(said.get("file"))}


def _pick(said: Mapping[str, Any], fields: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    found = {
        field: next((said[name] for name in names if said.get(name)), "")
        for field, names in fields.items()
    }
    return {field: value for field, value in found.items() if value}


def _convert_latex(text: str) -> str:
    """Return LaTeX as plain text, without the braces that keep capitals."""
    text = text[:LONGEST]
    if "\\" in text:
        text = LatexNodes2Text(strict_latex_spaces=False).latex_to_text(text)
    return text.replace("{", "").replace("}", "")


def _convert_latex_name(name: str) -> str:
    return f"{{{_convert_latex(name)}}}" if name.startswith("{") else _convert_latex(name)


def _list_base_names(value: Any) -> list[str]:
    """List the file names in a field like "Full text:files/7/Miki.pdf:application/pdf"."""
    texts = value if isinstance(value, list) else [value or ""]
    parts = [part for text in texts for part in PARTS.split(str(text)[:LONGEST])]
    names = [PurePath(part.replace("\\", "/").strip()).name for part in parts]
    return [name for name in names if "." in name]
