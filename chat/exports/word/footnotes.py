"""Footnotes of a Word file, which python-docx can't write."""

from docx.document import Document
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree

from chat.exports.word.runs import add_run

# The first two footnotes are the separators between text and notes.
EMPTY = f"""<w:footnotes {nsdecls("w")}>
<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p>
</w:footnote></w:footnotes>"""


class Footnotes:
    """The footnotes of a document, numbered by the program that opens it."""

    def __init__(self) -> None:
        self._root = parse_xml(EMPTY)

    def refer(self, paragraph: etree._Element, mark: str, text: str, *, is_raised: bool) -> None:
        """Add a footnote with the text, and a reference to it at the paragraph's end.

        The source's number stands in the paragraph too, unless raised numbers alone do.
        """
        number = str(len(self._root) - 1)
        if not is_raised:
            add_run(paragraph, mark, set())
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), number)
        add_run(paragraph, "", {"raised"}).append(reference)
        note = OxmlElement("w:footnote")
        note.set(qn("w:id"), number)
        line = OxmlElement("w:p")
        add_run(line, "", {"small", "raised"}).append(OxmlElement("w:footnoteRef"))
        add_run(line, f" {mark} {text}", {"small"})
        note.append(line)
        self._root.append(note)

    def save(self, document: Document) -> None:
        """Add the footnotes to the document's package as a part."""
        blob = etree.tostring(self._root, xml_declaration=True, encoding="UTF-8", standalone=True)
        name = PackURI("/word/footnotes.xml")
        part = Part(name, CONTENT_TYPE.WML_FOOTNOTES, blob, document.part.package)
        document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
