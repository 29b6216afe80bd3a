"""Files of Excel, PowerPoint, OpenDocument and EPUB, made of the XML that they are about."""

from collections.abc import Mapping, Sequence
from html import escape

from tests.citations import files

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWN = "http://schemas.openxmlformats.org/drawingml/2006/main"
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMES = "office text table style draw:drawing presentation fo:xsl-fo-compatible form chart".split()
NAMES.append("svg:svg-compatible")
SPACES = " ".join(
    f'xmlns:{short}="{OASIS}{long or short}:1.0"'
    for short, _, long in (name.partition(":") for name in NAMES)
)
SPACES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def related(*targets: tuple[str, str]) -> str:
    """Name the parts that a part is related to: a kind and a target each, with ids r1, r2 …"""
    made = "".join(
        f'<Relationship Id="r{at}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}">{made}</Relationships>'


def chart(title: str, series: Mapping[str, Sequence[float]], categories: Sequence[str]) -> str:
    """Make a chart of series that have a value for each category."""

    def points(values: Sequence[object]) -> str:
        return "".join(
            f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values)
        )

    made = "".join(
        f"<c:ser><c:tx><c:v>{name}</c:v></c:tx><c:cat><c:strLit>{points(categories)}</c:strLit>"
        f"</c:cat><c:val><c:numLit>{points(values)}</c:numLit></c:val></c:ser>"
        for name, values in series.items()
    )
    return (
        f'<c:chartSpace xmlns:c="{CHART}" xmlns:a="{DRAWN}"><c:chart>'
        f"<c:title>{drawn(title)}</c:title><c:plotArea><c:barChart>{made}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )


# --- Excel ---------------------------------------------------------------------------------------


def workbook(
    *sheets: str,
    states: Sequence[str] = (),
    strings: Sequence[str] = (),
    forms: Sequence[str] = (),
    settings: str = "",
) -> bytes:
    """Make a workbook of sheets, each the XML of its parts; cells of style N have the Nth form,
    and those of the style behind the last are bold.
    """
    listed = "".join(
        f'<sheet name="Sheet {at}" r:id="r{at}" state="{state or "visible"}"/>'
        for at, state in enumerate([*states, *[""] * (len(sheets) - len(states))], 1)
    )
    made = {
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}">{settings}'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": related(
            *[("worksheet", f"worksheets/{at}.xml") for at in range(1, len(sheets) + 1)],
            ("sharedStrings", "sharedStrings.xml"),
            ("styles", "/xl/styles.xml"),
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{SHEET}">'
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
        + "</sst>",
        "xl/styles.xml": styles_of(forms),
    }
    made |= {
        f"xl/worksheets/{at}.xml": f'<worksheet xmlns="{SHEET}">{sheet}</worksheet>'
        for at, sheet in enumerate(sheets, 1)
    }
    return files.archive(made)


def styles_of(forms: Sequence[str]) -> str:
    codes = "".join(
        f'<numFmt numFmtId="{200 + at}" formatCode="{escape(code)}"/>'
        for at, code in enumerate(forms)
    )
    looks = "".join(f'<xf numFmtId="{200 + at}" fontId="0"/>' for at in range(len(forms)))
    return (
        f'<styleSheet xmlns="{SHEET}"><numFmts>{codes}</numFmts><fonts><font/><font><b/></font>'
        f'</fonts><cellXfs>{looks}<xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>'
    )


def rows(*given: Sequence[object], style: int = 0) -> str:
    """Write rows of cells; a number is one, a text is put in its cell, and a pair has a style."""
    made = ""
    for number, cells in enumerate(given, 1):
        row = "".join(cell(value, number, at, style) for at, value in enumerate(cells))
        made += f'<row r="{number}">{row}</row>' if row else ""
    return f"<sheetData>{made}</sheetData>"


def cell(value: object, number: int, at: int, style: int) -> str:
    if isinstance(value, tuple):
        value, style = value
    place = f'r="{chr(ord("A") + at)}{number}" s="{style}"'
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return f"<c {place}><v>{value}</v></c>"
    return f'<c {place} t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'


# --- PowerPoint ----------------------------------------------------------------------------------


def deck(
    *slides: str,
    notes: str = "",
    hidden: Sequence[int] = (),
    beside: Mapping[str, str] | None = None,
    authors: tuple[str, str] = ("commentAuthors", ""),
) -> bytes:
    """Make a presentation of slides, each the XML of its shapes; the notes are the first one's, and
    so are the parts beside it, from r2 on.
    """
    listed = "".join(f'<p:sldId r:id="r{at}"/>' for at in range(1, len(slides) + 1))
    spaces = f'xmlns:p="{SLIDE}" xmlns:a="{DRAWN}" xmlns:r="{OFFICE}"'
    made = {
        "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst>"
        "</p:presentation>",
        "ppt/_rels/presentation.xml.rels": related(
            *[("slide", f"slides/slide{at}.xml") for at in range(1, len(slides) + 1)],
            (authors[0], "authors.xml"),
        ),
        "ppt/authors.xml": f"<authors>{authors[1]}</authors>",
        "ppt/slides/_rels/slide1.xml.rels": related(
            ("notesSlide", "../notes/1.xml"), *[(kind, f"{kind}.xml") for kind in beside or {}]
        ),
        **{f"ppt/slides/{kind}.xml": part for kind, part in (beside or {}).items()},
        "ppt/notes/1.xml": f"<p:notes {spaces}><p:cSld><p:spTree>{notes}</p:spTree></p:cSld>"
        "</p:notes>",
    }
    for at, slide in enumerate(slides, 1):
        shows = 'show="0"' if at in hidden else ""
        made[f"ppt/slides/slide{at}.xml"] = (
            f"<p:sld {spaces} {shows}><p:cSld><p:spTree>{slide}</p:spTree></p:cSld></p:sld>"
        )
    return files.archive(made)


def shape(*paragraphs: str, place: str | None = None) -> str:
    """Make a shape of paragraphs, each a text or the XML of one, in a placeholder of a kind."""
    held = "" if place is None else f'<p:ph type="{place}"/>' if place else "<p:ph/>"
    inside = "".join(text if text.startswith("<a:p>") else drawn(text) for text in paragraphs)
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr/><p:cNvSpPr/><p:nvPr>{held}</p:nvPr></p:nvSpPr>"
        f"<p:txBody>{inside}</p:txBody></p:sp>"
    )


