"""Walking: turns the elements of a page into headings and blocks, in order."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.html.content import Weights, is_hidden, is_unseen
from citations.formats.html.fields import clean_heading, describe_field, describe_picture
from citations.formats.html.looks import find_heading_by_looks, is_note, is_struck
from citations.formats.html.tables import is_layout, make_cell
from citations.formats.parts import PartKind, Reason
from citations.formats.scripts import format_run, format_script
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table
from citations.formats.titles import is_caption

HEADINGS = {f"h{level}": level for level in range(1, 7)}
SPACE = re.compile(r"\s+")
BLOCKS = frozenset(
    "address article aside blockquote body center details div dl fieldset figcaption figure form"
    " header hr main ol p pre section table tbody tfoot thead tr ul caption legend li dt dd option"
    " summary".split()
)
CELLS = ("td", "th")
SCRIPTS = ("sup", "sub")
CAPTIONS = ("caption", "figcaption")
PICTURES = ("img", "svg", "canvas")
FIELDS = ("input", "select", "textarea")
MATHS = {"msup": "^", "msub": "_", "mfrac": "/"}  # signs before the second child
LISTS = ("ul", "ol", "menu")
LABEL = re.compile(r"\[?[\w*†‡]{1,4}\]?")
BACK = re.compile(r"\s*[↩⏎]\ufe0e?\s*")
DEEPEST_LIST = 50


class ElementWalk:
    """Adds the text of elements to the sections."""

    def __init__(self, sections: Sections, *, hidden: bool = True) -> None:
        self.sections = sections
        self._hidden = hidden
        self._words: list[str] = []
        # The next numbers of the open lists, None for bullets; and the mark of the current item.
        self._lists: list[int | None] = []
        self._mark = ""
        self._term: list[str] = []
        self._scripts: list[int] = []
        self._pres = self._notes = 0
        self._grid: list[list[Cell]] | None = None
        self._caption = ""
        # The number of open tables inside the table that is read as rows.
        self._inner = 0

    def read(self, root: Any, weights: Weights) -> None:
        """Read the elements in order, by an iterator, since pages are nested thousands deep."""
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped = None
        for event, element in walker:
            if self.sections.full:
                return
            if event == "end":
                if element is not skipped:
                    self._close(element)
                self._text(element.tail if element is not root else "")
            elif element is not root and self._skips(element, weights):
                skipped = element
                walker.skip_subtree()
            else:
                self._open(element)
                self._text(element.text)
        self._flush()

    def _skips(self, element: Any, weights: Weights) -> bool:
        """Return whether an element's own text is skipped; its visible replacement is added."""
        if is_unseen(element, weights):
            return True
        if is_hidden(element):
            self._hide(element)
        elif element.tag in FIELDS:
            self._words.append(describe_field(element, self.sections.parts))
        elif element.tag in PICTURES:
            self._words.append(describe_picture(element, self.sections.parts))
        else:
            return False
        return True

    def _hide(self, element: Any) -> None:
        """Add hidden text, each paragraph with its mark, or count it."""
        lines = [" ".join(line.split()) for line in "".join(read_hidden(element)).split("\n\n")]
        said = [line for line in lines if line]
        reason = None if self._hidden else Reason.LEFT_OUT
        self.sections.parts.count(PartKind.HIDDEN_TEXT, int(bool(said)), unread=reason)
        for line in said if self._hidden else []:
            self._words.append(f"[hidden: {line}]")
            if len(said) > 1 or element.tag in BLOCKS:
                self._flush()

    def _open(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self._words.append("\n")
        elif tag in BLOCKS or tag in HEADINGS or tag in CELLS:
            self._flush()
        if tag in SCRIPTS or is_struck(element):
            self._scripts.append(len(self._words))
        elif tag == "table":
            if self._grid is not None:
                self._inner += 1
            elif not is_layout(element):
                self._end_term()
                self._grid, self._words, self._caption = [], [], ""
        elif self._grid is not None:
            if tag == "tr" and not self._inner:
                self._grid.append([])
        elif tag == "pre":
            self._pres += 1
        elif tag in LISTS:
            start = element.get("start", "")
            first = int(start) if start.isdecimal() and len(start) < 6 else 1
            self._lists.append(first if tag == "ol" else None)
        elif tag == "li":
            self._open_item(element)
        elif is_note(element):
            self._notes += 1
        above = element.getparent()
        if above is not None and above.tag in MATHS and above.index(element) == 1:
            self._words.append(MATHS[above.tag])

    def _close(self, element: Any) -> None:
        tag = element.tag
        if tag in SCRIPTS or is_struck(element):
            self._close_script(tag, element)
        elif tag == "table":
            self._close_table()
        elif self._grid is not None:
            self._close_in_table(element, tag)
        elif tag in HEADINGS:
            self.sections.heading(HEADINGS[tag], clean_heading(self._taken()))
        elif not self._is_nested and (found := find_heading_by_looks(element, self._words)):
            self._words, self._mark = [], ""
            self.sections.heading(*found)
        else:
            self._close_block(element, tag)

    @property
    def _is_nested(self) -> bool:
        """Whether the current text is in a term, a note, code or a list."""
        is_listed = bool(self._lists or self._mark)
        return bool(self._term or self._notes or self._pres) or is_listed

    def _close_block(self, element: Any, tag: str) -> None:
        if tag in CAPTIONS:
            self.sections.add(BlockKind.CAPTION, self._taken())
        elif tag == "pre":
            self.sections.add(BlockKind.CODE, "".join(self._words))
            self._words = []
            self._pres -= 1
        elif tag == "dt":
            term = " ".join(self._taken().split())
            self._term += [term] if term else []
        elif tag in BLOCKS or tag in CELLS:
            self._flush()
            if tag in ("dd", "dl"):
                self._end_term()
            self._mark = "" if tag in ("li", "dd") else self._mark
            if tag in LISTS and self._lists:
                self._lists.pop()
            elif is_note(element):
                self._notes -= 1

    # --- Text -------------------------------------------------------------------------------------

    def _text(self, text: str | None) -> None:
        if text:
            self._words.append(text if self._pres and not self._grid else SPACE.sub(" ", text))

    def _flush(self) -> None:
        """End a paragraph or an item; in a table only add a space, since a row is one line."""
        if self._grid is not None:
            self._words.append(" ")
            return
        if self._pres:
            return
        text = self._taken()
        if not text.strip():
            return
        if self._notes:
            note = BACK.sub("", text).strip()
            if LABEL.fullmatch(note):
                self._mark = note.strip("[]")
                return
            mark = (self._mark or "".join(self._term)).strip(" .-[]")
            self._mark, self._term = "", []
            self.sections.add(BlockKind.FOOTNOTE, f"[{mark}] {note}" if mark else note)
        elif self._term:
            self._flush_term(text)
        elif self._mark:
            level = max(len(self._lists) - 1, 0)
            mark, self._mark = self._mark, ""
            self.sections.item(text, mark, level)
        else:
            kind = BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH
            self.sections.add(kind, text)

    def _end_term(self) -> None:
        """Add a term without a definition."""
        if self._term:
            self._flush_term("")

    def _flush_term(self, text: str) -> None:
        """Add a term with the first paragraph of its definition."""
        term = ", ".join(self._term)
        self._term = []
        said = f"{term.rstrip(':')}: {text.strip()}" if text.strip() else term
        self.sections.item(said, BULLET, len(self._lists))

    def _taken(self) -> str:
        text = "".join(self._words)
        self._words = []
        self._scripts = []
        return "\n".join(" ".join(line.split()) for line in text.split("\n"))

    def _open_item(self, element: Any) -> None:
        """Note the mark of an item, unless it only contains headings or tables."""
        holds = next(element.iter(*HEADINGS, "table"), None) is not None
        number = self._lists[-1] if self._lists else None
        if number is not None:
            value = element.get("value", "")
            number = int(value) if value.isdecimal() and len(value) < 6 else number
            self._lists[-1] = number + 1
        deep = len(self._lists) > DEEPEST_LIST
        self._mark = "" if holds or deep else BULLET if number is None else f"{number}. "

    def _close_script(self, tag: str, element: Any) -> None:
        if not self._scripts:
            return
        at = self._scripts.pop()
        if tag not in SCRIPTS:
            self._words[at:] = [format_run("", "".join(self._words[at:]), is_struck=True)]
            return
        script = "".join(self._words[at:]).strip()
        base = "".join(self._words[max(at - 5, 0) : at])
        is_mark = next(element.iter("a"), None) is not None and len(script) < 8
        if is_mark and script:
            script = script if script.startswith("[") else f"[{script}]"
        elif script and not base[-1:].isspace():
            script = format_script(base, script, is_raised=tag == "sup")
        self._words[at:] = [script]

    # --- Tables -----------------------------------------------------------------------------------

    def _close_table(self) -> None:
        if self._inner:
            self._inner -= 1
            return
        grid, self._grid = self._grid, None
        if grid is None:
            self._flush()
            self._end_term()
            return
        self._words = []
        add_table(self.sections, grid, caption=self._caption)

    def _close_in_table(self, element: Any, tag: str) -> None:
        assert self._grid is not None  # noqa: S101 - for the type checker
        if self._inner:
            return
        if tag == "caption":
            self._caption = " ".join(self._taken().split())
        elif tag in CELLS:
            self._grid = self._grid or [[]]
            self._grid[-1].append(make_cell(element, self._taken()))


def read_hidden(element: Any) -> Iterator[str]:
    """Yield the texts in an element, without scripts and styles, with empty lines around blocks."""
    for each in element.iter():
        gap = "\n\n" if each.tag in BLOCKS or each.tag in HEADINGS else ""
        if each.tag not in ("script", "style"):
            yield gap + SPACE.sub(" ", each.text or "")
        if each is not element:
            yield gap + SPACE.sub(" ", each.tail or "")
