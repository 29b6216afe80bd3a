"""XML of any kind: the text of its elements in order, short ones with their names."""

import re
from typing import Any

from lxml import etree

from citations.formats import plain
from citations.formats.reading import FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

# Names of elements that are headings, and the longest text of a labelled value.
TITLES = frozenset("title heading head".split())
LONGEST_VALUE, SHORTEST_NAME = 200, 2
DEEPEST = 200
# Attributes on the processing of a file, which are no text.
TECHNICAL = re.compile(r"\{http://www\.w3\.org/")


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the elements; invalid XML is read as plain text."""
    root = parse_xml(data)
    if root is None:
        return plain.read(data, limits, progress)
    sections = Sections(limits)
    waiting = [(root, 1)]
    while waiting and not sections.full:
        element, depth = waiting.pop()
        if is_container(element) and depth < DEEPEST:
            sections.paragraph(label_attributes(element))
            waiting += [(child, depth + 1) for child in element.iterchildren("*")][::-1]
        else:
            add_element(element, depth, sections)
    return FileReading(sections=sections.finished(""), parts=sections.parts.found)


def parse_xml(data: bytes) -> Any:
    """Return the root element, or None; entities stay unresolved, and nothing is fetched."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def is_container(element: Any) -> bool:
    """Return whether an element has children and no text between them."""
    texts = [element.text, *(child.tail for child in element)]
    return len(element) > 0 and not any(text and text.strip() for text in texts)


def add_element(element: Any, depth: int, sections: Sections) -> None:
    """Add the text of an element as a heading, a field or a paragraph."""
    text = " ".join("".join(element.itertext()).split())
    name, label = etree.QName(element).localname, label_attributes(element)
    if name.lower() in TITLES:
        sections.heading(depth, text)
        return
    is_value = not len(element) and len(text) <= LONGEST_VALUE and len(name) >= SHORTEST_NAME
    sections.paragraph(f"{label or name}: {text}" if text and is_value else text or label)


def label_attributes(element: Any) -> str:
    """Return the name of an element with its attributes, or nothing if it has none."""
    values = [
        f"{etree.QName(key).localname} {value}"
        for key, value in element.attrib.items()
        if value.strip() and not TECHNICAL.match(key)
    ]
    return f"{etree.QName(element).localname} ({', '.join(values)})" if values else ""
