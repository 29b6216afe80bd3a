"""Files of each kind, made on the spot: small and whole, to be read or to be broken."""

import gzip
import zlib
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import docx
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject

CATALOG, PAGES, FONT, INFO, BOLD, MONO, FIRST_PAGE = 1, 2, 3, 4, 5, 6, 10
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(
    pages: Sequence[str | bytes], *, title: str = "", author: str = "", outline: Sequence[str] = ()
) -> bytes:
    """Make a PDF: a page for each text, and an outline that names the first pages."""
    objects = {
        FONT: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        BOLD: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        MONO: b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>",
        INFO: b"<</Title %s/Author %s>>" % (string(title), string(author)),
    }
    numbers = [FIRST_PAGE + 2 * index for index in range(len(pages))]
    for number, page in zip(numbers, pages, strict=True):
        content = page if isinstance(page, bytes) else drawn(page)
        objects[number] = (
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R/F2 5 0 R/F3 6 0 R>>>>>>" % (number + 1)
        )
        objects[number + 1] = stream(content)
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects[PAGES] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(pages))
    objects[CATALOG] = b"<</Type/Catalog/Pages 2 0 R>>"
    whole = document(objects)
    return with_outline(whole, outline) if outline else whole


def placed(*pieces: tuple[float, float, str] | tuple[float, float, str, str]) -> bytes:
    """Draw texts at places: x, y from the top, the text, and "bold", "mono", "large" or "small"."""
    fonts = {"": "F1 10", "bold": "F2 10", "mono": "F3 10", "large": "F2 18", "small": "F1 6"}
    drawn = []
    for x, y, text, *look in pieces:
        font = fonts[look[0] if look else ""]
        drawn.append(b"BT /%s Tf %d %d Td %s Tj ET" % (font.encode(), x, 842 - y, string(text)))
    return b"\n".join(drawn)


def column(x: float, y: float, lines: Iterable[str], *look: str) -> list[Any]:
    """Place lines below one another."""
    return [(x, y + 12 * at, line, *look) for at, line in enumerate(lines)]


def document(objects: Mapping[int, bytes], *, trailer: bytes = b"") -> bytes:
    """Write the objects with a table of where they are."""
    written = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(written), max(objects) + 1
    written += b"xref\n0 %d\n" % size
    for number in range(size):
        used = number in places
        written += b"%010d %05d %s \n" % (
            places.get(number, 0),
            0 if used else 65535,
            b"fn"[used:][:1],
        )
    info = b"/Info 4 0 R" if INFO in objects else b""
    written += b"trailer\n<</Size %d/Root 1 0 R%s%s>>\n" % (size, info, trailer)
    return bytes(written + b"startxref\n%d\n%%%%EOF\n" % start)


def stream(content: bytes, *, filters: bytes = b"/FlateDecode") -> bytes:
    packed = zlib.compress(content)
    head = b"<</Length %d/Filter %s>>\nstream\n" % (len(packed), filters)
    return head + packed + b"\nendstream"


def drawn(text: str) -> bytes:
    """Return the operators that draw the lines of the text."""
    lines = b"".join(b"%s Tj T*\n" % string(line) for line in text.split("\n"))
    return b"BT /F1 12 Tf 14 TL 72 760 Td\n" + lines + b"ET"


def string(text: str) -> bytes:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return b"(" + escaped.encode("cp1252", "replace") + b")"


def with_outline(data: bytes, headings: Iterable[str]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    for number, heading in enumerate(headings):
        writer.add_outline_item(title=heading, page_number=number)
    return saved(writer)


def encrypted(data: bytes, *, password: str, algorithm: str = "AES-256") -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.encrypt(password, owner_password="owner", algorithm=algorithm)
    return saved(writer)


def pdf_with_pictures(pages: Sequence[str | bytes], *, on: Iterable[int]) -> bytes:
    """Make a PDF some of whose pages have a picture."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(pages))))
    for index in on:
        picture = StreamObject()
        picture[NameObject("/Subtype")] = NameObject("/Image")
        named = DictionaryObject({NameObject("/X"): writer._add_object(picture)})
        resources = DictionaryObject({NameObject("/XObject"): named})
        writer.pages[index][NameObject("/Resources")] = resources
    return saved(writer)


def saved(writer: PdfWriter) -> bytes:
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def word(*, title: str = "", author: str = "") -> "docx.document.Document":
    """Begin a Word document as Word itself would; `packed` writes it."""
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = title, author
    return made


def packed(made: "docx.document.Document") -> bytes:
    buffer = BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as writing:
        for name, content in parts.items():
            writing.writestr(name, content)
    return buffer.getvalue()


def stored(name: str, text: str, parts: Mapping[str, str | bytes]) -> bytes:
    """Make an archive that begins with a part that isn't packed."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as writing:
        writing.writestr(name, text, ZIP_STORED)
        for each, content in parts.items():
            writing.writestr(each, content)
    return buffer.getvalue()


def with_part(data: bytes, name: str, content: str | bytes) -> bytes:
    """Add a part to an archive, or put it in the place of the one of its name."""
    with ZipFile(BytesIO(data)) as reading:
        parts = {each: reading.read(each) for each in reading.namelist()}
    return archive({**parts, name: content})


def word_of(body: str, *, before: str = "", **parts: str | bytes) -> bytes:
    """Make a Word document by hand, with the XML as its body and what else is given as parts."""
    document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    named = {name.replace("__", "/") + ".xml": content for name, content in parts.items()}
    return archive({"word/document.xml": f'<?xml version="1.0"?>{before}{document}', **named})


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


# --- Old Office ---------------------------------------------------------------------------------

OLD_OFFICE = Path(__file__).parent / "old_office"
SECTOR = 512


def old_office(name: str) -> bytes:
    """Return a file that an Office of long ago wrote."""
    return gzip.decompress((OLD_OFFICE / f"{name}.gz").read_bytes())
