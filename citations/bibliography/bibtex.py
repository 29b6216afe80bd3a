"""BibTeX entries of CSL-JSON items."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from citations.bibliography.items import Item

TYPES = {
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "book": "book",
    "chapter": "incollection",
    "paper-conference": "inproceedings",
    "report": "techreport",
    "thesis": "phdthesis",
}
CONTAINERS = {"article": "journal", "incollection": "booktitle", "inproceedings": "booktitle"}
PUBLISHERS = {"techreport": "institution", "phdthesis": "school"}
FIELDS = {
    "publisher-place": "address",
    "edition": "edition",
    "volume": "volume",
    "issue": "number",
    "number": "number",
    "ISBN": "isbn",
    "ISSN": "issn",
}
# Braces by name: BibTeX counts escaped ones as well.
SIGNS = {sign: f"\\{sign}" for sign in "&%$#_"} | {
    "\\": r"{\textbackslash}",
    "{": r"{\lbrace}",
    "}": r"{\rbrace}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
}
ESCAPES = str.maketrans(SIGNS)
# Addresses are not escaped.
ADDRESSES = str.maketrans({sign: f"%{ord(sign):02X}" for sign in '{}\\"'})


def write_bibtex(number: int, item: Item) -> str:
    """Return the item as an entry, whose key ends with the number."""
    kind = TYPES.get(item["type"], "misc")
    title = escape(item.get("title", ""))
    fields = {
        "author": _join_names(item.get("author", ())),
        "editor": _join_names(item.get("editor", ())),
        "title": title and f"{{{title}}}",  # keeps its capitals
        CONTAINERS.get(kind, "howpublished"): escape(item.get("container-title", "")),
        PUBLISHERS.get(kind, "publisher"): escape(item.get("publisher", "")),
        **{name: escape(item.get(csl, "")) for csl, name in FIELDS.items()},
        "pages": re.sub(r"\s*[-–]+\s*", "--", escape(item.get("page", ""))),
        "year": "".join(date_parts(item, "issued")[:1]),
        "month": "".join(date_parts(item, "issued")[1:2]),
        "urldate": "-".join(date_parts(item, "accessed")),
        "doi": str(item.get("DOI", "")).translate(ADDRESSES),
        "url": str(item.get("URL", "")).translate(ADDRESSES),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    written = ",\n".join([make_key(number, item), *lines])
    return f"@{kind}{{{written}\n}}\n"


def make_key(number: int, item: Item) -> str:
    """Return a key such as miki1994-3: the first author, the year and the number."""
    names = item.get("author") or [{}]
    name = names[0].get("family") or names[0].get("literal") or ""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z]", "", plain)[:20] or "source"
    return f"{word}{''.join(date_parts(item, 'issued')[:1])}-{number}"


def date_parts(item: Item, name: str) -> list[str]:
    """Return year, month and day of one of the item's dates, as far as they are known."""
    parts = (item.get(name) or {}).get("date-parts") or [[]]
    return [f"{part:02}" for part in parts[0]]


def escape(text: Any) -> str:
    """Return the text escaped for TeX, on one line."""
    return " ".join(str(text).split()).translate(ESCAPES)


def _join_names(names: Iterable[Mapping[str, str]]) -> str:
    return " and ".join(
        ", ".join(escape(name[part]) for part in ("family", "given") if name.get(part))
        if name.get("family")
        else f"{{{escape(name.get('literal') or name.get('given', ''))}}}"
        for name in names
    )
