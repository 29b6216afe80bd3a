"""Drawings: charts, diagrams and the text of shapes, in the XML that all of Office shares."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from citations.formats.blocks import BULLET
from citations.formats.office import DRAWN
from citations.formats.office.archive import Parts
from citations.formats.office.formulas import M, write_formula
from citations.formats.office.number_formats import format_number
from citations.formats.parts import PartKind, Reason
from citations.formats.scripts import format_run
from citations.formats.sections import MAX_CELLS, Sections
from citations.formats.tables import Cell, add_table

CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
CATEGORIES, VALUES = ("cat", "xVal"), ("val", "yVal")
MOST_ROWS = 5000  # of a chart; people see some hundreds

Points = dict[str, str]  # by their index
Series = tuple[str, Points, Points]  # name, categories and values


def read_paragraph(paragraph: Any) -> str:
    """Return the text of the runs, of fields, of formulas and of line breaks."""
    words: list[str] = []
    for element in paragraph.iter(f"{DRAWN}t", f"{DRAWN}br", f"{M}oMath"):
        if element.tag == f"{DRAWN}t":
            look = element.getparent().find(f"{DRAWN}rPr")
            said = {} if look is None else look.attrib
            raised = said.get("baseline", "0").rstrip("0%")
            position = "sub" if raised.startswith("-") else "super" if raised else ""
            is_struck = said.get("strike", "noStrike") != "noStrike"
            base = "".join(words[-3:])
            words.append(format_run(base, element.text or "", position, is_struck=is_struck))
        else:
            words.append("\n" if element.tag == f"{DRAWN}br" else write_formula(element))
    lines = "".join(words).replace("\v", "\n").split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip()


def add_drawing(package: Parts, part: str, sections: Sections) -> None:
    """Add the chart or the diagram of a part."""
    if not package.has(part):
        sections.parts.count(PartKind.CHART, unread=Reason.BROKEN)
        return
    root = package.xml(part)
    add = add_chart if root.tag == f"{CHART}chartSpace" else add_diagram
    add(root, sections)


def add_diagram(root: Any, sections: Sections) -> None:
    """Add the texts of a diagram's shapes."""
    for point in root.iter(f"{DIAGRAM}pt"):
        text = " ".join(filter(None, map(read_paragraph, point.iter(f"{DRAWN}p"))))
        sections.item(text, BULLET)


def add_chart(root: Any, sections: Sections) -> None:
    """Add a chart's stored data as a table under its title, and count the chart."""
    columns = [
        (read_name(each), read_series_points(each, CATEGORIES), read_series_points(each, VALUES))
        for each in islice(root.iter(f"{CHART}ser"), MAX_CELLS)
    ]
    shared = next((labels for _, labels, _ in columns if labels), {})
    columns = [(name, labels or shared, values) for name, labels, values in columns if values]
    sections.parts.count(PartKind.CHART, unread=None if columns else Reason.NO_VALUE)
    title = " ".join(map(read_paragraph, root.iterfind(f"{CHART}chart/{CHART}title//{DRAWN}p")))
    # A chart with one series has its name.
    title = title or (columns[0][0] if len(columns) == 1 else "")
    caption = f"Chart: {title}" if title else "Chart"
    while columns:
        # Series with other categories form a table of their own.
        labels = columns[0][1]
        add_series(labels, [each for each in columns if each[1] == labels], caption, sections)
        columns = [each for each in columns if each[1] != labels]


def add_series(labels: Points, columns: Sequence[Series], caption: str, sections: Sections) -> None:
    """Add a table with a row for each category and a column for each series."""
    places = list(dict.fromkeys(at for _, _, values in columns for at in values))
    sections.parts.count(PartKind.ROW, len(places) - MOST_ROWS, unread=Reason.BEYOND_LIMIT)
    header = [
        Cell(name, is_header=True) for name in ("Category", *(name for name, _, _ in columns))
    ]
    rows = [
        [Cell(labels.get(at, "")), *(Cell(values.get(at, "")) for _, _, values in columns)]
        for at in places[:MOST_ROWS]
    ]
    add_table(sections, [header, *rows], caption=caption)


def read_name(series: Any) -> str:
    return " ".join(each.text or "" for each in series.iterfind(f"{CHART}tx//{CHART}v"))


def read_series_points(series: Any, kinds: tuple[str, str]) -> Points:
    """Return the stored points of a series by their index, in its number format."""
    found: Points = {}
    for kind in kinds:
        # Levels of categories, innermost first: "2025 Q1".
        levels = series.findall(f"{CHART}{kind}//{CHART}lvl") or series.findall(f"{CHART}{kind}")
        for level in reversed(levels):
            inner = dict(read_points(level))
            found = spread(found, inner) if found else inner
    return found


def read_points(level: Any) -> Iterator[tuple[str, str]]:
    code = next((each.text for each in level.iter(f"{CHART}formatCode")), "") or ""
    for point in level.iter(f"{CHART}pt"):
        text = point.findtext(f"{CHART}v") or ""
        if code not in ("", "General"):
            with suppress(ValueError, OverflowError):
                text = format_number(float(text), point.get("formatCode") or code)
        yield point.get("idx", ""), text


def spread(outer: Points, inner: Points) -> Points:
    """Return the inner labels, each after the outer label that covers it."""
    found, above = {}, ""
    for at, text in inner.items():
        above = outer.get(at, above)
        found[at] = f"{above} {text}".strip()
    return found
