"""Detection of a file's kind, by its content, and by its name where the content is ambiguous.

A file of a supported kind under another's name is read by its content: a PDF called .docx, a page
of HTML called .txt. A file whose content contradicts the kind that its name claims is refused, and
so is binary data. An unknown name with text in it is plain text.
"""

import re
import struct
from pathlib import PurePath
from typing import NamedTuple

from citations.formats.plain import delimited, records
from citations.formats.plain.encodings import detect_encoding
from citations.formats.reading import BadFile

MARKDOWN, PLAIN, HTML, PDF = "text/markdown", "text/plain", "text/html", "application/pdf"
RST, ROFF, SETTINGS = "text/x-rst", "text/troff", "text/x-settings"
CSV, JSON, EPUB = "text/csv", "application/json", "application/epub+zip"
RTF, MAIL, XML = "application/rtf", "message/rfc822", "application/xml"
XLS, DOC = "application/vnd.ms-excel", "application/msword"
OFFICE = "application/vnd.openxmlformats-officedocument."
DOCX, XLSX, PPTX = (
    f"{OFFICE}{name}"
    for name in ("wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation")
)
ODT, ODS, ODP = (
    f"application/vnd.oasis.opendocument.{name}" for name in ("text", "spreadsheet", "presentation")
)


class FileKind(NamedTuple):
    """A kind's code in addresses, media type, module of citations.formats, and suffixes."""

    code: str
    media_type: str
    module: str
    suffixes: str


