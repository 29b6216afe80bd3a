"""Walking: the elements of a page in order become headings and blocks."""

import re
from typing import Any

from lxml import etree

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.html.content import Weights, is_unseen
from citations.formats.html.looks import (
    BOLD,
    boxes_around,
    heading_by_looks,
    is_member,
    is_note,
    is_title_of_item,
    lines_of_list,
    ruled_heading,
)
from citations.formats.html.tables import Grid, is_layout
from citations.formats.scripts import written_script
from citations.formats.sections import BELOW, Sections
from citations.formats.tables import add_table

HEADINGS = {f"h{level}": level for level in range(1, 7)}
SPACE = re.compile(r"\s+")
BLOCKS = frozenset(
    "address article aside blockquote body center details div dl fieldset figcaption figure form"
    " header hr main ol p pre section table tbody tfoot thead tr ul caption legend li dt dd option"
    " summary".split()
)
CELLS = ("td", "th")
CAPTIONS = ("caption", "figcaption")
LISTS = ("ul", "ol", "menu")
LABEL = re.compile(r"\[?[\w*†‡]{1,4}\]?")
BACK = re.compile(r"\s*[↩⏎]\ufe0e?\s*")
LONGEST_SAID = 400  # characters of a paragraph that stands under its term
DEEPEST_LIST = 50


