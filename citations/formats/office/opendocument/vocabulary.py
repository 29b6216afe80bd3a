"""The vocabularies of OpenDocument."""

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW, STYLE, PRESENTATION, FO, FORM, CHART, SVG = (
    f"{_OASIS}{name}:1.0}}"
    for name in (
        *("office", "text", "table", "drawing", "style", "presentation"),
        *("xsl-fo-compatible", "form", "chart", "svg-compatible"),
    )
)
HREF = "{http://www.w3.org/1999/xlink}href"
MOST_REPEATED = 200  # maximum number of repeated cells or rows