def drawn(text: str, properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


# --- OpenDocument and EPUB -----------------------------------------------------------------------


def opendocument(
    kind: str, body: str, *, styles: str = "", own: str = "", embedded: str = ""
) -> bytes:
    """Make a "text", a "spreadsheet" or a "presentation" with the XML as its body."""
    content = (
        f"<office:document-content {SPACES}><office:automatic-styles>{own}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document-content>"
    )
    named = f"<office:document-styles {SPACES}>{styles}</office:document-styles>"
    media_type = f"application/vnd.oasis.opendocument.{kind}"
    made = {"content.xml": content, "styles.xml": named}
    made |= {"Object 1/content.xml": f"<embedded {SPACES}>{embedded}</embedded>"}
    return files.stored("mimetype", media_type, made)


def book(*chapters: str, contents: str = "", title: str = "A Book") -> bytes:
    """Make a book of chapters, each the HTML of its body; the contents are those of an NCX."""
    items = "".join(
        f'<item id="c{at}" href="c%20{at}.xhtml" media-type="application/xhtml+xml"/>'
        for at in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{title}</dc:title><dc:creator>Jane Doe</dc:creator>"
        f"<dc:date>2020-05-01</dc:date></metadata><manifest>{items}"
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
        f"<spine>{spine}</spine></package>"
    )
    made = {
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/a.opf"/>'
        "</rootfiles></container>",
        "OPS/a.opf": package,
        "OPS/toc.ncx": f"<!DOCTYPE ncx PUBLIC 'ncx' 'ncx.dtd'><ncx>{contents}</ncx>",
    }
    made |= {
        f"OPS/c {at}.xhtml": f"<!DOCTYPE html><html><body>{chapter}</body></html>"
        for at, chapter in enumerate(chapters)
    }
    return files.stored("mimetype", "application/epub+zip", made)
