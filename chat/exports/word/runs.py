"""Runs of text in a Word file, without characters that XML forbids."""

import re
from collections.abc import Set as AbstractSet

from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from lxml import etree

ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# In the order of the schema.
PROPERTIES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "code": [("w:rFonts", {"w:ascii": "Consolas", "w:hAnsi": "Consolas", "w:cs": "Consolas"})],
    "bold": [("w:b", {})],
    "italic": [("w:i", {})],
    "struck": [("w:strike", {})],
    "muted": [("w:color", {"w:val": "67635A"})],
    "word": [("w:color", {"w:val": "8A2F8F"})],
    "string": [("w:color", {"w:val": "8F4A10"})],
    "number": [("w:color", {"w:val": "0F6B5C"})],
    "small": [("w:sz", {"w:val": "18"})],
    "doubted": [("w:u", {"w:val": "dotted", "w:color": "A8321F"})],
    "raised": [("w:vertAlign", {"w:val": "superscript"})],
}


def add_run(paragraph: etree._Element, text: str, marks: AbstractSet[str]) -> etree._Element:
    """Append a formatted run of text to the paragraph; return it."""
    run = OxmlElement("w:r")
    if marks:
        properties = OxmlElement("w:rPr")
        for name in PROPERTIES:
            for tag, attributes in PROPERTIES[name] if name in marks else ():
                properties.append(_make_element(tag, attributes))
        run.append(properties)
    for number, line in enumerate(text.split("\n")):
        if number:
            run.append(OxmlElement("w:br"))
        if line:
            run.append(make_text_element(line))
    paragraph.append(run)
    return run


def make_text_element(text: str) -> etree._Element:
    """Return the text as an element of a run."""
    element = OxmlElement("w:t")
    element.text = ILLEGAL.sub("", text)
    element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return element


def _make_element(tag: str, attributes: dict[str, str]) -> etree._Element:
    element = OxmlElement(tag)
    for name, value in attributes.items():
        element.set(qn(name), value)
    return element
