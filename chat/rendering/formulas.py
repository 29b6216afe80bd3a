"""TeX formulas as MathML: bounded, without links, and left as typed if they can't be parsed."""

import re
from html import escape, unescape
from xml.etree import ElementTree

from latex2mathml.converter import Converter

# \(…\), $$…$$, $…$ and \[…\]. Amounts in dollars have a space inside $…$. Escaped brackets of
# quotations look like \[…\], so this must have a command or be alone on its lines.
FORMULA = re.compile(
    r"\\\([^\n]{1,500}?\\\)|\$\$[^$]{1,1000}\$\$"
    r"|\$(?=[^\s$])[^$\n]{0,300}?(?<=[^\s\\])\$(?!\d)"
    r"|\\\[(?=[^\n]{0,200}?(?<!\\)\\[a-zA-Z]{2})[^\n]{1,500}?\\\]"
    r"|\\\[\n[^$]{1,1000}?\n *\\\]"
)
# Deepest nesting: the converter recurses, several calls a level.
MAX_DEPTH = 20
NESTING = re.compile(r"\\[\\{}]|(?P<opens>\{|\\left\b|\\begin\b)|(?P<closes>\}|\\right\b|\\end\b)")
# Characters of all formulas of an answer: converting takes some 20 microseconds for each.
MAX_LENGTH = 20_000
# Macros could expand without end.
REFUSED = re.compile(r"\\(?:def|g?let|\w*newcommand|DeclareMathOperator)\b")
# An unknown command, which the converter leaves as text.
UNKNOWN = re.compile(r"\\[A-Za-z]")
# Prose between dollar signs, as in "$5 million and US$".
PROSE = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{2,}\s+[A-Za-z]{2,}")
ATTRIBUTES = {
    "math": {"display", "alttext"},
    "mo": {"stretchy", "fence", "form", "accent", "movablelimits", "minsize", "maxsize"},
    "mi": {"mathvariant"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"displaystyle"},
    "mtd": {"columnalign"},
    "mspace": {"width"},
    "mfrac": {"linethickness"},
    "menclose": {"notation"},
}
TAGS = set(ATTRIBUTES) | set(
    "mrow mn mtext msup msub msubsup msqrt mroot mtr mover munder munderover mpadded".split()
)
SIZE = re.compile(r"[\w. -]{0,40}")


def is_attribute_allowed(tag: str, attribute: str, value: str) -> bool:
    """Return whether MathML may have the attribute with this value."""
    is_named = attribute in ATTRIBUTES.get(tag, ())
    return is_named and (attribute == "alttext" or SIZE.fullmatch(value) is not None)


def render_formula(typed: str) -> str:
    """Return the delimited formula as MathML, or as code if it can't be parsed."""
    marks = 1 if typed.startswith("$") and not typed.startswith("$$") else 2
    latex = typed[marks:-marks].strip()
    is_block = typed.startswith(("$$", "\\["))
    is_prose = marks == 1 and PROSE.search(latex)
    if is_prose or REFUSED.search(latex) or not _is_nested_well(latex):
        return f"<code>{escape(typed)}</code>"
    try:
        math = Converter(display="block" if is_block else "inline").convert_to_element(latex)
    except Exception:  # noqa: BLE001 - the converter raises many kinds
        return f"<code>{escape(typed)}</code>"
    parts = list(math.iter())
    if any(part.tag not in TAGS or UNKNOWN.search(part.text or "") for part in parts):
        return f"<code>{escape(typed)}</code>"
    return _write_element(math, latex)


def draw_formulas(text: str) -> str:
    """Return the text as HTML with its formulas rendered."""
    html, at = "", 0
    for found in FORMULA.finditer(text):
        html += escape(text[at : found.start()]) + render_formula(found[0])
        at = found.end()
    return html + escape(text[at:])


def _write_element(math: ElementTree.Element, latex: str) -> str:
    """Return the element as HTML with only allowed tags and attributes."""
    for element in math.iter():
        element.text = unescape(element.text or "")
        element.attrib = {
            name: value
            for name, value in element.attrib.items()
            if is_attribute_allowed(element.tag, name, value)
        }
    math.set("alttext", latex)
    return ElementTree.tostring(math, encoding="unicode", short_empty_elements=False)


def _is_nested_well(latex: str) -> bool:
    depth = 0
    for found in NESTING.finditer(latex):
        depth += bool(found["opens"]) - bool(found["closes"])
        if not 0 <= depth <= MAX_DEPTH:
            return False
    return depth == 0
