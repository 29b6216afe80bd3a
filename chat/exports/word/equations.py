"""Formulas of a Word file: the MathML of answers as Office Math."""

from collections.abc import Sequence

from docx.oxml.ns import nsmap, qn
from lxml import etree
from lxml.builder import ElementMaker

M = ElementMaker(namespace=nsmap["m"], nsmap={"m": nsmap["m"]})
# The Office Math element for a MathML element, and the elements for its children.
PARTS = {
    "mfrac": "f num den", "msub": "sSub e sub", "msup": "sSup e sup", "mover": "limUpp e lim",
    "msubsup": "sSubSup e sub sup", "munder": "limLow e lim", "munderover": "nary e sub sup",
    "mroot": "rad e deg",
}  # fmt: skip
ROWS = {"mtable": "m", "mtr": "mr", "mtd": "e"}
SUMS, BRACKETS = frozenset("∑∏∐∫∬∭∮⋂⋃"), frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉")
ACCENTS = {"^": "\u0302", "~": "\u0303", "¯": "\u0305", "―": "\u0305", "→": "\u20d7", "˙": "\u0307"}
Elements = list[etree._Element]


def convert_formula(math: etree._Element) -> etree._Element:
    """Convert a MathML formula; a block is a paragraph of its own."""
    formula = M.oMath(*_convert_row(list(math)))
    return M.oMathPara(formula) if math.get("display") == "block" else formula


def _convert_row(row: Sequence[etree._Element]) -> Elements:
    """Convert a row of elements; brackets grow with tables and fractions."""
    if len(row) > 1 and row[0].get("form") == "prefix":
        return [_bracket(row)]
    done, place = Elements(), 0
    while place < len(row):
        first, *near = row[place : place + 3]
        is_tall = len(near) == 2 and near[0].tag in ("mtable", "mfrac")
        is_bracketed = is_tall and {first.text, near[1].text} <= BRACKETS
        done += [_bracket([first, *near])] if is_bracketed else _convert(first)
        place += 3 if is_bracketed else 1
    return done


def _bracket(row: Sequence[etree._Element]) -> etree._Element:
    is_closed = row[-1].tag == "mo"
    end = row[-1].text if is_closed else ""
    signs = _set("dPr", begChr=row[0].text or "", endChr=end or "")
    return M.d(signs, M.e(*_convert_row(row[1 : -1 if is_closed else None])))


def _convert(element: etree._Element) -> Elements:
    tag, children = str(element.tag), list(element)
    if not children:
        style = [_set("rPr", sty="p")] if len(element.text or "") > 1 else []
        return [M.r(*style, M.t(element.text or "\u2009"))]
    name, *names = PARTS.get(tag, "").split() or [""]
    if len(names) == len(children):
        return [_build(element, name, [M(each) for each in names])]
    row = _convert_row(children)
    if tag == "msqrt":
        return [M.rad(_set("radPr", degHide="1"), M.deg(), M.e(*row))]
    return [M(ROWS[tag], *row)] if tag in ROWS else row


def _build(element: etree._Element, name: str, parts: Elements) -> etree._Element:
    """Convert an element whose children have fixed roles."""
    for part, child in zip(parts, element, strict=True):
        part.extend(_convert(child))
    first, last = element[0].text or "", element[-1].text or ""
    if len(parts) == 3 and first in SUMS:
        signs = _set("naryPr", chr=first, limLoc="undOvr" if name == "nary" else "subSup")
        # The operand follows the sign; an empty one would show as a box.
        return M.nary(signs, *parts[1:], M.e(M.r(M.t("\u200b"))))
    if name == "nary":
        return M.limUpp(M.e(M.limLow(parts[0], M.lim(*parts[1]))), M.lim(*parts[2]))
    if name == "limUpp" and last in ACCENTS:
        return M.acc(_set("accPr", chr=ACCENTS[last]), parts[0])
    if element.get("linethickness") == "0":
        return M.f(_set("fPr", type="noBar"), *parts)
    return M(name, *(reversed(parts) if name == "rad" else parts))


def _set(name: str, **values: str) -> etree._Element:
    return M(name, *(M(key, {qn("m:val"): value}) for key, value in values.items()))
