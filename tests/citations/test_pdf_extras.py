"""PDF: what stands beside the text of a page: comments, fields of forms, files, hidden text."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText, Text
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    StreamObject,
    TextStringObject,
)

from citations.formats import pdf
from citations.formats.reading import BadFile, FileReading, ReadingLimits, ignore_progress
from tests.citations import files

OPTIONS = ArrayObject(
    ArrayObject(map(TextStringObject, option))
    for option in (("s", "Sailing boat"), ("m", "Motor boat"))
)
HIDDEN = b"BT /F1 12 Tf 3 Tr 72 600 Td (Pay the other account) Tj ET"
SHOWN = b"BT /F1 12 Tf 72 700 Td (The invoice is paid in March by all members.) Tj ET "


def writer_of(*pages: str | bytes) -> PdfWriter:
    return PdfWriter(clone_from=PdfReader(BytesIO(files.pdf(pages))))


def read(writer: PdfWriter, **limits: object) -> FileReading:
    return pdf.read(files.saved(writer), ReadingLimits(pages=9, **limits), ignore_progress)  # type: ignore[arg-type]


def parts(reading: FileReading) -> list[tuple[str, int, str | None]]:
    return [(part.kind, part.number, part.reason) for part in reading.parts if part.kind != "page"]


def field(kind: str, label: str, **values: object) -> DictionaryObject:
    """Make a field of a form with its widget in one."""
    said = {"/Type": NameObject("/Annot"), "/Subtype": NameObject("/Widget")}
    said |= {"/FT": NameObject(kind), "/T": TextStringObject(label)}
    said |= {"/Rect": ArrayObject(map(FloatObject, (50, 500, 90, 520)))}
    said |= {f"/{name}": value for name, value in values.items()}
    return DictionaryObject({NameObject(name): value for name, value in said.items()})


def add_form(
    *fields: DictionaryObject, page: str | bytes = "Please fill in.", **entries: object
) -> PdfWriter:
    writer = writer_of(page)
    places = ArrayObject(writer._add_object(each) for each in fields)
    form = DictionaryObject({NameObject("/Fields"): places})
    form |= {NameObject(f"/{name}"): value for name, value in entries.items()}
    writer.pages[0][NameObject("/Annots")] = places
    writer.root_object[NameObject("/AcroForm")] = writer._add_object(form)
    return writer


def test_comments_are_read_on_their_page_with_their_authors():
    writer = writer_of("One.", "Two.")
    note = Text(rect=(50, 50, 70, 70), text="Ask the neighbour.")
    note[NameObject("/T")] = TextStringObject("Ida Voss")
    writer.add_annotation(1, note)
    writer.add_annotation(0, FreeText(rect=(50, 50, 99, 70), text="From Brookes."))
    found = read(writer)
    assert [section.text for section in found.sections] == [
        "One.\n\nComment: From Brookes.",
        "Two.\n\nComment of Ida Voss: Ask the neighbour.",
    ]
    assert parts(found) == [("comment", 2, None)]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (field("/Tx", "name", V=TextStringObject("Ida"), TU=TextStringObject("Name")), "Name: Ida"),
        (field("/Tx", "Street"), "Street: ____"),
        (field("/Btn", "Paid", V=NameObject("/Yes"), AS=NameObject("/Yes")), "☒ Paid"),
        (field("/Btn", "Member", AS=NameObject("/Off")), "☐ Member"),
        (field("/Ch", "Boat", V=TextStringObject("m"), Opt=OPTIONS), "Boat: Motor boat"),
    ],
    ids=["label", "empty", "ticked", "not ticked", "choice"],
)
def test_fields_of_forms_are_read_with_their_labels(made: DictionaryObject, said: str):
    found = read(add_form(made))
    assert found.sections[0].text == f"Please fill in.\n\n{said}"
    assert parts(found) == [("field", 1, None)]


def test_values_of_an_xfa_form_are_read_from_its_data():
    data = StreamObject()
    data.set_data(b"<d><data><form><Total>42 EUR</Total><Empty/></form></data></d>")
    writer = add_form()
    packets = ArrayObject([TextStringObject("datasets"), writer._add_object(data)])
    writer.root_object["/AcroForm"][NameObject("/XFA")] = packets  # type: ignore[index]
    found = read(writer)
    assert found.sections[0].text == "Please fill in.\n\nTotal: 42 EUR"
    assert parts(found) == [("field", 1, None)]


def test_embedded_files_are_read_under_their_names_or_counted():
    writer = writer_of("The letter.")
    writer.add_attachment("prices.csv", b"Thing,Price\nPond,140\n")
    writer.add_attachment("tool.bin", b"\x7fELF\0\1\2" * 9)
    found = read(writer)
    assert [section.headings for section in found.sections] == [[], ["prices.csv"]]
    assert "Pond | 140" in found.sections[1].text
    assert ("attachment", 1, None) in parts(found)
    assert ("attachment", 1, "unsupported") in parts(found)


@pytest.mark.parametrize(
    ("is_wanted", "said", "reason"),
    [(True, "\n\n[hidden: Pay the other account]", None), (False, "", "left_out")],
)
def test_hidden_text_is_marked_or_left_out(is_wanted: bool, said: str, reason: str | None):
    found = read(writer_of(SHOWN + HIDDEN), hidden=is_wanted)
    assert found.sections[0].text == "The invoice is paid in March by all members." + said
    assert parts(found) == [("hidden_text", 1, reason)]


def test_text_that_was_recognised_on_a_scan_is_not_hidden():
    assert read(writer_of(HIDDEN)).sections[0].text == "Pay the other account"


def test_a_form_without_text_is_read_and_a_page_without_anything_is_refused():
    bare = b"0 0 m 9 9 l S"
    with pytest.raises(BadFile, match="no_text"):
        read(writer_of(bare))
    made = add_form(field("/Tx", "Name", V=TextStringObject("Ida")), page=bare)
    assert read(made).sections[0].text == "Name: Ida"
