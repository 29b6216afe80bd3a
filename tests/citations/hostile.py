"""Files made to hurt: what each is, what it is called, and the codes that refuse it."""

import struct
import zlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass

from tests.citations import files, office_files

Make = Callable[[], bytes]
TEXT = "Nothing but an honest sentence."


@dataclass(frozen=True)
class Hostile:
    """One of them; `codes` are those that are right; `read` where it may be read without harm."""

    name: str
    make: Make
    codes: frozenset[str]


def hostile(name: str, codes: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        FILES[make.__name__] = Hostile(name, make, frozenset(codes.split()))
        return make

    return register


FILES: dict[str, Hostile] = {}


# --- PDF ---------------------------------------------------------------------------------------


@hostile("encrypted.pdf", "encrypted")
def encrypted_pdf() -> bytes:
    return files.encrypted(files.pdf([TEXT]), password="secret")


@hostile("old-encryption.pdf", "encrypted")
def pdf_encrypted_as_long_ago() -> bytes:
    return files.encrypted(files.pdf([TEXT]), password="secret", algorithm="RC4-128")


@hostile("head.pdf", "broken")
def pdf_of_a_head_only() -> bytes:
    return b"%PDF-1.7\n"


@hostile("truncated.pdf", "broken empty")
def truncated_pdf() -> bytes:
    return files.pdf([TEXT])[:400]


@hostile("no-pages.pdf", "empty broken")
def pdf_without_pages() -> bytes:
    return files.pdf([])


@hostile("scan.pdf", "no_text")
def scanned_pdf() -> bytes:
    return files.pdf([b"0 0 m 100 100 l S"] * 20)


@hostile("many.pdf", "too_many_pages")
def pdf_of_100_000_shared_pages() -> bytes:
    return pages_by_kids(100_000, count=100_000)


@hostile("liar.pdf", "too_many_pages no_text read")
def pdf_of_100_000_shared_pages_that_says_one() -> bytes:
    return pages_by_kids(100_000, count=1)


@hostile("multiplied.pdf", "too_many_pages no_text")
def pdf_whose_kids_multiply() -> bytes:
    """Six levels of ten references each to the next: a million pages from a kilobyte."""
    objects = {1: b"<</Type/Catalog/Pages 2 0 R>>"}
    for number in range(2, 8):
        kids = b" ".join([b"%d 0 R" % (number + 1)] * 10)
        objects[number] = b"<</Type/Pages/Kids[%s]/Count 10>>" % kids
    objects[8] = b"<</Type/Page/MediaBox[0 0 9 9]>>"
    return files.document(objects)


def pages_by_kids(number: int, *, count: int) -> bytes:
    kids = b" ".join([b"10 0 R"] * number)
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        10: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 11 0 R>>",
        11: files.stream(files.drawn(TEXT)),
    }
    return files.document(objects)


@hostile("cycle.pdf", "broken empty no_text too_complex too_many_pages")
def pdf_whose_pages_are_their_own_children() -> bytes:
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Pages/Kids[2 0 R]/Count 1>>",
    }
    return files.document(objects)


@hostile("loop.pdf", "broken empty no_text too_complex")
def pdf_whose_tables_point_at_each_other() -> bytes:
    head = b"%PDF-1.7\n"
    table = b"xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 1/Root 1 0 R/Prev %d>>\n"
    first = table % (len(head) + len(table % 1000) + 4)
    second = table % len(head)
    return head + first + second + b"startxref\n%d\n%%%%EOF" % len(head)


@hostile("deep.pdf", "broken empty no_text too_complex read")
def pdf_of_deep_arrays() -> bytes:
    deep = b"[" * 200_000 + b"]" * 200_000
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[10 0 R]/Count 1>>",
        10: b"<</Type/Page/Parent 2 0 R/Contents 11 0 R/Resources %s>>" % deep,
        11: files.stream(files.drawn(TEXT)),
    }
    return files.document(objects)


