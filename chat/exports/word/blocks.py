"""The body of a Word file: paragraphs, lists, tables and code, from an answer's HTML."""

from collections.abc import Collection, Mapping
from typing import Any

from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from lxml import etree, html as parser

from chat.exports.word.equations import convert_formula
from chat.exports.word.footnotes import Footnotes
from chat.exports.word.runs import ILLEGAL, add_run

MARKS = {
    "strong": "bold",
    "em": "italic",
    "i": "italic",
    "b": "bold",
    "s": "struck",
    "code": "code",
}
MARKS |= {"th": "bold", "sup": "raised"}
# Colours by the first letter of Pygments' classes, which names the token's kind.
COLOURS = {"k": "word", "s": "string", "m": "number", "c": "muted"}
HEADINGS = {"h3": "Heading2", "h4": "Heading3", "h5": "Heading4", "h6": "Heading5"}
DEEPEST_LIST = 3
TABLE = f"""<w:tbl {nsdecls("w")}><w:tblPr><w:tblStyle w:val="TableGrid"/>
<w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid/></w:tbl>"""
Notes = Mapping[str, tuple[int, str]]


class WordBody:
    """The body of the document, to which blocks are appended."""

    def __init__(self, document: Document) -> None:
        self._document, self._footnotes = document, Footnotes()
        self._body: Any = document.element.body
        # The section's properties must come last; they are removed until the end, to append faster.
        self._section = self._body.sectPr
        self._body.remove(self._section)
        self._notes: Notes = {}
        self._is_raised = False
        code: Any = document.styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
        code.font.name, code.font.size = "Consolas", Pt(9)
        numbered = document.styles["List Number"].element
        self._numbering: Any = document.part.numbering_part.element
        number = numbered.pPr.numPr.numId.val
        self._numbers = self._numbering.num_having_numId(number).abstractNumId.val

    def add_paragraph(
        self, text: str, *, style: str = "", marks: Collection[str] = (), html: str = ""
    ) -> None:
        """Add a paragraph of text, followed by the HTML's inline content."""
        paragraph = self._paragraph(self._body, style)
        add_run(paragraph, text, set(marks))
        if html:
            self._add_inline(paragraph, parser.fragment_fromstring(html, "p"), frozenset())

    def add_html(self, html: str, notes: Notes, *, is_raised: bool) -> None:
        """Add an answer; its numbers become marks of the notes, by their ids."""
        self._notes, self._is_raised = notes, is_raised
        answer = parser.fragment_fromstring(ILLEGAL.sub("", html) or " ", "div")
        _join_lines(answer)
        self._add_blocks(self._body, answer)

    def finish(self) -> None:
        """End the document; nothing can be added afterwards."""
        self._body.append(self._section)
        self._footnotes.save(self._document)

    def _paragraph(self, place: Any, style: str = "", number: int | None = None) -> Any:
        paragraph = OxmlElement("w:p")
        if style:
            paragraph.get_or_add_pPr().get_or_add_pStyle().val = style
        if number is not None:
            numbering = paragraph.get_or_add_pPr().get_or_add_numPr()
            numbering.get_or_add_ilvl().val = 0
            numbering.get_or_add_numId().val = number
        place.append(paragraph)
        return paragraph

    def _add_blocks(self, place: Any, element: Any, style: str = "", depth: int = 0) -> None:
        for child in element:
            if child.tag in ("ul", "ol"):
                self._add_list(place, child, depth + 1)
            elif child.tag == "blockquote":
                self._add_blocks(place, child, "Quote", depth)
            elif child.tag == "table":
                self._add_table(place, child)
            elif child.tag == "pre":
                self._add_inline(self._paragraph(place, "Code"), child, frozenset())
            elif child.tag == "hr":
                self._paragraph(place)
            else:
                paragraph = self._paragraph(place, HEADINGS.get(child.tag, style))
                self._add_inline(paragraph, child, frozenset())

    def _add_list(self, place: Any, element: Any, depth: int) -> None:
        level = min(depth, DEEPEST_LIST)
        suffix = str(level) if level > 1 else ""
        is_numbered = element.tag == "ol"
        number = self._begin_numbers(int(element.get("start", 1))) if is_numbered else None
        style = f"ListNumber{suffix}" if is_numbered else f"ListBullet{suffix}"
        for item in element:
            self._add_item(place, item, style, number, depth)

    def _add_item(self, place: Any, item: Any, style: str, number: int | None, depth: int) -> None:
        """Add an item: its first paragraph has the bullet, the others are indented below it."""
        paragraph = self._paragraph(place, style, number)
        first = item[0] if len(item) and item[0].tag == "p" else None
        if first is not None:
            self._add_inline(paragraph, first, frozenset())
            item.remove(first)
            self._add_blocks(place, item, "ListContinue", depth)
            return
        item.text = item.text.rstrip()
        inner = [child for child in item if child.tag in ("ul", "ol", "table", "pre", "blockquote")]
        rest = OxmlElement("w:body")
        for child in inner:
            item.remove(child)
            rest.append(child)
        self._add_inline(paragraph, item, frozenset())
        self._add_blocks(place, rest, "", depth)

    def _begin_numbers(self, start: int) -> int:
        """Begin a list that counts from a number; return its id."""
        number = self._numbering.add_num(self._numbers)
        number.add_lvlOverride(ilvl=0).add_startOverride(start)
        return int(number.numId)

    def _add_table(self, place: Any, element: Any) -> None:
        table = parse_xml(TABLE)
        rows = element.findall(".//tr")
        for _ in range(max((len(row) for row in rows), default=1)):
            table.find(qn("w:tblGrid")).append(OxmlElement("w:gridCol"))
        for row in rows:
            line = OxmlElement("w:tr")
            for cell in row:
                box = OxmlElement("w:tc")
                marks = frozenset({"bold"} if cell.tag == "th" else ())
                self._add_inline(self._paragraph(box), cell, marks)
                line.append(box)
            table.append(line)
        place.append(table)
        self._paragraph(place)  # adjacent tables would merge

    def _add_inline(self, paragraph: Any, element: etree._Element, marks: frozenset[str]) -> None:
        if element.text:
            add_run(paragraph, element.text, marks)
        for child in element:
            self._add_child(paragraph, child, marks)
            if child.tail:
                add_run(paragraph, child.tail, marks)

    def _add_child(self, paragraph: Any, child: etree._Element, marks: frozenset[str]) -> None:
        if child.tag == "a" and (note := self._notes.get(child.get("id", ""))):
            self._footnotes.refer(paragraph, f"[{note[0]}]", note[1], is_raised=self._is_raised)
        elif child.tag == "math":
            paragraph.append(convert_formula(child))
        elif child.tag == "br":
            add_run(paragraph, "\n", marks)
        elif child.tag == "sup":
            self._add_inline(paragraph, child, marks)
        else:
            mark = MARKS.get(str(child.tag)) or _find_mark(child.get("class", ""))
            self._add_inline(paragraph, child, marks | {mark} if mark else marks)


def _join_lines(element: Any) -> None:
    """Replace line ends by spaces; only code has line breaks."""
    if element.tag != "pre":
        element.text = (element.text or "").replace("\n", " ")
        for child in element:
            _join_lines(child)
            child.tail = (child.tail or "").replace("\n", " ")


def _find_mark(name: str) -> str:
    """Return the formatting of a span: an unsupported statement, its sign, or a token of code."""
    if name.startswith("claim-sign"):
        return "muted"
    return "doubted" if name.startswith("claim") else COLOURS.get(name[:1], "")