class ElementWalk:
    """Gives the text of elements to the sections."""

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        self._words: list[str] = []
        # The numbers of the open lists, None for bullets; and the mark of an item's first line.
        self._lists: list[int | None] = []
        self._mark = ""
        self._term: list[str] = []
        # Whether what a term means is being told.
        self._defines = False
        self._scripts: list[int] = []
        self._pres = self._notes = 0
        # Around the last heading that is one by its looks, innermost first.
        self._boxes: list[Any] = []
        # The level of headings below rules, once there is one.
        self._ruled = 0
        self._grid: Grid | None = None
        # How many tables are open inside of the one that is read as rows.
        self._inner = 0

    def read(self, root: Any, weights: Weights) -> None:
        # An iterator instead of a recursion: pages may be nested two thousand deep.
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if self.sections.full:
                return
            if event == "end":
                if not is_unseen(element, weights):
                    self._close(element)
                self._text(element.tail if element is not root else "")
            elif is_unseen(element, weights) and element is not root:
                walker.skip_subtree()
            else:
                self._open(element)
                self._text(element.text)
        self._flush()

    def _open(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self._words.append("\n")
        elif tag in CELLS and is_member(element.getparent()):
            self._words.append(" ")
        elif tag in BLOCKS or tag in HEADINGS or tag in CELLS:
            self._flush()
        if tag in ("sup", "sub"):
            self._scripts.append(len(self._words))
        elif tag == "table":
            if self._grid is not None:
                self._inner += 1
            elif not is_layout(element):
                self._end_term()
                self._grid, self._words = Grid(), []
        elif self._grid is not None:
            if tag == "tr" and not self._inner:
                self._grid.begin_row(element)
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
        parent = element.getparent()
        above = parent.tag if parent is not None else ""
        sign = {"msup": "^", "msub": "_", "mfrac": "/"}.get(above)
        if sign and parent.index(element) == 1:  # of a formula in a line
            self._words.append(sign)

    def _close(self, element: Any) -> None:
        tag = element.tag
        if tag in ("sup", "sub"):
            self._close_script(tag, element)
        elif tag == "table":
            self._close_table()
        elif self._grid is not None:
            self._close_in_table(element, tag)
        elif tag in HEADINGS:
            self._ruled = self._ruled if HEADINGS[tag] >= self._ruled else 0
            self.sections.heading(HEADINGS[tag], self._taken())
        elif (line := ruled_heading(element)) and self._may_be_heading(element):
            self._open_ruled(line)
        elif tag in BOLD and ruled_heading(element.getparent()):
            return
        elif self._may_be_heading(element) and (found := heading_by_looks(element, self._words)):
            self._words, self._mark = [], ""
            self.sections.heading(*found)
            self._boxes = boxes_around(element)
        else:
            self._close_block(element, tag)

    def _open_ruled(self, line: str) -> None:
        """Begin a part whose heading stands below a rule, all of one level: more lines are text."""
        self._ruled = self._ruled or min(self.sections.level + 1, BELOW)
        said = self._taken()
        self.sections.heading(self._ruled, line)
        if len(said.split()) > len(line.split()):
            self.sections.paragraph(said)

    def _close_block(self, element: Any, tag: str) -> None:
        if tag in CAPTIONS:
            self.sections.add(BlockKind.CAPTION, self._taken())
        elif tag in CELLS and is_member(element.getparent()):
            return
        elif tag == "tr" and is_member(element):
            self._end_term()
            self._term = [" ".join(self._taken().split())]
        elif tag == "pre":
            self.sections.add(BlockKind.CODE, "".join(self._words))
            self._words = []
            self._pres -= 1
        elif tag == "dt":
            term = " ".join(self._taken().split())
            self._term += [term] if term else []
        elif tag in BLOCKS or tag in CELLS:
            self._flush()
            self._close_box(element)
            if tag in ("dd", "dl"):
                self._end_term()
                self._defines = False
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
        """End a paragraph or an item; in a row it goes on, because a row is one line."""
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
        elif listed := list(lines_of_list(text)):
            for mark, said in listed:
                if mark:
                    self.sections.item(said, mark, len(self._lists))
                else:
                    self.sections.paragraph(said)
        elif self._defines and len(text) <= LONGEST_SAID:  # under its term, as an item under one
            self.sections.item(" ".join(text.split()), "", len(self._lists) + 1)
        else:
            self.sections.paragraph(text)

    def _close_box(self, element: Any) -> None:
        """Leave the heading of a box in which something stood under it."""
        if self._boxes and self._boxes[0] is element:
            self._boxes.pop(0)
            if self.sections.is_filled:
                self.sections.leave(BELOW)
                self._boxes = []

    def _may_be_heading(self, element: Any) -> bool:
        """Return whether what is read is in no term, note, program or list, or above all that is
        said in an item of one.
        """
        if self._term or self._notes or self._pres:
            return False
        is_free = not self._lists and not self._mark
        return is_free or (len(self._lists) == 1 and is_title_of_item(element))

    def _end_term(self) -> None:
        """Add a term of which nothing was said."""
        if self._term:
            self._flush_term("")

    def _flush_term(self, text: str) -> None:
        """Add a term with the first paragraph of what is said of it."""
        term = ", ".join(self._term)
        self._term, self._defines = [], True
        said = f"{term.rstrip(':')}: {text.strip()}" if text.strip() else term
        self.sections.item(said, BULLET, len(self._lists))

    def _taken(self) -> str:
        text = "".join(self._words)
        self._words = []
        self._scripts = []
        return "\n".join(" ".join(line.split()) for line in text.split("\n"))

    def _open_item(self, element: Any) -> None:
        """Note the mark of an item, unless it is only there to hold headings or tables."""
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
        script = "".join(self._words[at:]).strip()
        base = "".join(self._words[max(at - 5, 0) : at])
        is_mark = next(element.iter("a"), None) is not None and len(script) < 8
        if is_mark and script:
            script = script if script.startswith("[") else f"[{script}]"
        elif script and not base[-1:].isspace():
            script = written_script(base, script, is_raised=tag == "sup")
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
        if grid.is_code:
            lines = [" ".join(" ".join(cell.text for cell in row).split()) for row in grid.rows]
            self.sections.add(BlockKind.CODE, "\n".join(lines))
            return
        add_table(self.sections, grid.rows, caption=grid.caption)

    def _close_in_table(self, element: Any, tag: str) -> None:
        assert self._grid is not None  # noqa: S101 - for the type checker
        if self._inner:
            return
        if tag == "caption":
            self._grid.caption = " ".join(self._taken().split())
        elif tag in CELLS:
            self._grid.add(element, " ".join(self._taken().split()))