@hostile("bomb.pdf", "too_complex no_text")
def pdf_whose_page_unpacks_to_200_megabytes() -> bytes:
    packer = zlib.compressobj(1)
    chunk = b" " * 1_000_000
    once = b"".join(packer.compress(chunk) for _ in range(200)) + packer.flush()
    return page_of(b"<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream" % (len(once), once))


@hostile("twice.pdf", "too_complex no_text")
def pdf_whose_page_is_packed_twice() -> bytes:
    twice = zlib.compress(zlib.compress(bytes(200_000_000), 1), 9)
    head = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>\nstream\n" % len(twice)
    return page_of(head + twice + b"\nendstream")


@hostile("operators.pdf", "too_complex no_text")
def pdf_of_millions_of_operators() -> bytes:
    return page_of(files.stream(b"BT " + b"() Tj " * 3_000_000 + b"ET"))


@hostile("forms.pdf", "too_complex no_text")
def pdf_whose_forms_multiply() -> bytes:
    """Eight levels of forms, each drawing the next ten times."""
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[10 0 R]/Count 1>>",
        10: b"<</Type/Page/Parent 2 0 R/Contents 11 0 R/Resources<</XObject<</X 20 0 R>>>>>>",
        11: files.stream(b"/X Do " * 10),
    }
    for number in range(20, 28):
        form = files.stream(b"/X Do " * 10)
        more = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>"
        objects[number] = form.replace(b"<<", b"<<" + more % (number + 1), 1)
    objects[28] = files.stream(b"").replace(b"<<", b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]", 1)
    return files.document(objects)


def page_of(content: bytes) -> bytes:
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[10 0 R]/Count 1>>",
        3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        10: b"<</Type/Page/Parent 2 0 R/Contents 11 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
        11: content,
    }
    return files.document(objects)


# --- DOCX --------------------------------------------------------------------------------------


@hostile("bomb.docx", "unpacks_too_large")
def docx_that_unpacks_to_more_than_a_book() -> bytes:
    return files.archive({"word/document.xml": b"<" + b" " * 60_000_000})


@hostile("parts-bomb.docx", "unpacks_too_large")
def docx_whose_parts_unpack_to_half_a_gigabyte() -> bytes:
    part = files.archive({"word/document.xml": b" " * 30_000_000})
    return sized(part, 600_000_000)


@hostile("ratio.docx", "unpacks_too_large")
def docx_of_one_letter_forty_million_times() -> bytes:
    return files.word_of(files.paragraph("a" * 40_000_000))


@hostile("liar.docx", "broken")
def docx_that_lies_about_its_size() -> bytes:
    return sized(files.word_of(files.paragraph("a" * 30_000_000)), 1000)


def sized(archive: bytes, size: int) -> bytes:
    """Make the archive's directory claim another size of its only part."""
    at = archive.rindex(b"PK\x01\x02") + 24
    return archive[:at] + struct.pack("<I", size) + archive[at + 4 :]


@hostile("parts.docx", "too_many_parts too_complex")
def docx_of_many_parts() -> bytes:
    parts = {f"word/media/{number}": b"" for number in range(12_000)}
    return files.archive({"word/document.xml": b"<a/>", **parts})


@hostile("nested.docx", "broken")
def docx_whose_document_is_an_archive() -> bytes:
    inner = files.archive({"bomb": b"\0" * 10_000_000})
    return files.archive({"word/document.xml": inner})


@hostile("laughs.docx", "broken")
def docx_of_a_billion_laughs() -> bytes:
    entities = '<!ENTITY e0 "ha">'
    entities += "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return files.word_of(files.paragraph("&e9;"), before=f"<!DOCTYPE d [{entities}]>")


@hostile("entity.docx", "broken")
def docx_that_wants_a_file_of_ours() -> bytes:
    doctype = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    return files.word_of(files.paragraph("&x;"), before=doctype)


@hostile("deep.docx", "broken too_complex")
def docx_of_deep_elements() -> bytes:
    return files.word_of("<w:sdt>" * 100_000 + "</w:sdt>" * 100_000)


@hostile("encrypted.docx", "encrypted")
def docx_with_a_password() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le") * 2


@hostile("empty.docx", "empty")
def docx_without_text() -> bytes:
    return files.word_of("<w:p/>")