KINDS = (
    FileKind("pdf", PDF, "pdf", ".pdf"),
    FileKind("word", DOCX, "office.docx", ".docx .docm"),
    FileKind("rtf", RTF, "office.rtf", ".rtf"),
    FileKind("odt", ODT, "office.opendocument", ".odt"),
    FileKind("sheet", XLSX, "office.spreadsheets.xlsx", ".xlsx .xlsm"),
    FileKind("sheet", XLS, "office.spreadsheets.xls", ".xls .xlt"),
    FileKind("sheet", ODS, "office.opendocument", ".ods"),
    FileKind("sheet", CSV, "plain.delimited", ".csv .tsv .tab"),
    FileKind("sheet", JSON, "plain.records", ".json .jsonl .ndjson"),
    FileKind("slides", PPTX, "office.pptx", ".pptx .pptm .ppsx"),
    FileKind("slides", ODP, "office.opendocument", ".odp"),
    FileKind("book", EPUB, "epub", ".epub"),
    FileKind("web", HTML, "html", ".html .htm .xhtml"),
    FileKind("mail", MAIL, "mail", ".eml .mbox .mht .mhtml"),
    FileKind("text", XML, "plain.elements", ".xml"),
    FileKind("markdown", MARKDOWN, "html.markdown", ".md .markdown .mdown .mdx .rmd .qmd"),
    FileKind("rst", RST, "html.restructured", ".rst .rest"),
    FileKind("text", ROFF, "plain", ".man .mdoc .roff .troff"),
    FileKind("text", SETTINGS, "plain.settings", ".yaml .yml .toml .ini .cfg .conf .properties"),
    FileKind("text", SETTINGS, "plain.settings", ".log .ics .vcf .srt .vtt"),
    FileKind("text", PLAIN, "plain", ".txt .text"),
)
FORMATS = {kind.media_type: kind.module for kind in KINDS}
BY_SUFFIX = {suffix: kind.media_type for kind in KINDS for suffix in kind.suffixes.split()}
# First bytes of files that are never text, or only text for machines.
FOREIGN = (
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*"),
    *(b"\x1f\x8b", b"\x1f\x9d", b"BZh", b"7z\xbc\xaf", b"Rar!\x1a", b"\xfd7zXZ"),
    *(b"PK\x05\x06", b"PK\x07\x08"),
    *(b"%!PS-", b"\x7fELF", b"SQLite format 3\x00"),
)
RTF_MARK = b"{\\rtf"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
# The types of old Office files, by the name of their main stream.
STREAMS = (("WordDocument", DOC), ("Workbook", XLS), ("Book", XLS))
# The types of archives, by a part in their directory, or by their declared type.
ARCHIVE = b"PK\x03\x04"
DIRECTORY_MARK = b"PK\x05\x06"
DIRECTORY_END = struct.Struct("<4s12xI")
MAIN_PARTS = {b"word/document": DOCX, b"xl/workbook": XLSX, b"ppt/presentation": PPTX}
ARCHIVES = (EPUB, *MAIN_PARTS.values(), ODT, ODS, ODP)
MAIN_PART = re.compile(rb"(word/document|xl/workbook|ppt/presentation)\d*\.xml")
DECLARED = re.compile(rb"mimetype.{0,64}?(application/vnd\.oasis\.opendocument\.[a-z]+)", re.DOTALL)
# Readers of PDF look for the mark within so many bytes.
PDF_MARK_WITHIN = 1024
BEGINNING = 8192
# Headers by which a mail differs from a letter that begins with some of the same words.
MAIL_LINE = re.compile(r"[A-Za-z][\w-]{1,40}:[ \t]")
MAIL_MARK = re.compile(
    r"^(?:message-id|received|mime-version|return-path|delivered-to):", re.I | re.M
)
SENDER = re.compile(r"^(?:from:.{0,200}@|content-type:\s{0,20}multipart/)", re.I | re.M)
HEAD_END = re.compile(r"\r?\n\r?\n")
# The tag of a page, after a declaration and comments.
PAGE = re.compile(
    r"(?:\s++|<\?xml[^>]{0,200}>|<!--.*?-->)*+<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)


def detect_kind(data: bytes, file_name: str) -> str:
    """Return the media type of the file's content, or raise BadFile."""
    named = BY_SUFFIX.get(PurePath(file_name).suffix.lower(), PLAIN)
    if b"%PDF-" in data[:PDF_MARK_WITHIN]:
        return PDF
    if data.startswith(ARCHIVE):
        return detect_archive(data, named)
    if data.startswith(OLE):
        return detect_old_office(data, named)
    if named == XLS:
        named = PLAIN  # programs save HTML, tables or RTF under .xls for Office to open
    if data.startswith(FOREIGN):
        raise BadFile("unsupported")
    if data.startswith(RTF_MARK):
        return RTF
    text = decode_beginning(data)
    if PAGE.match(text):
        return HTML
    if named in (PDF, *ARCHIVES, RTF):
        raise BadFile("mislabelled")
    if b"\x00" in data and detect_encoding(data) == "utf-8-sig":
        raise BadFile("binary")
    if named == PLAIN:
        is_csv = delimited.is_table(text)
        is_json = records.BEGINNING.match(text) is not None
        other = XML if text.startswith("<?xml") else JSON if is_json else PLAIN
        return MAIL if is_mail(text) else CSV if is_csv else other
    if named == CSV and not delimited.has_rows(text):
        return PLAIN
    return named


def detect_old_office(data: bytes, named: str) -> str:
    """Return XLS if a compound file holds a workbook, or raise BadFile."""
    found = [kind for name, kind in STREAMS if name.encode("utf-16-le") + b"\0\0" in data]
    if XLS in found and (named == XLS or DOC not in found):
        return XLS
    if DOC in found:
        raise BadFile("old_word")
    is_locked, is_damaged = ENCRYPTED_OFFICE in data, named == XLS
    raise BadFile("encrypted" if is_locked else "broken" if is_damaged else "unsupported")


def find_format(media_type: str) -> str:
    """Return the module that reads the kind, or raise BadFile if none does any more."""
    if media_type not in FORMATS:
        raise BadFile("old_word" if media_type == DOC else "unsupported")
    return FORMATS[media_type]


def detect_archive(data: bytes, named: str) -> str:
    """Detect the kind of an archive by its own directory, regardless of archives inside.

    An archive that lost its end is damaged if its name claims a kind.
    """
    listed = read_archive_directory(data)
    if main := MAIN_PART.search(listed):
        return MAIN_PARTS[main[1]]
    if b"META-INF/container.xml" in listed:
        return EPUB
    declared = DECLARED.search(data)
    if declared is None or (media_type := declared[1].decode()) not in (ODT, ODS, ODP):
        is_damaged = named in ARCHIVES and DIRECTORY_MARK not in data
        raise BadFile("broken" if is_damaged else "unsupported")
    return media_type


def read_archive_directory(data: bytes) -> bytes:
    """Return the directory at an archive's end, or the whole data if the end is missing."""
    at = data.rfind(DIRECTORY_MARK)
    if at < 0 or at + DIRECTORY_END.size > len(data):
        return data
    _, start = DIRECTORY_END.unpack_from(data, at)
    return data[start:] if start < len(data) else data


def decode_beginning(data: bytes) -> str:
    """Return the first characters in the detected encoding, ignoring errors."""
    return data[:BEGINNING].decode(detect_encoding(data), "ignore")


def is_mail(text: str) -> bool:
    """Return whether a text begins with the headers of a mail."""
    head = HEAD_END.split(text, maxsplit=1)[0]
    return bool(MAIL_LINE.match(text) and MAIL_MARK.search(head) and SENDER.search(head))
