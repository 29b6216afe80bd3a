"""RIS records of CSL-JSON items."""

import re
from typing import Any

import rispy

from citations.bibliography.bibtex import date_parts
from citations.bibliography.items import Item
from citations.formats.references import RIS_FIELDS, RIS_TYPES
from citations.sources.names import invert_name

TYPES = {csl: name for name, csl in RIS_TYPES.items()}


def write_ris(number: int, item: Item) -> str:
    """Return the item as a record, whose id is the number."""
    first, _dash, last = re.sub(r"\s*[-–]+\s*", "-", str(item.get("page", ""))).partition("-")
    issued, accessed = date_parts(item, "issued"), date_parts(item, "accessed")
    record: dict[str, Any] = {
        "type_of_reference": TYPES.get(item["type"], "GEN"),
        "id": str(number),
        "authors": [_format_line(invert_name(name)) for name in item.get("author", ())],
        "secondary_authors": [_format_line(invert_name(name)) for name in item.get("editor", ())],
        **{names[0]: _format_line(item.get(csl, "")) for csl, names in RIS_FIELDS.items()},
        "start_page": first,
        "end_page": last,
        "year": "".join(issued[:1]),
        "date": "/".join(issued) if len(issued) > 1 else "",
        "access_date": "/".join(accessed),
        "issn": _format_line(item.get("ISBN") or item.get("ISSN", "")),
        "urls": [_format_line(item["URL"])] if item.get("URL") else [],
    }
    written = rispy.dumps([{name: value for name, value in record.items() if value}])
    return written[written.index("TY  -") :]  # a number stands before each record otherwise


def _format_line(text: Any) -> str:
    """Put the text on one line: each line of a record is a field."""
    return " ".join(str(text).split())
