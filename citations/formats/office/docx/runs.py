"""Runs: what a reader sees of a paragraph; scripts, marks and formulas stand in the line."""

from typing import Any

from lxml import etree

from citations.formats.office.docx.styles import MONO
from citations.formats.office.docx.vocabulary import M, W, is_on, value
from citations.formats.scripts import written_script

FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
SIGNS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
# Deleted text, text that a field computes from, and the copy of a drawing for old programs.
UNSEEN = {f"{W}del", f"{W}moveFrom", f"{W}instrText", FALLBACK}
NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}


class NoteNumbers:
    """Numbers the notes in the order in which the text names them."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        # Those named since they were last taken.
        self._new: list[tuple[str, str]] = []

    def number(self, kind: str, key: str) -> int:
        note = kind, key
        if note not in self._numbers:
            self._numbers[note] = len(self._numbers) + 1
            self._new.append(note)
        return self._numbers[note]

    def taken(self) -> list[tuple[str, str]]:
        new, self._new = self._new, []
        return new

    def is_known(self, kind: str, key: str) -> bool:
        return (kind, key) in self._numbers


def text_of_run(block: Any, marks: NoteNumbers) -> str:
    """Return the text of the element: neither deleted nor hidden text."""
    words: list[str] = []
    walker = etree.iterwalk(block, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        if event == "end":
            if tag == f"{W}p" and element is not block:  # in a cell or a text box
                words.append("\n")
        elif tag in UNSEEN or (tag == f"{W}r" and is_on(element.find(f"{W}rPr"), "vanish")):
            walker.skip_subtree()
        elif tag == f"{M}oMath":
            words.append(formula_of(element))
            walker.skip_subtree()
        elif tag == f"{W}r" and (script := script_of(element)):
            base = "".join(words[-3:])
            words.append(written_script(base, script[0], is_raised=script[1]))
            walker.skip_subtree()
        elif tag in NOTES:
            words.append(f"[{marks.number(NOTES[tag], element.get(f'{W}id', ''))}]")
        elif tag == f"{W}t":
            words.append(element.text or "")
        else:
            words.append(SIGNS.get(tag, ""))
    return "".join(words)


def script_of(run: Any) -> tuple[str, bool] | None:
    """Return a run's text and whether it is raised, if it is raised or lowered."""
    align = value(run.find(f"{W}rPr"), "vertAlign")
    text = "".join(each.text or "" for each in run.iter(f"{W}t")).strip()
    if align not in ("superscript", "subscript") or not text or len(text) > 20:
        return None
    return text, align == "superscript"


def is_mono(block: Any) -> bool:
    """Return whether all of the paragraph is in a font of fixed pitch."""
    runs = [run for run in block.iter(f"{W}r") if run.find(f"{W}t") is not None]
    fonts = [run.find(f"{W}rPr/{W}rFonts") for run in runs]
    return bool(runs) and all(
        font is not None and MONO.search(font.get(f"{W}ascii", "")) for font in fonts
    )


def is_bold(block: Any) -> bool:
    """Return whether all of the paragraph is bold by its own runs."""
    runs = [
        run
        for run in block.iter(f"{W}r")
        if any((text.text or "").strip() for text in run.iter(f"{W}t"))
    ]
    return bool(runs) and all(is_on(run.find(f"{W}rPr"), "b") for run in runs)


# --- Formulas -------------------------------------------------------------------------------------


def formula_of(element: Any) -> str:
    """Return a formula in a line: x^2, (a + b)/c, √(x)."""
    parts = {child.tag.removeprefix(M): child for child in element if isinstance(child.tag, str)}

    def part(name: str) -> str:
        return formula_of(parts[name]).strip() if name in parts else ""

    kind = element.tag.removeprefix(M) if isinstance(element.tag, str) else ""
    if kind == "t":
        return element.text or ""
    if kind == "sSup":
        return f"{part('e')}^{in_brackets(part('sup'))}"
    if kind == "sSub":
        return f"{part('e')}_{in_brackets(part('sub'))}"
    if kind == "sSubSup":
        return f"{part('e')}_{in_brackets(part('sub'))}^{in_brackets(part('sup'))}"
    if kind == "f":
        return f"{in_brackets(part('num'))}/{in_brackets(part('den'))}"
    if kind == "rad":
        return f"{part('deg')}√{in_brackets(part('e'))}"
    if kind == "d":
        inside = ", ".join(formula_of(each).strip() for each in element.findall(f"{M}e"))
        return f"({inside})"
    if kind == "nary":
        sign = element.find(f"{M}naryPr/{M}chr")
        drawn = "∫" if sign is None else sign.get(f"{M}val", "")
        below, above = part("sub"), part("sup")
        limits = f"_{in_brackets(below)}" * bool(below) + f"^{in_brackets(above)}" * bool(above)
        return f"{drawn}{limits} {part('e')}"
    return "".join(formula_of(child) for child in element)


def in_brackets(text: str) -> str:
    """Return the text in brackets, unless it is one sign, number or word."""
    is_one = text.isalnum() or len(text) < 2 or (text[0] == "(" and text[-1] == ")")
    return text if is_one else f"({text})"
