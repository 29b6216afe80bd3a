"""The vocabularies of OpenDocument, and the counts in its attributes."""

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, META, TEXT, TABLE, DRAW, STYLE, PRESENTATION, FO, FORM, CHART, SVG = (
    f"{_OASIS}{name}:1.0}}"
    for name in (
        *("office", "meta", "text", "table", "drawing", "style", "presentation"),
        *("xsl-fo-compatible", "form", "chart", "svg-compatible"),
    )
)
HREF = "{http://www.w3.org/1999/xlink}href"
MOST_REPEATED = 200  # maximum number of repeated cells or rows


def parse_number(text: str | None, otherwise: int = 1) -> int:
    """Return a count in an attribute."""
    return (
        int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else otherwise
    )