@hostile("truncated.docx", "broken")
def truncated_docx() -> bytes:
    return files.word_of(files.paragraph(TEXT))[:-30]


@hostile("beginning.docx", "broken")
def the_mere_beginning_of_a_docx() -> bytes:
    return b"PK\x03\x04nonsense"


@hostile("beginning.bin", "unsupported")
def the_beginning_of_some_archive() -> bytes:
    return b"PK\x03\x04nonsense"


@hostile("not-xml.docx", "broken")
def docx_whose_xml_is_broken() -> bytes:
    return files.archive({"word/document.xml": b"<w:document><w:body>"})


# --- Excel, PowerPoint, OpenDocument, EPUB ------------------------------------------------------


@hostile("bomb.xlsx", "unpacks_too_large")
def workbook_that_unpacks_to_more_than_a_book() -> bytes:
    return office_files.workbook("<sheetData>" + " " * 60_000_000)


@hostile("strings.xlsx", "read")
def workbook_that_names_a_text_that_is_not_there() -> bytes:
    cells = '<c t="s"><v>99999999</v></c><c t="s"><v>-1</v></c><c t="s"><v>x</v></c>'
    return office_files.workbook(f"<sheetData><row>{cells}<c><v>1</v></c></row></sheetData>")


@hostile("far.xlsx", "read")
def workbook_whose_cells_are_far_away() -> bytes:
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A9999999"><v>2</v></c></row>'
    return office_files.workbook(f"<sheetData>{far}<row r='1'/></sheetData>")


@hostile("merged.xlsx", "read")
def workbook_merged_everywhere() -> bytes:
    merged = '<mergeCell ref="A1:A1000"/>' * 100_000 + '<mergeCell ref="A1:XFD1048576"/>'
    cells = office_files.rows([TEXT], ["a", "b"])
    return office_files.workbook(f"{cells}<mergeCells>{merged}</mergeCells>")


@hostile("laughs.xlsx", "broken empty")
def workbook_of_a_billion_laughs() -> bytes:
    entities = '<!ENTITY e0 "ha">'
    entities += "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    cell = '<row><c t="inlineStr"><is><t>&e9;</t></is></c></row>'
    sheet = f'<worksheet xmlns="{office_files.SHEET}"><sheetData>{cell}</sheetData></worksheet>'
    made = office_files.workbook("")
    return files.with_part(made, "xl/worksheets/1.xml", f"<!DOCTYPE d [{entities}]>{sheet}")


@hostile("numbers.xlsx", "read")
def workbook_of_numbers_without_end() -> bytes:
    values = ("1" * 4000, "1e999", "nan", "-inf", "1e308", "١٢", "0x10")
    cells = "".join(f'<c s="0"><v>{value}</v></c>' for value in values)
    return office_files.workbook(f"<sheetData><row>{cells}</row></sheetData>", forms=["#,##0.00"])


@hostile("forms.xlsx", "read")
def workbook_with_a_form_made_to_be_slow() -> bytes:
    form = '"' * 50_000 + "[" * 50_000 + "#" * 50_000 + "," * 50_000
    return office_files.workbook(office_files.rows([1.5, 2]), forms=[form])


@hostile("slides.pptx", "too_many_pages")
def deck_of_100_000_slides() -> bytes:
    listed = '<p:sldId r:id="r1"/>' * 100_000
    spaces = f'xmlns:p="{office_files.SLIDE}" xmlns:r="{office_files.OFFICE}"'
    main = f"<p:presentation {spaces}>{listed}</p:presentation>"
    return files.with_part(office_files.deck(""), "ppt/presentation.xml", main)


@hostile("deep.pptx", "broken")
def deck_of_deep_groups() -> bytes:
    return office_files.deck("<p:grpSp>" * 50_000 + "</p:grpSp>" * 50_000)


