"""Files of each kind, made on the spot: small and whole, to be read or to be broken."""

import gzip
import struct
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


def compound(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file of streams, each long enough for sectors of its own."""
    entries = [directory_entry("Root Entry", 5, child=1)]
    content, chain = b"", [0xFFFFFFFD, 0xFFFFFFFE]  # the table of sectors, and the directory
    for at, (name, data) in enumerate(streams.items(), 1):
        data += bytes(max(-len(data) % SECTOR, 4096 - len(data)))
        right = at + 1 if at < len(streams) else 0xFFFFFFFF
        entries.append(directory_entry(name, 2, right=right, start=len(chain), size=len(data)))
        chain += [*range(len(chain) + 1, len(chain) + len(data) // SECTOR), 0xFFFFFFFE]
        content += data
    chain += [0xFFFFFFFF] * (128 - len(chain))
    head = struct.pack(
        "<8s16xHHHHH10xII4xIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        1,
        1,
        4096,
        0xFFFFFFFE,
        0,
        0xFFFFFFFE,
        0,
    )
    head += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    directory = b"".join(entries).ljust(SECTOR, b"\0")
    return head + struct.pack("<128I", *chain) + directory + content


def directory_entry(
    name: str,
    kind: int,
    *,
    right: int = 0xFFFFFFFF,
    child: int = 0xFFFFFFFF,
    start: int = 0xFFFFFFFE,
    size: int = 0,
) -> bytes:
    said = name.encode("utf-16-le")
    return said.ljust(64, b"\0") + struct.pack(
        "<HBBIII36xIII", len(said) + 2, kind, 1, 0xFFFFFFFF, right, child, start, size, 0
    )


def old_word(*said: tuple[str, int, bytes], version: int = 0xC1) -> bytes:
    """Return a file of Word 97: each paragraph with its mark, its style and what it says of itself.

    Of the styles 0 is the body's, 1 and 2 are headings, 3 is the title's and 4 one of a list.
    """
    text = "".join(each for each, _, _ in said)
    begin = 1024
    page, at = bytearray(SECTOR), SECTOR - 1
    ends = [begin]
    for number, (each, style, own) in enumerate(said):
        ends.append(ends[-1] + 2 * len(each))
        look = struct.pack("<H", style) + own
        look = look if len(look) % 2 else look + b"\0"
        at = (at - len(look) - 1) // 2 * 2
        page[at : at + 1 + len(look)] = bytes([(len(look) + 1) // 2]) + look
        page[4 * (len(said) + 1) + 13 * number] = at // 2
    page[: 4 * len(ends)] = struct.pack(f"<{len(ends)}I", *ends)
    page[-1] = len(said)
    kinds = [struct.pack("<HHH", 4, kind, 0xFFF0) for kind in (0, 1, 2, 62, 48)]
    styles = struct.pack("<HI", 4, 5) + b"".join(kinds)
    looks = struct.pack("<III", begin, ends[-1], 1)
    pieces = b"\x02" + struct.pack("<IIIHIH", 16, 0, len(text), 0, begin, 0)
    tables = styles + looks + pieces
    main = bytearray(SECTOR)
    struct.pack_into("<HH", main, 0, 0xA5EC, version)
    struct.pack_into("<I", main, 0x4C, len(text))
    for place, part, offset in (
        (0xA2, styles, 0),
        (0x102, looks, len(styles)),
        (0x1A2, pieces, len(styles + looks)),
    ):
        struct.pack_into("<II", main, place, offset, len(part))
    return compound(
        {"WordDocument": bytes(main + page) + text.encode("utf-16-le"), "0Table": tables}
    )
