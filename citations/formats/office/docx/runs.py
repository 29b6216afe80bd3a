"""Runs: the visible text of a paragraph; notes, comments and boxes are kept for the walk."""

from typing import Any, NamedTuple

from lxml import etree

from citations.formats.office import RELATED, read_relations
from citations.formats.office.archive import Parts
from citations.formats.office.asides import format_hidden_text, format_image_text
from citations.formats.office.docx.fields import (
    read_bare_text,
    read_control,
    read_field,
    read_symbol,
)
from citations.formats.office.docx.vocabulary import W, is_on, read_value
from citations.formats.office.drawings import CHART, DIAGRAM
from citations.formats.office.formulas import M, write_formula
from citations.formats.scripts import format_run
from citations.formats.sections import Sections

FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
PLACED = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic"
VML = "{urn:schemas-microsoft-com:vml}"
SIGNS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
# Deleted text, instructions of fields, and a drawing's copy for old programs.
UNSEEN = {f"{W}del", f"{W}moveFrom", f"{W}instrText", FALLBACK}
NOTES = {"footnote": "footnotes", "endnote": "endnotes", "comment": "comments"}
REFERENCES = {f"{W}{kind}Reference": kind for kind in NOTES}
# The end of hidden text, which may be continued: recognised by identity, not by its characters.
END = "] "


class Aside(NamedTuple):
    """A note, a comment, a text box or a drawing's part, beside a paragraph."""

    kind: str
    label: str
    content: Any


class RunReader:
    """Reads the text of paragraphs, and numbers the notes in order of reference."""

    def __init__(self, package: Parts, main: str, sections: Sections, *, hidden: bool) -> None:
        self.asides: list[Aside] = []
        self._sections, self._hidden = sections, hidden
        self._related = read_relations(package, main)
        # Notes without a reference so far; separators, which have a type, are left out.
        self._notes = {
            (kind, note.get(f"{W}id", f"{at}")): note
            for kind, name in NOTES.items()
            if package.has(f"word/{name}.xml")
            for at, note in enumerate(package.xml(f"word/{name}.xml"))
            if not note.get(f"{W}type")
        }
        self._numbers: dict[tuple[str, str], int] = {}
        self._alternative = ""

    def text(self, block: Any) -> str:
        """Return the text of the element with all changes accepted."""
        words: list[str] = []
        walker = etree.iterwalk(block, events=("start", "end"))
        for event, element in walker:
            if event == "end":
                if element.tag == f"{W}p" and element is not block:  # in a cell or a note
                    words.append("\n")
            elif (whole := self._whole(element, words)) is not None:
                words.append(whole)
                walker.skip_subtree()
            else:
                words.append(self._sign(element))
        return "".join(words)

    def leave_notes(self) -> None:
        """Collect the notes and comments without a reference."""
        for kind, key in list(self._notes):
            self._refer(kind, key)

    def _whole(self, element: Any, words: list[str]) -> str | None:
        """Return the text of an element as a whole, or None if its children are to be read."""
        tag = element.tag
        if tag in UNSEEN:
            return ""
        if tag == f"{M}oMath":
            return write_formula(element)
        if tag == f"{W}txbxContent":
            self.asides.append(Aside("box", "", element))
            return ""
        if tag == f"{W}sdt":
            return read_control(element)
        if tag != f"{W}r":
            return None
        if is_on(element, "rPr/vanish"):
            return self._hidden_text(read_bare_text(element), words)
        align, text = read_value(element, "rPr/vertAlign"), read_bare_text(element)
        is_struck = is_on(element, "rPr/strike") or is_on(element, "rPr/dstrike")
        written = format_run("".join(words[-3:]), text, align, is_struck=is_struck)
        return None if written == text else written

    def _hidden_text(self, text: str, words: list[str]) -> str:
        marked = format_hidden_text(text, self._sections, is_read=self._hidden)
        if marked and words and words[-1] is END:
            words[-1] = text
        elif marked:
            words.append(marked[:-1])
        return END if marked else ""

    def _sign(self, element: Any) -> str:
        tag = element.tag
        if tag == f"{W}t":
            return element.text or ""
        if tag in REFERENCES:
            return self._refer(REFERENCES[tag], element.get(f"{W}id", ""))
        if tag == f"{W}ffData":
            return read_field(element)
        if tag == f"{W}sym":
            return read_symbol(element)
        if tag in (PLACED, f"{VML}shape"):
            self._alternative = element.get("descr") or element.get("alt") or ""
        elif tag in (PICTURE, f"{VML}imagedata"):
            text, self._alternative = self._alternative, ""
            return format_image_text(text, self._sections)
        elif tag in (f"{CHART}chart", f"{DIAGRAM}relIds"):
            key = element.get(f"{RELATED}id") or element.get(f"{RELATED}dm", "")
            if drawn := self._related.pop(key, None):  # each is read once
                self.asides.append(Aside("drawing", "", drawn.part))
        return SIGNS.get(tag, "")

    def _refer(self, kind: str, key: str) -> str:
        """Collect a note at its first reference, and return its mark."""
        note, label = self._notes.pop((kind, key), None), ""
        if kind != "comment":
            label = f"[{self._numbers.setdefault((kind, key), len(self._numbers) + 1)}]"
        if note is not None:
            self.asides.append(Aside(kind, label or note.get(f"{W}author", ""), note))
        return label