@hostile("repeated.ods", "read")
def sheet_whose_cells_and_rows_repeat() -> bytes:
    cell = '<table:table-cell table:number-columns-repeated="99999999"><text:p>a</text:p>'
    row = f'<table:table-row table:number-rows-repeated="99999999">{cell}</table:table-cell>'
    return office_files.opendocument(
        "spreadsheet", f"<table:table>{f'{row}</table:table-row>' * 50}</table:table>"
    )


@hostile("spaces.odt", "read")
def text_of_spaces_without_end() -> bytes:
    spaces = '<text:s text:c="99999999"/>' * 10_000
    return office_files.opendocument("text", f"<text:p>{TEXT}{spaces}</text:p>")


@hostile("deep.odt", "broken")
def text_of_deep_lists() -> bytes:
    opened = "<text:list><text:list-item>" * 20_000
    return office_files.opendocument("text", opened + "</text:list-item></text:list>" * 20_000)


@hostile("deep.odp", "broken empty too_complex")
def slides_of_deep_groups() -> bytes:
    body = '<draw:page draw:name="a">' + "<draw:g>" * 20_000 + "</draw:g>" * 20_000 + "</draw:page>"
    return office_files.opendocument("presentation", body)


@hostile("deep.rtf", "broken empty too_complex read")
def rtf_of_groups_without_end() -> bytes:
    return b"{\\rtf1 " + b"{\\*\\generator {\\b " * 200_000 + TEXT.encode()


@hostile("parts.eml", "broken empty too_complex read")
def mail_of_mails_in_mails() -> bytes:
    head = b"From: a@example.org\nTo: b@example.org\nSubject: One more\nMIME-Version: 1.0\n"
    return head + (head + b"Content-Type: message/rfc822\n\n") * 20_000 + TEXT.encode()


@hostile("carrier.eml", "read")
def mail_that_carries_hostile_files() -> bytes:
    files_of = ("bomb.docx", "loop.pdf", "deep.html", "noise.xls")
    carried = {each.name: each.make() for each in FILES.values() if each.name in files_of}
    parts = "".join(
        f"--x\nContent-Disposition: attachment; filename={name}\n"
        f"Content-Transfer-Encoding: base64\n\n{b64encode(data).decode()}\n"
        for name, data in carried.items()
    )
    head = "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    return f"{head}--x\n\n{TEXT}\n{parts}--x--\n".encode()


@hostile("laughs.xml", "broken empty read")
def xml_of_a_billion_laughs() -> bytes:
    laughs = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]><a>&l9;</a>'.encode()


@hostile("deep.xml", "broken empty too_complex read")
def xml_of_deep_elements() -> bytes:
    return b"<?xml version='1.0'?>" + b"<a>" * 100_000 + TEXT.encode() + b"</a>" * 100_000


@hostile("deep.rst", "broken empty too_complex read")
def structured_text_of_deep_lists() -> bytes:
    return "".join(f"{' ' * depth}- {TEXT}\n\n" for depth in range(2_000)).encode()


@hostile("open.man", "broken empty too_complex read")
def manual_of_blocks_that_stay_open() -> bytes:
    return b".TH A 1\n.SH NAME\na \\- b\n" + b".RS\n.nf\n\\fB" * 100_000 + TEXT.encode()


@hostile("deep.json", "broken empty too_complex read")
def settings_of_deep_lists() -> bytes:
    return b"[" * 1_000_000 + b"]" * 1_000_000


@hostile("outside.epub", "empty")
def book_whose_chapters_are_outside() -> bytes:
    made = office_files.book("<p>Text.</p>")
    container = '<c><rootfile full-path="OPS/b.opf"/></c>'
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><item id="a" href="../../../etc/passwd"'
        ' media-type="text/html"/><itemref idref="a"/></package>'
    )
    made = files.with_part(made, "OPS/b.opf", package)
    return files.with_part(made, "META-INF/container.xml", container)


@hostile("same.epub", "read")
def book_of_one_chapter_again_and_again() -> bytes:
    made = office_files.book(f"<p>{TEXT}</p>" * 1000)
    again = '<itemref idref="c0"/>' * 100_000
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><item id="c0" href="c%200.xhtml"'
        f' media-type="text/html"/>{again}</package>'
    )
    return files.with_part(made, "OPS/a.opf", package)


