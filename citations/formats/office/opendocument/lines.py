"""Lines: the visible text of a paragraph; notes and boxes are kept for the walk."""

import re
from typing import Any

from lxml import etree

from citations.formats.office import parse_number
from citations.formats.office.asides import format_hidden_text
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import DRAW, FORM, MOST_REPEATED, OFFICE, TEXT
from citations.formats.parts import PartKind
from citations.formats.scripts import format_run
from citations.formats.sections import Sections

SPACE = re.compile(r"[ \t\r\n]+")
# Drawings and notes anchored in a paragraph are no part of its line.
ASIDE = frozenset(
    [f"{OFFICE}annotation"]
    + [f"{DRAW}{name}" for name in "frame custom-shape g rect line text-box a object".split()]
)
MARKS = {True: "☒", False: "☐"}
FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


class LineReader:
    """Reads the text of paragraphs, and collects their notes and boxes."""

    def __init__(self, root: Any, styles: Styles, sections: Sections, *, hidden: bool) -> None:
        # Notes with their marks; boxes, images and annotations without.
        self.asides: list[tuple[str, Any]] = []
        self._styles, self._sections, self._hidden = styles, sections, hidden
        self._note_count = 0
        self._controls = {
            each.get(f"{FORM}id") or each.get(XML_ID): each
            for each in root.iterfind(f"{OFFICE}body/*/{OFFICE}forms/{FORM}form//*")
        }

    def text(self, block: Any) -> str:
        lines = (" ".join(line.split()) for line in self.raw(block).split("\n"))
        return "\n".join(lines).strip()

    def raw(self, block: Any) -> str:
        """Return the text of a paragraph, with its visible spaces."""
        words: list[str] = [SPACE.sub(" ", block.text or "")]
        runs: list[tuple[Any, int, str]] = []
        walker = etree.iterwalk(block, events=("start", "end"))
        for event, element in walker:
            if element is block:
                continue
            if event == "end":
                if runs and runs[-1][0] is element:
                    _, at, place = runs.pop()
                    run, base = "".join(words[at:]), "".join(words[max(at - 3, 0) : at])
                    is_struck = self._styles.is_struck(element)
                    words[at:] = [format_run(base, run, place, is_struck=is_struck)]
                words.append(SPACE.sub(" ", element.tail or ""))
            elif (whole := self._whole(element)) is not None:
                words.append(whole)
                walker.skip_subtree()
            else:
                if element.tag == f"{TEXT}span":
                    runs.append((element, len(words), self._styles.position(element)))
                words.append(find_sign(element) or SPACE.sub(" ", element.text or ""))
        return "".join(words)

    def hidden(self, text: str) -> str:
        """Return hidden text with its mark, or nothing if it is left out, and count it."""
        return format_hidden_text(text, self._sections, is_read=self._hidden)

    def control(self, place: Any) -> str:
        """Return the text of a form field."""
        field = self._controls.get(place.get(f"{DRAW}control"))
        if field is None:
            return ""
        self._sections.parts.count(PartKind.FIELD)
        label, kind = field.get(f"{FORM}label", ""), field.tag.removeprefix(FORM)
        if kind in ("checkbox", "radio"):
            state = field.get(f"{FORM}current-state") or field.get(f"{FORM}current-selected")
            state = state or field.get(f"{FORM}state") or field.get(f"{FORM}selected")
            return f" {MARKS[state in ('checked', 'true')]} {label} "
        chosen = [
            each.get(f"{FORM}label", "")
            for each in field
            if "true" in (each.get(f"{FORM}current-selected"), each.get(f"{FORM}selected"))
        ]
        value = field.get(f"{FORM}current-value") or field.get(f"{FORM}value") or ", ".join(chosen)
        return f" {label} {value} "

    def _whole(self, element: Any) -> str | None:
        """Return the text of an element as a whole, or None if its children are to be read."""
        tag = element.tag
        if tag == f"{TEXT}note":
            return f"[{self._noted(element)}]"
        if tag in ASIDE:
            self.asides.append(("", element))
            return ""
        if tag == f"{DRAW}control":
            return self.control(element)
        if tag == f"{FIELD}fieldmark" and element.get(f"{FIELD}type", "").endswith("FORMCHECKBOX"):
            self._sections.parts.count(PartKind.FIELD)
            values = {each.get(f"{FIELD}name"): each.get(f"{FIELD}value") for each in element}
            return MARKS[values.get("Checkbox_Checked") == "true"]
        is_hidden = tag == f"{TEXT}span" and self._styles.is_hidden(element)
        if is_hidden or tag in (f"{TEXT}hidden-text", f"{TEXT}hidden-paragraph"):
            text = "".join(element.itertext()) or element.get(f"{TEXT}string-value", "")
            return self.hidden(text)
        return "" if tag == f"{TEXT}ruby-text" else None

    def _noted(self, note: Any) -> str:
        self._note_count += 1
        body = note.find(f"{TEXT}note-body")
        mark = (note.findtext(f"{TEXT}note-citation") or "").strip()[:10] or f"{self._note_count}"
        if body is not None:
            self._sections.parts.count(PartKind.NOTE)
            self.asides.append((mark, body))
        return mark


def find_sign(element: Any) -> str:
    """Return the characters of an element without text."""
    if element.tag == f"{TEXT}s":
        return " " * min(parse_number(element.get(f"{TEXT}c")), MOST_REPEATED)
    return {f"{TEXT}tab": " ", f"{TEXT}line-break": "\n"}.get(element.tag, "")