@hostile("quotes.csv", "read")
def table_of_quotation_marks() -> bytes:
    return b'a;b\n"' + b'"";"' * 500_000 + b'\n"x'


# --- HTML --------------------------------------------------------------------------------------


@hostile("deep.html", "too_complex")
def html_of_100_000_elements_in_each_other() -> bytes:
    return b"<html><body>" + b"<div>" * 100_000 + TEXT.encode()


@hostile("attributes.html", "too_complex")
def html_of_many_attributes() -> bytes:
    many = b" ".join(b"a%d=1" % number for number in range(150_000))
    return b"<html><body><p " + many + b">" + TEXT.encode()


@hostile("script.html", "empty")
def html_of_a_script() -> bytes:
    return b"<!doctype html><html><head><title>T</title></head><script>go()</script></html>"


# --- Labels and text -----------------------------------------------------------------------------


@hostile("archive.pdf", "unsupported")
def archive_called_pdf() -> bytes:
    return files.archive({"a.txt": "text"})


@hostile("sheet.docx", "unsupported")
def binary_spreadsheet_called_docx() -> bytes:
    return files.archive({"xl/workbook.bin": "workbook"})


@hostile("note.xlsx", "mislabelled")
def text_called_xlsx() -> bytes:
    return TEXT.encode()


@hostile("note.docx", "mislabelled")
def text_called_docx() -> bytes:
    return TEXT.encode()


@hostile("note.pdf", "mislabelled")
def text_called_pdf() -> bytes:
    return TEXT.encode()


@hostile("picture.md", "unsupported")
def picture_called_markdown() -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"\0" * 100


@hostile("program.txt", "unsupported")
def program_called_text() -> bytes:
    return b"\x7fELF\x02\x01\x01" + b"\0" * 100


@hostile("binary.txt", "binary")
def bytes_called_text() -> bytes:
    return b"text\x00more"


@hostile("old.doc", "unsupported")
def old_word() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@hostile("surrogates.txt", "not_utf8")
def lone_surrogates() -> bytes:
    return "text \ud800 more".encode("utf-8", "surrogatepass")


@hostile("noise.md", "not_utf8")
def text_in_no_encoding() -> bytes:
    return bytes(range(128, 256)) * 9


@hostile("blank.txt", "empty")
def invisible_text() -> bytes:
    return "\ufeff\u200b\u200e \U000e0041\n".encode()


# --- Text to be slow with ------------------------------------------------------------------------

# By name: a text that is slow to detect, and its media type.
SLOW: dict[str, tuple[bytes, str]] = {
    "comments": (b"<!---->" * 40 + b"x", "text/plain"),
    "comments_and_spaces": (b"<!----> " * 1000 + b"x", "text/plain"),
    "comment_without_end": (b"<!--" * 2000, "text/plain"),
    "spaces": (b" " * 9000 + b"x", "text/plain"),
    "declaration": (b"<?xml " + b"?" * 9000, "application/xml"),
    "comments_of_a_page": (b"<!----> " * 900 + b"<!doctype html><p>x", "text/html"),
    "marks": (("a" + "\u0301\u0323" * 150_000).encode(), "text/plain"),
    "far_marks": (("a" + "\U0001d165\U0001d16d" * 100_000).encode(), "text/plain"),
    "mixed_marks": (("a" + "\U0001d165\u0323\u0f73" * 100_000).encode(), "text/plain"),
}


# --- Old Office ---------------------------------------------------------------------------------


@hostile("noise.xls", "broken")
def workbook_of_long_ago_whose_sheets_are_noise() -> bytes:
    data = bytearray(files.old_office("deaths.xls"))
    data[2048:9000:7] = bytes(len(data[2048:9000:7]))
    return bytes(data)


@hostile("deep.jsonl", "broken empty too_complex read")
def records_within_records() -> bytes:
    return b'[{"a":' * 100_000 + b"1" + b"}]" * 100_000


@hostile("brackets.yaml", "broken empty too_complex read")
def settings_of_brackets() -> bytes:
    return b"[" * 1_000_000
